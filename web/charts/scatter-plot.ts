import type { ReferenceLine } from './line-chart.js';
import { makeScale, niceDomain, type Scale, type ScaleKind } from './scale.js';
import { scaleTicks, type Tick } from './ticks.js';

/** Points over two axes, with levels and names of some points, as plain data in CSS pixels. */

export interface ScatterPoint {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** Written beside the point, or near it with a leader, where it fits. */
  readonly label?: string;
  /** Radius of the mark, which labels avoid. Default 5. */
  readonly radius?: number;
}

export interface ScatterPlotOptions {
  readonly width: number;
  readonly height: number;
  readonly points: readonly ScatterPoint[];
  readonly references?: readonly ReferenceLine[];
  /** Log scales need positive domains; other points are omitted. Default linear. */
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
  /** From the mark to a name that is not right beside it. */
  readonly leader?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
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
  /** Names of points, as far as they fit. */
  readonly labels: readonly ScatterLabel[];
  /** Names of all references, at the position on their line that covers the fewest points. */
  readonly referenceLabels: readonly ScatterLabel[];
}

const fontSize = 12;
const characterWidth = 0.56;
/** Gap between a mark and its name. */
const air = 6;
/** Distances of a name from its mark; all but the nearest have a leader. */
const distances = [0, 14, 28, 44, 62];

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

  // A log scale shows whole decades only: 1, 10, 100 are easier to read than 1, 2, 10, 20.
  const room = Math.max(2, Math.round((plot.right - plot.left) / 90));
  const decades = Math.floor(Math.log10(xDomain[1] / xDomain[0]));
  const xCount = xKind === 'log' && decades >= 2 ? Math.min(room, decades) : room;

  const points = shown.map((point) => ({ id: point.id, x: x(point.x), y: y(point.y) }));
  const drawnReferences = references.map((one) => ({ ...one, y: y(one.value) }));
  const radii = shown.map(({ radius = 5 }) => radius);
  const taken = points.map((point, at) => boxAround(point, radii[at] ?? 5));
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
    labels: placeLabels(
      shown,
      points,
      [...taken, ...drawnReferences.map(({ y: level }) => lineBox(level, plot))],
      plot,
    ),
    referenceLabels,
  };
}

const boxAround = ({ x, y }: { readonly x: number; readonly y: number }, half: number): Box => ({
  left: x - half,
  right: x + half,
  top: y - half,
  bottom: y + half,
});

/** A level across the drawing, which names must not cross. */
const lineBox = (y: number, plot: Box): Box => ({ left: plot.left, right: plot.right, top: y - 1, bottom: y + 1 });

function boxOf({ text, x, y, anchor }: ScatterLabel): Box {
  const length = [...text].length * fontSize * characterWidth;
  const left = x - { start: 0, middle: length / 2, end: length }[anchor];
  return { left, right: left + length, top: y - fontSize * 0.6, bottom: y + fontSize * 0.6 };
}

/** Above or below the line: at its right or left end, otherwise along it where it fits; adds the boxes to `taken`. */
function placeReferences(
  references: readonly (ReferenceLine & { readonly y: number })[],
  taken: Box[],
  plot: Box,
): ScatterLabel[] {
  return references.map(({ id, label, y }) => {
    const at = (x: number, place: number, anchor: ScatterLabel['anchor']): ScatterLabel => ({
      id,
      text: label,
      x,
      y: place,
      anchor,
    });
    const bothSides = (x: number, anchor: ScatterLabel['anchor']): ScatterLabel[] => [
      at(x, y - 9, anchor),
      at(x, y + 10, anchor),
    ];
    const half = ([...label].length * fontSize * characterWidth) / 2;
    const candidates = [...bothSides(plot.right, 'end'), ...bothSides(plot.left + 4, 'start')];
    for (let x = plot.right - half - 16; x >= plot.left + half; x -= 16) candidates.push(...bothSides(x, 'middle'));
    const touched = candidates.map((one) => taken.filter((other) => overlap(boxOf(one), other)).length);
    const best = candidates[touched.indexOf(Math.min(...touched))] ?? at(plot.right, y - 9, 'end');
    taken.push(boxOf(best));
    return best;
  });
}

/** On a log scale extended by half a step of the data's span on each side; never empty. */
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
 * Each name goes right of its point, otherwise left, above, below or at a corner, otherwise farther away with a leader:
 * the first position that touches no point, earlier name, level or edge. Names without such a position are omitted;
 * points are in order of importance.
 */
function placeLabels(
  points: readonly ScatterPoint[],
  places: readonly { readonly x: number; readonly y: number }[],
  taken: Box[],
  plot: Box,
): ScatterLabel[] {
  const labels: ScatterLabel[] = [];
  const leaders: Box[] = [];
  points.forEach(({ id, label: text, radius = 5 }, at) => {
    const place = places[at];
    if (text === undefined || place === undefined) return;
    const candidates = distances.flatMap((distance) => around(id, text, place, radius, distance));
    const free = candidates.find((candidate) => {
      const box = boxOf(candidate);
      const inside =
        box.left >= plot.left && box.right <= plot.right && box.top >= plot.top && box.bottom <= plot.bottom;
      return inside && ![...taken, ...leaders].some((other) => overlap(other, box));
    });
    if (free === undefined) return;
    taken.push(boxOf(free));
    const { leader } = free;
    if (leader !== undefined) {
      leaders.push({
        left: Math.min(leader.x1, leader.x2) - 1,
        right: Math.max(leader.x1, leader.x2) + 1,
        top: Math.min(leader.y1, leader.y2) - 1,
        bottom: Math.max(leader.y1, leader.y2) + 1,
      });
    }
    labels.push(free);
  });
  return labels;
}

/** Eight positions at a distance from a mark, most readable first. */
function around(
  id: string,
  text: string,
  { x, y }: { readonly x: number; readonly y: number },
  radius: number,
  distance: number,
): ScatterLabel[] {
  const reach = radius + air + distance;
  const half = fontSize / 2;
  const sides: readonly (readonly [number, number, ScatterLabel['anchor']])[] = [
    [1, 0, 'start'],
    [-1, 0, 'end'],
    [0, -1, 'middle'],
    [0, 1, 'middle'],
    [0.7, -0.7, 'start'],
    [-0.7, -0.7, 'end'],
    [0.7, 0.7, 'start'],
    [-0.7, 0.7, 'end'],
  ];
  return sides.map(([right, down, anchor]) => {
    const label: ScatterLabel = { id, text, x: x + right * reach, y: y + down * (reach + half), anchor };
    if (distance === 0) return label;
    const length = Math.hypot(label.x - x, label.y - y);
    const start = radius / length;
    // Ends before the name: at its nearer edge where the name is above or below.
    const end = anchor === 'middle' ? 1 - (half + 3) / length : 1 - 3 / length;
    const along = (part: number) => [x + (label.x - x) * part, y + (label.y - y) * part] as const;
    const [[x1, y1], [x2, y2]] = [along(start), along(end)];
    return { ...label, leader: { x1, y1, x2, y2 } };
  });
}
