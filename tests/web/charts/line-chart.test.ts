import { describe, expect, it } from 'vitest';
import { lineChart } from '../../../web/charts/line-chart.js';
import { linePath, pointsPath } from '../../../web/charts/paths.js';
import { makeScale } from '../../../web/charts/scale.js';
import { smooth, smoothAt } from '../../../web/charts/smooth.js';
import { spreadLabels } from '../../../web/charts/spread-labels.js';

const steps = Array.from({ length: 50 }, (_, at) => at + 1);
const chart = (width: number, xKind: 'linear' | 'log' = 'linear') =>
  lineChart({
    width,
    height: 300,
    xKind,
    xTitle: 'step',
    yTitle: 'loss, nats per token',
    series: [
      { id: 'tied', label: 'tied', x: steps, y: steps.map((step) => 3 + 1 / step), raw: steps.map(() => 3.5) },
      { id: 'untied', label: 'untied', x: steps, y: steps.map((step) => 2.5 + 1.5 / step) },
    ],
    references: [
      { id: 'bigram', label: 'bigram floor', value: 2.4526 },
      { id: 'symmetric', label: 'symmetric floor', value: 2.7431 },
    ],
  });

const numbers = (path: string): number[] => (path.match(/-?[\d.]+/g) ?? []).map(Number);

describe('lineChart', () => {
  it('keeps all data and floors within the plot', () => {
    for (const drawing of [chart(700), chart(320), chart(700, 'log')]) {
      const { plot } = drawing;
      for (const { path } of drawing.series) {
        const points = numbers(path);
        points.forEach((position, at) => {
          const [low, high] = at % 2 === 0 ? [plot.left, plot.right] : [plot.top, plot.bottom];
          expect(position).toBeGreaterThanOrEqual(low - 0.1);
          expect(position).toBeLessThanOrEqual(high + 0.1);
        });
      }
      for (const { y } of drawing.references) {
        expect(y).toBeGreaterThanOrEqual(plot.top);
        expect(y).toBeLessThanOrEqual(plot.bottom);
      }
    }
  });

  it('draws a larger loss higher and a later step further right', () => {
    const { x, y } = chart(700);
    expect(y(3)).toBeLessThan(y(2.5));
    expect(x(50)).toBeGreaterThan(x(1));
  });

  it('labels lines directly if the labels fit without overlap, and reports if they do not', () => {
    const wide = chart(700);
    expect(wide.labelsShown).toBe(true);
    expect(wide.labels.map((label) => label.text)).toEqual(['tied', 'untied', 'bigram floor', 'symmetric floor']);
    const places = wide.labels.map((label) => label.y).sort((a, b) => a - b);
    for (let at = 1; at < places.length; at++) {
      expect((places[at] ?? 0) - (places[at - 1] ?? 0)).toBeGreaterThanOrEqual(16);
    }
    expect(chart(320).labelsShown).toBe(false);
    // In a narrow drawing, names would cross the lines.
    expect(chart(320).labels).toEqual([]);
  });

  it('draws a piece of every line beside its label, clear of both', () => {
    const { labels, plot } = chart(700);
    for (const { key, x: text } of labels) {
      expect(key?.from).toBeGreaterThan(plot.right);
      expect((key?.to ?? 0) - (key?.from ?? 0)).toBeGreaterThanOrEqual(20);
      expect(text).toBeGreaterThan(key?.to ?? Number.NaN);
    }
  });

  it('draws an empty chart with axes if there is no data yet', () => {
    const drawing = lineChart({ width: 400, height: 200, series: [{ id: 'a', label: 'a', x: [], y: [] }] });
    expect(drawing.series[0]?.path).toBe('');
    expect(drawing.xTicks.length).toBeGreaterThan(1);
    expect(drawing.yTicks.length).toBeGreaterThan(1);
  });

  it('takes the range of an axis from the values that it can show', () => {
    const drawing = lineChart({
      width: 400,
      height: 200,
      xKind: 'log',
      series: [
        { id: 'a', label: 'a', x: [0, 2, 50], y: [Infinity, 0.013, Number.NaN] },
        { id: 'b', label: 'b', x: [1], y: [3.97] },
      ],
    });
    expect(drawing.x.domain()).toEqual([1, 50]);
    expect(drawing.y.domain()).toEqual([0, 4]);
  });

  it('leaves out values that a log axis cannot show', () => {
    const drawing = lineChart({
      width: 400,
      height: 200,
      xKind: 'log',
      series: [{ id: 'a', label: 'a', x: [0, 1, 10], y: [5, 4, 3] }],
    });
    expect(drawing.series[0]?.path.match(/[ML]/g)).toEqual(['M', 'L']);
  });
});

describe('paths', () => {
  const x = makeScale('linear', [0, 100], [0, 100]);
  const y = makeScale('linear', [0, 1], [100, 0]);

  it('break at values that are not finite', () => {
    expect(linePath([0, 10, 20, 30], [0, Number.NaN, 1, 0.5], x, y)).toBe('M0,100ZM20,0L30,50');
  });

  it('also break within a pixel', () => {
    const xs = [5, 5.1, 5.2, 5.3, 5.4, 5.5, 5.6];
    expect(linePath(xs, [0, 1, 0, Number.NaN, 0, 1, 0], x, y)).toBe('M5,100L5.1,0L5.2,100M5.4,100L5.5,0L5.6,100');
  });

  it('keep first, lowest, highest and last of many points in one pixel', () => {
    const xs = Array.from({ length: 1000 }, (_, at) => 5 + at / 2000);
    const ys = xs.map((_, at) => (at === 300 ? 1 : at === 600 ? 0 : 0.5));
    expect(linePath(xs, ys, x, y)).toBe('M5,50L5.2,0L5.3,100L5.5,50');
  });

  it('draw raw points once per pixel', () => {
    expect(pointsPath([1, 1.1, 50], [0.5, 0.501, 1], x, y)).toBe('M1 50h0M50 0h0');
  });
});

describe('labels of references', () => {
  const long = { id: 'floor', label: 'a floor with a long explanation', value: 5 };
  const draw = (referencesInside: 'left' | 'right' | null) =>
    lineChart({
      width: 600,
      height: 200,
      series: [{ id: 'a', label: 'a', x: [0, 1], y: [0, 10] }],
      references: [long],
      referencesInside,
    });

  it('are drawn inside on request, so the plot can use their width', () => {
    const [beside, inside] = [draw(null), draw('left')];
    expect(inside.plot.right).toBeGreaterThan(beside.plot.right + 100);
    expect(inside.labels.map(({ kind, inside: within }) => [kind, within])).toEqual([
      ['series', false],
      ['reference', true],
    ]);
  });

  it('move to the other end if they would cover the lines', () => {
    const [left, right] = [draw('left'), draw('right')].map(({ labels }) => labels[1]?.x ?? Number.NaN);
    expect(left).toBeLessThan(100);
    expect(right).toBeGreaterThan(250);
    expect(right).toBeLessThan(draw('right').plot.right - 100);
  });
});

describe('marks and areas', () => {
  const drawing = lineChart({
    width: 400,
    height: 200,
    xDomain: [0, 10],
    yDomain: [0, 100],
    series: [
      {
        id: 'share',
        label: 'share',
        x: [0, 10],
        y: [20, 60],
        filled: true,
        marks: { x: [5, 6, 7], y: [40, Number.NaN, 80] },
      },
      { id: 'plain', label: 'plain', x: [0, 10], y: [0, 100] },
    ],
  });

  it('places marks by the same scales and leaves out NaN', () => {
    expect(drawing.series[0]?.marks).toEqual([
      [drawing.x(5), drawing.y(40)],
      [drawing.x(7), drawing.y(80)],
    ]);
  });

  it('fills from the line to the bottom or top of the plot, only where requested', () => {
    const { plot, series } = drawing;
    const heights = (path = '') => numbers(path).filter((_, at) => at % 2 === 1);
    expect(Math.max(...heights(series[0]?.below))).toBeCloseTo(plot.bottom, 1);
    expect(Math.min(...heights(series[0]?.above))).toBeCloseTo(plot.top, 1);
    expect([series[1]?.below, series[1]?.above]).toEqual(['', '']);
  });
});

describe('smoothAt', () => {
  it.each([
    [7, false],
    [25, true],
    [1, false],
  ])('equals smooth at every index, with window %i, growing %s', (window, growing) => {
    const values = Array.from({ length: 60 }, (_, at) => (at % 11 === 3 ? Number.NaN : Math.sin(at)));
    const whole = smooth(values, window, growing);
    values.forEach((_, at) => {
      const one = smoothAt(values, at, window, growing);
      const other = whole[at] ?? Number.NaN;
      // Sums in another order.
      expect(Number.isNaN(one) ? Number.isNaN(other) : Math.abs(one - other) < 1e-12).toBe(true);
    });
  });

  it('reads no more than its window, however long the series is', () => {
    let reads = 0;
    const long = new Proxy(new Float32Array(1_000_000), {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, target) as unknown;
      },
    });
    smoothAt(long, 500_000, 25);
    expect(reads).toBe(25);
  });
});

describe('smooth', () => {
  it('keeps straight lines straight inside, whatever the window', () => {
    const line = steps.map((step) => 2 * step);
    const smoothed = smooth(line, 7);
    for (let at = 3; at < 47; at++) expect(smoothed[at]).toBeCloseTo(line[at] ?? 0, 10);
  });

  it('averages over the window and leaves out gaps', () => {
    expect([...smooth([0, 3, 0, 3, 0], 3)]).toEqual([1.5, 1, 2, 1, 1.5]);
    expect([...smooth([1, Number.NaN, 3], 3)]).toEqual([1, 2, 3]);
  });

  it('returns the values themselves for a window of one', () => {
    expect([...smooth([1, 5, 2], 1)]).toEqual([1, 5, 2]);
    expect([...smooth([], 5)]).toEqual([]);
  });

  it('looks back at most a quarter of the way if the window grows', () => {
    const jump = Array.from({ length: 60 }, (_, at) => (at < 3 ? 1 : 0));
    const grown = smooth(jump, 25, true);
    expect([...grown.slice(0, 6)]).toEqual([1, 1, 1, 0, 0, 0]);
    // From index 48 on, the window is as wide as without growing.
    expect([...grown.slice(48)]).toEqual([...smooth(jump, 25).slice(48)]);
  });
});

describe('spreadLabels', () => {
  it('does not move labels that do not collide', () => {
    expect(spreadLabels([10, 50, 90], 16, 0, 100)).toEqual([10, 50, 90]);
  });

  it('separates colliding ones around their middle, in order', () => {
    expect(spreadLabels([50, 50], 16, 0, 100)).toEqual([42, 58]);
    expect(spreadLabels([52, 50, 51], 10, 0, 100)).toEqual([61, 41, 51]);
  });

  it('stays within the bounds', () => {
    expect(spreadLabels([98, 99], 16, 0, 100)).toEqual([84, 100]);
    expect(spreadLabels([-5, 2], 16, 0, 100)).toEqual([0, 16]);
  });
});
