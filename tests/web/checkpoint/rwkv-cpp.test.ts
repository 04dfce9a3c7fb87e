/** Files of rwkv.cpp: the two tables of every type, how little is read, and the message for each kind of damage. */
import { describe, expect, test } from 'vitest';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { readRwkv } from '../../../web/core/checkpoint/formats/rwkv-cpp.js';
import { joined, ramp, rwkv, uint } from './checkpoint-files.js';
import { openHere } from './open-here.js';

const [V, D] = [6, 32];
const table = (start = 0) => ({ dimensions: [D, V], type: 0, data: ramp(V * D, start) });
const whole = rwkv({
  'emb.weight': table(),
  'blocks.0.ln0.weight': { dimensions: [D], type: 0, data: ramp(D) },
  'head.weight': table(9),
});
const read = (bytes: Uint8Array) => readRwkv(new BytesSource(bytes, 'a.bin'));

test('opens with both tables, one row per token', async () => {
  const checkpoint = await openHere(whole);
  expect(checkpoint.format).toBe('rwkv.cpp');
  expect(checkpoint.tables.input).toMatchObject({ name: 'emb.weight', shape: [V, D], dtype: 'F32' });
  expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different', conflict: null });
  const { data } = await checkpoint.matrix('output', { rows: Uint32Array.of(1) });
  expect([...data.subarray(0, 3)]).toEqual([9 + D / 4, 9 + (D + 1) / 4, 9 + (D + 2) / 4]);
});

test('has its own type numbers, in blocks since version 101', async () => {
  const q8 = { dimensions: [D, 2], type: 9, data: new Uint8Array(2 * 34) };
  expect((await read(rwkv({ 'emb.weight': q8 }))).tensors.get('emb.weight')).toMatchObject({
    dtype: 'Q8_0',
    bytes: 68,
  });
  await expect(read(rwkv({ 'emb.weight': q8 }, 100))).rejects.toThrow("'emb.weight' has the type 9 of version 100");
  expect((await read(rwkv({ 'emb.weight': table() }, 100))).tensors.size).toBe(1);
});

test('only the entries of a large file are read, not the data in between', async () => {
  const layer = { dimensions: [512, 512], type: 0, data: new Uint8Array(2 ** 20) };
  const source = new BytesSource(
    rwkv({ 'emb.weight': table(), 'blocks.0.att.key.weight': layer, 'head.weight': table() }),
  );
  await readRwkv(source);
  expect(source.bytesRead).toBeLessThan(1024);
});

const ENTRY = 24;
const changed = (at: number, value: number): Uint8Array =>
  joined(whole.subarray(0, at), uint(value >>> 0, 4), whole.subarray(at + 4));

describe('damage to rwkv.cpp files', () => {
  test.each<[string, Uint8Array, RegExp]>([
    ['a header cut off', whole.subarray(0, 20), /it has 20 bytes; expected at least 24/],
    ['an entry cut off', whole.subarray(0, ENTRY + 7), /it ends within the entry of tensor 0; expected all of it/],
    ['a name cut off', whole.subarray(0, ENTRY + 25), /it ends within the entry of tensor 0/],
    ['data cut off', whole.subarray(0, -4), /'head.weight' ends after the file of \d+ bytes/],
    [
      'five dimensions',
      changed(ENTRY, 5),
      /tensor 0 has 5 dimensions and a name of 10 bytes; expected at most 4 and 256/,
    ],
    ['a name of 2^31 bytes', changed(ENTRY + 4, 2 ** 31), /tensor 0 has 2 dimensions and a name of -2147483648 bytes/],
    ['a removed type', changed(ENTRY + 8, 4), /'emb.weight' has the type 4 of version 101/],
    [
      'half a block',
      changed(ENTRY + 8, 9)
        .slice(0, 300)
        .fill(7, ENTRY + 12, ENTRY + 13),
      /'emb.weight' has the shape \[7, 6\]; expected rows of whole blocks of 32/,
    ],
    ['a negative size', changed(ENTRY + 12, -1), /has the shape \[-1, 6\]/],
    [
      '2^62 elements',
      joined(
        changed(ENTRY + 12, 2 ** 31 - 1).subarray(0, ENTRY + 16),
        uint(2 ** 31 - 1, 4),
        whole.subarray(ENTRY + 20),
      ),
      /has the shape \[2147483647, 2147483647\]/,
    ],
    [
      'one name twice',
      rwkv({ 'a.weight': table(), 'b.weight': table() }).map((byte, at, all) =>
        byte === 0x62 && all[at + 1] === 0x2e ? 0x61 : byte,
      ),
      /the name of tensor 1 occurs twice/,
    ],
  ])('%s is named', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
    await expect(read(bytes)).rejects.toMatchObject({ code: 'bad-file' });
  });

  test('other files of that age are refused by name', async () => {
    await expect(openHere(joined(whole.subarray(0, 4), uint(1, 4), whole.subarray(8)))).rejects.toThrow(
      'a GGML file, older than GGUF',
    );
  });
});
