/** A run of the figure at the top: what the story says about ten words, and two models while they learn it. */

export type Arm = 'tied' | 'untied';

/** P(next | current) of the figure's words, row by row. */
export type Shares = readonly number[];

export interface HeroRun {
  readonly words: readonly string[];
  /** The steps at which the models were looked at, ascending. */
  readonly steps: readonly number[];
  readonly story: Shares;
  /** One for each step. */
  readonly tied: readonly Shares[];
  readonly untied: readonly Shares[];
}

/** What both models say at one moment. */
export interface Moment {
  readonly step: number;
  readonly tied: Shares;
  readonly untied: Shares;
}

/** Indices of two words of the run. */
export interface WordPair {
  readonly from: number;
  readonly to: number;
}

export const shareOf = (shares: Shares, { from, to }: WordPair): number =>
  shares[from * Math.sqrt(shares.length) + to]!;

const between = (before: Shares, after: Shares, way: number): Shares =>
  before.map((share, i) => share + way * (after[i]! - share));

/** The moment at a position in the list of steps; between two of them, shares are between theirs. */
export function momentAt({ steps, tied, untied }: HeroRun, position: number): Moment {
  const last = steps.length - 1;
  const at = Math.min(last, Math.max(0, Math.floor(position)));
  const next = Math.min(last, at + 1);
  const way = Math.min(1, Math.max(0, position - at));
  return {
    step: Math.round(steps[at]! + way * (steps[next]! - steps[at]!)),
    tied: between(tied[at]!, tied[next]!, way),
    untied: between(untied[at]!, untied[next]!, way),
  };
}

/** Tiny shares are not rounded away, as in the page's text, in fewer letters. */
export function percent(share: number): string {
  if (share === 0) return '0%';
  if (share < 0.001) return '< 0.1%';
  return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`;
}

/** What the reader has just seen, and what of it is so by necessity. */
export function sentenceOf({ words }: HeroRun, moment: Moment, pair: WordPair, guess: number): string {
  const [before, after] = [words[pair.from]!, words[pair.to]!];
  const said = `One table says ${percent(shareOf(moment.tied, pair))}, and your guess was ${guess}%.`;
  const law =
    pair.from === pair.to
      ? `With one table, the score of ${after} after itself is the length of its vector squared, which is never negative.`
      : `With one table, ${after} after ${before} always has the same score as ${before} after ${after}.`;
  return `${said} ${law}`;
}
