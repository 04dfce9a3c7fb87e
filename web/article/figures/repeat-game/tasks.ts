import { chainOf, scoresOf, type Arrows, type Chain } from './chain.js';
import { letters, roadChain, type Road } from './road.js';

/** The game's tasks, judged by the arrows as they are. */

export const tokenNames = ['New', 'York', 'City'] as const;
export const [newToken, york] = [0, 1] as const;

export type TaskNumber = 1 | 2 | 3;
export const taskNumbers: readonly TaskNumber[] = [1, 2, 3];
/** The one that no shared table can do. */
export const impossible: TaskNumber = 3;
/** The one about the alphabet: its rows are not those of the other two. */
export const alphabet: TaskNumber = 2;

/** What the reader has moved so far: the rows of the three words, and those of the alphabet's first and last letter. */
export interface Rows {
  readonly arrows: Arrows;
  readonly road: Road;
}

export const namesOf = (task: TaskNumber): readonly string[] => (task === alphabet ? letters : tokenNames);

/** One of the two possible tasks is a list of such demands. */
export interface Demand {
  readonly from: number;
  readonly to: number;
  /** P(to | from) must be at least, or below, this. */
  readonly least?: number;
  readonly below?: number;
}

const demands: Readonly<Record<1 | 2, readonly Demand[]>> = {
  1: [
    { from: newToken, to: york, least: 0.98 },
    { from: york, to: newToken, below: 0.01 },
  ],
  2: letters.slice(1).map((_, letter) => ({ from: letter, to: letter + 1, least: 0.9 })),
};

export const demandsOf = (task: TaskNumber): readonly Demand[] => (task === 3 ? [] : demands[task]);

export const isMet = ({ next }: Chain, { from, to, least, below }: Demand): boolean => {
  const value = next[from]![to]!;
  return (least === undefined || value >= least) && (below === undefined || value < below);
};

/** By how much a token must follow itself less often than it occurs: half of the last digit that the figure shows. */
const smallestGap = 0.0005;

/** P(i | i) - π_i: for a shared table never negative. */
export const marginOf = ({ next, share }: Chain, token: number): number => next[token]![token]! - share[token]!;

/** Closer than this, a bar rests against its wall. */
const touching = 0.01;

/** Whether a token's bar has gone through its wall, rests against it, or is away from it. Walls at an end of the scale say little. */
export function wallOf(chain: Chain, token: number): 'broken' | 'thud' | '' {
  const margin = marginOf(chain, token);
  if (margin <= -smallestGap) return 'broken';
  const share = chain.share[token]!;
  return margin < touching && share > 0.02 && share < 0.98 ? 'thud' : '';
}

/** The token that is nearest to following itself less often than it occurs, or furthest beyond. */
export function nearestToWall(chain: Chain): number {
  const margins = chain.share.map((_, token) => marginOf(chain, token));
  return margins.indexOf(Math.min(...margins));
}

export function isDone(chain: Chain, task: TaskNumber): boolean {
  if (task === impossible) return marginOf(chain, nearestToWall(chain)) <= -smallestGap;
  return demandsOf(task).every((demand) => isMet(chain, demand));
}

/** Each step of New, York, City, New at least this often: traffic that goes round, as no symmetric scores can have it. */
export const goesRound = ({ next }: Chain): boolean => next.every((row, i) => row[(i + 1) % 3]! >= 0.9);

/** How far the arrows reach. */
export const reach = 7;

export const startingArrows: Arrows = [
  [1.6, -0.8],
  [1.2, 1.6],
  [-1.8, 0.8],
];

/** A fan whose rows are equally long: its text goes to and fro. */
const startingRoad: Road = [
  [26, -6],
  [6, 26],
];

export const startingRows: Rows = { arrows: startingArrows, road: startingRoad };

/** Rows that do a possible task, and the turn with which the last one is done. */
export const witnesses: Readonly<Record<TaskNumber, Rows & { readonly turn: number | null }>> = {
  1: {
    ...startingRows,
    arrows: [
      [1, 0],
      [5.5, 0],
      [-1, 0],
    ],
    turn: null,
  },
  // Half a turn, on which rows grow by half.
  2: {
    ...startingRows,
    road: [
      [30, -8],
      [-44, 10],
    ],
    turn: null,
  },
  // A third of a circle apart; each turned arrow lies 20 degrees short of the one before its own.
  3: {
    ...startingRows,
    arrows: [
      [0, 2.6],
      [2.25, -1.3],
      [-2.25, -1.3],
    ],
    turn: 100,
  },
};

export const chainFor = (arrows: Arrows, turn: number): Chain => chainOf(scoresOf(arrows, turn));

/** What the rows of a task say; a map stands between those of the words only. */
export const chainOfTask = ({ arrows, road }: Rows, task: TaskNumber, turn: number | null = null): Chain =>
  task === alphabet ? roadChain(road) : chainFor(arrows, turn ?? 0);
