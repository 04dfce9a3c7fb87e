/** A tiny model and its tokenizer in the file formats of llama2.c, so tests need no real ones. */

export const VOCAB = [
  '<unk>',
  '\n<s>\n',
  '\n</s>\n',
  ...Array.from({ length: 256 }, (_, i) => byteName(i)),
  ' ',
  'a',
  'b',
  'c',
];

function byteName(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

export function tinyTokenizer(tokens: readonly string[] = VOCAB): Uint8Array {
  const entries = tokens.map((token) => new TextEncoder().encode(token));
  const bytes = new Uint8Array(4 + entries.reduce((sum, { length }) => sum + 8 + length, 0));
  const view = new DataView(bytes.buffer);
  view.setInt32(0, Math.max(...entries.map(({ length }) => length)), true);
  let at = 4;
  entries.forEach((entry, i) => {
    view.setFloat32(at, -i, true);
    view.setInt32(at + 4, entry.length, true);
    bytes.set(entry, at + 8);
    at += 8 + entry.length;
  });
  return bytes;
}

/** One layer, width 8, two heads sharing one key-value head; weights between -1 and 1 from a fixed recurrence. */
export function tinyModel({ tied }: { tied: boolean }): Uint8Array {
  const [dim, hidden, layers, heads, kvHeads, context] = [8, 12, 1, 2, 1, 32] as const;
  const kv = (dim / heads) * kvHeads;
  const table = VOCAB.length * dim;
  const layer = dim + dim * dim + 2 * kv * dim + dim * dim + dim + 3 * hidden * dim;
  const numbers = table + layers * layer + dim + 2 * context * (dim / heads / 2) + (tied ? 0 : table);
  const bytes = new Uint8Array(28 + 4 * numbers);
  const view = new DataView(bytes.buffer);
  [dim, hidden, layers, heads, kvHeads, tied ? VOCAB.length : -VOCAB.length, context].forEach((size, i) => {
    view.setInt32(4 * i, size, true);
  });
  let state = 1;
  for (let i = 0; i < numbers; ++i) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    view.setFloat32(28 + 4 * i, state / 2 ** 31 - 1, true);
  }
  return bytes;
}

/** 259 + 4 rows of 8, and the rows in between. */
export const TINY_TABLE = VOCAB.length * 8;
