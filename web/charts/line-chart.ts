import { extent, linearScale, logScale, type Scale } from './scale.js';
import { spreadLabels } from './spread-labels.js';
import { niceDomain, scaleTicks, type Tick } from './ticks.js';

/** A line chart as plain data: paths, ticks and labels in CSS pixels, to be drawn by whoever asked. */

export interface LineSeries {
  readonly id: string;
  readonly label: string;
  /** Ascending. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Drawn faintly behind the line, at the same x: the points that a smoothed line was made of. */
  readonly raw?: ArrayLike<number>;
}

/** A level drawn across the whole chart, such as a floor. */
export interface ReferenceLine {
  readonly id: string;
  readonly label: string;
  readonly value: number;
}

export interface LineChartOptions {
  readonly width: number;
  readonly height: number;
  readonly series: readonly LineSeries[];
  readonly references?: readonly ReferenceLine[];
  readonly xTitle?: string;
  readonly yTitle?: string;
  /** Log scales need domains above 0; points at or below 0 are left out. Default linear. */
  readonly xKind?: 'linear' | 'log';
  readonly yKind?: 'linear' | 'log';
  /** Default: all finite data, references included, widened to round ends. */
  readonly xDomain?: readonly [number, number];
  readonly yDomain?: readonly [number, number];
  /**
   * Direct labels stand right of the lines where there is room. Elsewhere references are labelled on the drawing, and
   * the caller shows a legend of the series. Default 'auto'.
   */
  readonly labels?: 'right' | 'none' | 'auto';
  readonly locale?: string;
}

export interface LineChartLabel {
  readonly id: string;
  readonly kind: 'series' | 'reference';
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Written on the drawing, above the start of its own line; else beside the drawing. */
  readonly inside: boolean;
  /** Where the line ends: a thin leader joins the two where they are apart. */
  readonly anchorX: number;
  readonly anchorY: number;
}

export interface LineChartDrawing {
  readonly width: number;
  readonly height: number;
  /** The rectangle that data is drawn in. */
  readonly plot: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly x: Scale;
  readonly y: Scale;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly xTitle: string;
  readonly yTitle: string;
  /** Path data; `raw` is one path of small strokes. */
  readonly series: readonly {
    readonly id: string;
    readonly label: string;
    readonly path: string;
    readonly raw: string;
  }[];
  readonly references: readonly {
    readonly id: string;
    readonly label: string;
    readonly value: number;
    readonly y: number;
  }[];
  readonly labels: readonly LineChartLabel[];
  readonly labelsShown: boolean;
}

const fontSize = 13;
const characterWidth = 0.56;
const labelRoom = fontSize * 1.25;

export function lineChart(options: LineChartOptions): LineChartDrawing {
  const { width, height, series, references = [], xTitle = '', yTitle = '', labels = 'auto' } = options;
  const formatting = options.locale === undefined ? {} : { locale: options.locale };

  const names = [...series.map((one) => one.label), ...references.map((one) => one.label)];
  const labelWidth = names.reduce((most, name) => Math.max(most, [...name].length), 0) * fontSize * characterWidth + 12;
  const labelsShown = labels === 'right' || (labels === 'auto' && width - labelWidth >= 300);

  const xDomain =
    options.xDomain ??
    dataDomain(
      series.map((one) => one.x),
      options.xKind ?? 'linear',
    );
  const yDomain =
    options.yDomain ??
    padded(
      dataDomain(
        [...series.flatMap((one) => [one.y, one.raw ?? []]), references.map((one) => one.value)],
        options.yKind ?? 'linear',
      ),
      options.yKind ?? 'linear',
    );

  const yCount = Math.max(2, Math.round((height - 60) / 56));
  const draftY = makeScale(options.yKind ?? 'linear', yDomain, [0, 1]);
  const tickWidth = scaleTicks(draftY, yCount, { compact: true, ...formatting }).reduce(
    (most, tick) => Math.max(most, tick.label.length * fontSize * characterWidth),
    0,
  );
  const plot = {
    left: Math.ceil(tickWidth) + 10,
    top: yTitle === '' ? 10 : 28,
    right: width - (labelsShown ? labelWidth : 10),
    bottom: height - (xTitle === '' ? 26 : 44),
  };

  const x = makeScale(options.xKind ?? 'linear', xDomain, [plot.left, plot.right]);
  const y = makeScale(options.yKind ?? 'linear', yDomain, [plot.bottom, plot.top]);
  const drawnReferences = references
    .filter((one) => Number.isFinite(one.value))
    .map((one) => ({ id: one.id, label: one.label, value: one.value, y: y.position(one.value) }));

  return {
    width,
    height,
    plot,
    x,
    y,
    xTicks: scaleTicks(x, Math.max(2, Math.round((plot.right - plot.left) / 90)), { compact: true, ...formatting }),
    yTicks: scaleTicks(y, yCount, { compact: true, ...formatting }),
    xTitle,
    yTitle,
    series: series.map((one) => ({
      id: one.id,
      label: one.label,
      path: linePath(one.x, one.y, x, y),
      raw: one.raw === undefined ? '' : pointsPath(one.x, one.raw, x, y),
    })),
    references: drawnReferences,
    labels: labelsShown ? placeLabels(series, drawnReferences, x, y, plot) : placeInside(drawnReferences, plot),
    labelsShown,
  };
}

const makeScale = (
  kind: 'linear' | 'log',
  domain: readonly [number, number],
  range: readonly [number, number],
): Scale => (kind === 'log' ? logScale(domain, range) : linearScale(domain, range));

function dataDomain(lists: readonly ArrayLike<number>[], kind: 'linear' | 'log'): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists) {
    const found = extent(kind === 'log' ? positive(list) : iterate(list));
    if (found === null) continue;
    low = Math.min(low, found[0]);
    high = Math.max(high, found[1]);
  }
  if (low > high) return kind === 'log' ? [1, 10] : [0, 1];
  if (low === high) return kind === 'log' ? [low / 2, low * 2] : [low, low + 1];
  return [low, high];
}

const padded = (domain: [number, number], kind: 'linear' | 'log'): [number, number] =>
  kind === 'log' ? domain : niceDomain(domain);

function* iterate(list: ArrayLike<number>): Generator<number> {
  for (let at = 0; at < list.length; at++) yield list[at] ?? Number.NaN;
}

function* positive(list: ArrayLike<number>): Generator<number> {
  for (const value of iterate(list)) if (value > 0) yield value;
}

const short = (value: number): string => String(Math.round(value * 10) / 10);

/**
 * One path; gaps where a value is not finite. Of many points in one pixel column only the first, the lowest, the
 * highest and the last are kept, which draws the same picture from at most four points a pixel.
 */
export function linePath(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): string {
  let path = '';
  let pen = false;
  let column = Number.NaN;
  let held: { px: number; py: number }[] = [];
  const put = (px: number, py: number): void => {
    path += `${pen ? 'L' : 'M'}${short(px)} ${short(py)}`;
    pen = true;
  };
  const flush = (): void => {
    if (held.length > 4) {
      let lowest = 0;
      let highest = 0;
      held.forEach(({ py }, at) => {
        if (py < (held[lowest]?.py ?? 0)) lowest = at;
        if (py > (held[highest]?.py ?? 0)) highest = at;
      });
      const kept = new Set([0, Math.min(lowest, highest), Math.max(lowest, highest), held.length - 1]);
      held = held.filter((_, at) => kept.has(at));
    }
    for (const { px, py } of held) put(px, py);
    held = [];
  };
  for (let at = 0; at < xs.length; at++) {
    const px = x.position(xs[at] ?? Number.NaN);
    const py = y.position(ys[at] ?? Number.NaN);
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      flush();
      pen = false;
      column = Number.NaN;
      continue;
    }
    if (Math.floor(px) !== column) {
      flush();
      column = Math.floor(px);
    }
    held.push({ px, py });
  }
  flush();
  return path;
}

/** Every point as a stroke without length, which round line caps turn into a dot; one dot a pixel at most. */
export function pointsPath(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): string {
  const seen = new Set<string>();
  let path = '';
  for (let at = 0; at < xs.length; at++) {
    const px = x.position(xs[at] ?? Number.NaN);
    const py = y.position(ys[at] ?? Number.NaN);
    if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
    const spot = `M${String(Math.round(px))} ${String(Math.round(py))}`;
    if (seen.has(spot)) continue;
    seen.add(spot);
    path += `${spot}h0`;
  }
  return path;
}

function placeLabels(
  series: readonly LineSeries[],
  references: LineChartDrawing['references'],
  x: Scale,
  y: Scale,
  plot: LineChartDrawing['plot'],
): LineChartLabel[] {
  const ends: Omit<LineChartLabel, 'y'>[] = [];
  for (const one of series) {
    const last = lastPoint(one);
    if (last === null) continue;
    ends.push({
      id: one.id,
      kind: 'series',
      inside: false,
      text: one.label,
      x: plot.right + 10,
      anchorX: Math.min(plot.right, x.position(last[0])),
      anchorY: y.position(last[1]),
    });
  }
  for (const one of references) {
    ends.push({
      id: one.id,
      kind: 'reference',
      inside: false,
      text: one.label,
      x: plot.right + 10,
      anchorX: plot.right,
      anchorY: one.y,
    });
  }
  const places = spreadLabels(
    ends.map((end) => Math.max(plot.top, Math.min(plot.bottom, end.anchorY))),
    labelRoom,
    plot.top,
    plot.bottom,
  );
  return ends.map((end, at) => ({ ...end, y: places[at] ?? end.anchorY }));
}

/** References at the left, where losses are still far above them; one that would touch another goes under its line. */
function placeInside(references: LineChartDrawing['references'], plot: LineChartDrawing['plot']): LineChartLabel[] {
  const above = 7;
  const taken: number[] = [];
  return references.map((one) => {
    const free = (y: number): boolean => taken.every((other) => Math.abs(other - y) >= labelRoom - 2);
    const y = [one.y - above, one.y + above + 2].find(free) ?? one.y - above;
    taken.push(y);
    const x = plot.left + 6;
    return { id: one.id, kind: 'reference', text: one.label, x, y, inside: true, anchorX: x, anchorY: y };
  });
}

function lastPoint({ x, y }: LineSeries): [number, number] | null {
  for (let at = x.length - 1; at >= 0; at--) {
    const value = y[at] ?? Number.NaN;
    if (Number.isFinite(value)) return [x[at] ?? Number.NaN, value];
  }
  return null;
}

/** Index of the point whose x is nearest, or -1 where there is none. `xs` ascending. */
export function nearestIndex(xs: ArrayLike<number>, value: number): number {
  if (xs.length === 0 || Number.isNaN(value)) return -1;
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value - (xs[low - 1] ?? 0) <= (xs[low] ?? 0) - value ? low - 1 : low;
}
