// A goal and what became of it: see goals.mjs and judge.mjs.

/** Contenders that are meant, and what they are called in the table. */
export interface Side {
  label: string;
  is: (contender: { name: string; host: string }) => boolean;
}

export interface Goal {
  kind: 'share' | 'speed' | 'seconds' | 'rate' | 'fact' | 'figure';
  what: string;
  /** Whose number it is; absent for a figure. */
  of?: Side;
  /** Of several the worst counts; absent for a figure. */
  cases?: string[];
  /** The bound; a goal has one of the two. */
  atLeast?: number;
  atMost?: number;
  /** Of a speed: the others, in the same case or in another one, with a name for that. */
  against?: Side;
  againstCase?: string;
  againstWhat?: string;
  /** Of a speed: what stands in where there are no others. */
  recorded?: { itemsPerSecond: number; limit: number };
  /** Of seconds: the case whose seconds are taken off. */
  over?: string;
  /** Of a rate: items that make one unit. */
  per?: number;
  /** Name of the fact, or of the figure. */
  fact?: string;
  figure?: string;
  unit?: string;
}

/** A goal with its number and whether it is met, or with the reason why there is none. */
export interface Verdict {
  goal: Goal;
  value?: number;
  /** Whom it was held against. */
  note?: string;
  /** The case that counted. */
  id?: string;
  met?: boolean;
  missing?: string;
}
