import { endRoom, estimatedWidth, labelSize, rowLabelRoom, type MeasureText } from '../../../charts/heat-map.js';
import { oncePer } from '../../shared/once-per.js';
import type { MappedText } from '../direct-path-run.js';
import type { TokenOrder } from '../token-choice.js';

/** Rows and columns `positions` of a square matrix [size, size]. */
export function choose(values: Float32Array, size: number, positions: readonly number[]): Float32Array {
  const part = new Float32Array(positions.length * positions.length);
  positions.forEach((from, row) => {
    positions.forEach((to, column) => {
      part[row * positions.length + column] = values[from * size + to] ?? 0;
    });
  });
  return part;
}

export interface Painting {
  /** [shown, shown] */
  values: Float32Array;
  /** The values behind the colors: square roots of probabilities, because most would otherwise be too pale. */
  painted: Float32Array;
}

/** Pointing at a cell redraws the figure; reusing these arrays avoids repainting the maps. */
const paintings = oncePer((_values: Float32Array) => new Map<string, Painting>());

export function paintingOf(values: Float32Array, size: number, positions: readonly number[], roots: boolean): Painting {
  const known = paintings(values);
  const key = `${positions.join(' ')} ${String(roots)}`;
  const part = known.get(key)?.values ?? choose(values, size, positions);
  const painting = known.get(key) ?? { values: part, painted: roots ? part.map(Math.sqrt) : part };
  known.set(key, painting);
  return painting;
}

/** For unknown matrices, by number of tokens: nothing is painted, and every value is NaN. */
const blanks = new Map<number, Painting>();

export function blankPainting(shown: number): Painting {
  const none = new Float32Array(shown * shown);
  const blank = blanks.get(shown) ?? { values: none.map(() => Number.NaN), painted: none };
  blanks.set(shown, blank);
  return blank;
}

/** The tokens of the maps, as positions among the stored ones. */
export const shownPositions = (text: MappedText, order: TokenOrder, shown: number): readonly number[] =>
  text.orders[order].slice(0, shown);

/** Printable forms of the tokens at these positions. */
export const tokenNames = (text: MappedText, positions: readonly number[]): string[] =>
  positions.map((position) => text.tokens[text.mapIds[position] ?? 0] ?? '');

/** The arrangement of the maps, and the size of their cells. */
export interface MapsLayout {
  /** The grid's columns in CSS; null for `columns` equal ones. */
  widths: readonly number[] | null;
  columns: number;
  maxCell: number;
  /** In a single row of maps, only the first has row names. */
  sharedRowNames: boolean;
}

const gap = 16;
/** The margins of a map without row names: at its left, and one pixel at its right. */
const labelGap = 6;
const margin = labelGap + 1;

/** The smallest cell that fits a name beside it: names are at least 11 pixels high. */
const readableCell = 11;
/** A row of maps that is at least so wide may have cells without readable names, if the reader wants many tokens. */
const wideRow = 560;

/**
 * One row of equal maps if they fit, so corresponding cells are at the same height; otherwise one column, with cells that are large
 * enough to point at.
 */
export function mapsLayout(
  width: number,
  panels: number,
  names: readonly string[],
  measure: MeasureText = estimatedWidth,
): MapsLayout {
  for (let cell = 26; cell >= (width < wideRow ? readableCell : 4); cell -= 1) {
    const others = margin + names.length * cell + endRoom(cell);
    const first = others + rowLabelRoom(names, labelSize(cell), width, measure) - labelGap;
    if (first + (panels - 1) * (others + gap) > width) continue;
    const widths = Array.from({ length: panels }, (_, index) => (index === 0 ? first : others));
    return { widths, columns: panels, maxCell: cell, sharedRowNames: true };
  }
  return { widths: null, columns: 1, maxCell: 18, sharedRowNames: false };
}

/** The default number of tokens: as many as fit with their names. */
export function fittingTokens(
  width: number,
  panels: number,
  text: MappedText,
  order: TokenOrder,
  measure: MeasureText = estimatedWidth,
): number {
  const [fewest = 8, ...more] = [8, 12, 16, 24];
  const fits = (count: number): boolean => {
    const names = tokenNames(text, shownPositions(text, order, count));
    const { widths, maxCell } = mapsLayout(width, panels, names, measure);
    return widths === null ? count <= 12 : maxCell >= readableCell;
  };
  return more.reduce((best, count) => (fits(count) ? count : best), fewest);
}
