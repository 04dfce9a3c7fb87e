import { describe, expect, it } from 'vitest';
import { scatterPlot } from '../../../web/charts/scatter-plot.js';

const size = { width: 600, height: 320 };
const points = [
  { id: 'small', x: 1e8, y: 0.3 },
  { id: 'middle', x: 1e9, y: 0.1 },
  { id: 'large', x: 1e10, y: 0.02 },
];

describe('scatterPlot', () => {
  it('puts points at their coordinates, with equal factors at equal distances on a log axis and y from 0', () => {
    const drawing = scatterPlot({ ...size, points, xKind: 'log' });
    const [small, middle, large] = drawing.points;
    expect((middle?.x ?? 0) - (small?.x ?? 0)).toBeCloseTo((large?.x ?? 0) - (middle?.x ?? 0), 9);
    expect(drawing.y(0)).toBe(drawing.plot.bottom);
    expect(drawing.y.invert(large?.y ?? 0)).toBeCloseTo(0.02, 12);
    for (const { x, y } of drawing.points) {
      expect(x).toBeGreaterThanOrEqual(drawing.plot.left);
      expect(x).toBeLessThanOrEqual(drawing.plot.right);
      expect(y).toBeGreaterThanOrEqual(drawing.plot.top);
      expect(y).toBeLessThanOrEqual(drawing.plot.bottom);
    }
  });

  it('labels only whole decades of a log axis', () => {
    const labels = scatterPlot({ ...size, points, xKind: 'log' }).xTicks.map(({ label }) => label);
    expect(labels).toEqual(['100M', '1B', '10B']);
  });

  it('leaves out points that an axis cannot show', () => {
    const odd = [{ id: 'zero', x: 0, y: 1 }, { id: 'none', x: 1, y: Number.NaN }, ...points];
    expect(scatterPlot({ ...size, points: odd, xKind: 'log' }).points.map(({ id }) => id)).toEqual([
      'small',
      'middle',
      'large',
    ]);
    expect(scatterPlot({ ...size, points: [], xKind: 'log' }).points).toEqual([]);
  });

  it('writes names that touch neither points nor each other, and leaves out those that do not fit', () => {
    const crowd = Array.from({ length: 40 }, (_, at) => ({
      id: String(at),
      x: 10 ** (8 + (at % 8) / 20),
      y: 0.2 + Math.floor(at / 8) / 100,
      label: `A model with a long name ${String(at)}`,
    }));
    const { labels, points: places } = scatterPlot({ ...size, points: crowd, xKind: 'log' });
    expect(labels.length).toBeGreaterThan(0);
    expect(labels.length).toBeLessThan(crowd.length);
    const boxes = labels.map(({ text, x, y, anchor }) => {
      const length = [...text].length * 12 * 0.56;
      const left = x - { start: 0, middle: length / 2, end: length }[anchor];
      return { left, right: left + length, y };
    });
    for (const box of boxes) {
      for (const { x, y } of places) {
        expect(x > box.left && x < box.right && Math.abs(y - box.y) < 7).toBe(false);
      }
      for (const other of boxes) {
        const touch = box.left < other.right && other.left < box.right && Math.abs(box.y - other.y) < 14;
        expect(touch).toBe(box === other);
      }
    }
  });

  it('lets no level or larger mark cross a name, and draws leaders to names farther away', () => {
    const dense = Array.from({ length: 12 }, (_, at) => ({
      id: String(at),
      x: 10 ** (8 + (at % 4) / 12),
      y: 0.14 + Math.floor(at / 4) / 100,
      label: `Model ${String(at)}`,
      radius: 9,
    }));
    const {
      labels,
      points: places,
      references,
    } = scatterPlot({
      ...size,
      points: [...dense, { id: 'far', x: 1e10, y: 0.5 }],
      xKind: 'log',
      references: [{ id: 'level', label: 'tie above', value: 0.15 }],
    });
    const [level] = references;
    for (const { text, x, y, anchor } of labels) {
      expect(Math.abs(y - (level?.y ?? 0))).toBeGreaterThanOrEqual(12 * 0.6);
      const length = [...text].length * 12 * 0.56;
      const left = x - { start: 0, middle: length / 2, end: length }[anchor];
      for (const place of places.filter(({ id }) => id !== 'far')) {
        const across = place.x + 9 > left && place.x - 9 < left + length;
        expect(across && Math.abs(place.y - y) < 9 + 12 * 0.6 - 0.01, text).toBe(false);
      }
    }
    expect(labels.length).toBeGreaterThan(6);
    const led = labels.filter(({ leader }) => leader !== undefined);
    expect(led.length).toBeGreaterThan(0);
    for (const { id, leader } of led) {
      const place = places.find((point) => point.id === id);
      // From the edge of its own mark.
      expect(Math.hypot((leader?.x1 ?? 0) - (place?.x ?? 0), (leader?.y1 ?? 0) - (place?.y ?? 0))).toBeCloseTo(9, 6);
    }
  });

  it('names levels at the free end of their line', () => {
    const right = scatterPlot({
      ...size,
      points: [
        { id: 'a', x: 1, y: 0 },
        { id: 'b', x: 9, y: 0.53 },
        { id: 'c', x: 9, y: 0.47 },
      ],
      references: [{ id: 'level', label: 'half', value: 0.5 }],
    });
    expect(right.references[0]?.y).toBe(right.y(0.5));
    expect(right.referenceLabels[0]?.anchor).toBe('start');
    const free = scatterPlot({ ...size, points, references: [{ id: 'level', label: 'half', value: 0.5 }] });
    expect(free.referenceLabels[0]?.anchor).toBe('end');
    // A level is part of what the axis shows.
    expect(free.y.invert(free.plot.top)).toBeGreaterThanOrEqual(0.5);
  });
});
