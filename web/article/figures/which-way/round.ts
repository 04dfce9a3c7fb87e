import { randomNumbers } from '../../../elements/shared/shuffled.js';
import type { Direction } from '../roundabout/walk.js';
import { bothWays, lineFrom, logProbability, pairsOf, type Pairs } from './chains.js';
import type { Words } from './words.js';

/** Where the lines of a round come from: the text itself, or a chain of its word pairs as they are or in both orders. */
export const sources = ['story', 'pairs', 'symmetric'] as const;
export type Source = (typeof sources)[number];

export const linesInRound = 10;
export const wordsInLine = 8;

export interface Line {
  /** As the text or the chain wrote it. */
  readonly written: readonly string[];
  /** How it is shown, as a coin has decided. */
  readonly direction: Direction;
  /**
   * Logarithms, to base 10, of the probability that the chain writes the line as it was written, and in reverse; null for the text
   * itself, which is not drawn from a chain.
   */
  readonly chances: { readonly forward: number; readonly backward: number } | null;
}

/** In the order in which it is shown. */
export const shownWords = ({ written, direction }: Line): readonly string[] =>
  direction === 'forward' ? written : written.slice().reverse();

/** The chains of a text's words. */
export class Writers {
  readonly #words: Words;
  readonly #pairs: Readonly<Record<Exclude<Source, 'story'>, Pairs>>;
  readonly #starts: readonly { readonly stretch: readonly number[]; readonly first: number }[];

  constructor(words: Words) {
    this.#words = words;
    const pairs = pairsOf(words.all, words.names.length);
    this.#pairs = { pairs, symmetric: bothWays(pairs) };
    this.#starts = words.stretches.flatMap((stretch) =>
      Array.from({ length: Math.max(0, stretch.length - wordsInLine + 1) }, (_, first) => ({ stretch, first })),
    );
  }

  /** Ten lines; the same seed gives the same. */
  round(source: Source, seed: number): Line[] {
    const random = randomNumbers(sources.length * seed + sources.indexOf(source));
    return Array.from({ length: linesInRound }, () => this.#line(source, random));
  }

  #line(source: Source, random: () => number): Line {
    const ids = source === 'story' ? this.#piece(random) : lineFrom(this.#pairs[source], wordsInLine, random);
    const pairs = source === 'story' ? null : this.#pairs[source];
    return {
      written: ids.map((id) => this.#words.names[id]!),
      direction: random() < 0.5 ? 'forward' : 'backward',
      chances: pairs && {
        forward: logProbability(pairs, ids),
        backward: logProbability(pairs, ids.slice().reverse()),
      },
    };
  }

  #piece(random: () => number): readonly number[] {
    const { stretch, first } = this.#starts[Math.floor(random() * this.#starts.length)]!;
    return stretch.slice(first, first + wordsInLine);
  }
}
