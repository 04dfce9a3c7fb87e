/** What readers of packed tables have in common: numbers of few bits, groups of columns, and words for messages. */
import { badFile } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

export type Parts = ReadonlyMap<string, StoredTensor>;

export const inWords = ({ name, shape, dtype }: StoredTensor): string =>
  `'${name.slice(0, 120)}' has the shape [${shape.join(', ')}] of ${dtype.slice(0, 40)}`;

export const inOrder = (width: number, size: number): Uint32Array =>
  Uint32Array.from({ length: width }, (_, col) => Math.floor(col / size));

/** Numbers of so many bits that follow each other, the lowest bits first. */
export function numbersOf(bytes: Uint8Array, bits: number, count: number): Uint8Array {
  const most = (1 << bits) - 1;
  const result = new Uint8Array(count);
  for (let i = 0, bit = 0; i < count; i++, bit += bits) {
    const at = bit >> 3;
    result[i] = ((bytes[at]! | (bytes[at + 1]! << 8)) >> (bit & 7)) & most;
  }
  return result;
}

/** The group of each column, as the file lists them. */
export async function listedGroups(order: StoredTensor, groups: number, signal?: AbortSignal): Promise<Int32Array> {
  const bytes = await order.source.read(order.from, order.bytes, signal);
  const found = new Int32Array(bytes.slice().buffer);
  const wrong = found.find((group) => group < 0 || group >= groups);
  if (wrong === undefined) return found;
  throw badFile(
    order.source.name,
    `'${order.name.slice(0, 120)}' has ${wrong}; expected groups from 0 to ${groups - 1}`,
  );
}

/** Kept once it has succeeded. */
export function once<T>(read: (signal?: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let found: { readonly value: T } | null = null;
  return async (signal) => (found ??= { value: await read(signal) }).value;
}
