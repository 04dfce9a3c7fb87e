/** Texts, tokenizers and pairs of tokens. */

import type { BigramBounds, Matrix } from '../direct-path/types.js';
import type { FileBytes } from '../runtime/types.js';

/** A text drawn from a Markov chain: `length` states, starting from its stationary distribution. The same seed gives the same states. */
export interface MarkovText {
  /** [states, states]: each row sums to 1. */
  transition: Matrix;
  length: number;
  seed: number;
}

/** A text, token ids, or a chain whose states are the tokens. */
export type CorpusInput = string | Uint32Array | MarkovText;

export type TokenizerKind = 'character' | 'word' | 'bpe';

export interface TokenizerOptions {
  kind: TokenizerKind;
  /** Maximum number of tokens. `character`: default all characters. `word`: default 2,000. `bpe`: default 512, at least its alphabet. */
  vocabSize?: number;
  /**
   * `bpe` only: the tokens that its vocabulary starts with. 'bytes': all 256 bytes, so any text can be encoded. 'text': only
   * the bytes that occur in the text, which leaves more of a small vocabulary for learned tokens; other characters are then
   * refused. Default 'bytes'.
   */
  alphabet?: 'bytes' | 'text';
}

export interface Tokenizer {
  /** 'llama2c' and 'gpt2' come from files of other programs; they can be loaded, not trained. */
  readonly kind: TokenizerKind | 'llama2c' | 'gpt2';
  readonly vocabSize: number;
  /** Printable form of every token, index = id. */
  readonly tokens: readonly string[];
  /**
   * Encodes a text as token ids.
   *
   * @returns the ids of the tokens, in the order of the text
   * @throws {TiedError} 'invalid-argument', naming the character, if the vocabulary has neither the character nor an unknown token; 'out-of-memory' if the text does not fit
   * @example
   * ```ts
   * const tokenizer = core.trainTokenizer('a banana', { kind: 'character' });
   * tokenizer.encode('ban').length; // → 3
   * tokenizer.decode(tokenizer.encode('ban')); // → "ban"
   * tokenizer.dispose();
   * ```
   */
  encode(text: string): Uint32Array;
  /**
   * Joins tokens into a text, the inverse of `encode` for every text whose characters the vocabulary has.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize`; 'out-of-memory' if the text does not fit
   * @example
   * ```ts
   * const tokenizer = core.trainTokenizer('New York, New York', { kind: 'word' });
   * tokenizer.decode(tokenizer.encode('New York')); // → "New York"
   * ```
   */
  decode(ids: Uint32Array): string;
  /**
   * The tokenizer as a file, for `loadTokenizer` with format 'tied-embeddings'.
   *
   * @throws {TiedError} 'out-of-memory' if the file does not fit
   * @example
   * ```ts
   * const file = core.trainTokenizer('abc', { kind: 'character' }).save();
   * const copy = core.loadTokenizer(file, { format: 'tied-embeddings' });
   * copy.kind; // → "character"
   * ```
   */
  save(): FileBytes;
  /** Frees its memory. Later calls throw 'disposed'; disposing twice is harmless. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface RankedBigram {
  from: number;
  to: number;
  count: number;
}

export interface Bigrams {
  /** [V, V]: counts[i, j] = how often token j follows token i. */
  readonly counts: Matrix;
  readonly total: number;
  /**
   * P(next token | row), [V]; all zero if the row never occurs.
   *
   * @throws {TiedError} 'invalid-argument' if `row` is not an id below V
   * @example
   * ```ts
   * const pairs = core.bigrams(Uint32Array.of(0, 1, 0, 1, 0, 2), 3);
   * pairs.conditional(1); // → [1, 0, 0]
   * ```
   */
  conditional(row: number): Float32Array;
  /** The asymmetry of the count matrix, as in `Symmetry`. */
  readonly asymmetry: number;
  /**
   * The `n` most frequent pairs, most frequent first.
   *
   * @throws {TiedError} 'invalid-argument' if `n` is not an integer of at least 0
   * @example
   * ```ts
   * const pairs = core.bigrams(Uint32Array.of(0, 1, 0, 1, 0, 2), 3);
   * pairs.top(1); // → [{"from":0,"to":1,"count":2}]
   * ```
   */
  top(n: number): RankedBigram[];
}

/** The exact floors of a text drawn from a known Markov chain. */
export interface MarkovBounds extends BigramBounds {
  /** Stationary distribution [states]. */
  stationary: Float32Array;
}
