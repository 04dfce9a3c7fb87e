/** What is known of the number that a stored element was rounded from. */

/** Least and largest original. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

export interface Bounds {
  /** If the program that stored it rounds in the given way, and chooses its scales as ggml does without an importance matrix. */
  readonly near: Interval;
  /** However the scale was chosen and whichever way a float was rounded. Refined scales leave single elements open: `couldBeQuantsOf`. */
  readonly sure: Interval;
}

export interface Originals {
  /** For each element, numbers that the near interval contains, from `low` to `high`. NaN: see `boundsOf`. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly boundsOf: (element: number) => Bounds;
}
