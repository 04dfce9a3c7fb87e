/** Reads the numbers of an answer one after another; callers rely on expressions being evaluated in source order. */
export type Next = () => number;

export function nextOf(numbers: ArrayLike<number>): Next {
  let index = 0;
  return () => numbers[index++]!;
}
