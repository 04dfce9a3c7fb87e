/** What trainers take and give; a part of types.ts. */

import type { EncoderDecoderConfig, ModelConfig, TrainingConfig } from './config-types.js';
import type { Matrix } from './direct-path-types.js';
import type { TokenPairs } from './pair-types.js';
import type { Tokenizer } from './text-types.js';

export type TrainerOptions =
  | {
      model: ModelConfig;
      training: TrainingConfig;
      /** The stream of text; pairs (t, t + 1), or sequences of contextLength tokens, are drawn from it. */
      tokenIds: Uint32Array;
      /** Text that is not trained on: what `evaluate()` reads. */
      validationTokenIds?: Uint32Array;
      /** What made the ids: kept with the trainer and in its files, for bits per byte and for text in and out. */
      tokenizer?: Tokenizer;
      bigramCounts?: never;
      pairs?: never;
      validationPairs?: never;
    }
  | {
      model: ModelConfig;
      training: TrainingConfig;
      /** [V, V]: the exact expected loss over the whole table, each step. */
      bigramCounts: Matrix;
      tokenIds?: never;
      validationTokenIds?: never;
      tokenizer?: never;
      pairs?: never;
      validationPairs?: never;
    }
  | {
      model: EncoderDecoderConfig;
      training: TrainingConfig;
      /** What each step draws its batch from. */
      pairs: TokenPairs;
      /** Pairs that are not trained on: what `evaluate()` and `evaluatePairs()` read. */
      validationPairs?: TokenPairs;
      /** What made the ids: kept with the trainer and in its files, for texts in and out. */
      tokenizer?: Tokenizer;
      tokenIds?: never;
      validationTokenIds?: never;
      bigramCounts?: never;
    };

export interface StepRecord {
  /** 1 after the first step. */
  step: number;
  /** Of this step's data, before its update, nats per token. */
  loss: number;
  /** ‖·‖_F of the embedding's gradient through its input role (reading), [V, d]; without inputGradientScale. */
  inputGradientNorm: number;
  /** ‖·‖_F of the gradient of the matrix in the output role (writing). */
  outputGradientNorm: number;
  /** inputGradientNorm / (inputGradientNorm + outputGradientNorm), 0 to 1. */
  inputShare: number;
  /** Norm of the input part by place in the data: [tokens, d], before the rows of equal tokens are added up. */
  inputPositionGradientNorm: number;
  /** inputPositionGradientNorm / (inputPositionGradientNorm + outputGradientNorm), 0 to 1. */
  inputPositionShare: number;
  /** Cosine between the input part and the output part, both as [V, d] matrices: -1 to 1, 0 if one of them is zero, and of an untied adaptive head. */
  gradientCosine: number;
  /** Norm of the gradient of all parameters, inputGradientScale included, before clipping. */
  gradientNorm: number;
  /** ‖W - W_start‖_F / ‖W_start‖_F; of two matrices that were joined, against the mean of their starts. */
  embeddingDrift: number;
  /** The same of the matrix that writes; for tied models equal to `embeddingDrift`. */
  unembeddingDrift: number;
  /** Of an encoder-decoder only: ‖·‖_F of the gradient through what its encoder reads, [V, d]; without inputGradientScale. */
  encoderGradientNorm?: number;
  /** Of an encoder-decoder only: the drift of the table that its encoder reads. */
  encoderEmbeddingDrift?: number;
  /** Tokens trained on, by the clock: the one number here that differs from run to run. */
  tokensPerSecond: number;
}

/** The fields of {@link StepRecord}, each as a column with one element per record. */
export type StepColumns = { [Name in keyof StepRecord]: Float64Array };

export interface RunOptions {
  /** Share done, 0 to 1, and the newest record. */
  onProgress?: (fraction: number, record: StepRecord) => void;
  /** Stops within one step; what was done stays done. The promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal;
  /** Keep a record of every n-th step, and always of the last. Default 1; a run that would keep more than a million is refused. */
  recordEvery?: number;
  /** Give the records as {@link StepColumns}: a few arrays instead of an object per record. Default false. */
  columns?: boolean;
}

export interface RewindOptions {
  /** Share of the replay that is done, 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Stops within one step, at an earlier step of the same run. The promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal;
}

export interface EvaluateOptions {
  /** Stops a lab's evaluation of a long text; rejects (or throws) with code 'cancelled'. */
  signal?: AbortSignal;
}

export interface Evaluation {
  /** Nats per token. A transformer reads sequences of contextLength tokens, one after the other. */
  loss: number;
  /** exp(loss) */
  perplexity: number;
  /** Tokens predicted. */
  tokens: number;
  /**
   * Of a culled head only: further tokens, which it cannot predict. They are not in the loss, which is 0 where there are no
   * others. `lostTokens / (tokens + lostTokens)` is the lost share of the text.
   */
  lostTokens?: number;
  /**
   * loss * tokens / ln 2 / bytes of the tokens predicted; null if the trainer has no tokenizer to tell them, a culled head, or a
   * model that reads pairs.
   */
  bitsPerByte: number | null;
}

export interface ParameterInfo {
  name: string;
  /** [rows, columns] of a matrix, [length] of a vector. */
  shape: number[];
  /** Name of the parameter whose storage this one shares now, or null. */
  tiedTo: string | null;
  /** Its own parameters; 0 if it is tied to another. */
  count: number;
}

/**
 * The exact gradient of the embedding, split by role. total = inputGradientScale * input + output for a tied matrix, and
 * inputGradientScale * input if the unembedding is a separate matrix. In an encoder-decoder the embedding is what the decoder
 * reads, and total has + inputGradientScale * encoder if its encoder reads the same matrix.
 */
export interface GradientLedger {
  /** [V, d] through reading; of factorised tables, all parts are [V, tableRank]. */
  input: Matrix;
  /**
   * [V, d] through writing; of the unembedding if that is a separate matrix, which an untied adaptive head has for the tokens
   * before its first cutoff only.
   */
  output: Matrix;
  /** [V, d] through what an encoder reads; of an encoder-decoder only. */
  encoder?: Matrix;
  /** [V, d] what the embedding's optimizer receives, before clipping. */
  total: Matrix;
  /** Of factorised tables only: the same parts of the factor's gradient, [tableRank, d]. */
  factor?: { input: Matrix; output: Matrix; total: Matrix };
  /** How many rows each part touches: of `input` those of the tokens read, of `output` usually all. */
  inputRows: number;
  outputRows: number;
  /** Of `encoder`. */
  encoderRows?: number;
  /** Norm of the part through reading with one gradient per position, [tokens, d], not summed by token. */
  inputPositionNorm: number;
}

/** Tokens to take a gradient on: targets[i] follows inputs[i]. */
export interface PairBatch {
  inputs: Uint32Array;
  targets: Uint32Array;
  /** Transformer: tokens of each sequence; divides their number. Default: contextLength, or all where they are fewer. */
  sequenceLength?: number;
}

export interface GenerateOptions {
  /**
   * Ids, or a text where the trainer has a tokenizer; at least one token. Before a text, not before ids, a tokenizer of
   * llama2.c puts its start token.
   */
  prompt: Uint32Array | string;
  /** How many tokens to write. */
  tokens: number;
  /** Logits are divided by it: below 1 what is probable becomes more so; 0 = always the most probable. Default 1. */
  temperature?: number;
  /** Only the k most probable tokens are drawn from. Default: all. */
  topK?: number;
  /** Default 0. */
  seed?: number;
  /** Called as tokens come, with the new ones and what they add to the text. */
  onTokens?: (tokenIds: Uint32Array, text: string | null) => void;
  /** Stops after the tokens that are there; rejects (or throws) with code 'cancelled'. */
  signal?: AbortSignal;
}

export interface Generation {
  /** The new tokens, without the prompt. */
  tokenIds: Uint32Array;
  /** What they add to the prompt's text; null if the trainer has no tokenizer. */
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

export interface GgufOptions {
  /** Of matrices. Default 'F32'. */
  type?: 'F32' | 'F16';
}

export interface MemoryPart {
  name: string;
  bytes: number;
}

export interface MemoryEstimate {
  /** Of all parts, data left out. */
  bytes: number;
  parts: MemoryPart[];
  /**
   * Of the file of `save()`; options, data and tokenizer left out. Saving takes none of the core's memory, but `loadTrainer`
   * reads the file beside the new trainer: where both together exceed 2 GiB it refuses.
   */
  fileBytes: number;
}
