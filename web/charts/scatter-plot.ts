import type { ReferenceLine } from './line-chart.js';
import { makeScale, niceDomain, type Scale, type ScaleKind } from './scale.js';
import { scaleTicks, type Tick } from './ticks.js';

/** Points over two axes, with levels drawn across and names beside some of the points, as plain data in CSS pixels. */

export interface ScatterPoint {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Written beside the point where there is room for it. */
  readonly label?: string;
}

export interface ScatterPlotOptions {
  readonly width: number;
  readonly height: number;
  readonly points: readonly ScatterPoint[];
  readonly references?: readonly ReferenceLine[];
  /** Log scales need domains above 0; points at or below 0 are left out. Default linear. */
  readonly xKind?: ScaleKind;
  /** Default: all points, with a margin. */
  readonly xDomain?: readonly [number, number];
  /** Default: from 0 to a round number above all points. */
  readonly yDomain?: readonly [number, number];
  readonly formatX?: (value: number) => string;
  readonly formatY?: (value: number) => string;
}

export interface ScatterLabel {
  readonly id: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface ScatterPlotDrawing {
  readonly width: number;
  readonly height: number;
  readonly plot: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly x: Scale;
  readonly y: Scale;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly points: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly references: readonly (ReferenceLine & { readonly y: number })[];
  /** Names of points, as far as there is room. */
  readonly labels: readonly ScatterLabel[];
  /** Names of all references, at the end of their line where they touch the fewest points. */
  readonly referenceLabels: readonly ScatterLabel[];
}

const fontSize = 12;
const characterWidth = 0.56;
/** Half a mark and the air around it. */
const clearance = 11;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export function scatterPlot(options: ScatterPlotOptions): ScatterPlotDrawing {
  const { width, height, references = [], xKind = 'linear' } = options;
  const shown = options.points.filter(
    ({ x, y }) => Number.isFinite(x) && Number.isFinite(y) && (xKind === 'linear' || x > 0),
  );
  const xDomain = options.xDomain ?? domainOf(shown, xKind);
  const highest = Math.max(0, ...shown.map(({ y }) => y), ...references.map(({ value }) => value));
  const yDomain = options.yDomain ?? niceDomain([0, highest === 0 ? 1 : highest], 4);

  const yCount = Math.max(2, Math.round((height - 70) / 56));
  const relabel = (ticks: Tick[], format: ((value: number) => string) | undefined): Tick[] =>
    format === undefined ? ticks : ticks.map((tick) => ({ ...tick, label: format(tick.value) }));
  const draft = relabel(scaleTicks(makeScale('linear', yDomain, [0, 1]), yCount), options.formatY);
  const tickWidth = draft.reduce((most, tick) => Math.max(most, [...tick.label].length * 13 * characterWidth), 0);
  const plot = { left: Math.ceil(tickWidth) + 10, top: 28, right: width - 10, bottom: height - 44 };
  const x = makeScale(xKind, xDomain, [plot.left, plot.right]);
  const y = makeScale('linear', yDomain, [plot.bottom, plot.top]);

  // On a log scale no more than its whole decades: 1, 10, 100 are read at once, 1, 2, 10, 20 are not.
  const room = Math.max(2, Math.round((plot.right - plot.left) / 90));
  const decades = Math.floor(Math.log10(xDomain[1] / xDomain[0]));
  const xCount = xKind === 'log' && decades >= 2 ? Math.min(room, decades) : room;

  const points = shown.map((point) => ({ id: point.id, x: x(point.x), y: y(point.y) }));
  const drawnReferences = references.map((one) => ({ ...one, y: y(one.value) }));
  const taken = points.map((point) => boxAround(point, 5));
  const referenceLabels = placeReferences(drawnReferences, taken, plot);
  return {
    width,
    height,
    plot,
    x,
    y,
    xTicks: relabel(scaleTicks(x, xCount), options.formatX),
    yTicks: relabel(scaleTicks(y, yCount), options.formatY),
    points,
    references: drawnReferences,
    labels: placeLabels(shown, points, taken, plot),
    referenceLabels,
  };
}

const boxAround = ({ x, y }: { readonly x: number; readonly y: number }, half: number): Box => ({
  left: x - half,
  right: x + half,
  top: y - half,
  bottom: y + half,
});

function boxOf({ text, x, y, anchor }: ScatterLabel): Box {
  const length = [...text].length * fontSize * characterWidth;
  const left = x - { start: 0, middle: length / 2, end: length }[anchor];
  return { left, right: left + length, top: y - fontSize * 0.6, bottom: y + fontSize * 0.6 };
}

/** Over or under the line, at its right or its left end; adds the places to `taken`. */
function placeReferences(
  references: readonly (ReferenceLine & { readonly y: number })[],
  taken: Box[],
  plot: Box,
): ScatterLabel[] {
  return references.map(({ id, label, y }) => {
    const at = (anchor: 'start' | 'end', place: number): ScatterLabel => ({
      id,
      text: label,
      x: anchor === 'end' ? plot.right : plot.left + 4,
      y: place,
      anchor,
    });
    const candidates = [at('end', y - 9), at('end', y + 10), at('start', y - 9), at('start', y + 10)];
    const touched = candidates.map((one) => taken.filter((other) => overlap(boxOf(one), other)).length);
    const best = candidates[touched.indexOf(Math.min(...touched))] ?? at('end', y - 9);
    taken.push(boxOf(best));
    return best;
  });
}

/** On a log scale half a step of the data's own span each way; never without width. */
function domainOf(points: readonly ScatterPoint[], kind: ScaleKind): [number, number] {
  const values = points.map(({ x }) => x);
  if (values.length === 0) return kind === 'log' ? [1, 10] : [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (kind === 'log') {
    const margin = low === high ? 2 : (high / low) ** 0.04;
    return [low / margin, high * margin];
  }
  const margin = low === high ? 1 : (high - low) * 0.04;
  return [low - margin, high + margin];
}

/**
 * Each name right of its point, else left of it, above or below: the first place that touches no point, no name set before
 * and no edge. A name without such a place is left out; the order of the points is the order of importance.
 */
function placeLabels(
  points: readonly ScatterPoint[],
  places: readonly { readonly x: number; readonly y: number }[],
  taken: Box[],
  plot: Box,
): ScatterLabel[] {
  const labels: ScatterLabel[] = [];
  points.forEach(({ id, label: text }, at) => {
    const place = places[at];
    if (text === undefined || place === undefined) return;
    const { x, y } = place;
    const candidates: ScatterLabel[] = [
      { id, text, x: x + clearance, y, anchor: 'start' },
      { id, text, x: x - clearance, y, anchor: 'end' },
      { id, text, x, y: y - clearance - fontSize / 2, anchor: 'middle' },
      { id, text, x, y: y + clearance + fontSize / 2, anchor: 'middle' },
    ];
    const free = candidates.find((candidate) => {
      const box = boxOf(candidate);
      const inside =
        box.left >= plot.left && box.right <= plot.right && box.top >= plot.top && box.bottom <= plot.bottom;
      return inside && !taken.some((other) => overlap(other, box));
    });
    if (free === undefined) return;
    taken.push(boxOf(free));
    labels.push(free);
  });
  return labels;
}
