import { expect, test } from 'vitest';
import { haveSameBytes } from '../../../tools/test/equality-setup.mjs';

test('typed arrays of the same type and bytes are equal, and others are left to the default comparison', () => {
  const floats = Float32Array.of(0, NaN, 3);
  expect(haveSameBytes(floats, floats.slice())).toBe(true);
  expect(haveSameBytes(Float32Array.of(9, 0, NaN, 3).subarray(1), floats)).toBe(true);
  for (const other of [
    ...[
      Float32Array.of(0, NaN, 4),
      Float32Array.of(-0, NaN, 3),
      Float32Array.of(0, NaN),
      new Uint8Array(floats.buffer),
    ],
    ...[[0, NaN, 3], new DataView(floats.buffer), floats.buffer, null, undefined],
  ]) {
    expect(haveSameBytes(floats, other)).toBeUndefined();
    expect(haveSameBytes(other, floats)).toBeUndefined();
  }
});

test('expectations use this for arrays anywhere, and still detect a difference', () => {
  const large = (last: number): { rows: Float64Array[] } => ({ rows: [new Float64Array(1e6).fill(last, -1)] });
  expect(large(1)).toEqual(large(1));
  expect(large(1)).toStrictEqual(large(1));
  expect(Uint8Array.of(1, 2)).not.toEqual(Uint8Array.of(1, 3));
  expect({ a: Uint8Array.of(1, 2) }).not.toStrictEqual({ a: Int8Array.of(1, 2) });
  expect(() => expect(Float32Array.of(1, 2)).toEqual(Float32Array.of(1, 3))).toThrow(/2[\s\S]*3/);
  // By value, as usual.
  expect(Float32Array.of(0)).not.toEqual(Float32Array.of(-0));
  const [one, other] = [0x7fc00000, 0x7fc00001].map((bits) => new Float32Array(Uint32Array.of(bits).buffer));
  expect(one).toEqual(other);
});
