import { describe, expect, it } from 'vitest';
import { barChart } from '../../../web/charts/bar-chart.js';

const one = (id: string, value: number, joined = false) => ({ id, joined, segments: [{ id, value }] });

describe('barChart in groups', () => {
  it('puts a joined bar close below the previous one, and the next group at a larger distance', () => {
    const { bars } = barChart({
      width: 300,
      axis: false,
      barHeight: 12,
      nameHeight: 22,
      gap: 8,
      bars: [one('a', 1), one('a2', 2, true), one('b', 1)],
    });
    expect(bars.map(({ y }) => y)).toEqual([22, 22 + 12 + 2, 22 + 12 + 2 + 12 + 8 + 22]);
  });

  it('treats a bar with nothing to join as separate', () => {
    const [first] = barChart({ width: 300, nameHeight: 22, bars: [one('a', 1, true)] }).bars;
    expect(first?.y).toBe(22);
  });

  it('leaves space at the end, and reports where each bar ends', () => {
    const { bars } = barChart({ width: 300, max: 10, endRoom: 100, bars: [one('full', 10), one('half', 5)] });
    expect(bars[0]?.endX).toBeCloseTo(199, 9);
    expect(bars[1]?.endX).toBeCloseTo(100, 9);
  });

  it('leaves half of a sliver that the seam would otherwise cover', () => {
    const { bars } = barChart({
      width: 102,
      max: 100,
      bars: [
        {
          id: 'a',
          segments: [
            { id: 'most', value: 99 },
            { id: 'sliver', value: 1 },
          ],
        },
      ],
    });
    expect(bars[0]?.segments[1]?.width).toBeCloseTo(0.5, 9);
  });
});
