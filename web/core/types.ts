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
 * Which matrices share storage, and through what. Logits, h being what is read out of the model (of a direct path: the
 * embedding row): `h Eᵀ` (tied), `h Uᵀ` (untied), `h M Eᵀ` (tied-linear, M [d, d] starts as the identity),
 * `(h + mlp(h)) Eᵀ` (tied-mlp, direct path only, starts at zero effect), `h (E + A Bᵀ)ᵀ` (tied-low-rank, transformer
 * only, A [V, r] starts at zero).
 */
export type Tying = 'tied' | 'untied' | 'tied-linear' | 'tied-mlp' | 'tied-low-rank';

/**
 * Tying that changes while the model trains: tied up to and including the step named, then two matrices that start as
 * copies of the one; or two matrices that become one, their mean. Optimizer state is split or joined with them.
 */
export type TyingSchedule = { untieAtStep: number } | { tieAtStep: number };

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
  /** 'llama2c': from a file of llama2.c; it can be loaded, not trained. */
  readonly kind: TokenizerKind | 'llama2c';
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
  kind: 'direct-path' | 'transformer';
  vocabSize: number;
  dModel: number;
  tying: Tying | TyingSchedule;
  /** Rank of the correction of tied-low-rank, at most dModel. Default 8, or dModel where that is less. */
  lowRank?: number;
  /** Multiplies looked-up rows by √dModel; never baked into the matrix. Default 'none'. */
  embeddingScale?: 'none' | 'sqrt-d-model';
  /** One learned number a token, added to its logit. Default false. */
  outputBias?: boolean;
  /** Standard deviation of the normal start of matrices. Default 0.02. */
  initStd?: number;
  /** Width of the hidden layers: of tied-mlp, and of a transformer. Default 4 dModel. */
  dFeedForward?: number;

  // Transformer only. The defaults are those of the laboratory: a decoder whose layers normalise before they read.
  /** Default 4. */
  nLayers?: number;
  /** Divides dModel. Default 4. */
  nHeads?: number;
  /** Heads of keys and values (grouped queries); divides nHeads. Default nHeads. */
  nKeyValueHeads?: number;
  /** Most tokens of one sequence. Default 64. */
  contextLength?: number;
  /** Default 'rms-norm'. */
  norm?: 'rms-norm' | 'layer-norm';
  /** Default 1e-5. */
  normEpsilon?: number;
  /** Default 'learned'. */
  positions?: 'learned' | 'none' | 'rotary';
  /** Default 10000. */
  rotaryBase?: number;
  /** Default 'gelu'. */
  feedForward?: 'gelu' | 'swiglu';
  /** Default true. */
  finalNorm?: boolean;
  /** Which linear maps have biases ('all': and a layer-norm, too). Default 'feed-forward'. */
  biases?: 'none' | 'feed-forward' | 'all';
  /** Share of numbers dropped while training: after the embedding, in attention, after each branch. Default 0. */
  dropout?: number;
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
  /**
   * Sequences of contextLength tokens a batch (of a direct path: (token, next token) pairs); ignored with
   * `bigramCounts`, which always uses the whole table.
   */
  batchSize?: number;
  /** Batches a step; its gradient is their mean. Default 1. */
  gradientAccumulation?: number;
  /**
   * Multiplies the input part of the embedding's gradient: a constant, or up to 16 pairs [step, value], ascending, with
   * straight lines between them. Default 1.
   */
  inputGradientScale?: number | readonly (readonly [step: number, value: number])[];
  /** Multiply the learning rate, by role; a matrix with both roles takes `embedding`. Default 1 each. */
  learningRateMultipliers?: { embedding?: number; unembedding?: number; inner?: number };
  /** Whether weight decay applies to embedding, unembedding and positions as well. Default true. */
  decayEmbeddings?: boolean;
  /** Order of the data, and start of the weights unless `initSeed` is given. A whole number below 2^53. */
  seed: number;
  initSeed?: number;
}

export type TrainerOptions =
  | {
      model: ModelConfig;
      training: TrainingConfig;
      /** The stream of text; pairs (t, t + 1), or sequences of contextLength tokens, are drawn from it. */
      tokenIds: Uint32Array;
      validationTokenIds?: Uint32Array;
      /** What made the ids: kept with the trainer and in its files, for bits per byte and for text in and out. */
      tokenizer?: Tokenizer;
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
  /** The norm of the input part before it is scattered: of the gradient of each looked-up row, [tokens, d]. */
  inputPositionGradientNorm: number;
  /** The share by that norm. */
  inputPositionShare: number;
  /** Cosine between the input part and the output part, both as [V, d] matrices. */
  gradientCosine: number;
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

export interface EvaluateOptions {
  /** Stops a lab's evaluation of a long text; rejects (or throws) with code 'cancelled'. */
  signal?: AbortSignal;
}

export interface Evaluation {
  loss: number;
  perplexity: number;
  tokens: number;
  /** loss * tokens / ln 2 / bytes of the tokens predicted; null where the trainer has no tokenizer to tell them. */
  bitsPerByte: number | null;
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
  /** Transformer: tokens of each sequence; divides their number. Default: contextLength, or all where they are fewer. */
  sequenceLength?: number;
}

export interface GenerateOptions {
  /** Ids, or a text where the trainer has a tokenizer; at least one token. */
  prompt: Uint32Array | string;
  /** How many tokens to write. */
  tokens: number;
  /** 0 = always the most probable one. Default 1. */
  temperature?: number;
  /** Only the k most probable tokens are drawn from. Default: all. */
  topK?: number;
  /** Default 0. */
  seed?: number;
  /** Called as tokens come, with the new ones. */
  onTokens?: (tokenIds: Uint32Array, text: string | null) => void;
  /** Stops after the tokens that are there; rejects (or throws) with code 'cancelled'. */
  signal?: AbortSignal;
}

export interface Generation {
  /** The new tokens, without the prompt. */
  tokenIds: Uint32Array;
  text: string | null;
}

/** How much each token looks at each token up to itself. */
export interface Attention {
  layer: number;
  head: number;
  /** [from, to], rows summing to 1. */
  weights: Matrix;
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
  evaluate(tokenIds?: Uint32Array, options?: EvaluateOptions): Evaluation;
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
  /** Logits of the token after each of these, [tokens, V]; at most contextLength tokens. */
  logits(tokenIds: Uint32Array): Matrix;
  /** The residual stream [tokens, d]: before the first layer, and after each. Before the final norm. */
  hiddenStates(tokenIds: Uint32Array): Matrix[];
  /** Every head of every layer; none for a direct path. */
  attention(tokenIds: Uint32Array): Attention[];
  /** Continues the prompt. Beyond contextLength it sees the last contextLength tokens. */
  generate(options: GenerateOptions): Generation;
  /** A new handle of the tokenizer that the trainer was given; null where it has none. */
  tokenizer(): Tokenizer | null;
  save(): Uint8Array;
  /**
   * The weights as a safetensors file: under the names of Hugging Face's GPT-2 where the architecture is GPT-2's, else
   * under those of `parameters()`. A tied matrix is written once; `__metadata__` names the alias.
   */
  toSafetensors(): Uint8Array;
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

  createTrainer(options: TrainerOptions): Trainer;
  loadTrainer(bytes: Uint8Array): Trainer;
  /**
   * A model that another program trained, ready to be looked at and to write; with `training` and `tokenIds` it trains
   * on. 'llama2c': the .bin files of llama2.c, version 0.
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
  [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: { [I in keyof A]: FromRemote<A[I]> }) => Promise<Awaited<Remotely<R>>>
    : T[K];
};
type Remotely<R> = R extends Trainer ? LabTrainer : R extends Tokenizer ? LabTokenizer : R;
/** Options that take a tokenizer take one of the same lab. */
type FromRemote<A> = A extends unknown
  ? 'tokenizer' extends keyof A
    ? Omit<A, 'tokenizer'> & { tokenizer?: LabTokenizer }
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
  workerUrl?: string | URL;
}

export type Lab = Remote<Omit<WithoutDispose<Core>, 'version' | 'simd'>> & {
  readonly version: string;
  readonly simd: 'simd128' | 'relaxed';
  /** 'same-thread' where workers are not allowed: the work is done in time slices between the page's own. */
  readonly mode: 'worker' | 'same-thread';
} & Disposable_;
