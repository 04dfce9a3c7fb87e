import { polygon, polyline, type Point } from './paths.js';
import { makeScale, type Scale } from './scale.js';
import { scaleTicks, type Tick } from './ticks.js';

/** Arrows from the origin of a plane whose two axes have one scale, as plain data in CSS pixels. */

export interface PlaneVector {
  readonly id: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

export interface DrawnVector extends PlaneVector {
  /** The tip. */
  readonly tipX: number;
  readonly tipY: number;
  /** The shaft, ending where the head begins. */
  readonly shaft: string;
  /** The head, a triangle. */
  readonly head: string;
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
  readonly vectors: readonly DrawnVector[];
}

export interface PlaneDomain {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Length and half width of an arrow's head. */
const head = { length: 11, half: 4.5 };
const labelDistance = 14;
/** Of a label's character, on average. */
const characterWidth = 8;

/**
 * The smallest square window on the plane that holds the origin, every tip and some air, with ends on multiples of
 * half a unit (of a power of ten for larger vectors), so that it stands still while tips move about inside.
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
  const arrow = (vector: PlaneVector): DrawnVector => {
    const tipX = x(vector.x);
    const tipY = y(vector.y);
    const length = Math.hypot(tipX - originX, tipY - originY);
    // A vector of no length points nowhere; its label goes above.
    const alongX = length < 0.5 ? 0 : (tipX - originX) / length;
    const alongY = length < 0.5 ? -1 : (tipY - originY) / length;
    const headLength = Math.min(head.length, length);
    const backX = tipX - alongX * headLength;
    const backY = tipY - alongY * headLength;
    const corner = (side: number): Point => [backX - side * alongY * head.half, backY + side * alongX * head.half];
    return {
      ...vector,
      tipX,
      tipY,
      shaft: polyline([
        [originX, originY],
        [backX, backY],
      ]),
      head: length < 0.5 ? '' : polygon([[tipX, tipY], corner(1), corner(-1)]),
      ...place(vector.label, tipX + alongX * labelDistance, tipY + alongY * labelDistance, alongX, size),
    };
  };
  return {
    size,
    domain,
    x,
    y,
    originX,
    originY,
    xTicks: scaleTicks(x, 4),
    yTicks: scaleTicks(y, 4),
    vectors: vectors.map(arrow),
  };
}

/** Beyond the tip, but never beyond the drawing's sides. */
function place(
  label: string,
  x: number,
  y: number,
  alongX: number,
  size: number,
): Pick<DrawnVector, 'labelX' | 'labelY' | 'labelAnchor'> {
  const labelAnchor = alongX > 0.4 ? 'start' : alongX < -0.4 ? 'end' : 'middle';
  const width = [...label].length * characterWidth;
  const before = labelAnchor === 'start' ? 0 : labelAnchor === 'end' ? width : width / 2;
  const labelX = Math.max(before, Math.min(x, size - (width - before)));
  return { labelX, labelY: Math.max(8, Math.min(y, size - 8)), labelAnchor };
}
