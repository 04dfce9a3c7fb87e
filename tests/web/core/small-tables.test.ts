import { describe, expect, it } from 'vitest';
import { embeddingParameters, shareOfModel } from '../../../web/core/embedding-parameters.js';
import { softmaxRows } from '../../../web/core/softmax-rows.js';

describe('embeddingParameters', () => {
  it('counts a vocabulary of 50,000 by a width of 4,096', () => {
    expect(embeddingParameters(50_000, 4096)).toEqual({
      table: 204_800_000n,
      tied: 204_800_000n,
      untied: 409_600_000n,
      saved: 204_800_000n,
      savedShare: 0.5,
    });
  });

  it.each([
    // GPT-2 small and XL, and the large vocabulary of 128,000: products by hand.
    [50_257, 768, 38_597_376n],
    [50_257, 1600, 80_411_200n],
    [128_000, 1024, 131_072_000n],
    [256_000, 3072, 786_432_000n],
    [1, 1, 1n],
  ])('counts %d by %d', (vocabSize, dModel, count) => {
    expect(embeddingParameters(vocabSize, dModel).saved).toBe(count);
  });

  it('is exact far beyond what doubles hold', () => {
    const { tied, untied } = embeddingParameters(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    expect(tied).toBe(81_129_638_414_606_663_681_390_495_662_081n);
    expect(untied).toBe(162_259_276_829_213_327_362_780_991_324_162n);
  });

  it.each([
    [0, 4096, 'vocabSize is 0; expected a whole number from 1 to 2^53 - 1'],
    [1.5, 4096, 'vocabSize is 1.5;'],
    [2 ** 53, 4096, 'vocabSize is 9007199254740992;'],
    [50_000, -1, 'dModel is -1;'],
    [50_000, Number.NaN, 'dModel is NaN;'],
  ])('refuses %d by %d, naming it', (vocabSize, dModel, message) => {
    expect(() => embeddingParameters(vocabSize, dModel)).toThrow(message);
  });
});

describe('shareOfModel', () => {
  it.each([
    [1e9, 0.2048],
    [7e9, 0.0292571],
    [70e9, 0.00292571],
  ])('of a model of %d is %d', (size, share) => {
    expect(shareOfModel(204_800_000n, size)).toBeCloseTo(share, 7);
  });

  it('refuses a model without parameters', () => {
    expect(() => shareOfModel(1n, 0)).toThrow('nominalSize is 0; expected a number above 0');
  });
});

describe('softmaxRows', () => {
  const example = { rows: 3, cols: 3, data: Float32Array.of(1.25, 1.25, 0.9, 1.25, 1.45, 1.32, 0.9, 1.32, 1.53) };

  it('gives the table of the three-token example', () => {
    const expected = [0.3697, 0.3697, 0.2605, 0.3036, 0.3708, 0.3256, 0.2273, 0.3459, 0.4268];
    // Reference values have four places.
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
        // Three float32 roundings of numbers below 1.
        expect(Math.abs(sum - 1)).toBeLessThan(3 * 2 ** -24);
      }
      // A logit near 1e4 is rounded to a multiple of 2^-10.
      expect(data[0]).toBeCloseTo(0.3697, shift === -1e4 ? 2 : 4);
    }
  });

  it('leaves its argument alone', () => {
    const before = [...example.data];
    softmaxRows(example);
    expect([...example.data]).toEqual(before);
  });

  it('refuses what is no matrix', () => {
    expect(() => softmaxRows({ rows: 2, cols: 2, data: new Float32Array(3) })).toThrow('logits');
  });
});
