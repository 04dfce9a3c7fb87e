// Where the losses of a race of heads are written.
import { describe, expect, it } from 'vitest';
import { placedLosses, type LossMark } from '../../../web/elements/heads/loss-labels.js';

const markAt = (x: number, y: number, side: LossMark['side'], trailFrom: number | null = null): LossMark => ({
  ...{ x, y, side, trailFrom },
});
const isBeside = ({ x, y, label }: ReturnType<typeof placedLosses>[number]): boolean =>
  label.y === y && Math.abs(label.x - x) === 11;

describe('the losses written beside their marks', () => {
  it('are all beside them in columns close to each other, if the marks are at different heights', () => {
    // Columns 40 px apart: every loss would reach the next column.
    const marks = [0, 1, 2].flatMap((column) => [
      markAt(96 + 40 * column, 60 + 60 * column, 'left'),
      markAt(104 + 40 * column, 90 + 60 * column, 'right'),
    ]);
    const placed = placedLosses(marks, [0, 400]);
    expect(placed).toHaveLength(marks.length);
    expect(placed.every(isBeside)).toBe(true);
  });

  it('cover no mark, no trail and no other loss, and move to a place that is free', () => {
    const one = markAt(100, 100, 'right');
    for (const other of [
      markAt(130, 105, 'right'),
      markAt(130, 200, 'right', 50),
      markAt(160, 102, 'left'),
      markAt(130, 200, 'right'),
    ]) {
      const placed = placedLosses([one, other], [0, 400]);
      expect(placed).toHaveLength(2);
      const boxes = placed.map(({ label: { x, y, anchor } }) => {
        const left = { start: x, middle: x - 15, end: x - 30 }[anchor];
        return { left, right: left + 30, top: y - 7.5, bottom: y + 7.5 };
      });
      const [first, second] = boxes as [(typeof boxes)[number], (typeof boxes)[number]];
      const apart =
        first.right <= second.left ||
        second.right <= first.left ||
        first.bottom <= second.top ||
        second.bottom <= first.top;
      expect(apart).toBe(true);
      for (const box of boxes) {
        for (const { x, y, trailFrom } of [one, other]) {
          const [top, bottom] = [Math.min(y, trailFrom ?? y) - 3, Math.max(y, trailFrom ?? y) + 3];
          expect(x > box.left - 3 && x < box.right + 3 && bottom > box.top && top < box.bottom).toBe(false);
        }
      }
    }
  });

  it('stay within the drawing', () => {
    const [first, last] = [markAt(60, 100, 'left'), markAt(380, 100, 'right')];
    expect(placedLosses([first, last], [0, 440]).every(isBeside)).toBe(true);
    // Above its mark, since there is no space beside it.
    expect(placedLosses([first], [25, 400])).toMatchObject([{ label: { x: 62, y: 84, anchor: 'end' } }]);
    expect(placedLosses([markAt(50, 100, 'left')], [44, 60])).toEqual([]);
  });
});
