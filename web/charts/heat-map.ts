import { colorText, type ColorScale } from './color-scale.js';

/**
 * Layout and painting of a matrix as colored cells, without side effects. Units are CSS pixels; rows run down, columns
 * right.
 */

export interface Cell {
  readonly row: number;
  readonly col: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface HeatMapOptions {
  rows: number;
  cols: number;
  /** Available width. */
  width: number;
  rowLabels: readonly string[];
  colLabels: readonly string[];
  /** Largest and smallest side of a cell. Defaults 64 and 3. */
  maxCell?: number;
  minCell?: number;
  /** Length of the longest number in a cell, in characters; 0 = no numbers. */
  numberLength?: number;
  /** A title above the columns and one beside the rows. */
  axisTitles?: boolean;
  /** The labels of its row and column and of its mirror cell are always shown, even if others have to be dropped. */
  chosen?: Cell | null;
  /** Measures text in the font that draws it. Default: an estimate. */
  measure?: MeasureText;
}

/** Width of a text at a font size, both in pixels. */
export type MeasureText = (text: string, size: number) => number;

export interface HeatMapLabel {
  readonly index: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface HeatMapLayout {
  readonly rows: number;
  readonly cols: number;
  readonly width: number;
  readonly height: number;
  /** Side of a cell, including its gap. */
  readonly cell: number;
  readonly gap: number;
  /** Top left corner of the cells. */
  readonly left: number;
  readonly top: number;
  readonly fontSize: number;
  readonly numberSize: number;
  readonly showNumbers: boolean;
  /** Column labels are rotated if they would not fit horizontally. */
  readonly turned: boolean;
  readonly rowLabels: readonly HeatMapLabel[];
  readonly colLabels: readonly HeatMapLabel[];
}

/** Mean width of a character of the interface font, relative to its size; measured on typical names. */
const characterWidth = 0.58;
const labelGap = 6;
const maxLabelLength = 12;
/** The largest share of the drawing for labels, so long names leave space for cells. */
const maxLabelShare = 0.34;

export const smallestLabel = 11;
const largestLabel = 14;

/** Font size of labels beside cells of this size. */
export const labelSize = (cell: number): number => Math.max(smallestLabel, Math.min(largestLabel, cell * 0.8));

/** Space that the label of the last row or column needs beyond a cell smaller than its text. */
export const endRoom = (cell: number): number => Math.max(0, Math.ceil(labelSize(cell) * 0.6 - cell / 2));

export const estimatedWidth: MeasureText = (text, size) => [...text].length * size * characterWidth;

/** Replaces white space and control characters by visible symbols. */
const visible = (text: string): string =>
  text
    .replace(/\r?\n/g, '↵')
    .replace(/\t/g, '⇥')
    .replace(/\p{Cc}/gu, '·')
    .replace(/^ +$/, (blank) => '␣'.repeat(blank.length));

/** Labels as displayed: visible, at most twelve characters, and at most `room` wide. */
export function labelTexts(labels: readonly string[], size: number, room: number, measure: MeasureText): string[] {
  return labels.map((label) => {
    const whole = visible(label);
    let text = shorten(whole, maxLabelLength);
    for (let length = maxLabelLength - 1; length > 0 && measure(text, size) > room; length--)
      text = shorten(whole, length);
    return text;
  });
}

/** Width of the row names left of the cells. */
export const rowLabelRoom = (labels: readonly string[], size: number, room: number, measure: MeasureText): number =>
  Math.ceil(widest(labelTexts(labels, size, room, measure), size, measure)) + labelGap;

const widest = (texts: readonly string[], size: number, measure: MeasureText): number =>
  texts.reduce((most, text) => Math.max(most, measure(text, size)), 0);

/** Truncates to `length` characters, ending with an ellipsis. */
export const shorten = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length <= length ? text : characters.slice(0, Math.max(1, length - 1)).join('') + '…';
};

/** Interval between labels so that neighbors are at least `room` apart. */
const everyNth = (cell: number, room: number): number => Math.max(1, Math.ceil(room / cell));

/**
 * Which of `count` labels are shown: every `step`th, and those of `named`, whose neighbors closer than `step` are dropped.
 * If two in `named` are closer than that, only the first is shown.
 */
function shownLabels(count: number, step: number, named: readonly number[]): number[] {
  const apart = (one: number, other: number): boolean => Math.abs(one - other) >= step;
  const kept: number[] = [];
  for (const index of named) if (index < count && kept.every((other) => apart(index, other))) kept.push(index);
  const others = Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
  return [...kept, ...others.filter((index) => kept.every((other) => apart(index, other)))].sort((a, b) => a - b);
}

export function heatMapLayout(options: HeatMapOptions): HeatMapLayout {
  const { rows, cols, width, maxCell = 64, minCell = 3, numberLength = 0, axisTitles = false } = options;
  const titleRoom = axisTitles ? 20 : 0;
  const { measure = estimatedWidth } = options;
  const mostRoom = width * maxLabelShare;

  let fontSize = largestLabel;
  let left = 0;
  let cell = maxCell;
  // Font size and cell size depend on each other; a few iterations converge.
  for (let round = 0; round < 3; round++) {
    left = titleRoom + rowLabelRoom(options.rowLabels, fontSize, mostRoom, measure);
    cell = Math.max(minCell, Math.min(maxCell, (width - left - 1) / Math.max(1, cols)));
    fontSize = labelSize(cell);
  }
  cell = cell > 8 ? Math.floor(cell) : cell;
  while (cell > minCell && left + cols * cell + endRoom(cell) > width)
    cell = Math.max(minCell, cell - (cell > 8 ? 1 : 0.25));
  fontSize = labelSize(cell);
  const gap = cell >= 24 ? 2 : cell >= 6 ? 1 : 0;
  const rowNames = labelTexts(options.rowLabels, fontSize, left - titleRoom - labelGap, measure);
  const colNames = labelTexts(options.colLabels, fontSize, mostRoom, measure);

  const colWidth = widest(colNames, fontSize, measure);
  const turned = colWidth > cell - 4;
  const labelRoom = turned ? Math.ceil(colWidth) : Math.ceil(fontSize * 1.2);
  const top = titleRoom + labelRoom + labelGap;

  const numberSize = Math.min(16, (cell - gap - 6) / Math.max(1, numberLength * 0.6), cell * 0.5);
  const showNumbers = numberLength > 0 && numberSize >= smallestLabel;

  const rowStep = everyNth(cell, fontSize);
  const colStep = everyNth(cell, turned ? fontSize : 0);
  const { chosen = null } = options;
  const named = [chosen, chosen && mirrorCell(chosen, rows, cols)].filter((one) => one !== null);
  return {
    rows,
    cols,
    width: left + cols * cell + endRoom(cell),
    height: top + rows * cell + endRoom(cell),
    cell,
    gap,
    left,
    top,
    fontSize,
    numberSize,
    showNumbers,
    turned,
    rowLabels: shownLabels(
      rowNames.length,
      rowStep,
      named.map(({ row }) => row),
    ).map((index) => ({
      index,
      text: rowNames[index] ?? '',
      x: left - labelGap,
      y: top + (index + 0.5) * cell,
    })),
    colLabels: shownLabels(
      colNames.length,
      colStep,
      named.map(({ col }) => col),
    ).map((index) => ({
      index,
      text: colNames[index] ?? '',
      x: left + (index + 0.5) * cell,
      y: top - labelGap,
    })),
  };
}

/** The visible square of a cell. */
export function cellBox(layout: HeatMapLayout, { row, col }: Cell): Box {
  const side = layout.cell - layout.gap;
  return {
    x: layout.left + col * layout.cell + layout.gap / 2,
    y: layout.top + row * layout.cell + layout.gap / 2,
    width: side,
    height: side,
  };
}

/**
 * The diagonal of a square matrix as path data: complete, or only near the cells' corners where cells contain numbers.
 */
export function diagonalPath(layout: HeatMapLayout): string {
  const { left, top, cell } = layout;
  const count = Math.min(layout.rows, layout.cols);
  const at = (step: number): string => `${String(left + step * cell)} ${String(top + step * cell)}`;
  if (!layout.showNumbers) return `M${at(0)}L${at(count)}`;
  const reach = 0.22;
  return Array.from(
    { length: count },
    (_, step) => `M${at(step)}L${at(step + reach)}M${at(step + 1 - reach)}L${at(step + 1)}`,
  ).join('');
}

/** The cell under a point, or null outside. */
export function cellAt(layout: HeatMapLayout, x: number, y: number): Cell | null {
  const col = Math.floor((x - layout.left) / layout.cell);
  const row = Math.floor((y - layout.top) / layout.cell);
  return row >= 0 && col >= 0 && row < layout.rows && col < layout.cols ? { row, col } : null;
}

/** (i, j) -> (j, i), or null on the diagonal and outside the matrix. */
export function mirrorCell(cell: Cell, rows: number, cols: number): Cell | null {
  if (cell.row === cell.col || cell.col >= rows || cell.row >= cols) return null;
  return { row: cell.col, col: cell.row };
}

/** Moves the cursor by a key: arrows by one, Home and End along the row, with `far` to the corners; otherwise null. */
export function moveCell(cell: Cell, key: string, rows: number, cols: number, far = false): Cell | null {
  const { row, col } = cell;
  const last = { row: rows - 1, col: cols - 1 };
  const stay = (value: number, most: number): number => Math.min(most, Math.max(0, value));
  switch (key) {
    case 'ArrowUp':
      return { row: stay(row - 1, last.row), col };
    case 'ArrowDown':
      return { row: stay(row + 1, last.row), col };
    case 'ArrowLeft':
      return { row, col: stay(col - 1, last.col) };
    case 'ArrowRight':
      return { row, col: stay(col + 1, last.col) };
    case 'Home':
      return far ? { row: 0, col: 0 } : { row, col: 0 };
    case 'End':
      return far ? last : { row, col: last.col };
    default:
      return null;
  }
}

/** The used part of a canvas context. */
export interface CellPainter {
  fillStyle: string | CanvasGradient | CanvasPattern;
  clearRect(x: number, y: number, width: number, height: number): void;
  fillRect(x: number, y: number, width: number, height: number): void;
}

/** Paints all cells; `values` is row-major. Scale the context first for high-density screens. */
export function paintCells(
  painter: CellPainter,
  layout: HeatMapLayout,
  values: ArrayLike<number>,
  scale: ColorScale,
): void {
  painter.clearRect(0, 0, layout.width, layout.height);
  let last = '';
  for (let row = 0; row < layout.rows; row++) {
    for (let col = 0; col < layout.cols; col++) {
      const { x, y, width, height } = cellBox(layout, { row, col });
      const color = colorText(scale.color(values[row * layout.cols + col] ?? Number.NaN));
      // Setting a fill parses it, and neighbors often share theirs.
      if (color !== last) painter.fillStyle = last = color;
      painter.fillRect(x, y, width, height);
    }
  }
}

/** A round number at or above the largest |value|, for the legend. A zero matrix gives 1. */
export function roundLimit(values: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) {
    const size = Math.abs(values[at] ?? 0);
    if (Number.isFinite(size) && size > most) most = size;
  }
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const lead = most / power;
  const rounded = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => lead <= step * (1 + 1e-9)) ?? 10;
  return Number((rounded * power).toPrecision(6));
}
