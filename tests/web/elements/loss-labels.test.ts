// Where the losses of a race of heads are written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { headsStrings as texts } from '../../../web/elements/heads/heads.strings.js';
import { placedLosses, type LossMark } from '../../../web/elements/heads/loss-labels.js';
import type { Race } from '../../../web/elements/heads/race.js';
import { lossPlot } from '../../../web/elements/heads/scatter.js';

const markAt = (x: number, y: number, side: LossMark['side'], trailFrom: number | null = null): LossMark => ({
  ...{ x, y, side, trailFrom },
});
const within = (left: number, right: number) => ({ left, right, top: 0, bottom: 400 });
const isBeside = ({ x, y, label }: ReturnType<typeof placedLosses>[number]): boolean =>
  label.y === y && Math.abs(label.x - x) === 11;

describe('the losses written beside their marks', () => {
  it('are all beside them in columns close to each other, if the marks are at different heights', () => {
    // Columns 40 px apart: every loss would reach the next column.
    const marks = [0, 1, 2].flatMap((column) => [
      markAt(96 + 40 * column, 60 + 60 * column, 'left'),
      markAt(104 + 40 * column, 90 + 60 * column, 'right'),
    ]);
    const placed = placedLosses(marks, within(0, 400));
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
      const placed = placedLosses([one, other], within(0, 400));
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
    expect(placedLosses([first, last], within(0, 440)).every(isBeside)).toBe(true);
    // Above its mark, since there is no space beside it.
    expect(placedLosses([first], within(25, 400))).toMatchObject([{ label: { x: 62, y: 84, anchor: 'end' } }]);
    expect(placedLosses([markAt(50, 100, 'left')], within(44, 60))).toEqual([]);
    // Below the mark, since it is at the upper edge.
    expect(placedLosses([first], { left: 25, right: 400, top: 90, bottom: 400 })).toMatchObject([
      { label: { y: 116 } },
    ]);
  });

  it('are further away, with a line to their mark, where nothing near is free', () => {
    const one = markAt(100, 100, 'right');
    // The other model of its column, and those of the columns beside it, with trails.
    const crowd = [markAt(92, 120, 'left', 70), markAt(124, 132, 'right', 70), markAt(76, 132, 'left', 70)];
    const [placed] = placedLosses([one, ...crowd], within(0, 400));
    // Above the trails.
    expect(placed).toMatchObject({ x: 100, y: 100, label: { x: 111, y: 52, anchor: 'start' }, apart: true });
    // Below them, if that is the only place.
    const low = placedLosses([one, ...crowd], { left: 0, right: 400, top: 60, bottom: 400 });
    expect(low[0]).toMatchObject({ label: { y: 148 }, apart: true });
    expect(
      placedLosses([one, ...crowd], { left: 0, right: 400, top: 60, bottom: 140 }).some(({ x }) => x === 100),
    ).toBe(false);
  });

  it('are all there in the article’s race on the narrowest phone', () => {
    const race = JSON.parse(readFileSync(join(root, 'web/article/assets/finished-heads.json'), 'utf8')) as Race;
    for (const by of ['time', 'steps'] as const) {
      for (const width of [256, 288, 358, 600]) {
        const plot = lossPlot({ texts, race, costs: race.costs, by, share: 1, width });
        const written = markupOf(plot.content).match(/class="loss /g) ?? [];
        expect(written, `${by} at ${width}`).toHaveLength(race.arms.length);
      }
    }
  });
});

/** The markup of a template, without what is bound to it but other templates. */
function markupOf(part: unknown): string {
  if (Array.isArray(part)) return part.map(markupOf).join('');
  if (typeof part !== 'object' || part === null || !('strings' in part && 'values' in part)) return '';
  const { strings, values } = part as { strings: readonly string[]; values: readonly unknown[] };
  return strings.map((text, at) => text + markupOf(values[at])).join('');
}
