/** Columns of a stored matrix, in windows. */
import { expect, test } from 'vitest';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { StoredColumns } from '../../../web/core/checkpoint/packed/stored-columns.js';
import type { StoredTensor } from '../../../web/core/checkpoint/tensors.js';

const [ROWS, ROW_BYTES] = [3, 10_000];
const bytes = Uint8Array.from({ length: ROWS * ROW_BYTES }, (_, i) => (i * 7) % 251);
const tensor = {
  ...{ name: 't', dtype: 'U8', shape: [ROWS, ROW_BYTES], source: new BytesSource(bytes, 'm.bin') },
  ...{ from: 0, bytes: bytes.length },
} as StoredTensor;

test.each([1 << 25, 3 * 4096])('parts of rows are read through windows of %d bytes', async (most) => {
  const columns = new StoredColumns(tensor, most);
  for (const [from, to] of [
    [0, 5],
    [4090, 4100],
    [9_990, ROW_BYTES],
    [0, ROW_BYTES],
  ] as const) {
    // prettier-ignore
    const expected = [0, 1, 2].flatMap((row) => [...bytes.subarray(row * ROW_BYTES + from, row * ROW_BYTES + to)]);
    expect([...(await columns.read(from, to))]).toEqual(expected);
  }
});

test('more than a row has is refused', async () => {
  await expect(new StoredColumns(tensor).read(9_990, ROW_BYTES + 1)).rejects.toThrow(
    'm.bin: a packed table needs 10001 bytes of each of 3 rows, which have 10000; expected as many',
  );
});
