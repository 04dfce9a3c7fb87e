import { extent } from 'd3-array';
import { areaPath, linePath, pointsPath } from './paths.js';
import { makeScale, niceDomain, type Scale, type ScaleKind } from './scale.js';
import { spreadLabels } from './spread-labels.js';
import { scaleTicks, type Tick } from './ticks.js';

/** A line chart as plain data: paths, ticks and labels in CSS pixels. */

export interface LineSeries {
  readonly id: string;
  readonly label: string;
  /** Ascending. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Drawn faintly behind the line, at the same x: the points before smoothing. */
  readonly raw?: ArrayLike<number>;
  /** Thin lines behind the line, at the same x: the runs whose mean it is. */
  readonly runs?: readonly ArrayLike<number>[];
  /** Prominent points at their own x, for occasional measurements. Labels and cursors ignore them. */
  readonly marks?: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> };
  /** Also returns the areas below and above the line, for fractions of a whole. */
  readonly filled?: boolean;
}

/** A level across the whole chart, such as a floor. */
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
  /** Log scales need positive domains; other points are omitted. Default linear. */
  readonly xKind?: ScaleKind;
  readonly yKind?: ScaleKind;
  /** Default: all finite data, including references, extended to round ends. */
  readonly xDomain?: readonly [number, number];
  readonly yDomain?: readonly [number, number];
  /**
   * Labels are right of the lines where they fit. Elsewhere nothing is labeled inside the drawing, where text would
   * cross lines: the caller shows a legend. Default 'auto'.
   */
  readonly labels?: 'right' | 'none' | 'auto';
  /**
   * If series are labeled beside the drawing, references with long names can be labeled inside it, at the left or right
   * end of their lines.
   */
  readonly referencesInside?: 'left' | 'right' | null;
}

export interface LineChartLabel {
  readonly id: string;
  readonly kind: 'series' | 'reference';
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Inside the drawing, above its line's start; otherwise beside the drawing. */
  readonly inside: boolean;
  /** A short sample of the line before the text, so dashes distinguish lines of the same hue; null inside the drawing. */
  readonly key: { readonly from: number; readonly to: number } | null;
  /** The line's end: a thin leader connects it to a label that had to move. */
  readonly anchorX: number;
  readonly anchorY: number;
}

export interface LineChartDrawing {
  readonly width: number;
  readonly height: number;
  /** The plotting area. */
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
    readonly runs: readonly string[];
    readonly marks: readonly (readonly [x: number, y: number])[];
    /** Path data of the areas below and above the line; empty unless requested. */
    readonly below: string;
    readonly above: string;
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
const insideFontSize = 12;
const characterWidth = 0.56;
const labelRoom = fontSize * 1.25;
/** Between the drawing and a label beside it: gap, line sample, gap. */
const labelGap = 10;
const keyLength = 22;
const keyGap = 6;

export function lineChart(options: LineChartOptions): LineChartDrawing {
  const {
    width,
    height,
    series,
    references = [],
    xTitle = '',
    yTitle = '',
    labels = 'auto',
    xKind = 'linear',
    yKind = 'linear',
    referencesInside = null,
  } = options;

  const beside = referencesInside === null ? references : [];
  const names = [...series.map((one) => one.label), ...beside.map((one) => one.label)];
  const labelWidth =
    names.reduce((most, name) => Math.max(most, [...name].length), 0) * fontSize * characterWidth +
    keyLength +
    keyGap +
    12;
  const labelsShown = labels === 'right' || (labels === 'auto' && width - labelWidth >= 300);

  const xDomain =
    options.xDomain ??
    dataDomain(
      series.map((one) => one.x),
      xKind,
    );
  const yDomain =
    options.yDomain ??
    padded(
      dataDomain(
        [
          ...series.flatMap((one) => [one.y, one.raw ?? [], ...(one.runs ?? []), one.marks?.y ?? []]),
          references.map((one) => one.value),
        ],
        yKind,
      ),
      yKind,
    );

  const yCount = Math.max(2, Math.round((height - 60) / 56));
  const draftY = makeScale(yKind, yDomain, [0, 1]);
  const tickWidth = scaleTicks(draftY, yCount).reduce(
    (most, tick) => Math.max(most, tick.label.length * fontSize * characterWidth),
    0,
  );
  const plot = {
    left: Math.ceil(tickWidth) + 10,
    top: yTitle === '' ? 10 : 28,
    right: width - (labelsShown ? labelWidth : 10),
    bottom: height - (xTitle === '' ? 26 : 44),
  };

  const x = makeScale(xKind, xDomain, [plot.left, plot.right]);
  const y = makeScale(yKind, yDomain, [plot.bottom, plot.top]);
  const drawnReferences = references
    .filter((one) => Number.isFinite(one.value))
    .map((one) => ({ id: one.id, label: one.label, value: one.value, y: y(one.value) }));

  return {
    width,
    height,
    plot,
    x,
    y,
    xTicks: scaleTicks(x, Math.max(2, Math.round((plot.right - plot.left) / 90))),
    yTicks: scaleTicks(y, yCount),
    xTitle,
    yTitle,
    series: series.map((one) => ({
      id: one.id,
      label: one.label,
      path: linePath(one.x, one.y, x, y),
      raw: one.raw === undefined ? '' : pointsPath(one.x, one.raw, x, y),
      runs: (one.runs ?? []).map((run) => linePath(one.x, run, x, y)),
      marks: marksOf(one, x, y),
      below: one.filled === true ? areaPath(one.x, one.y, x, y, plot.bottom) : '',
      above: one.filled === true ? areaPath(one.x, one.y, x, y, plot.top) : '',
    })),
    references: drawnReferences,
    labels: !labelsShown
      ? []
      : [
          ...placeLabels(series, referencesInside === null ? drawnReferences : [], x, y, plot),
          ...(referencesInside === null ? [] : placeInside(drawnReferences, plot, referencesInside)),
        ],
    labelsShown,
  };
}

/** The range of the values that the axis can show, never empty. */
function dataDomain(lists: readonly ArrayLike<number>[], kind: ScaleKind): [number, number] {
  const shown = lists.flatMap((list) => Array.from(list).filter((value) => canShow(value, kind)));
  const [low, high] = extent(shown);
  if (low === undefined) return kind === 'log' ? [1, 10] : [0, 1];
  if (low === high) return kind === 'log' ? [low / 2, low * 2] : [low, low + 1];
  return [low, high];
}

const canShow = (value: number, kind: ScaleKind): boolean => Number.isFinite(value) && (kind === 'linear' || value > 0);

const padded = (domain: [number, number], kind: ScaleKind): [number, number] =>
  kind === 'log' ? domain : niceDomain(domain);

function placeLabels(
  series: readonly LineSeries[],
  references: LineChartDrawing['references'],
  x: Scale,
  y: Scale,
  plot: LineChartDrawing['plot'],
): LineChartLabel[] {
  const ends: Omit<LineChartLabel, 'y'>[] = [];
  const from = plot.right + labelGap;
  const key = { from, to: from + keyLength };
  const textAt = key.to + keyGap;
  for (const one of series) {
    const last = lastPoint(one);
    if (last === null) continue;
    ends.push({
      id: one.id,
      kind: 'series',
      inside: false,
      key,
      text: one.label,
      x: textAt,
      anchorX: Math.min(plot.right, x(last[0])),
      anchorY: y(last[1]),
    });
  }
  for (const one of references) {
    ends.push({
      id: one.id,
      kind: 'reference',
      inside: false,
      key,
      text: one.label,
      x: textAt,
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

/**
 * References are labeled at the left by default, where losses are still far above them; a label that would touch
 * another goes below its line.
 */
function placeInside(
  references: LineChartDrawing['references'],
  plot: LineChartDrawing['plot'],
  end: 'left' | 'right',
): LineChartLabel[] {
  const above = 7;
  const taken: number[] = [];
  return references.map((one) => {
    const free = (y: number): boolean => taken.every((other) => Math.abs(other - y) >= labelRoom - 2);
    const y = [one.y - above, one.y + above + 2].find(free) ?? one.y - above;
    taken.push(y);
    const width = [...one.label].length * insideFontSize * characterWidth;
    const x = end === 'right' ? plot.right - 6 - width : plot.left + 6;
    return { id: one.id, kind: 'reference', text: one.label, x, y, inside: true, key: null, anchorX: x, anchorY: y };
  });
}

function marksOf({ marks }: LineSeries, x: Scale, y: Scale): [number, number][] {
  const points = Array.from(marks?.x ?? [], (at, index): [number, number] => [x(at), y(marks?.y[index] ?? Number.NaN)]);
  return points.filter((point) => point.every(Number.isFinite));
}

function lastPoint({ x, y }: LineSeries): [number, number] | null {
  for (let at = x.length - 1; at >= 0; at--) {
    const value = y[at] ?? Number.NaN;
    if (Number.isFinite(value)) return [x[at] ?? Number.NaN, value];
  }
  return null;
}
