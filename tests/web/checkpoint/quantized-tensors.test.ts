/** Tensors that PyTorch quantized to bytes. tests/judges/pytorch.test.ts has PyTorch itself write them and compute their numbers. */
import { describe, expect, test } from 'vitest';
import { openHere } from './open-here.js';
import { call, floatStorage, name, stateDict, storageId, tensor, torchZip, type Code, type Py, type Storage } from './pytorch-files.js'; // prettier-ignore

const [V, D] = [6, 4];
const bytes = Uint8Array.from({ length: V * D }, (_, i) => (i * 37) % 256);
const signed = (byte: number): number => (byte << 24) >> 24;
const integers = (key: string, kind = 'QInt8Storage', data = bytes): Storage => ({ key, kind, elements: V * D, data });
const floats = floatStorage('f', V * D);

const quantized = (storage: Storage, quantizer: Py, strides: readonly number[] = [D, 1]): Code =>
  call(name('torch._utils', '_rebuild_qtensor'), storageId(storage), 0, [V, D], strides, quantizer, false, call(name('collections', 'OrderedDict'))); // prettier-ignore
const wholly = (scale: number, zero = 0): Py => [name('torch', 'per_tensor_affine'), scale, zero];

const scales: Storage = { key: 's', kind: 'DoubleStorage', elements: V, data: new Uint8Array(Float64Array.from({ length: V }, (_, i) => 0.1 * (i + 1)).buffer) }; // prettier-ignore
const doubled: Storage = { ...scales, key: 't', data: new Uint8Array(Float64Array.from({ length: V }, (_, i) => 0.2 * (i + 1)).buffer) }; // prettier-ignore
const zeros: Storage = { key: 'z', kind: 'LongStorage', elements: V, data: new Uint8Array(BigInt64Array.from({ length: V }, (_, i) => BigInt(i)).buffer) }; // prettier-ignore
const along = (axis: 0 | 1, of: Storage, count: number): Py => [name('torch', 'per_channel_affine'), tensor(of, [count]), tensor(zeros, [count]), axis]; // prettier-ignore
const all = [integers('0'), integers('1'), integers('u', 'QUInt8Storage'), floats, scales, doubled, zeros];

const opened = (input: Py, output: Py): ReturnType<typeof openHere> => {
  const model = stateDict({ 'wte.weight': input, 'lm_head.weight': output });
  return openHere(torchZip(model, all));
};

describe('rows are those that PyTorch computes in 32 bits', () => {
  const expected = (of: (row: number, col: number, byte: number) => readonly [number: number, scale: number]): number[] =>
    Array.from(bytes, (byte, i) => {
      const [number, scale] = of(Math.floor(i / D), i % D, byte);
      return Math.fround(Math.fround(number) * Math.fround(scale));
    }); // prettier-ignore
  test.each<[string, Py, number[]]>([
    ['one scale', quantized(integers('0'), wholly(0.05, 3)), expected((_, __, byte) => [signed(byte) - 3, 0.05])],
    ['bytes without a sign', quantized(integers('u', 'QUInt8Storage'), wholly(0.05, 7)), expected((_, __, byte) => [byte - 7, 0.05])],
    ['a scale for each row', quantized(integers('0'), along(0, scales, V)), expected((row, _, byte) => [signed(byte) - row, 0.1 * (row + 1)])],
    ['a scale for each column', quantized(integers('0'), along(1, scales, D)), expected((_, col, byte) => [signed(byte) - col, 0.1 * (col + 1)])],
  ])('with %s', async (_, input, numbers) => {
    const checkpoint = await opened(input, tensor(floats, [V, D]));
    expect([...(await checkpoint.matrix('input')).data]).toEqual(numbers);
    const some = await checkpoint.matrix('input', { rows: Uint32Array.of(4, 1) });
    expect([...some.data]).toEqual([...numbers.slice(4 * D, 5 * D), ...numbers.slice(D, 2 * D)]);
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-input' });
  }); // prettier-ignore
});

test('two of them are one table only with the same scales', async () => {
  const verdict = async (input: Py, output: Py): Promise<unknown> => {
    const { tied, evidence } = (await opened(input, output)).tying;
    return [tied, evidence];
  };
  const [one, other] = [integers('0'), integers('1')];
  expect(await verdict(quantized(one, wholly(0.5)), quantized(one, wholly(0.5)))).toEqual([true, 'same-storage']);
  expect(await verdict(quantized(one, wholly(0.5)), quantized(other, wholly(0.5)))).toEqual([true, 'equal-bytes']);
  expect(await verdict(quantized(one, wholly(0.5)), quantized(other, wholly(1.5)))).toEqual([null, 'unknown']);
  const rows = (of: Storage, by: Storage): Py => quantized(of, along(0, by, V));
  expect(await verdict(rows(one, scales), rows(other, scales))).toEqual([true, 'equal-bytes']);
  expect(await verdict(rows(one, scales), rows(other, doubled))).toEqual([null, 'unknown']);
});

test.each<[string, (of: Storage) => Code]>([
  ['of a kind that is not known', (of) => quantized(of, [name('torch', 'per_tensor_affine'), 'a', 0])],
  ['without them', (of) => quantized(of, null)],
  ['for another number of rows', (of) => quantized(of, along(0, scales, V - 1))],
  ['along another axis', (of) => quantized(of, [name('torch', 'per_channel_affine'), tensor(scales, [V]), tensor(zeros, [V]), 2])],
  ['of columns that are stored', (of) => quantized(of, wholly(0.5), [1, V])],
])('integers with scales %s prove nothing', async (_, of) => {
  const { tying, notes } = await opened(of(integers('0')), of(integers('1')));
  expect(tying).toMatchObject({ tied: null, evidence: 'unknown' });
  expect(notes.join(' ')).toMatch(/with scales of 'wte\.weight' that are not read/);
}); // prettier-ignore
