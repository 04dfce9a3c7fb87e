import { describe, expect, it } from 'vitest';
import { divergingScale } from '../../../web/charts/color-scale.js';
import {
  cellAt,
  cellBox,
  diagonalPath,
  heatMapLayout,
  mirrorCell,
  moveCell,
  paintCells,
  roundLimit,
  shorten,
  type CellPainter,
} from '../../../web/charts/heat-map.js';

const names = ['New', 'York', 'City'];
const layoutOf = (count: number, width: number, labels = Array.from({ length: count }, (_, at) => `t${String(at)}`)) =>
  heatMapLayout({ rows: count, cols: count, width, rowLabels: labels, colLabels: labels, numberLength: 5 });

describe('layout', () => {
  it('fits the given width, from 240 to 1,000 pixels and 2 to 128 tokens', () => {
    for (const width of [240, 320, 333, 500, 1000]) {
      for (const count of [2, 3, 12, 16, 24, 40, 65, 128]) {
        const layout = layoutOf(count, width);
        // Only a large matrix with cells of the smallest size, 3 pixels, may need more.
        if (layout.cell > 3) expect(layout.width).toBeLessThanOrEqual(width);
      }
    }
  });

  it('finds every cell at its center and none outside', () => {
    const layout = heatMapLayout({ rows: 3, cols: 3, width: 320, rowLabels: names, colLabels: names });
    for (let row = 0; row < 3; row++) {
      for (let col = 0; col < 3; col++) {
        const box = cellBox(layout, { row, col });
        expect(cellAt(layout, box.x + box.width / 2, box.y + box.height / 2)).toEqual({ row, col });
      }
    }
    expect(cellAt(layout, layout.left - 1, layout.top + 5)).toBeNull();
    expect(cellAt(layout, layout.width + 1, layout.top + 5)).toBeNull();
  });

  it('shows numbers only if they fit', () => {
    expect(layoutOf(3, 320, names).showNumbers).toBe(true);
    expect(layoutOf(40, 320).showNumbers).toBe(false);
  });

  it('rotates column labels that are wider than a column, and skips those that would touch', () => {
    expect(layoutOf(3, 320, names).turned).toBe(false);
    const crowded = layoutOf(
      65,
      400,
      Array.from({ length: 65 }, () => 'token'),
    );
    expect(crowded.turned).toBe(true);
    expect(crowded.colLabels.length).toBeLessThan(65);
    const apart = (crowded.colLabels[1]?.x ?? 0) - (crowded.colLabels[0]?.x ?? 0);
    expect(apart).toBeGreaterThanOrEqual(crowded.fontSize);
  });

  it('always names the chosen row and column and their mirror image, and skips what would touch them', () => {
    const labels = Array.from({ length: 64 }, (_, index) => `token ${String(index)}`);
    const options = { rows: 64, cols: 64, width: 360, rowLabels: labels, colLabels: labels };
    const indices = (of: readonly { index: number }[]) => of.map(({ index }) => index);
    const unasked = heatMapLayout(options);
    expect(indices(unasked.rowLabels)).not.toContain(41);
    const layout = heatMapLayout({ ...options, chosen: { row: 41, col: 6 } });
    for (const shown of [layout.rowLabels, layout.colLabels]) {
      expect(indices(shown)).toEqual(expect.arrayContaining([6, 41]));
      const gaps = shown.slice(1).map(({ index }, at) => (index - (shown[at]?.index ?? 0)) * layout.cell);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(layout.fontSize);
    }
    expect(layout.rowLabels.find(({ index }) => index === 41)?.y).toBeCloseTo(layout.top + 41.5 * layout.cell);
    // If two are too close to each other, the first is shown.
    const close = heatMapLayout({ ...options, chosen: { row: 41, col: 42 } });
    expect(indices(close.rowLabels)).toContain(41);
    expect(indices(close.rowLabels)).not.toContain(42);
  });

  it('draws the diagonal from corner to corner, and around numbers in cells', () => {
    const plain = heatMapLayout({ rows: 3, cols: 3, width: 320, rowLabels: names, colLabels: names });
    const { left, top, cell } = plain;
    expect(diagonalPath(plain)).toBe(`M${left} ${top}L${left + 3 * cell} ${top + 3 * cell}`);
    const numbered = layoutOf(3, 320, names);
    expect(numbered.showNumbers).toBe(true);
    expect(diagonalPath(numbered).match(/M/g)).toHaveLength(6);
  });

  it('shortens long labels with an ellipsis, never inside a character', () => {
    expect(shorten('New', 12)).toBe('New');
    expect(shorten('extraordinarily', 12)).toBe('extraordina…');
    expect(shorten('🚀🚀🚀🚀', 3)).toBe('🚀🚀…');
  });
});

describe('mirror and cursor', () => {
  it('mirrors across the diagonal; cells on it and cells outside the mirrored matrix have no mirror', () => {
    expect(mirrorCell({ row: 0, col: 2 }, 3, 3)).toEqual({ row: 2, col: 0 });
    expect(mirrorCell({ row: 1, col: 1 }, 3, 3)).toBeNull();
    expect(mirrorCell({ row: 0, col: 4 }, 3, 5)).toBeNull();
  });

  it('moves by arrows within the matrix, to row ends, and with `far` to the corners', () => {
    const at = { row: 1, col: 1 };
    expect(moveCell(at, 'ArrowUp', 3, 3)).toEqual({ row: 0, col: 1 });
    expect(moveCell({ row: 0, col: 0 }, 'ArrowLeft', 3, 3)).toEqual({ row: 0, col: 0 });
    expect(moveCell(at, 'End', 3, 3)).toEqual({ row: 1, col: 2 });
    expect(moveCell(at, 'End', 3, 3, true)).toEqual({ row: 2, col: 2 });
    expect(moveCell(at, 'Home', 3, 3, true)).toEqual({ row: 0, col: 0 });
    expect(moveCell(at, 'a', 3, 3)).toBeNull();
  });
});

describe('painting', () => {
  it('fills each cell once with its color', () => {
    const fills: [string, number, number][] = [];
    const painter: CellPainter = {
      fillStyle: '',
      clearRect: () => {},
      fillRect(x, y) {
        fills.push([String(this.fillStyle), x, y]);
      },
    };
    const layout = heatMapLayout({ rows: 2, cols: 2, width: 200, rowLabels: ['a', 'b'], colLabels: ['a', 'b'] });
    const scale = divergingScale({ limit: 1, middle: [255, 255, 255], negative: [200, 0, 0], positive: [0, 0, 200] });
    paintCells(painter, layout, [1, 0, -1, Number.NaN], scale);
    expect(fills.map(([color]) => color)).toEqual([
      'rgb(0, 0, 200)',
      'rgb(255, 255, 255)',
      'rgb(200, 0, 0)',
      'rgb(255, 255, 255)',
    ]);
    const second = cellBox(layout, { row: 0, col: 1 });
    expect(fills[1]?.slice(1)).toEqual([second.x, second.y]);
  });
});

describe('roundLimit', () => {
  it.each([
    [[0.3, -1.53], 2],
    [[0.9], 1],
    [[-0.0421], 0.05],
    [[7200], 8000],
    [[0, 0], 1],
    [[], 1],
    [[Number.NaN, 2], 2],
  ])('limits the colors of %j to %d', (values, limit) => {
    expect(roundLimit(values)).toBe(limit);
  });
});
