import { maxIndex, minIndex } from 'd3-array';
import { area, curveLinearClosed, line } from 'd3-shape';
import type { Scale } from './scale.js';

/** Path data of lines and dots, to a tenth of a pixel. */

export type Point = [x: number, y: number];

const isDrawn = ([x, y]: Point): boolean => Number.isFinite(x) && Number.isFinite(y);

/** Straight lines, with gaps at points that are not finite. */
const straight = line<Point>().defined(isDrawn).digits(1);

export const polyline = (points: readonly Point[]): string => straight(points) ?? '';

const closed = line<Point>().curve(curveLinearClosed).digits(1);

export const polygon = (points: readonly Point[]): string => closed(points) ?? '';

/**
 * One path, with gaps where a value is not finite. Of the points in one pixel column only the first, lowest, highest
 * and last remain, which draws the same picture with at most four points per pixel.
 */
export function linePath(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): string {
  return polyline(drawnPoints(xs, ys, x, y));
}

/** The area between such a line and the level `edge`, in drawing units. */
export function areaPath(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale, edge: number): string {
  const filled = area<Point>()
    .defined(isDrawn)
    .y0(edge)
    .y1(([, at]) => at)
    .digits(1);
  return filled(drawnPoints(xs, ys, x, y)) ?? '';
}

function drawnPoints(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): Point[] {
  const points = pointsOf(xs, ys, x, y);
  const kept: Point[] = [];
  for (let from = 0, to = 0; from < points.length; from = to) {
    const column = columnOf(points[from]);
    do to++;
    while (to < points.length && columnOf(points[to]) === column);
    kept.push(...thinned(points.slice(from, to)));
  }
  return kept;
}

const pointsOf = (xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): Point[] =>
  Array.from({ length: xs.length }, (_, at) => [x(xs[at] ?? Number.NaN), y(ys[at] ?? Number.NaN)]);

/** Points that make a gap belong to no column. */
const columnOf = (point: Point | undefined): number =>
  point !== undefined && isDrawn(point) ? Math.floor(point[0]) : Number.NaN;

function thinned(column: Point[]): Point[] {
  if (column.length <= 4) return column;
  const heights = column.map(([, y]) => y);
  const ends = new Set([0, minIndex(heights), maxIndex(heights), column.length - 1]);
  return column.filter((_, at) => ends.has(at));
}

/** Every point as a stroke of zero length, which round line caps turn into a dot; at most one dot per pixel. */
export function pointsPath(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): string {
  const dots = pointsOf(xs, ys, x, y)
    .filter(isDrawn)
    .map(([px, py]) => `M${String(Math.round(px))} ${String(Math.round(py))}h0`);
  return [...new Set(dots)].join('');
}
