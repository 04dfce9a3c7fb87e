/** What trainers accept and return; a part of types.ts. */

import type { EncoderDecoderConfig, ModelConfig, TrainingConfig } from '../model/types.js';
import type { Matrix } from '../direct-path/types.js';
import type { FileBytes } from '../runtime/types.js';
import type { TokenPairs } from './pair-types.js';
import type { Tokenizer } from '../text/types.js';

export type TrainerOptions =
  | {
      model: ModelConfig;
      training: TrainingConfig;
      /** The training text; pairs (t, t + 1), or sequences of contextLength tokens, are drawn from it. */
      tokenIds: Uint32Array;
      /** Text that is not trained on; `evaluate()` reads it. */
      validationTokenIds?: Uint32Array;
      /** The tokenizer of the ids: stored with the trainer and in its files, for bits per byte and for text as input and output. */
      tokenizer?: Tokenizer;
      bigramCounts?: never;
      pairs?: never;
      validationPairs?: never;
    }
  | {
      model: ModelConfig;
      training: TrainingConfig;
      /** [V, V], whole numbers: each step trains on the exact expected loss over the whole table. */
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
      /** Pairs that are not trained on; `evaluate()` and `evaluatePairs()` read them. */
      validationPairs?: TokenPairs;
      /** The tokenizer of the ids: stored with the trainer and in its files, for text as input and output. */
      tokenizer?: Tokenizer;
      tokenIds?: never;
      validationTokenIds?: never;
      bigramCounts?: never;
    };

export interface StepRecord {
  /** 1 after the first step. */
  step: number;
  /** Loss on this step's data, before its update, nats per token. */
  loss: number;
  /** ‖·‖_F of the input part of the embedding's gradient, [V, d]; without inputGradientScale. */
  inputGradientNorm: number;
  /** ‖·‖_F of the gradient of the matrix in the output role. */
  outputGradientNorm: number;
  /**
   * inputGradientNorm / (inputGradientNorm + outputGradientNorm), 0 to 1. A ratio of norms, not a part of the gradient: the two parts may cancel.
   * Where a tied table has fitted its data they do, and this is about 1/2 for every model.
   */
  inputShare: number;
  /** Norm of the input part by position in the batch, [tokens, d], before the rows of equal tokens are summed. */
  inputPositionGradientNorm: number;
  /** inputPositionGradientNorm / (inputPositionGradientNorm + outputGradientNorm), 0 to 1. */
  inputPositionShare: number;
  /** Cosine between the input part and the output part, both as [V, d] matrices: -1 to 1; 0 if one of them is zero, and for an untied adaptive head. */
  gradientCosine: number;
  /** Norm of the gradient of all parameters, including both gradient scales, before clipping. */
  gradientNorm: number;
  /** ‖W - W_start‖_F / ‖W_start‖_F; for two matrices that were joined, relative to the mean of their starts. */
  embeddingDrift: number;
  /** The same for the output matrix; in tied models equal to `embeddingDrift`. */
  unembeddingDrift: number;
  /** Encoder-decoders only: ‖·‖_F of the gradient through the encoder's input table, [V, d]; without inputGradientScale. */
  encoderGradientNorm?: number;
  /** Encoder-decoders only: the drift of the encoder's input table. */
  encoderEmbeddingDrift?: number;
  /** With value embeddings only: ‖·‖_F of the gradient of their table in this role, [V, width of values]; without inputGradientScale. */
  valueGradientNorm?: number;
  /** With value embeddings only: the drift of their table; with 'tied', equal to `embeddingDrift`. */
  valueEmbeddingDrift?: number;
  /** Tokens trained on per second of wall time: the only number here that differs from run to run. */
  tokensPerSecond: number;
}

/** The fields of {@link StepRecord}, each as a column with one element per record. */
export type StepColumns = { [Name in keyof StepRecord]: Float64Array };

export interface RunOptions {
  /** Called with the fraction done, 0 to 1, and the newest record. */
  onProgress?: ((fraction: number, record: StepRecord) => void) | undefined;
  /** Stops within one step; completed steps remain. The promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal | undefined;
  /** Record every n-th step, and always the last. Default 1; a run with more than a million records is refused. */
  recordEvery?: number;
  /** Return the records as {@link StepColumns}: a few arrays instead of an object per record. Default false. */
  columns?: boolean;
}

export interface RewindOptions {
  /** Called with the fraction of the replay done, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Stops within one step, at an earlier step of the same run. The promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

export interface EvaluateOptions {
  /** Stops a lab's evaluation of a long text; rejects (or throws) with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

export interface Evaluation {
  /** Nats per token. A transformer reads sequences of contextLength tokens, one after the other. */
  loss: number;
  /** exp(loss) */
  perplexity: number;
  /** Tokens predicted. With another `objective` than 'next-token', the same ones, of which some are hidden and the loss is theirs. */
  tokens: number;
  /**
   * Culled heads only: further tokens, which the head cannot predict. They are not part of the loss, which is 0 if there
   * are no others. `lostTokens / (tokens + lostTokens)` is the lost fraction of the text.
   */
  lostTokens?: number;
  /**
   * loss * tokens / ln 2 / bytes of the predicted tokens, which can be compared between tokenizers. Null if that would be no measure of the
   * whole text: one of the tokens is the unknown one, as usual with word tokenizers, the head is culled, or the objective is 'masked'; and if the trainer has no
   * tokenizer to count bytes with, or reads pairs.
   */
  bitsPerByte: number | null;
}

export interface ParameterInfo {
  name: string;
  /** [rows, columns] of a matrix, [length] of a vector. */
  shape: number[];
  /** Name of the parameter whose storage this one shares now, or null. */
  tiedTo: string | null;
  /** Number of its own parameters; 0 if it is tied to another. */
  count: number;
}

/**
 * The exact gradient of the embedding, split by role. total = inputGradientScale * input + outputGradientScale * output for a tied matrix, and
 * inputGradientScale * input if the unembedding is a separate matrix. In an encoder-decoder the embedding is the decoder's
 * input table, and total includes + inputGradientScale * encoder if its encoder reads the same matrix. With value embeddings
 * that are tied, total includes + inputGradientScale * value.
 */
export interface GradientLedger {
  /** [V, d]: the input part. With factorized tables, all parts are [V, tableRank]. */
  input: Matrix;
  /**
   * [V, d]: the output part; of the unembedding if that is a separate matrix. In an untied adaptive head that matrix covers
   * only the tokens before the first cutoff.
   */
  output: Matrix;
  /** [V, d]: the part through the encoder's input table; encoder-decoders only. */
  encoder?: Matrix;
  /** [V, width of values]: the part through the value embeddings, of their own table or of the embedding; models with them only. */
  value?: Matrix;
  /** [V, d]: what the embedding's optimizer receives, before clipping. */
  total: Matrix;
  /** Factorized tables only: the same parts of the factor's gradient, [tableRank, d]. */
  factor?: { input: Matrix; output: Matrix; total: Matrix };
  /** How many rows each part touches: `input` the rows of the tokens read, `output` usually all. */
  inputRows: number;
  outputRows: number;
  /** The same for `encoder`. */
  encoderRows?: number;
  /** The same for `value`. */
  valueRows?: number;
  /** Norm of the input part with one gradient per position, [tokens, d], not summed by token. */
  inputPositionNorm: number;
}

/** A folder that transformers opens: what each file holds, by its name. */
export interface TransformersFiles {
  'model.safetensors': FileBytes;
  'config.json': FileBytes;
  /** Absent without a tokenizer, and for one that Hugging Face's tokenizers cannot follow: of kind 'word', or with two equal tokens. */
  'tokenizer.json'?: FileBytes;
}

/** Tokens to take a gradient on: targets[i] follows inputs[i]. */
export interface PairBatch {
  inputs: Uint32Array;
  targets: Uint32Array;
  /** Transformers: tokens per sequence; divides the number of tokens. Default: contextLength, or all tokens if they are fewer. */
  sequenceLength?: number;
}

export interface GenerateOptions {
  /**
   * Ids, or a text if the trainer has a tokenizer; at least one token. A llama2.c tokenizer puts its start token before
   * a text, but not before ids.
   */
  prompt: Uint32Array | string;
  /** How many tokens to write. */
  tokens: number;
  /** Divides the logits: below 1, probable tokens become more probable; 0 = always the most probable token. Default 1. */
  temperature?: number;
  /** Samples from the k most probable tokens only. Default: all. */
  topK?: number;
  /** Default 0. */
  seed?: number;
  /**
   * Once the text is longer than the context: `'read'` (default) reads its last `contextLength` tokens again for each
   * new one, which depends on them alone. `'keep'` keeps what each layer knows of them, for rotary positions or none and
   * without n-grams: a token costs as little as within the context. With one layer the result is the same but for
   * rounding, with several it also depends on older tokens.
   */
  beyondContext?: 'read' | 'keep';
  /** Called as tokens are generated, with the new tokens and what they add to the text. */
  onTokens?: ((tokenIds: Uint32Array, text: string | null) => void) | undefined;
  /** Stops after the tokens generated so far; rejects (or throws) with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

export interface Generation {
  /** The new tokens, without the prompt. */
  tokenIds: Uint32Array;
  /** What they add to the prompt's text; null if the trainer has no tokenizer. */
  text: string | null;
}

/** How much each token attends to each token up to itself. */
export interface Attention {
  layer: number;
  head: number;
  /** [from, to], rows summing to 1. */
  weights: Matrix;
}

export interface NextTokenOptions {
  /** Rows: ids of current tokens. */
  from: Uint32Array;
  /** Columns: ids of next tokens. Absent = all. Either way, probabilities are normalized over the whole vocabulary. */
  to?: Uint32Array;
}

export interface GgufOptions {
  /** Element type of matrices. Default 'F32'. */
  type?: 'F32' | 'F16';
}

export interface MemoryPart {
  name: string;
  bytes: number;
}

export interface MemoryEstimate {
  /** Total bytes, without the data. */
  bytes: number;
  parts: MemoryPart[];
  /**
   * Bytes of the file that `save()` writes, without options, data and tokenizer. Saving takes none of the core's memory, but
   * `loadTrainer` holds the file and the new trainer in memory at once, and refuses if they exceed 2 GiB together.
   */
  fileBytes: number;
}
