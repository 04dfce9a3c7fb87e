import { boxOfText, overlap, type Box, type PlacedText } from '../../charts/boxes.js';

/** A model in the drawing: its mark, and where its trail starts, if it has one. */
export interface LossMark {
  readonly x: number;
  readonly y: number;
  readonly trailFrom: number | null;
  /** The side of its column that it is on: its loss is written there. */
  readonly side: 'left' | 'right';
}

const [markRadius, trailRadius] = [7, 3];
/** Size of a written loss, and its distance from the middle of the mark. */
const [lossWidth, lossHeight] = [30, 15];
const lossDistance = 11;
/** From so far above or below on, a loss needs a line to its mark; and how many such places are tried, so far apart. */
const [nearest, furthest, each] = [24, 16, 8];

/** Beside the mark, at its height or just above or below; else over it or under it, first on its own side of the column. */
function candidates({ x, y, side }: LossMark): PlacedText[] {
  const [outward, anchor] = side === 'left' ? ([-1, 'end'] as const) : ([1, 'start'] as const);
  return [
    ...[0, -9, 9].map((down) => ({ x: x + outward * lossDistance, y: y + down, anchor })),
    ...[-16, 16].map((down) => ({ x: x - outward * 2, y: y + down, anchor })),
    ...[-16, 16].map((down) => ({ x, y: y + down, anchor: 'middle' as const })),
  ];
}

/** Where nothing near is free: further up or down, nearest first, with a line to the mark. */
function further({ x, y, side }: LossMark): PlacedText[] {
  const out = side === 'left' ? -1 : 1;
  return Array.from({ length: furthest }, (_, step) => nearest + each * step).flatMap((far) =>
    [-far, far].flatMap((down) =>
      [out, -out].map((to) => ({ x: x + to * lossDistance, y: y + down, anchor: to < 0 ? 'end' : 'start' }) as const),
    ),
  );
}

const lossBox = (label: PlacedText): Box => boxOfText(label, lossWidth, lossHeight);

function boxesOf({ x, y, trailFrom }: LossMark): Box[] {
  const around = (radius: number, from: number, to: number): Box => ({
    left: x - radius,
    right: x + radius,
    top: Math.min(from, to) - radius,
    bottom: Math.max(from, to) + radius,
  });
  return [around(markRadius, y, y), ...(trailFrom === null ? [] : [around(trailRadius, trailFrom, y)])];
}

/** What the line from a mark to a loss further away covers, outside of the mark. */
function lineBox({ x, y }: LossMark, label: PlacedText): Box | null {
  const [up, far] = [label.y < y, Math.abs(label.y - y)];
  if (far < nearest) return null;
  const [left, right] = [Math.min(x, label.x), Math.max(x, label.x)];
  return up
    ? { left, right, top: label.y, bottom: y - markRadius }
    : { left, right, top: y + markRadius, bottom: label.y };
}

/**
 * The marks whose loss can be written without covering a mark, a trail or another loss, and where; a loss that is `apart` needs a
 * line to its mark. Those that fit beside their mark come first; the others look for another place, and the last of them for one
 * whose line goes behind another loss.
 */
export function placedLosses<Mark extends LossMark>(
  marks: readonly Mark[],
  { left, right, top, bottom }: Box,
): (Mark & { readonly label: PlacedText; readonly apart: boolean })[] {
  const taken = marks.flatMap(boxesOf);
  const lines: Box[] = [];
  const written: Box[] = [];
  const labels = new Map<Mark, PlacedText>();
  const isClear = (one: Box, ...others: Box[][]): boolean => others.flat().every((other) => !(overlap(one, other) > 0));
  const isFree = (label: PlacedText): boolean => {
    const box = lossBox(label);
    const inside = box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
    return inside && isClear(box, taken, written);
  };
  const hasClearLine = (mark: Mark, label: PlacedText): boolean => {
    const line = lineBox(mark, label);
    return isClear(lossBox(label), lines) && (line === null || isClear(line, written));
  };
  const beside = (mark: Mark): PlacedText[] => candidates(mark).slice(0, 1);
  for (const [places, isStrict] of [
    [beside, true],
    [candidates, true],
    [further, true],
    [further, false],
  ] as const) {
    for (const mark of marks.filter((one) => !labels.has(one))) {
      const label = places(mark).find((place) => isFree(place) && (!isStrict || hasClearLine(mark, place)));
      if (label === undefined) continue;
      const line = lineBox(mark, label);
      labels.set(mark, label);
      written.push(lossBox(label));
      if (line !== null) lines.push(line);
    }
  }
  return marks.flatMap((mark) => {
    const label = labels.get(mark);
    return label === undefined ? [] : [{ ...mark, label, apart: lineBox(mark, label) !== null }];
  });
}
