import { describe, expect, it } from 'vitest';
import { placeNames, type NamedPoint, type PlacedName } from '../../../web/charts/place-names.js';

const plot = { left: 40, top: 28, right: 590, bottom: 276 };

/** Where a name is, given the font that it is placed for. */
const boxOf = ({ text, x, y, anchor }: PlacedName) => {
  const length = [...text].length * 12 * 0.56;
  const left = x - { start: 0, middle: length / 2, end: length }[anchor];
  return { left, right: left + length, y };
};

describe('names of points', () => {
  it('touch neither points nor each other, and those that do not fit are left out', () => {
    const crowd = Array.from({ length: 40 }, (_, at) => ({
      ...{ x: 80 + (at % 8) * 14, y: 100 + Math.floor(at / 8) * 10, radius: 5 },
      name: `A model with a long name ${String(at)}`,
    }));
    const { names } = placeNames(crowd, [], plot);
    expect(names.length).toBeGreaterThan(0);
    expect(names.length).toBeLessThan(crowd.length);
    const boxes = names.map(boxOf);
    for (const box of boxes) {
      for (const { x, y } of crowd) expect(x > box.left && x < box.right && Math.abs(y - box.y) < 7).toBe(false);
      for (const other of boxes) {
        const touch = box.left < other.right && other.left < box.right && Math.abs(box.y - other.y) < 14;
        expect(touch).toBe(box === other);
      }
    }
  });

  it('are crossed by no level and no larger mark, and have leaders if they are farther away', () => {
    const dense: NamedPoint[] = Array.from({ length: 12 }, (_, at) => ({
      ...{ x: 100 + (at % 4) * 30, y: 140 + Math.floor(at / 4) * 20, radius: 9 },
      name: `Model ${String(at)}`,
    }));
    const level = { y: 150, name: 'tie above' };
    const { names } = placeNames([...dense, { x: 500, y: 40, radius: 5 }], [level], plot);
    for (const name of names) {
      const box = boxOf(name);
      expect(Math.abs(box.y - level.y)).toBeGreaterThanOrEqual(12 * 0.6);
      for (const { x, y } of dense) {
        const across = x + 9 > box.left && x - 9 < box.right;
        expect(across && Math.abs(y - box.y) < 9 + 12 * 0.6 - 0.01, name.text).toBe(false);
      }
    }
    expect(names.length).toBeGreaterThan(6);
    const led = names.filter(({ leader }) => leader !== undefined);
    expect(led.length).toBeGreaterThan(0);
    for (const { text, leader } of led) {
      const { x, y } = dense.find(({ name }) => name === text)!;
      // From the edge of its own mark.
      expect(Math.hypot(leader!.x1 - x, leader!.y1 - y)).toBeCloseTo(9, 6);
    }
  });
});

describe('names of levels', () => {
  const level = { y: 150, name: 'half' };

  it('are at the free end of their line', () => {
    const crowded = [
      { x: 570, y: 141, radius: 5 },
      { x: 570, y: 160, radius: 5 },
    ];
    expect(placeNames(crowded, [level], plot).levelNames[0]).toMatchObject({ anchor: 'start', x: 44 });
    expect(placeNames([], [level], plot).levelNames[0]).toEqual({ text: 'half', anchor: 'end', x: 590, y: 141 });
  });

  it('are not covered by names of points', () => {
    const point = { x: 500, y: 141, radius: 5, name: 'A model' };
    const { names, levelNames } = placeNames([point], [level], plot);
    const [name, other] = [boxOf(names[0]!), boxOf(levelNames[0]!)];
    expect(name.right <= other.left || other.right <= name.left || Math.abs(name.y - other.y) >= 14).toBe(true);
  });
});
