/// <reference lib="esnext.disposable" preserve="true" />
/** What users see of models and their training; a part of types.ts. */
import type { Matrix, Tokenizer } from './types.js';

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
  /**
   * [from, to] logits of the token after each of `from`, as the model computes them, bias and MLP included. Each token is
   * read alone: of a transformer, as a sequence of that one token.
   */
  nextTokenLogits(options: NextTokenOptions): Matrix;
  /** [from, to] P(to | from), each of `from` read alone. */
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
