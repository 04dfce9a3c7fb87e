/** Changes of files: bits, ends, pieces, and numbers where a reader expects sizes and counts. */
import type { Draw } from '../draw.js';
import { fieldsOf, type Field, type Sample } from './formats.js';

const WHOLES = [0, 1, 2, 3, 4, 5, 8, 255, 256, 65_535, 65_536, 1e6, 1e8, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const REALS = [NaN, Infinity, -Infinity, 0, -0, -1, 0.5, 1, 1 - 2 ** -53, 1e-300, 5e-324, 1e30, 1.1e30, 1e300, 3e38];

function change(draw: Draw, view: DataView, { at, kind }: Field): void {
  if (kind === 'u8') view.setUint8(at, draw.of([0, 1, 2, 3, 4, 5, 16, 17, 255]));
  else if (kind === 'f32') view.setFloat32(at, draw.of(REALS), true);
  else if (kind === 'f64') view.setFloat64(at, draw.of(REALS), true);
  else if (kind === 'u32')
    view.setUint32(at, (draw.odds(0.3) ? view.getUint32(at, true) + draw.of([-1, 1]) : draw.of(WHOLES)) >>> 0, true); // prettier-ignore
  else view.setBigUint64(at, wide(draw, view.getBigUint64(at, true)), true);
}

function wide(draw: Draw, now: bigint): bigint {
  if (draw.odds(0.3)) return BigInt.asUintN(64, now + draw.of([-1n, 1n]));
  if (draw.odds(0.3)) return BigInt.asUintN(64, now * draw.of([2n, 3n, 1n << 20n, 1n << 40n]));
  return draw.odds(0.5) ? BigInt(draw.of(WHOLES)) : draw.of([2n ** 32n, 2n ** 40n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 62n, 2n ** 63n, 2n ** 64n - 1n]); // prettier-ignore
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A piece omitted, duplicated, or taken from another file. */
function splice(draw: Draw, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  const from = draw.whole(0, bytes.length);
  const to = Math.min(bytes.length, from + draw.whole(0, 40));
  const start = draw.whole(0, other.length);
  const piece = draw.of([new Uint8Array(), bytes.subarray(from, to), other.subarray(start, start + draw.whole(0, 80))]);
  return joined(bytes.subarray(0, draw.odds(0.5) ? from : to), piece, bytes.subarray(to));
}

/** A changed copy. `other`: a file of any format. */
export function mutated(draw: Draw, sample: Sample, other: Sample): Sample {
  const { format } = sample;
  let bytes: Uint8Array = sample.bytes.slice();
  for (let i = draw.of([0, 1, 1, 1, 2, 3]); i > 0; i--) {
    const kind = draw.whole(0, 9);
    const fields = fieldsOf({ format, bytes });
    if (kind < 5 && fields.length > 0) change(draw, new DataView(bytes.buffer), draw.of(fields));
    else if (kind < 7 && bytes.length > 0) {
      for (let n = draw.whole(1, 4); n > 0; n--) bytes[draw.whole(0, bytes.length - 1)]! ^= 1 << draw.whole(0, 7);
    } else if (kind === 7) bytes = bytes.slice(0, draw.whole(0, bytes.length));
    else if (kind === 8) bytes = splice(draw, bytes, other.bytes);
    else {
      const from = draw.whole(0, bytes.length);
      bytes.fill(draw.of([0, 0x7f, 0xff, 0x22, 0x7b]), from, from + draw.whole(1, 16));
    }
  }
  return { format, bytes };
}
