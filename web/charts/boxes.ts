/** Where things are in a drawing, in pixels, so that texts cover nothing else. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Anchor = 'start' | 'middle' | 'end';

/** A text of one line: the point of its anchor, at half its height. */
export interface PlacedText {
  readonly x: number;
  readonly y: number;
  readonly anchor: Anchor;
}

export function boxOfText({ x, y, anchor }: PlacedText, width: number, height: number): Box {
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  return { left, top: y - height / 2, right: left + width, bottom: y + height / 2 };
}

/** The area that two boxes share. */
export const overlap = (one: Box, other: Box): number =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
