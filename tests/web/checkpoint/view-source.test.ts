/** Views of storages whose numbers are not one after the other. */
import { describe, expect, test } from 'vitest';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import type { ByteSource } from '../../../web/core/checkpoint/bytes/source.js';
import { ViewSource, type View } from '../../../web/core/checkpoint/formats/pytorch/view-source.js';

/** The number at each place of a view, one at a time. */
function plainly({ each, first, shape, strides }: View, storage: Uint8Array): number[] {
  const all: number[] = [];
  const walk = (place: number, at: number): void => {
    if (at === shape.length) all.push(...storage.subarray(place * each, (place + 1) * each));
    else for (let i = 0; i < shape[at]!; i++) walk(place + i * strides[at]!, at + 1);
  };
  walk(first, 0);
  return all;
}

/** What is read of a storage. */
class Counted implements ByteSource {
  readonly name = 'storage';
  readonly notes = [];
  readonly size: number;
  readonly reads: number[] = [];
  readonly #of: BytesSource;

  constructor(bytes: Uint8Array) {
    this.#of = new BytesSource(bytes);
    this.size = bytes.length;
  }

  get bytesRead(): number {
    return this.#of.bytesRead;
  }

  read(from: number, length: number): Promise<Uint8Array> {
    this.reads.push(length);
    return this.#of.read(from, length);
  }

  beside(): Promise<null> {
    return Promise.resolve(null);
  }
}

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) % 251);

describe.each<[string, View]>([
  ['columns of a wider matrix', { each: 4, first: 3, shape: [5, 4], strides: [9, 1] }],
  ['every other row and column', { each: 2, first: 1, shape: [4, 3], strides: [16, 2] }],
  ['one part of three', { each: 4, first: 2, shape: [4, 5], strides: [15, 3] }],
  ['three dimensions in another order', { each: 1, first: 0, shape: [3, 2, 4], strides: [2, 24, 6] }],
  ['rows that overlap', { each: 8, first: 0, shape: [4, 3], strides: [1, 2] }],
  ['one dimension', { each: 4, first: 5, shape: [6], strides: [3] }],
  ['far from each other', { each: 4, first: 0, shape: [3, 2], strides: [40_000, 20_000] }],
])('%s', (_, view) => {
  const storage = bytes(500_000);
  const expected = plainly(view, storage);

  test('are read as they are, in any parts', async () => {
    const source = new ViewSource(new BytesSource(storage), view);
    expect(source.size).toBe(expected.length);
    expect([...(await source.read(0, source.size))]).toEqual(expected);
    for (let from = 0; from < expected.length; from += 3)
      for (const length of [0, 1, 5, 17].filter((some) => from + some <= expected.length))
        expect([...(await source.read(from, length))]).toEqual(expected.slice(from, from + length));
  });
});

test('rows near each other take one read, others one each, and none is longer than 4 MB', async () => {
  const near = new Counted(bytes(2 ** 20));
  await new ViewSource(near, { each: 4, first: 0, shape: [1000, 64], strides: [256, 1] }).read(0, 256_000);
  expect(near.reads).toEqual([4 * (999 * 256 + 64)]);
  const far = new Counted(bytes(2 ** 20));
  await new ViewSource(far, { each: 4, first: 0, shape: [10, 2], strides: [20_000, 1] }).read(0, 80);
  expect(far.reads).toEqual(Array.from({ length: 10 }, () => 8));
  const wide = new Counted(new Uint8Array(2 ** 25));
  await new ViewSource(wide, { each: 1, first: 0, shape: [2, 32], strides: [1, 2 ** 20] }).read(0, 64);
  expect(Math.max(...wide.reads)).toBeLessThanOrEqual(2 ** 22);
  expect(wide.reads.length).toBeLessThan(30);
});

test('no byte beyond the view can be asked for', async () => {
  const source = new ViewSource(new BytesSource(bytes(100)), { each: 4, first: 0, shape: [2, 3], strides: [8, 1] });
  await expect(source.read(20, 5)).rejects.toThrow('it ends at byte 24; expected at least 25');
});
