import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { drawing, keyEntry } from './drawing.js';
import { marksFor, numbersOf, type Channel, type Frame, type Mark, type Marks } from './marks.js';
import { formatNumber } from './number-format.js';
import { makeScale, niceDomain, type Scale, type ScaleKind } from './scale.js';
import { scaleTicks } from './ticks.js';

/**
 * A drawing of measurements: marks over a list of rows, with its key, its description for screen readers and its data as a table,
 * all from the same rows. One axis may have the rows themselves, side by side or one below the other.
 */

/** An axis of numbers, with lines across the drawing. */
export interface NumberAxis {
  /** Default linear. */
  readonly kind?: ScaleKind;
  /** Default: what the marks draw, and the numbers of `include`. */
  readonly domain?: readonly [number, number];
  readonly include?: readonly number[];
  /** Whether the domain is extended to round ends. */
  readonly nice?: boolean;
  /** The ticks, or about how many. Default 5. */
  readonly ticks?: number | readonly number[];
  /** The name of a tick; an empty one has a line only. */
  readonly format?: (tick: number) => string;
  /** Lines of the ticks of x: across the drawing, or short ones below it. Default 'across'. */
  readonly lines?: 'across' | 'below';
  readonly title?: unknown;
}

/** An axis with a place for each row. */
export interface RowAxis<Row> {
  /** Height of a row in pixels; columns are as wide as fits. */
  readonly each: number | 'fit';
  readonly name?: (row: Row, at: number) => unknown;
  /** Classes of the name. Default 'name'. */
  readonly look?: string | ((row: Row, at: number) => string);
  /** The name is above its row, in the upper part of so many pixels, and not beside it. */
  readonly above?: number;
  /** Words at the right end of the row, beside or above it as the name is. */
  readonly end?: (row: Row, at: number) => unknown;
  /** Classes of these words. Default: those of the name. */
  readonly endLook?: (row: Row, at: number) => string;
  readonly title?: unknown;
}

export interface PlotOptions<Row> {
  readonly rows: readonly Row[];
  readonly width: number;
  /** Height of the plotting area, unless rows determine it. */
  readonly plotHeight?: number;
  /** Space around the plotting area. Default: as the axes need it, and 8 at the sides. */
  readonly margin?: Partial<Record<'left' | 'right' | 'top' | 'bottom', number>>;
  readonly x: NumberAxis | RowAxis<Row>;
  readonly y: NumberAxis | RowAxis<Row>;
  /** From front to back; what is false or null is left out. */
  readonly marks: (marks: Marks<Row>) => readonly (Mark<Row> | false | null)[];
  /** A row in words. Without it, the drawing is hidden from screen readers: a control around it says what it shows. */
  readonly describe?: (row: Row, at: number) => string;
  /** Between two rows in words. Default: a space. */
  readonly between?: string;
  /** The whole description. Default: the rows in words. */
  readonly label?: (rows: string) => string;
  /** The data table. The first cell of a row is its header; rows without cells are left out. */
  readonly caption?: string;
  readonly head?: readonly string[];
  readonly cells?: (row: Row, at: number) => readonly string[];
  /** Columns that it leaves out, from 0. */
  readonly without?: readonly number[];
}

export interface Plot<Row = unknown> {
  readonly drawing: TemplateResult;
  /** The same without its frame, for a figure that makes it a control, and where things are in it. */
  readonly content: SVGTemplateResult;
  readonly frame: Frame<Row>;
  /** What the marks mean: in their order, but levels to compare them with come last. */
  readonly key: TemplateResult;
  /** For screen readers; null if the drawing is hidden from them. */
  readonly label: string | null;
  readonly table: {
    readonly caption: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  /** The row at a place in the drawing, from 0; may be outside of the list. */
  readonly rowAt: (position: number) => number;
}

const isRows = <Row>(axis: NumberAxis | RowAxis<Row>): axis is RowAxis<Row> => 'each' in axis;

export function plot<Row>(options: PlotOptions<Row>): Plot<Row> {
  const {
    rows,
    describe,
    between = ' ',
    label = (words) => words,
    caption = '',
    head = [],
    cells = () => [],
    without = [],
  } = options;
  const marks = options.marks(marksFor<Row>()).filter((mark) => mark !== false && mark !== null);
  const frame = frameOf(options, marks);
  const { width, height } = frame;
  const sentences = describe === undefined ? [] : rows.map(describe).filter((sentence) => sentence !== '');
  // A picture without rows yet still has a name.
  const words = describe === undefined ? null : label(sentences.join(between)) || caption;
  const keys = marks.flatMap(({ key = [] }) => key);
  const entries = [...keys.filter(({ level }) => !level), ...keys.filter(({ level }) => level)];
  const axes = [axisOf(options.x, frame, 'x'), axisOf(options.y, frame, 'y')];
  const content = svg`${axes.map(({ behind }) => behind)}${marks.map(({ draw }) => draw(frame)).reverse()}${axes.map(({ above }) => above)}`;
  return {
    drawing: drawing({ label: words, width, height }, content),
    content,
    frame,
    key: html`<div class="row note" data-picture>
      ${entries.map(({ sign, words: name, width: wide }) => keyEntry(sign, name, wide))}
    </div>`,
    label: words,
    get table() {
      const kept = (all: readonly string[]): string[] => all.filter((_, at) => !without.includes(at));
      const filled = rows.map(cells).filter(({ length }) => length > 0);
      return { caption, head: kept(head), rows: filled.map(kept) };
    },
    rowAt: frame.rowAt,
  };
}

function frameOf<Row>(options: PlotOptions<Row>, marks: readonly Mark<Row>[]): Frame<Row> {
  const { rows, width, x, y, margin = {}, plotHeight = 0 } = options;
  const {
    left = 8,
    right = 8,
    top = y.title === undefined ? 4 : 24,
    bottom = x.title === undefined ? (hasNames(x) ? 24 : 0) : 40,
  } = margin;
  const end = top + (isRows(y) ? rows.length * Number(y.each) : plotHeight);
  const plotArea = { left, right: width - right, top, bottom: end };
  const above = isRows(y) ? (y.above ?? 0) : 0;
  const step = isRows(y) ? Number(y.each) : (plotArea.right - left) / rows.length;
  const first = isRows(y) ? top + (above + step) / 2 : left + step / 2;
  const scaleOf = (axis: NumberAxis | RowAxis<Row>, of: 'x' | 'y', from: number, to: number): Scale =>
    isRows(axis)
      ? makeScale('linear', [0, rows.length], [from, to])
      : makeScale(axis.kind ?? 'linear', domainOf(axis, of, rows, marks), [from, to]);
  return {
    rows,
    width,
    height: end + bottom,
    plot: plotArea,
    x: scaleOf(x, 'x', left, plotArea.right),
    y: isRows(y) ? scaleOf(y, 'y', top, end) : scaleOf(y, 'y', end, top),
    step,
    place: (at) => first + at * step,
    rowAt: (position) => Math.floor((position - (isRows(y) ? top : left)) / step),
  };
}

function domainOf<Row>(
  { domain, include = [], nice = false, kind }: NumberAxis,
  of: 'x' | 'y',
  rows: readonly Row[],
  marks: readonly Mark<Row>[],
): readonly [number, number] {
  if (domain !== undefined) return domain;
  const channels = marks.flatMap((mark): readonly Channel<Row>[] => mark[of] ?? []);
  const drawn = channels.flatMap((channel) => rows.flatMap((row, at) => numbersOf(channel(row, at))));
  const values = [...drawn, ...include].filter((value) => kind !== 'log' || value > 0);
  if (values.length === 0) return kind === 'log' ? [1, 10] : [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (nice) return niceDomain([low, high]);
  return low === high ? [low, low + 1] : [low, high];
}

const hasNames = <Row>(axis: NumberAxis | RowAxis<Row>): boolean =>
  isRows(axis)
    ? axis.name !== undefined
    : typeof axis.ticks !== 'object' || axis.ticks.some((tick) => nameOf(axis, tick) !== '');

const nameOf = ({ format = formatNumber }: NumberAxis, tick: number): string => format(tick);

/** Keeps a name below the drawing within its width. */
function inside(at: number, name: string, width: number): 'start' | 'middle' | 'end' {
  const half = [...name].length * 3.6;
  return at < half ? 'start' : at > width - half ? 'end' : 'middle';
}

/** Lines and names of the ticks of numbers. */
function ticksOf<Row>(
  axis: NumberAxis,
  { width, plot: { left, right, top, bottom }, x, y }: Frame<Row>,
  of: 'x' | 'y',
): SVGTemplateResult {
  const scale = of === 'x' ? x : y;
  const { ticks = 5, format, lines } = axis;
  const [from, to, look] = lines === 'below' ? [bottom, bottom + 6, 'tick'] : [top, bottom, 'grid'];
  const drawn =
    typeof ticks === 'number'
      ? scaleTicks(scale, ticks).map(
          ({ value, label }) => [value, format === undefined ? label : format(value)] as const,
        )
      : ticks.map((tick) => [tick, nameOf(axis, tick)] as const);
  return svg`${drawn.map(([tick, name]) => {
    const at = scale(tick);
    return of === 'x'
      ? svg`<line class=${look} x1=${at} x2=${at} y1=${from} y2=${to}></line>
          ${name === '' ? nothing : svg`<text class="faint" x=${at} y=${bottom + 17} text-anchor=${inside(at, name, width)}>${name}</text>`}`
      : svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at}></line>
          ${name === '' ? nothing : svg`<text class="faint" x=${left - 6} y=${at} text-anchor="end" dominant-baseline="central">${name}</text>`}`;
  })}`;
}

/** Names of rows: below their columns, or beside or above them. */
function namesOf<Row>(
  { name, look = 'name', above, end, endLook }: RowAxis<Row>,
  { rows, width, plot: { left, bottom }, place, step }: Frame<Row>,
  of: 'x' | 'y',
): SVGTemplateResult | typeof nothing {
  if (name === undefined) return nothing;
  return svg`${rows.map((row, at) => {
    const middle = place(at);
    const looks = typeof look === 'string' ? look : look(row, at);
    if (of === 'x')
      return svg`<text class=${looks} x=${middle} y=${bottom + 17} text-anchor="middle">${name(row, at)}</text>`;
    const baseline = above === undefined ? 'central' : nothing;
    const y = above === undefined ? middle : middle - (step - above) / 2;
    return svg`
      <text class=${looks} x=${above === undefined ? left - 8 : 0} y=${y} text-anchor=${above === undefined ? 'end' : 'start'} dominant-baseline=${baseline}>${name(row, at)}</text>
      ${end === undefined ? nothing : svg`<text class="end ${endLook?.(row, at) ?? looks}" x=${width} y=${y} text-anchor="end" dominant-baseline=${baseline}>${end(row, at)}</text>`}`;
  })}`;
}

/** Lines are behind the marks, and names of rows in front of them. */
function axisOf<Row>(axis: NumberAxis | RowAxis<Row>, frame: Frame<Row>, of: 'x' | 'y') {
  const {
    plot: { left, right },
    height,
  } = frame;
  const { title } = axis;
  const titled =
    of === 'y'
      ? svg`<text class="faint" x="0" y="12">${title}</text>`
      : svg`<text class="faint" x=${(left + right) / 2} y=${height - 5} text-anchor="middle">${title}</text>`;
  return {
    behind: isRows(axis) ? nothing : ticksOf(axis, frame, of),
    above: [isRows(axis) ? namesOf(axis, frame, of) : nothing, title === undefined ? nothing : titled],
  };
}
