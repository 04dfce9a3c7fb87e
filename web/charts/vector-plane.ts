import { arrow, type Arrow } from './arrow.js';
import { overlap, type Box } from './boxes.js';
import { labelBox, placeLabels } from './place-labels.js';
import { makeScale, type Scale } from './scale.js';
import { scaleTicks, type Tick } from './ticks.js';

/** Arrows from the origin of a plane with equal scales on both axes, as plain data in CSS pixels. */

export interface PlaneVector {
  readonly id: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

export interface DrawnVector extends PlaneVector, Arrow {
  /** The tip. */
  readonly tipX: number;
  readonly tipY: number;
  readonly labelX: number;
  readonly labelY: number;
  readonly labelAnchor: 'start' | 'middle' | 'end';
}

export interface PlaneDrawing {
  readonly size: number;
  readonly domain: { readonly x: readonly [number, number]; readonly y: readonly [number, number] };
  readonly x: Scale;
  readonly y: Scale;
  readonly originX: number;
  readonly originY: number;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** Tick labels that no vector's name covers. */
  readonly tickLabels: readonly TickLabel[];
  readonly vectors: readonly DrawnVector[];
}

export interface PlaneDomain {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** A number beside an axis. */
export interface TickLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'middle' | 'end';
}

/** Font size of tick labels, and their average character width. */
const tickSize = 11;
const tickCharacterWidth = 6.5;

/**
 * The smallest square range that contains the origin and every tip with a margin, with ends on multiples of half a unit
 * (of a power of ten for larger vectors), so it stays fixed during small moves.
 */
export function planeDomain(points: readonly { readonly x: number; readonly y: number }[]): PlaneDomain {
  const xs = [0, ...points.map((point) => point.x)];
  const ys = [0, ...points.map((point) => point.y)];
  const reach = Math.max(...xs.map(Math.abs), ...ys.map(Math.abs));
  const grid = reach > 5 ? 10 ** Math.floor(Math.log10(reach)) / 2 : reach > 2.5 ? 1 : 0.5;
  const ends = (values: readonly number[]): [number, number] => [
    Math.floor((Math.min(...values) - grid * 0.3) / grid) * grid,
    Math.ceil((Math.max(...values) + grid * 0.3) / grid) * grid,
  ];
  const [left, right] = ends(xs);
  const [bottom, top] = ends(ys);
  const side = Math.max(right - left, top - bottom, 2 * grid);
  const widen = (low: number, high: number): [number, number] => {
    const missing = Math.round((side - (high - low)) / grid);
    const below = Math.floor(missing / 2);
    return [low - below * grid, high + (missing - below) * grid];
  };
  return { x: widen(left, right), y: widen(bottom, top) };
}

export function vectorPlane(options: {
  size: number;
  vectors: readonly PlaneVector[];
  domain?: PlaneDomain;
}): PlaneDrawing {
  const { size, vectors, domain = planeDomain(vectors) } = options;
  const x = makeScale('linear', domain.x, [0, size]);
  const y = makeScale('linear', domain.y, [size, 0]);
  const originX = x(0);
  const originY = y(0);
  const xTicks = scaleTicks(x, 4);
  const yTicks = scaleTicks(y, 4);
  const ticks = tickLabelsOf({ size, originX, originY, xTicks, yTicks });
  const labels = placeLabels(
    vectors.map((vector) => ({ name: vector.label, from: [originX, originY], tip: [x(vector.x), y(vector.y)] })),
    size,
    ticks.map(tickBox),
  );
  const names = labels.map((label, at) => labelBox(label, vectors[at]?.label ?? ''));
  const drawn = (vector: PlaneVector, at: number): DrawnVector => {
    const [tipX, tipY] = [x(vector.x), y(vector.y)];
    return {
      ...vector,
      tipX,
      tipY,
      ...arrow([originX, originY], [tipX, tipY]),
      labelX: labels[at]?.x ?? tipX,
      labelY: labels[at]?.y ?? tipY,
      labelAnchor: labels[at]?.anchor ?? 'middle',
    };
  };
  return {
    size,
    domain,
    x,
    y,
    originX,
    originY,
    xTicks,
    yTicks,
    tickLabels: ticks.filter((tick) => names.every((name) => overlap(name, tickBox(tick)) === 0)),
    vectors: vectors.map(drawn),
  };
}

/** Numbers beside the axes, except zero and those at the drawing's edge. */
function tickLabelsOf(drawing: Pick<PlaneDrawing, 'size' | 'originX' | 'originY' | 'xTicks' | 'yTicks'>): TickLabel[] {
  const { size, originX, originY } = drawing;
  const shown = ({ value, position }: Tick): boolean => value !== 0 && position >= 8 && position <= size - 8;
  return [
    ...drawing.xTicks
      .filter(shown)
      .map(({ label, position }): TickLabel => ({ text: label, x: position, y: originY + 10, anchor: 'middle' })),
    ...drawing.yTicks
      .filter(shown)
      .map(({ label, position }): TickLabel => ({ text: label, x: originX - 5, y: position, anchor: 'end' })),
  ];
}

function tickBox({ text, x, y, anchor }: TickLabel): Box {
  const width = [...text].length * tickCharacterWidth;
  const left = anchor === 'end' ? x - width : x - width / 2;
  return { left, top: y - tickSize / 2, right: left + width, bottom: y + tickSize / 2 };
}
