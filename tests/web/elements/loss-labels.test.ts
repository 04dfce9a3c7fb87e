// Which losses of a race of heads are written beside their marks.
import { describe, expect, it } from 'vitest';
import { marksWithSpace, type LossMark } from '../../../web/elements/heads/loss-labels.js';

const markAt = (x: number, y: number, side: LossMark['side'], trailFrom: number | null = null): LossMark => ({
  ...{ x, y, side, trailFrom },
});

describe('the losses written beside their marks', () => {
  it('are all written in columns close to each other, if the marks are at different heights', () => {
    // Columns 40 px apart: every loss would reach the next column.
    const marks = [0, 1, 2].flatMap((column) => [
      markAt(96 + 40 * column, 60 + 60 * column, 'left'),
      markAt(104 + 40 * column, 90 + 60 * column, 'right'),
    ]);
    expect(marksWithSpace(marks, [0, 400])).toEqual(marks);
  });

  it('cover no mark, no trail and no other loss', () => {
    const one = markAt(100, 100, 'right');
    const [beside, below] = [markAt(130, 105, 'right'), markAt(130, 200, 'right')];
    expect(marksWithSpace([one, beside], [0, 400])).toEqual([beside]);
    expect(marksWithSpace([one, below], [0, 400])).toEqual([one, below]);
    const passing = markAt(130, 200, 'right', 50);
    expect(marksWithSpace([one, passing], [0, 400])).toEqual([passing]);
    const facing = markAt(160, 102, 'left');
    expect(marksWithSpace([one, facing], [0, 400])).toEqual([one]);
  });

  it('stay within the drawing', () => {
    const [first, last] = [markAt(60, 100, 'left'), markAt(380, 100, 'right')];
    expect(marksWithSpace([first, last], [44, 400])).toEqual([]);
    expect(marksWithSpace([first, last], [0, 440])).toEqual([first, last]);
  });
});
