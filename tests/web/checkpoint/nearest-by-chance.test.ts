// The nearest of many random directions: theory and random draws.
import { expect, test } from 'vitest';
import { nearestByChance } from '../../../web/core/checkpoint/card/nearest-by-chance.js';
import { Draw } from '../../fuzz/draw.js';

const median = (values: number[]): number => values.sort((one, other) => one - other)[values.length >> 1]!;

test.each([
  [2, 2],
  [50, 3],
  [300, 24],
])(
  'the greatest cosine of %i rows in %i dimensions agrees with theory',
  (rows, cols) => {
    const draw = new Draw(rows);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - draw.share())) * Math.cos(2 * Math.PI * draw.share());
    // Any direction will do, so the first axis is used.
    const greatest = Array.from({ length: 400 }, () => {
      let most = -1;
      for (let row = 1; row < rows; row++) {
        const x = Array.from({ length: cols }, normal);
        most = Math.max(most, x[0]! / Math.hypot(...x));
      }
      return most;
    });
    // A median of 400 draws is within 2.5 standard errors, at most 0.16 of the spread of one draw.
    const spread = Math.sqrt(greatest.reduce((sum, one) => sum + (one - median(greatest)) ** 2, 0) / 400);
    expect(Math.abs(nearestByChance(rows, cols) - median(greatest))).toBeLessThan(0.16 * spread + 1e-3);
  },
  60_000,
);

test('there is no value without another row or direction', () => {
  expect(nearestByChance(1, 8)).toBeNaN();
  expect(nearestByChance(8, 1)).toBeNaN();
});
