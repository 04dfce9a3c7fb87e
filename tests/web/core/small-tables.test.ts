import { describe, expect, it } from 'vitest';
import { softmaxRows } from '../../../web/core/diagnostics/softmax-rows.js';

describe('softmaxRows', () => {
  const example = { rows: 3, cols: 3, data: Float32Array.of(1.25, 1.25, 0.9, 1.25, 1.45, 1.32, 0.9, 1.32, 1.53) };

  it('reproduces the table of the three-token example', () => {
    const expected = [0.3697, 0.3697, 0.2605, 0.3036, 0.3708, 0.3256, 0.2273, 0.3459, 0.4268];
    // Reference values have four decimals.
    softmaxRows(example).data.forEach((share, at) => {
      expect(Math.abs(share - (expected[at] ?? 0))).toBeLessThanOrEqual(0.5e-4);
    });
  });

  it('makes rows that sum to 1 and do not change when a row is shifted, even far', () => {
    for (const shift of [0, 80, -1e4]) {
      const shifted = { ...example, data: example.data.map((logit) => logit + shift) };
      const { data } = softmaxRows(shifted);
      for (let row = 0; row < 3; row++) {
        const sum = data.subarray(3 * row, 3 * row + 3).reduce((total, share) => total + share, 0);
        // Three float32 roundings of values below 1.
        expect(Math.abs(sum - 1)).toBeLessThan(3 * 2 ** -24);
      }
      // A logit near 1e4 is rounded to a multiple of 2^-10.
      expect(data[0]).toBeCloseTo(0.3697, shift === -1e4 ? 2 : 4);
    }
  });

  it('does not change its argument', () => {
    const before = [...example.data];
    softmaxRows(example);
    expect([...example.data]).toEqual(before);
  });

  it('refuses values that are not a matrix', () => {
    expect(() => softmaxRows({ rows: 2, cols: 2, data: new Float32Array(3) })).toThrow('logits');
  });
});
