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

/** Beside the mark, at its height or just above or below; else over it or under it, first on its own side of the column. */
function candidates({ x, y, side }: LossMark): PlacedText[] {
  const [outward, anchor] = side === 'left' ? ([-1, 'end'] as const) : ([1, 'start'] as const);
  return [
    ...[0, -9, 9].map((down) => ({ x: x + outward * lossDistance, y: y + down, anchor })),
    ...[-16, 16].map((down) => ({ x: x - outward * 2, y: y + down, anchor })),
    ...[-16, 16].map((down) => ({ x, y: y + down, anchor: 'middle' as const })),
  ];
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

/**
 * The marks whose loss can be written without covering a mark, a trail or another loss, and where. Those that fit beside their mark
 * come first; the others look for another place.
 */
export function placedLosses<Mark extends LossMark>(
  marks: readonly Mark[],
  [from, to]: readonly [number, number],
): (Mark & { readonly label: PlacedText })[] {
  const taken = marks.flatMap(boxesOf);
  const labels = new Map<Mark, PlacedText>();
  const isFree = (label: PlacedText): boolean => {
    const box = lossBox(label);
    return box.left >= from && box.right <= to && taken.every((other) => !(overlap(box, other) > 0));
  };
  for (const first of [true, false]) {
    for (const mark of marks.filter((one) => !labels.has(one))) {
      const places = candidates(mark);
      const label = (first ? places.slice(0, 1) : places).find(isFree);
      if (label === undefined) continue;
      labels.set(mark, label);
      taken.push(lossBox(label));
    }
  }
  return marks.flatMap((mark) => {
    const label = labels.get(mark);
    return label === undefined ? [] : [{ ...mark, label }];
  });
}
