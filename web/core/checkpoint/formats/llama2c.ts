/** A file of llama2.c, version 0: seven integers, then all matrices as floats. https://github.com/karpathy/llama2.c */
import { badFile, type ByteSource } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

const HEADER_BYTES = 28;
const LARGEST_SIZE = 10_000_000;
const FLOAT_BYTES = 4;

export interface Llama2cHeader {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Its sizes, under the names used in its code; metadata in safetensors use the same names. */
  readonly metadata: ReadonlyMap<string, string>;
}

export async function readLlama2c(source: ByteSource, signal?: AbortSignal): Promise<Llama2cHeader> {
  const head = await source.read(0, HEADER_BYTES, signal);
  const view = new DataView(head.buffer, head.byteOffset);
  const at = (index: number): number => view.getInt32(4 * index, true);
  const [width, hidden, layers, heads, keyHeads, vocabulary, context] = [0, 1, 2, 3, 4, 5, 6].map(at) as Sizes;
  const tokens = Math.abs(vocabulary);
  const wrong = (problem: string): Error => badFile(source.name, problem);
  for (const size of [width, hidden, layers, heads, keyHeads, tokens, context])
    if (size < 1 || size > LARGEST_SIZE) throw wrong(`a size in its header is ${size}; expected 1 to ${LARGEST_SIZE}`);
  if (width % heads !== 0 || heads % keyHeads !== 0)
    throw wrong(`it has ${heads} heads, ${keyHeads} of keys, and the width ${width}; expected each to divide the next`);
  const keys = (width / heads) * keyHeads;
  const shapes: [name: string, ...shape: number[]][] = [
    ['tok_embeddings.weight', tokens, width],
    ['attention_norm.weight', layers, width],
    ['wq.weight', layers, width, width],
    ['wk.weight', layers, keys, width],
    ['wv.weight', layers, keys, width],
    ['wo.weight', layers, width, width],
    ['ffn_norm.weight', layers, width],
    ['w1.weight', layers, hidden, width],
    ['w2.weight', layers, width, hidden],
    ['w3.weight', layers, hidden, width],
    ['norm.weight', width],
    // For rotary positions; nothing reads these.
    ['freq_cis_real', context, width / heads / 2],
    ['freq_cis_imag', context, width / heads / 2],
    // A negative vocabulary size marks a separate output table.
    ...(vocabulary < 0 ? ([['output.weight', tokens, width]] as [string, number, number][]) : []),
  ];
  const tensors = new Map<string, StoredTensor>();
  let from = HEADER_BYTES;
  for (const [name, ...shape] of shapes) {
    const bytes = FLOAT_BYTES * shape.reduce((product, size) => product * size, 1);
    tensors.set(name, { name, shape, dtype: 'F32', bytes, source, from });
    from += bytes;
  }
  if (!Number.isSafeInteger(from) || (source.size !== null && from !== source.size))
    throw wrong(
      `it has ${source.size} bytes; expected ${from} by its header${from > (source.size ?? 0) ? ': it may be cut off' : ''}`,
    );
  const sizes = { dim: width, hidden_dim: hidden, n_layers: layers, n_heads: heads, n_kv_heads: keyHeads };
  const all = { ...sizes, vocab_size: tokens, max_seq_len: context };
  return {
    tensors,
    metadata: new Map([
      ['architecture', 'llama2.c'],
      ...Object.entries(all).map(([key, size]) => [key, `${size}`] as const),
    ]),
  };
}

type Sizes = [number, number, number, number, number, number, number];
