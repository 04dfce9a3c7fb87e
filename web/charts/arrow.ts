import { polygon, polyline, type Point } from './paths.js';

/** Length and half width of an arrow head. */
const head = { length: 11, half: 4.5 };

export interface Arrow {
  /** Up to the head. */
  readonly shaft: string;
  /** A triangle; empty for an arrow too short to have a direction. */
  readonly head: string;
}

export function arrow([x, y]: Point, [tipX, tipY]: Point): Arrow {
  const length = Math.hypot(tipX - x, tipY - y);
  const alongX = length < 0.5 ? 0 : (tipX - x) / length;
  const alongY = length < 0.5 ? -1 : (tipY - y) / length;
  const headLength = Math.min(head.length, length);
  const backX = tipX - alongX * headLength;
  const backY = tipY - alongY * headLength;
  const corner = (side: number): Point => [backX - side * alongY * head.half, backY + side * alongX * head.half];
  return {
    shaft: polyline([
      [x, y],
      [backX, backY],
    ]),
    head: length < 0.5 ? '' : polygon([[tipX, tipY], corner(1), corner(-1)]),
  };
}
