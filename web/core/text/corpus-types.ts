/** Public types of corpora. */

import type { BigramBounds, Irreversibility, IrreversibilityOptions, Matrix } from '../direct-path/types.js';
import type { NextTokenOptions } from '../training/types.js';
import type { Bigrams, Tokenizer, TokenizerOptions } from './types.js';

/** The current stage of `openCorpus`. */
export type CorpusStage = 'reading' | 'writing' | 'learning' | 'encoding' | 'counting';

export interface CorpusOptions {
  /** The tokenizer of the text. Default `{ kind: 'bpe' }`. Only for a text. */
  tokenizer?: TokenizerOptions;
  /** Required for token ids, and only for them: every id is below it. */
  vocabSize?: number;
  /** Fraction of the tokens, at the end of the text, to hold out: 0 to 0.9. Default 0.1. */
  validation?: number;
  /** Called with the fraction of the work done, 0 to 1, and its current stage. */
  onProgress?: ((fraction: number, stage: CorpusStage) => void) | undefined;
  /** Cancels the preparation; the promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

/** A text ready to train on. In a lab, text, ids and tables stay in the worker until a verb returns them. */
export interface Corpus {
  readonly vocabSize: number;
  /** Number of tokens, including held-out ones. */
  readonly tokens: number;
  /** Tokens held out at the end. */
  readonly validationTokens: number;
  /** `length` of the text; null if the corpus was opened from token ids or a chain. */
  readonly characters: number | null;
  /** Disposed of with the corpus; null if the corpus was opened from token ids or a chain. */
  readonly tokenizer: Tokenizer | null;
  /** Floors of the training part, nats per token; null if the vocabulary has more than 4,096 tokens. */
  readonly bounds: BigramBounds | null;
  /**
   * The token ids of one part ('training' by default), or a range of them.
   *
   * @throws {TiedError} 'invalid-argument' if there is no such part or the range is not made of integers; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.tokenIds(); // → [0, 1, 2, 0, 1, 2, 0]
   * corpus.tokenIds('training', { first: 2, count: 3 }); // → [2, 0, 1]
   * ```
   */
  tokenIds(part?: CorpusPart, range?: TokenRange): Uint32Array;
  /**
   * How often each token occurs in the training part, [V].
   *
   * @throws {TiedError} 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.frequencies(); // → [3, 2, 2]
   * ```
   */
  frequencies(): Uint32Array;
  /**
   * The pairs of the training part: a table [V, V].
   *
   * @throws {TiedError} 'out-of-memory' if the table does not fit; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.bigrams().total; // → 6
   * ```
   */
  bigrams(): Bigrams;
  /**
   * `irreversibility` of the pairs of the training part.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range; 'out-of-memory' if the table of pairs does not fit; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus('to and fro and to and fro', { tokenizer: { kind: 'word' }, validation: 0 });
   * const { js, null: chance } = corpus.irreversibility({ nullRuns: 50 });
   * js > 2 * chance.mean; // → true
   * ```
   */
  irreversibility(options?: IrreversibilityOptions): Irreversibility;
  /**
   * [from, to]: P(to | from) in the training part; a row of zeros if no token ever follows.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize`; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.nextTokenProbabilities({ from: Uint32Array.of(2) }).data; // → [1, 0, 0]
   * ```
   */
  nextTokenProbabilities(options: NextTokenOptions): Matrix;
  /**
   * Pairs of tokens with a fixed order in the training part, best first, with no token in two pairs. They are frequent, rarely
   * or never reversed, and their tokens mostly occur next to each other ("New York" rather than "of the").
   *
   * @throws {TiedError} 'invalid-argument' if `count` is not an integer or an id is not below `vocabSize`; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0, 1, 3), { vocabSize: 4, validation: 0 });
   * const [pair] = corpus.oneWayPairs({ count: 1 });
   * [pair!.from, pair!.to]; // → [0, 1]
   * ```
   */
  oneWayPairs(options: OneWayOptions): TokenPair[];
  /** Disposes of the tokenizer too. Comparisons on the corpus continue. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface OneWayOptions {
  /** Largest number of pairs. */
  count: number;
  /** Ids to exclude from all pairs. Default: none. */
  without?: Uint32Array;
}

/** Ids of a token and of a token that follows it. */
export interface TokenPair {
  from: number;
  to: number;
}

export type CorpusPart = 'training' | 'validation';

export interface TokenRange {
  /** Index of the first token. Default 0. */
  first?: number;
  /** Maximum number of tokens. Default: all. */
  count?: number;
}
