/** Places names of points and of levels so that they cover no point, no level and no other name. */

import { boxOfText, overlap, type Box, type PlacedText } from './boxes.js';

/** A point, as large as its mark; with a name only if it should have one. In pixels, as everything here. */
export interface NamedPoint {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly name?: string;
}

export interface NamedLevel {
  readonly y: number;
  readonly name: string;
}

export interface PlacedName extends PlacedText {
  readonly text: string;
  /** From the mark to a name that is not right beside it. */
  readonly leader?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
}

const fontSize = 12;
const characterWidth = 0.56;
/** Gap between a mark and its name. */
const air = 6;
/** Distances of a name from its mark; all but the nearest have a leader. */
const distances = [0, 14, 28, 44, 62];

const boxAround = ({ x, y, radius }: NamedPoint): Box => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
});

const boxOf = (name: PlacedName): Box =>
  boxOfText(name, [...name.text].length * fontSize * characterWidth, 2 * (0.6 * fontSize));

/** Above or below the line: at its right or left end, otherwise along it, where the name covers the fewest points. */
function placeLevelNames(levels: readonly NamedLevel[], taken: Box[], plot: Box): PlacedName[] {
  return levels.map(({ name: text, y }) => {
    const bothSides = (x: number, anchor: PlacedName['anchor']): PlacedName[] => [
      { text, x, y: y - 9, anchor },
      { text, x, y: y + 10, anchor },
    ];
    const half = ([...text].length * fontSize * characterWidth) / 2;
    const candidates = [...bothSides(plot.right, 'end'), ...bothSides(plot.left + 4, 'start')];
    for (let x = plot.right - half - 16; x >= plot.left + half; x -= 16) candidates.push(...bothSides(x, 'middle'));
    const touched = candidates.map((one) => taken.filter((other) => overlap(boxOf(one), other) > 0).length);
    const best = candidates[touched.indexOf(Math.min(...touched))]!;
    taken.push(boxOf(best));
    return best;
  });
}

/**
 * The name of each point goes right of it, otherwise left, above, below or at a corner, otherwise farther away with a leader:
 * the first position that touches no point, other name, level or edge. Names without such a position are omitted; points are in order
 * of importance. Levels are across the drawing, and always have a name.
 */
export function placeNames(
  points: readonly NamedPoint[],
  levels: readonly NamedLevel[],
  plot: Box,
): { readonly names: readonly PlacedName[]; readonly levelNames: readonly PlacedName[] } {
  const taken = points.map(boxAround);
  const levelNames = placeLevelNames(levels, taken, plot);
  taken.push(...levels.map(({ y }) => ({ left: plot.left, right: plot.right, top: y - 1, bottom: y + 1 })));
  const names = points.flatMap((point) => {
    const candidates = distances.flatMap((distance) => around(point, distance));
    const free = candidates.find((candidate) => {
      const box = boxOf(candidate);
      const inside =
        box.left >= plot.left && box.right <= plot.right && box.top >= plot.top && box.bottom <= plot.bottom;
      return inside && !taken.some((other) => overlap(other, box) > 0);
    });
    if (free === undefined) return [];
    taken.push(boxOf(free));
    const { leader } = free;
    if (leader !== undefined) {
      taken.push({
        left: Math.min(leader.x1, leader.x2) - 1,
        right: Math.max(leader.x1, leader.x2) + 1,
        top: Math.min(leader.y1, leader.y2) - 1,
        bottom: Math.max(leader.y1, leader.y2) + 1,
      });
    }
    return [free];
  });
  return { names, levelNames };
}

/** Eight positions at a distance from a mark, most readable first. */
function around({ x, y, radius, name: text }: NamedPoint, distance: number): PlacedName[] {
  if (text === undefined) return [];
  const reach = radius + air + distance;
  const half = fontSize / 2;
  const sides: readonly (readonly [number, number, PlacedName['anchor']])[] = [
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
    const label: PlacedName = { text, x: x + right * reach, y: y + down * (reach + half), anchor };
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
