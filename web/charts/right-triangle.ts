import { arrow, type Arrow } from './arrow.js';
import { polygon, polyline, type Point } from './paths.js';

/** A vector with its parts along and across a direction, which points right, as plain data in CSS pixels. */
export interface RightTriangle {
  readonly tip: Point;
  readonly foot: Point;
  readonly area: string;
  readonly base: Arrow;
  readonly vector: Arrow;
  readonly along: string;
  readonly across: string;
  /** The marks of the angle at the origin and of the right angle. */
  readonly arc: string;
  readonly square: string;
  /** Where the number at the angle begins. */
  readonly angle: Point;
}

/** In degrees. */
export const angleOfCosine = (cosine: number): number => (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;

/** The angle whose tangent is a ratio, in degrees from 0 to 180. */
export const angleOfRatio = (ratio: number): number => (Math.atan(ratio) * 180) / Math.PI + (ratio < 0 ? 180 : 0);

const square = 8;

/** `length`: of the vector. The base is a little longer. */
export function rightTriangle(cosine: number, length: number, [x, y]: Point): RightTriangle {
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
  const foot: Point = [x + cosine * length, y];
  const tip: Point = [foot[0], y - sine * length];
  const radius = length / 5;
  const half = (angleOfCosine(cosine) * Math.PI) / 360;
  const inward = cosine < 0 ? square : -square;
  const [startX, endX, endY] = [x + radius, x + radius * cosine, y - radius * sine].map((one) => one.toFixed(1));
  return {
    tip,
    foot,
    area: polygon([[x, y], foot, tip]),
    base: arrow([x, y], [x + 1.04 * length, y]),
    vector: arrow([x, y], tip),
    along: polyline([[x, y], foot]),
    across: polyline([foot, tip]),
    arc: `M${startX} ${y.toFixed(1)}A${radius.toFixed(1)} ${radius.toFixed(1)} 0 0 0 ${endX} ${endY}`,
    square: polyline([
      [foot[0] + inward, y],
      [foot[0] + inward, y - square],
      [foot[0], y - square],
    ]),
    angle: [x + (radius + 8) * Math.cos(half), y - (radius + 8) * Math.sin(half) + 2],
  };
}
