/**
 * What users of `tied-embeddings` see: hand-written types of values, options and verbs.
 * Shapes are in square brackets; losses and entropies are in nats per token.
 */

import type { AccountingVerbs } from './accounting-types.js';
import type { TiedError } from './errors.js';
import type { ModuleName, OptionalModule } from './modules.js';
import type { MemoryEstimate, ModelConfig, Trainer, TrainerOptions, TrainingConfig } from './training-types.js';

export type * from './accounting-types.js';
export type * from './training-types.js';

declare global {
  // As TypeScript 5.2 has them in its library, for older ones and for projects that do not ask for it.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

/** Row-major: element (i, j) is `data[i * cols + j]`. Always a copy, never a view of wasm memory. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array;
}

// ---------------------------------------------------------------- direct path and symmetry

/** The factors of a direct path A = E M Uᵀ. A trained model with an `embeddingScale` has √dModel times these logits. */
export interface DirectPathFactors {
  /** W_E [V, d]. */
  embedding: Matrix;
  /** W_U stored [V, d], one row a token; absent = tied, the embedding itself. */
  unembedding?: Matrix;
  /** M [d, d] between the two; absent = the identity. */
  between?: Matrix;
}

export interface SymmetryOptions {
  /** Largest |a_ij - a_ji| that still counts as symmetric. Default 0: equal to the last bit. */
  tolerance?: number;
  /** How many of the worst pairs to list. Default 0. */
  worst?: number;
}

export interface SymmetryPair {
  row: number;
  col: number;
  /** a[row, col] */
  forward: number;
  /** a[col, row] */
  backward: number;
}

export interface Symmetry {
  symmetric: boolean;
  /**
   * max |a_ij - a_ji|; null only from `directPathSymmetry` where comparing all V² pairs would take longer than a second
   * or so and no `worst` pairs were asked for. `symmetric` is then what the norms prove.
   */
  maxDifference: number | null;
  /** ‖(A - Aᵀ)/2‖_F / ‖A‖_F in [0, 1]; 0 = symmetric, about 0.707 for independent random entries. */
  asymmetry: number;
  /** ‖A‖_F, ‖(A + Aᵀ)/2‖_F, ‖(A - Aᵀ)/2‖_F */
  norm: number;
  symmetricNorm: number;
  skewNorm: number;
  /** Pairs with the largest |a_ij - a_ji|, worst first. */
  worst: SymmetryPair[];
}

/** Lowest possible ‖target - A‖_F over each family of A. */
export interface FitBounds {
  /** rank ≤ d */
  untied: number;
  /** rank ≤ d, symmetric and positive semidefinite */
  tied: number;
  /** symmetric, any rank */
  symmetric: number;
  /** ‖(target - targetᵀ)/2‖_F: the part that no symmetric A reaches; equals `symmetric` */
  skew: number;
}

/** Cross-entropy floors of next-token prediction from the current token alone, nats per token. */
export interface BigramBounds {
  /** Entropy of the next token alone. */
  unigram: number;
  /** Entropy of the next token given the current one: no model of the bigram can do better. */
  bigram: number;
  /**
   * The best that any symmetric matrix of logits can do. Where row and column sums of the counts agree (in a chain; in a
   * text up to its first and last token) this is `bigram` plus the Jensen-Shannon divergence of J and Jᵀ; else it is less.
   */
  symmetricLogits: number;
}

// ---------------------------------------------------------------- text

export type TokenizerKind = 'character' | 'word' | 'bpe';

export interface TokenizerOptions {
  kind: TokenizerKind;
  /** Most tokens wanted. `character`: all characters by default. `word`: default 2,000. `bpe`: default 512, at least its alphabet. */
  vocabSize?: number;
  /**
   * `bpe` only: what its vocabulary begins with. 'bytes': all 256, so that any text can be encoded. 'text': those that the
   * text has, which leaves more of a small vocabulary to what is learned; other characters are then refused. Default 'bytes'.
   */
  alphabet?: 'bytes' | 'text';
}

export interface Tokenizer {
  /** 'llama2c': from a file of llama2.c; it can be loaded, not trained. */
  readonly kind: TokenizerKind | 'llama2c';
  readonly vocabSize: number;
  /** Printable form of every token, index = id. */
  readonly tokens: readonly string[];
  /** Throws 'invalid-argument', naming the character, where the vocabulary has neither it nor an unknown token. */
  encode(text: string): Uint32Array;
  decode(ids: Uint32Array): string;
  /** A file for `loadTokenizer` with format 'tied-embeddings'. */
  save(): Uint8Array;
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
  /** P(next | row), [V]; all zero where the row never occurs. */
  conditional(row: number): Float32Array;
  /** The API's asymmetry of the count matrix, see {@link Symmetry.asymmetry}. */
  readonly asymmetry: number;
  /** The n most frequent pairs, most frequent first. */
  top(n: number): RankedBigram[];
}

/** A chain that is known exactly, for texts whose true floors are known exactly. */
export interface MarkovBounds extends BigramBounds {
  /** Stationary distribution [states]. */
  stationary: Float32Array;
}

// ---------------------------------------------------------------- the core and the lab

/**
 * Which of the two builds of the core. 'simd128': a seed gives the same bits in every engine. 'relaxed': faster, by an
 * instruction that multiplies and adds at once; whether it rounds once or twice is the processor's choice, so that the
 * last bits hold on that machine alone.
 */
export type Simd = 'simd128' | 'relaxed';

/**
 * Every verb throws a `TiedError` for bad input, and all goes on as before. Arguments are read once and copied; what a
 * getter or listener of the caller's throws is passed on as it is. Verbs work off their object: `const { symmetry } = core`.
 */
export interface Core extends AccountingVerbs {
  readonly version: string;
  /** What the modules that run say of themselves. */
  readonly simd: Simd;

  directPath(factors: DirectPathFactors): Matrix;
  symmetry(square: Matrix, options?: SymmetryOptions): Symmetry;
  /**
   * From the factors, in O(V d²) time and without forming [V, V]. Comparing all pairs (for `worst`, and for
   * `maxDifference` where that is quick) takes O(V² d) time, a tile at a time.
   */
  directPathSymmetry(factors: DirectPathFactors, options?: SymmetryOptions): Symmetry;
  /** Least squares W_U [V, d]: embedding W_Uᵀ near target [V, V]. */
  solveUnembedding(options: { embedding: Matrix; target: Matrix }): Matrix;
  fitBounds(target: Matrix, dModel: number): FitBounds;
  bigramBounds(counts: Matrix): BigramBounds;

  trainTokenizer(text: string, options: TokenizerOptions): Tokenizer;
  /** What `save` of a tokenizer wrote, or a tokenizer.bin of llama2.c. */
  loadTokenizer(bytes: Uint8Array, options: { format: 'tied-embeddings' | 'llama2c' }): Tokenizer;
  bigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams;

  /** Simple, varied English from a seeded story grammar: at least `length` characters, ending with a whole story. */
  writeStories(options: { seed: number; length: number }): string;
  /** A random chain [states, states], rows summing to 1; small `concentration` makes it more predictable. Default 0.3. */
  randomMarkovChain(options: { states: number; seed: number; concentration?: number }): Matrix;
  /** `length` states drawn from the chain, started in its stationary distribution. */
  sampleMarkovChain(options: { transition: Matrix; length: number; seed: number }): Uint32Array;
  /** The exact floors of text drawn from the chain. */
  markovBounds(transition: Matrix): MarkovBounds;

  /** A model at its start, with what it is to be trained on. What cannot fit is refused, saying what would. */
  createTrainer(options: TrainerOptions): Trainer;
  /** What `save` of a trainer wrote. */
  loadTrainer(bytes: Uint8Array): Trainer;
  /**
   * A model that another program trained, ready to be looked at and, with its tokenizer, to write text. With `training`
   * and `tokenIds` it trains on; without them `run` throws 'unsupported'. 'llama2c': the .bin files of llama2.c, version 0.
   */
  loadModel(
    bytes: Uint8Array,
    options: {
      format: 'llama2c';
      training?: TrainingConfig;
      tokenIds?: Uint32Array;
      validationTokenIds?: Uint32Array;
      tokenizer?: Tokenizer;
    },
  ): Trainer;
  /** What a trainer would take, before any of it is taken. Without a batchSize: training on a whole table. */
  estimateMemory(model: ModelConfig, training: TrainingConfig): MemoryEstimate;

  dispose(): void;
  [Symbol.dispose](): void;
}

/** Names of the modules that can be left out: 'accounting' (counts and advice), 'stories' (`writeStories`). */
export type { OptionalModule } from './modules.js';

type PlacedModule = Exclude<ModuleName, 'core'>;

/**
 * Where the other modules are, if not beside core.wasm, or their bytes: `analysisUrl`, `analysisBytes`, `accountingUrl`,
 * `accountingBytes`, `storiesUrl`, `storiesBytes`.
 */
export type ModulePlaces = { [Name in PlacedModule as `${Name}Url`]?: string | URL } & {
  [Name in PlacedModule as `${Name}Bytes`]?: ArrayBuffer | ArrayBufferView;
};

export interface LoadOptions extends ModulePlaces {
  /** Default 'simd128'. 'relaxed' throws 'unsupported' where `isSupported({ simd: 'relaxed' })` says no. */
  simd?: Simd;
  /**
   * Which of the optional modules to load at once. `loadCore` loads all of them by default; verbs of a module that was left
   * out throw 'unsupported'. A lab loads none by default, and each on the first call of one of its verbs.
   */
  modules?: readonly OptionalModule[];
  /**
   * Where core.wasm is, for the slim entry; the other modules are looked for beside it. Nothing is beside a data: or blob:
   * URL: they are then found as if there were no `wasmUrl`. With `simd: 'relaxed'`: core-relaxed.wasm, with
   * analysis-relaxed.wasm beside it. What is loaded must be of the build that `simd` names.
   */
  wasmUrl?: string | URL;
  /** Or its bytes. */
  wasmBytes?: ArrayBuffer | ArrayBufferView;
}

export interface Support {
  supported: boolean;
  /** A sentence for the reader where it is not. */
  reason: string | null;
}

/** Handles that a lab returns: the same verbs, each a promise; plain properties stay plain. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: { [I in keyof A]: FromRemote<A[I]> }) => Promise<Awaited<Remotely<R>>>
    : T[K];
};
type Remotely<R> = R extends Trainer ? LabTrainer : R extends Tokenizer ? LabTokenizer : R;
/** Options that take a tokenizer take one of the same lab. */
type FromRemote<A> = A extends unknown
  ? 'tokenizer' extends keyof A
    ? [A['tokenizer']] extends [undefined]
      ? A
      : Omit<A, 'tokenizer'> & { tokenizer?: LabTokenizer }
    : A
  : never;
type WithoutDispose<T> = Omit<T, 'dispose' | typeof Symbol.dispose>;
interface Disposable_ {
  dispose(): void;
  [Symbol.dispose](): void;
}

/** `step` is the number of steps done when the last verb of this handle answered. */
export type LabTrainer = Remote<WithoutDispose<Trainer>> & Disposable_;
export type LabTokenizer = Remote<WithoutDispose<Tokenizer>> & Disposable_;

export interface LabOptions extends LoadOptions {
  /**
   * Where worker.js is, if not beside the script: for bundlers that do not take it along, on pages whose content security
   * policy allows workers from files only. In Node the URL of a file.
   */
  workerUrl?: string | URL;
}

export type Lab = Remote<Omit<WithoutDispose<Core>, 'version' | 'simd'>> & {
  readonly version: string;
  readonly simd: Simd;
  /**
   * 'worker': a Web Worker, or a thread of Node, which keeps the process alive only while a call is under way. 'same-thread'
   * where neither may start: the work is done in time slices between the page's own.
   */
  readonly mode: 'worker' | 'same-thread';
  /**
   * Resolves when the lab answers no more, with the error that calls reject with from then on: code 'disposed' after
   * `dispose()`, 'stopped' where the worker ended by itself. Never rejects.
   */
  readonly closed: Promise<TiedError>;
} & Disposable_;
