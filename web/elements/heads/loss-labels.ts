import { overlap, type Rectangle } from '../../charts/place-labels.js';

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
export const lossDistance = 11;

function lossBox({ x, y, side }: LossMark): Rectangle {
  const left = side === 'left' ? x - lossDistance - lossWidth : x + lossDistance;
  return { left, right: left + lossWidth, top: y - lossHeight / 2, bottom: y + lossHeight / 2 };
}

function boxesOf({ x, y, trailFrom }: LossMark): Rectangle[] {
  const around = (radius: number, from: number, to: number): Rectangle => ({
    left: x - radius,
    right: x + radius,
    top: Math.min(from, to) - radius,
    bottom: Math.max(from, to) + radius,
  });
  return [around(markRadius, y, y), ...(trailFrom === null ? [] : [around(trailRadius, trailFrom, y)])];
}

/** The marks whose loss can be written beside them without covering a mark, a trail or another loss. */
export function marksWithSpace<Mark extends LossMark>(
  marks: readonly Mark[],
  [from, to]: readonly [number, number],
): Mark[] {
  const written: Rectangle[] = [];
  return marks.filter((mark) => {
    const box = lossBox(mark);
    const others = marks.filter((other) => other !== mark).flatMap(boxesOf);
    if (box.left < from || box.right > to) return false;
    if ([...others, ...written].some((other) => overlap(box, other) > 0)) return false;
    written.push(box);
    return true;
  });
}
