/// <reference lib="esnext.disposable" preserve="true" />
/**
 * What users of `tied-embeddings` see: hand-written types of values, options and verbs.
 * Shapes are in square brackets; losses and entropies are in nats per token.
 */

/** Row-major: element (i, j) is `data[i * cols + j]`. Always a copy, never a view of wasm memory. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array;
}

/**
 * Which matrices share storage, and through what. Logits of the direct path:
 * `E Eᵀ` (tied), `E Uᵀ` (untied), `E M Eᵀ` (tied-linear, M [d, d] starts as the identity),
 * `mlp(E) Eᵀ` (tied-mlp, residual, starts at zero effect).
 */
export type Tying = 'tied' | 'untied' | 'tied-linear' | 'tied-mlp';

// ---------------------------------------------------------------- direct path and symmetry

/** The factors of a direct path A = E M Uᵀ. */
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
  /** Most tokens wanted. `character`: all characters by default. `word`: default 2,000. `bpe`: default 512, at least 256. */
  vocabSize?: number;
}

export interface Tokenizer {
  readonly kind: TokenizerKind;
  readonly vocabSize: number;
  /** Printable form of every token, index = id. */
  readonly tokens: readonly string[];
  encode(text: string): Uint32Array;
  decode(ids: Uint32Array): string;
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

// ---------------------------------------------------------------- training

export interface ModelConfig {
  kind: 'direct-path';
  vocabSize: number;
  dModel: number;
  tying: Tying;
  /** One learned number a token, added to its logit. Default false. */
  outputBias?: boolean;
  /** Standard deviation of the normal start of E (and U). Default 0.02. */
  initStd?: number;
  /** Width of the hidden layer of tied-mlp. Default 4 dModel. */
  dFeedForward?: number;
}

export interface TrainingConfig {
  /** Default 'adamw'. */
  optimizer?: 'adamw' | 'sgd';
  learningRate: number;
  /** Steps of linear warm-up. Default 0. */
  warmupSteps?: number;
  /** Default 'constant'. 'cosine' falls from `learningRate` to `finalLearningRateFraction` of it at `totalSteps`. */
  decay?: 'constant' | 'cosine';
  /** Where the cosine ends; needed for `decay: 'cosine'`. */
  totalSteps?: number;
  /** Default 0. */
  finalLearningRateFraction?: number;
  /** Decoupled; matrices only. Default 0. */
  weightDecay?: number;
  /** Largest norm of the whole gradient; absent = no clipping. */
  gradientClip?: number;
  /** SGD only. Default 0. */
  momentum?: number;
  /** AdamW. Defaults 0.9, 0.999, 1e-8. */
  beta1?: number;
  beta2?: number;
  epsilon?: number;
  /** (token, next token) pairs a step; ignored with `bigramCounts`, which always uses the whole table. */
  batchSize?: number;
  /** Multiplies the input part of the embedding's gradient. Default 1. */
  inputGradientScale?: number;
  /** Order of the data, and start of the weights unless `initSeed` is given. A whole number below 2^53. */
  seed: number;
  initSeed?: number;
}

export type TrainerOptions =
  | {
      model: ModelConfig;
      training: TrainingConfig;
      /** The stream of text; pairs (t, t + 1) are drawn from it. */
      tokenIds: Uint32Array;
      validationTokenIds?: Uint32Array;
    }
  | {
      model: ModelConfig;
      training: TrainingConfig;
      /** [V, V]: the exact expected loss over the whole table, each step. */
      bigramCounts: Matrix;
    };

export interface StepRecord {
  /** 1 after the first step. */
  step: number;
  /** Of this step's batch, before its update, nats per token. */
  loss: number;
  /** ‖·‖_F of the embedding's gradient through its input role (reading), as a [V, d] matrix. */
  inputGradientNorm: number;
  /** ‖·‖_F of the gradient of the matrix in the output role (writing). */
  outputGradientNorm: number;
  /** input / (input + output) */
  inputShare: number;
  /** Norm of the gradient of all parameters, before clipping. */
  gradientNorm: number;
  /** ‖W - W_start‖_F / ‖W_start‖_F */
  embeddingDrift: number;
  /** The same of the matrix that writes; for tied models equal to `embeddingDrift`. */
  unembeddingDrift: number;
  tokensPerSecond: number;
}

export interface RunOptions {
  /** Share done, 0 to 1, and the newest record. */
  onProgress?: (fraction: number, record: StepRecord) => void;
  /** Stops within one step; what was done stays done. The promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal;
  /** Keep a record of every n-th step, and always of the last. Default 1; a run that would keep more than a million is refused. */
  recordEvery?: number;
}

export interface Evaluation {
  loss: number;
  perplexity: number;
  tokens: number;
}

export interface ParameterInfo {
  name: string;
  shape: number[];
  /** Name of the parameter whose storage this one shares, or null. */
  tiedTo: string | null;
  /** Numbers of its own; 0 where it is tied to another. */
  count: number;
}

/** The exact gradient of the embedding, split by role. total = inputGradientScale * input + output for a tied matrix. */
export interface GradientLedger {
  /** [V, d] through reading. */
  input: Matrix;
  /** [V, d] through writing; of the unembedding where that is a matrix of its own. */
  output: Matrix;
  /** [V, d] what the embedding's optimizer receives. */
  total: Matrix;
  /** How many rows each part touches. */
  inputRows: number;
  outputRows: number;
}

/** Pairs to take a gradient on: targets[i] follows inputs[i]. */
export interface PairBatch {
  inputs: Uint32Array;
  targets: Uint32Array;
}

export interface NextTokenOptions {
  /** Rows: ids of current tokens. */
  from: Uint32Array;
  /** Columns: ids of next tokens. Absent = all. Probabilities are normalised over the whole vocabulary either way. */
  to?: Uint32Array;
}

export interface Trainer {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  /** Steps done. */
  readonly step: number;
  run(steps: number, options?: RunOptions): StepRecord[];
  /** On `tokenIds`, else the validation tokens, else the training data (or the whole table). */
  evaluate(tokenIds?: Uint32Array): Evaluation;
  parameters(): ParameterInfo[];
  /** By name: 'embedding', 'unembedding' (for tied models the same numbers), 'between', ... */
  matrix(name: string): Matrix;
  setMatrix(name: string, matrix: Matrix): void;
  /** On `batch`, else on the data of the next step. Changes nothing. */
  gradient(batch?: PairBatch): GradientLedger;
  /** [from, to] logits of the direct path as the model computes them, bias and MLP included. */
  nextTokenLogits(options: NextTokenOptions): Matrix;
  /** [from, to] P(to | from). */
  nextTokenProbabilities(options: NextTokenOptions): Matrix;
  save(): Uint8Array;
  /** Returns to the exact state after `step` steps (0 = the start), bit for bit. */
  rewind(step?: number): void;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface MemoryPart {
  name: string;
  bytes: number;
}

export interface MemoryEstimate {
  bytes: number;
  parts: MemoryPart[];
}

// ---------------------------------------------------------------- the core and the lab

export interface Core {
  readonly version: string;
  readonly simd: 'simd128' | 'relaxed';

  directPath(factors: DirectPathFactors): Matrix;
  symmetry(square: Matrix, options?: SymmetryOptions): Symmetry;
  /** From the factors in O(V d²) time and O(d²) memory: never forms [V, V] unless `worst` pairs are asked for by rows. */
  directPathSymmetry(factors: DirectPathFactors, options?: SymmetryOptions): Symmetry;
  /** Least squares W_U [V, d]: embedding W_Uᵀ near target [V, V]. */
  solveUnembedding(options: { embedding: Matrix; target: Matrix }): Matrix;
  fitBounds(target: Matrix, dModel: number): FitBounds;
  bigramBounds(counts: Matrix): BigramBounds;

  trainTokenizer(text: string, options: TokenizerOptions): Tokenizer;
  loadTokenizer(bytes: Uint8Array, options: { format: 'tied-embeddings' }): Tokenizer;
  bigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams;

  /** Simple, varied English from a seeded story grammar: at least `length` characters, ending with a whole story. */
  writeStories(options: { seed: number; length: number }): string;
  /** A random chain [states, states], rows summing to 1; small `concentration` makes it more predictable. Default 0.3. */
  randomMarkovChain(options: { states: number; seed: number; concentration?: number }): Matrix;
  /** `length` states drawn from the chain, started in its stationary distribution. */
  sampleMarkovChain(options: { transition: Matrix; length: number; seed: number }): Uint32Array;
  /** The exact floors of text drawn from the chain. */
  markovBounds(transition: Matrix): MarkovBounds;

  createTrainer(options: TrainerOptions): Trainer;
  loadTrainer(bytes: Uint8Array): Trainer;
  estimateMemory(model: ModelConfig, training: TrainingConfig): MemoryEstimate;

  dispose(): void;
  [Symbol.dispose](): void;
}

export interface LoadOptions {
  /** Where core.wasm is, for the slim entry; analysis.wasm is looked for beside it. */
  wasmUrl?: string | URL;
  /** Or its bytes. */
  wasmBytes?: BufferSource;
  /** Where analysis.wasm is, if not beside core.wasm. */
  analysisUrl?: string | URL;
  /** Or its bytes. */
  analysisBytes?: BufferSource;
}

export interface Support {
  supported: boolean;
  /** A sentence for the reader where it is not. */
  reason: string | null;
}

/** Handles that a lab returns: the same verbs, each a promise; plain properties stay plain. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<Remotely<R>>> : T[K];
};
type Remotely<R> = R extends Trainer ? LabTrainer : R extends Tokenizer ? LabTokenizer : R;
type WithoutDispose<T> = Omit<T, 'dispose' | typeof Symbol.dispose>;
interface Disposable_ {
  dispose(): void;
  [Symbol.dispose](): void;
}

/** `step` is the number of steps done when the last verb of this handle answered. */
export type LabTrainer = Remote<WithoutDispose<Trainer>> & Disposable_;
export type LabTokenizer = Remote<WithoutDispose<Tokenizer>> & Disposable_;

export interface LabOptions extends LoadOptions {
  workerUrl?: string | URL;
}

export type Lab = Remote<Omit<WithoutDispose<Core>, 'version' | 'simd'>> & {
  readonly version: string;
  readonly simd: 'simd128' | 'relaxed';
  /** 'same-thread' where workers are not allowed: the work is done in time slices between the page's own. */
  readonly mode: 'worker' | 'same-thread';
} & Disposable_;
