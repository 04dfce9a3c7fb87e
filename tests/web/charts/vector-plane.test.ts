import { describe, expect, it } from 'vitest';
import { overlap, type Box } from '../../../web/charts/boxes.js';
import { labelBox } from '../../../web/charts/place-labels.js';
import { planeDomain, vectorPlane, type PlaneDrawing } from '../../../web/charts/vector-plane.js';

const example = [
  { id: 'a', label: 'New', x: 1, y: 0.5 },
  { id: 'b', label: 'York', x: 0.8, y: 0.9 },
  { id: 'c', label: 'City', x: 0.3, y: 1.2 },
];

describe('planeDomain', () => {
  it('contains the origin and every tip, and is square', () => {
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

  it('does not move while a tip moves a little', () => {
    const moved = example.map((point) => ({ ...point, x: point.x + 0.04 }));
    expect(planeDomain(moved)).toEqual(planeDomain(example));
  });
});

describe('vectorPlane', () => {
  it('puts tips at their coordinates, with y upwards', () => {
    const drawing = vectorPlane({ size: 300, vectors: example, domain: { x: [-1, 2], y: [-1, 2] } });
    const [first] = drawing.vectors;
    expect(drawing.originX).toBeCloseTo(100, 9);
    expect(drawing.originY).toBeCloseTo(200, 9);
    expect(first?.tipX).toBeCloseTo(200, 9);
    expect(first?.tipY).toBeCloseTo(150, 9);
    expect(drawing.x.invert(first?.tipX ?? 0)).toBeCloseTo(1, 9);
    expect(drawing.y.invert(first?.tipY ?? 0)).toBeCloseTo(0.5, 9);
  });

  /** Boxes of names and of the axes' numbers, with their texts. */
  const boxes = ({ vectors, tickLabels }: PlaneDrawing): [string, Box][] => [
    ...vectors.map(({ label, labelX, labelY, labelAnchor }): [string, Box] => [
      label,
      labelBox({ x: labelX, y: labelY, anchor: labelAnchor }, label),
    ]),
    ...tickLabels.map(({ text, x, y, anchor }): [string, Box] => {
      // Eleven pixels high, and about half as wide per character.
      const width = [...text].length * 6;
      const left = anchor === 'end' ? x - width : x - width / 2;
      return [text, { left, top: y - 5, right: left + width, bottom: y + 5 }];
    }),
  ];
  const named = (rows: readonly (readonly [string, number, number])[]) =>
    rows.map(([label, x, y]) => ({ id: label, label, x, y }));
  // The explorer's initial untied tokens, and those that its buttons add.
  const untied = named([
    ['New', 1, 0.5],
    ['York', 0.8, 0.9],
    ['City', 0.3, 1.2],
    ['New 2', -1.6, 1.6],
    ['York 2', 2, -1],
    ['City 2', 1.4, -0.3],
  ]);
  const crowd = named(
    Array.from({ length: 12 }, (_, at): [string, number, number] => [
      `token ${String(at + 1)}`,
      Math.cos(0.6 + at * 2.4),
      Math.sin(0.6 + at * 2.4),
    ]),
  );
  const close = named([
    ['York', 0.8, 0.9],
    ['token 9', 0.81, 0.92],
    ['City', -0.02, 1.2],
    ['Hall', 0, -2],
  ]);

  it.each([
    ['a long name', named([['a long token name', -1, 0.01]])],
    ['the tied start', example],
    ['the untied start', untied],
    ['twelve tokens', crowd],
    ['tips close together and along the axes', close],
  ])('keeps names apart from each other, from numbers, and inside: %s', (_, vectors) => {
    for (const size of [240, 340]) {
      const drawing = vectorPlane({ size, vectors });
      const all = boxes(drawing);
      for (const [at, [name, box]] of all.entries()) {
        expect(box.left, name).toBeGreaterThanOrEqual(-0.01);
        expect(box.right, name).toBeLessThanOrEqual(size + 0.01);
        for (const [other, there] of all.slice(at + 1)) expect(overlap(box, there), `${name} on ${other}`).toBe(0);
      }
    }
  });

  it('puts a name beside an arrow, not on it, if it fits there', () => {
    for (const vectors of [example, untied, close]) {
      const drawing = vectorPlane({ size: 340, vectors });
      for (const { label, labelX, labelY, labelAnchor } of drawing.vectors) {
        const box = labelBox({ x: labelX, y: labelY, anchor: labelAnchor }, label);
        for (const { tipX, tipY } of drawing.vectors) {
          for (let share = 0; share <= 1; share += 0.01) {
            const x = drawing.originX + (tipX - drawing.originX) * share;
            const y = drawing.originY + (tipY - drawing.originY) * share;
            const struck = x > box.left && x < box.right && y > box.top && y < box.bottom;
            expect(struck, `${label} at ${String(x)}, ${String(y)}`).toBe(false);
          }
        }
      }
    }
  });

  it('draws a vector of length zero without a head', () => {
    const [zero] = vectorPlane({ size: 240, vectors: [{ id: 'z', label: 'z', x: 0, y: 0 }] }).vectors;
    expect(zero?.head).toBe('');
    expect(zero?.shaft).not.toContain('NaN');
  });
});
