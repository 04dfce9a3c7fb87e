// A goal and its verdict: see goals.mjs and judge.mjs.

/** A group of contenders and its name in the table. */
export interface Side {
  label: string;
  is: (contender: { name: string; host: string }) => boolean;
}

export interface Goal {
  kind: 'share' | 'speed' | 'seconds' | 'rate' | 'fact' | 'figure';
  what: string;
  /** Whose result it is; absent for a figure. */
  of?: Side;
  /** The worst counts; absent for a figure. */
  cases?: string[];
  /** The bound; a goal has one of the two. */
  atLeast?: number;
  atMost?: number;
  /** For a speed: the others, in the same or another case, with a name for that. */
  against?: Side;
  againstCase?: string;
  againstWhat?: string;
  /** For a speed: the substitute if there are no others. */
  recorded?: { itemsPerSecond: number; limit: number };
  /** For seconds: the case whose seconds are subtracted. */
  over?: string;
  /** For a rate: items per unit. */
  per?: number;
  /** Name of the fact or of the figure. */
  fact?: string;
  figure?: string;
  unit?: string;
}

/** A goal with its result, or the reason why there is none. */
export interface Verdict {
  goal: Goal;
  value?: number;
  /** What it was compared with. */
  note?: string;
  /** The case that counted. */
  id?: string;
  met?: boolean;
  missing?: string;
}
