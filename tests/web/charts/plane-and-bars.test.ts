import { describe, expect, it } from 'vitest';
import { barChart } from '../../../web/charts/bar-chart.js';
import { planeDomain, vectorPlane } from '../../../web/charts/vector-plane.js';

const example = [
  { id: 'a', label: 'New', x: 1, y: 0.5 },
  { id: 'b', label: 'York', x: 0.8, y: 0.9 },
  { id: 'c', label: 'City', x: 0.3, y: 1.2 },
];

describe('planeDomain', () => {
  it('holds the origin and every tip, and is square', () => {
    for (const points of [example, [{ x: -7, y: 40 }], [{ x: 0, y: 0 }], [{ x: 0.001, y: -0.001 }], []]) {
      const { x, y } = planeDomain(points);
      expect(x[1] - x[0]).toBeCloseTo(y[1] - y[0], 9);
      for (const point of [{ x: 0, y: 0 }, ...points]) {
        expect(point.x).toBeGreaterThanOrEqual(x[0]);
        expect(point.x).toBeLessThanOrEqual(x[1]);
        expect(point.y).toBeGreaterThanOrEqual(y[0]);
        expect(point.y).toBeLessThanOrEqual(y[1]);
      }
    }
  });

  it('stands still while a tip moves a little', () => {
    const moved = example.map((point) => ({ ...point, x: point.x + 0.04 }));
    expect(planeDomain(moved)).toEqual(planeDomain(example));
  });
});

describe('vectorPlane', () => {
  it('puts tips where their numbers say, with y upwards', () => {
    const drawing = vectorPlane({ size: 300, vectors: example, domain: { x: [-1, 2], y: [-1, 2] } });
    const [first] = drawing.vectors;
    expect(drawing.originX).toBeCloseTo(100, 9);
    expect(drawing.originY).toBeCloseTo(200, 9);
    expect(first?.tipX).toBeCloseTo(200, 9);
    expect(first?.tipY).toBeCloseTo(150, 9);
    expect(drawing.x.invert(first?.tipX ?? 0)).toBeCloseTo(1, 9);
    expect(drawing.y.invert(first?.tipY ?? 0)).toBeCloseTo(0.5, 9);
  });

  it('keeps labels inside the drawing', () => {
    const long = { id: 'l', label: 'a long token name', x: -1, y: 0.01 };
    const [label] = vectorPlane({ size: 240, vectors: [long] }).vectors;
    expect(label?.labelAnchor).toBe('end');
    // 17 characters of at most 8 pixels.
    expect(label?.labelX).toBeGreaterThanOrEqual(17 * 8);
  });

  it('draws a vector of no length without a head', () => {
    const [zero] = vectorPlane({ size: 240, vectors: [{ id: 'z', label: 'z', x: 0, y: 0 }] }).vectors;
    expect(zero?.head).toBe('');
    expect(zero?.shaft).not.toContain('NaN');
  });
});

describe('barChart', () => {
  const bars = [
    { id: 'tied', segments: [{ id: 'tied', value: 204.8e6 }] },
    {
      id: 'untied',
      segments: [
        { id: 'in', value: 204.8e6 },
        { id: 'out', value: 204.8e6 },
      ],
    },
  ];

  it('draws bars to scale: twice the number is twice the length', () => {
    const drawing = barChart({ width: 600, bars });
    const end = (at: number): number => {
      const last = drawing.bars[at]?.segments.at(-1);
      return (last?.x ?? 0) + (last?.width ?? 0) - 1;
    };
    expect(end(1)).toBeCloseTo(2 * end(0), 6);
    expect(drawing.max).toBeGreaterThanOrEqual(409.6e6);
    expect(drawing.ticks[0]?.label).toBe('0');
  });

  it('cuts what is longer than the scale and says so', () => {
    const drawing = barChart({
      width: 402,
      max: 1,
      axis: false,
      bars: [{ id: 'a', segments: [{ id: 'a', value: 3 }] }],
    });
    const [segment] = drawing.bars[0]?.segments ?? [];
    expect(segment).toMatchObject({ cut: true, width: 400 });
    expect(drawing.ticks).toEqual([]);
  });

  it('draws nothing of zero', () => {
    const drawing = barChart({ width: 400, bars: [{ id: 'a', segments: [{ id: 'a', value: 0 }] }] });
    expect(drawing.bars[0]?.segments[0]?.width).toBe(0);
  });
});
