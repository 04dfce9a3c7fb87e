/** Corrupts the structure of files: numbers and strings in JSON, integers in binary headers, lengths, ends. */
import type { Draw } from '../draw.js';
import type { NamedFile } from './checkpoint-grammar.js';

const NUMBERS = ['-1', '0', '1', '2', '1.0', '1e3', '-0', '16777215', '4294967296', '9007199254740993', '18446744073709551616', 'null', '"1"', '[]', '{}', 'true']; // prettier-ignore
const STRINGS = ['"F64"', '"I8"', '"F31"', '""', '"__metadata__"', '"__proto__"', '"../x"', '"lm_head.qweight"', '"wte.weight"', '"\\ud800"', '7', 'null']; // prettier-ignore
const PIECES = [',', '}', ']', '{', '"', ':', '\u0000', '\uFEFF', ' ', '{"a":'];
const WIDE = [
  0n,
  1n,
  2n,
  7n,
  255n,
  65_536n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n + 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

export function spoiledCheckpoint(draw: Draw, files: readonly NamedFile[]): NamedFile[] {
  const result = [...files];
  for (let i = draw.whole(1, 3); i > 0; i--) {
    const at = draw.whole(0, result.length - 1);
    const { name, bytes } = result[at]!;
    result[at] = { name, bytes: spoiled(draw, bytes) };
  }
  if (draw.odds(0.05) && result.length > 1) result.splice(draw.whole(0, result.length - 1), 1);
  return result;
}

function spoiled(draw: Draw, bytes: Uint8Array): Uint8Array {
  const json = jsonOf(bytes);
  if (json !== null && draw.odds(0.7)) return withJson(draw, bytes, json);
  const kind = draw.whole(0, 5);
  if (kind === 0) return bytes.slice(0, draw.whole(0, bytes.length));
  if (kind === 1) return Uint8Array.from([...bytes, ...draw.list(draw.whole(1, 9), () => draw.whole(0, 255))]);
  const copy = bytes.slice();
  if (copy.length < 8) return copy;
  // Headers come first; the directory of an archive is at its end.
  const last = Math.min(copy.length, draw.odds(0.8) ? 400 : copy.length) - 8;
  const from = copy[0] === 0x50 && draw.odds(0.4) ? copy.length - 8 - last : 0;
  const view = new DataView(copy.buffer, from);
  if (from > 0 && draw.odds(0.5)) view.setUint16(draw.whole(0, last), draw.of([0, 1, 8, 46, 65_535]), true);
  else if (kind === 2) copy[draw.whole(0, last + 7)]! ^= 1 << draw.whole(0, 7);
  else if (kind === 3) view.setBigUint64(draw.whole(0, last), draw.of(WIDE), true);
  else if (kind === 4)
    view.setUint32(draw.whole(0, last), draw.of([0, 1, 2, 3, 8, 9, 12, 13, 30, 77, 2 ** 31, 2 ** 32 - 1]), true); // prettier-ignore
  else view.setBigUint64(8 * draw.whole(0, Math.floor(last / 8)), draw.of(WIDE), true);
  return copy;
}

/** The range of a file's JSON: the whole file, or the header of safetensors. */
function jsonOf(bytes: Uint8Array): { from: number; to: number } | null {
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return { from: 0, to: bytes.length };
  if (bytes.length < 10 || bytes[8] !== 0x7b) return null;
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  return 8 + length <= bytes.length ? { from: 8, to: 8 + length } : null;
}

function withJson(draw: Draw, bytes: Uint8Array, { from, to }: { from: number; to: number }): Uint8Array {
  const text = new TextDecoder().decode(bytes.subarray(from, to));
  const changed = new TextEncoder().encode(changedText(draw, text));
  const result = new Uint8Array(from + changed.length + bytes.length - to);
  result.set(bytes.subarray(0, from));
  result.set(changed, from);
  result.set(bytes.subarray(to), from + changed.length);
  // Mostly with the length of the new header, so its contents are read.
  if (from === 8 && draw.odds(0.9)) new DataView(result.buffer).setBigUint64(0, BigInt(changed.length), true);
  return result;
}

function changedText(draw: Draw, text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d+|[{}[\],:]|[^"{}[\],:\d]+/g) ?? [];
  if (tokens.length === 0) return text;
  const at = draw.whole(0, tokens.length - 1);
  const token = tokens[at]!;
  const kind = draw.whole(0, 5);
  if (kind === 0) tokens.splice(at, 1);
  else if (kind === 1) tokens.splice(at, 0, draw.of(PIECES));
  else if (kind === 2) tokens.splice(at, 0, ...tokens.slice(draw.whole(0, at), at + draw.whole(1, 12)));
  else if (/^-?\d/.test(token))
    tokens[at] = draw.odds(0.4) ? String(Number(token) + draw.of([-1, 1, 4])) : draw.of(NUMBERS);
  else if (token.startsWith('"'))
    tokens[at] = draw.odds(0.5) ? draw.of(STRINGS) : draw.of(tokens.filter((one) => one.startsWith('"')));
  else tokens[at] = draw.of(PIECES);
  return tokens.join('');
}
