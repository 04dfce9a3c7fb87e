/** What users see of configurations of models and of training; a part of types.ts. */

/**
 * Which matrices share storage, and through what. Logits, h being what is read out of the model (of a direct path: the
 * embedding row): `h Eᵀ` (tied), `h Uᵀ` (untied), `h M Eᵀ` (tied-linear, M [d, d] starts as the identity),
 * `(h + mlp(h)) Eᵀ` (tied-mlp, direct path only, starts at zero effect), `h (E + A Bᵀ)ᵀ` (tied-low-rank, transformer
 * only, A [V, r] starts at zero).
 */
export type Tying = 'tied' | 'untied' | 'tied-linear' | 'tied-mlp' | 'tied-low-rank';

/**
 * One change of the tying while the model trains: tied up to and including the step named, then two matrices that start as
 * copies of the one; or two matrices that become one, their mean. Optimizer state is split or joined with them. The step
 * is given, or the first at which a condition holds.
 */
export type TyingChange =
  { untieAtStep: number } | { tieAtStep: number } | { untieWhen: TyingCondition } | { tieWhen: TyingCondition };

/**
 * Tying that changes while the model trains: once, or up to 8 times, untying and tying in turn. Of several changes, given
 * steps ascend, and a condition counts its steps from the change before it. At a given step, changes before it whose
 * condition has not held are left out. More than one needs the wasm module `models`: a lab fetches it, `loadCore` takes
 * `modules: ['models']`.
 */
export type TyingSchedule = TyingChange | readonly TyingChange[];

/**
 * What has to be measured before the tying changes. Steps are taken in whole blocks; at the end of each, the mean
 * of its steps' `inputShare` (as in their records, kept or not) is compared. `setMatrix` begins a new block.
 */
export interface TyingCondition {
  /** From 0 to 1. */
  inputShare: { above: number } | { below: number };
  /** Steps of a block. */
  over: number;
  /** Steps before the first block, such as a warm-up; after another change, from that one. Default 0. */
  from?: number;
}

/**
 * What predicts the next token. Frequencies are those of the training tokens, so every head but the full one needs
 * `tokenIds`; tokens of equal frequency are in the order of their ids. Only 'full' goes with tying 'tied-low-rank', and
 * 'adaptive' with no tying that changes. Others
 * update only the rows of the tables that a step touches: AdamW is lazy, that is, a row that is left out of a step neither
 * moves nor decays, and its moments do not fade. They need the wasm module `models`: a lab fetches it, `loadCore` takes
 * `modules: ['models']`.
 *
 * - `full`: a softmax over all tokens.
 * - `sampled`: training steps use a softmax over the target and `samples` tokens, drawn with replacement for the whole batch
 *   by `proposal`: 'log-uniform', log(1 + 1 / r) for the r-th most frequent token, or 'counts', one more than their counts.
 *   A drawn token's logit is corrected by the logarithm of how often it is expected, and a drawn target is removed. Losses of
 *   records are sampled ones; `evaluate` and everything else use the full softmax.
 * - `adaptive`: a softmax over the most frequent tokens, up to the first of the `cutoffs`, and one more entry for each of the
 *   clusters that begin at a cutoff; then one over the tokens of a cluster, whose vectors are `divisor`, `divisor`², … times
 *   narrower and meet the hidden state through a learned map. With 'untied' the clusters have tables of their own
 *   (`tails.0.table`, …; rows in the order of frequency, as those of `unembedding`, which has the frequent tokens only). With
 *   every other tying they read the first elements of the tokens' rows in the one table. Exact, as `clustered`.
 * - `clustered`: a softmax over `clusters` groups of tokens of similar frequency, then one over the tokens of a group. Exact:
 *   it sums to 1. Its logits are logarithms of probabilities.
 * - `culled`: a softmax over some tokens only, `kept` of the most frequent, or those of a list. Others have probability 0 and
 *   the logit -1e30. Losses are means over the targets that are kept; `evaluate` counts the others as `lostTokens`.
 */
export type HeadConfig =
  | { kind: 'full' }
  | {
      kind: 'sampled';
      /** Tokens drawn per batch. */
      samples: number;
      /** Default 'log-uniform'. */
      proposal?: 'log-uniform' | 'counts';
    }
  | {
      kind: 'adaptive';
      /** 1 to 4 ranks by frequency, ascending, below vocabSize. */
      cutoffs: readonly number[];
      /** Default 4. */
      divisor?: number;
    }
  | {
      kind: 'clustered';
      /** From 2 to vocabSize; √vocabSize costs least. */
      clusters: number;
    }
  | {
      kind: 'culled';
      /** How many of the most frequent tokens, or the ids. */
      kept: number | Uint32Array;
    };

/**
 * Input tables that only read, one for each n from 2 to `order`, each [rows, dModel] (`ngrams.2`, `ngrams.3`, …). At each
 * position, the row of the n-gram that ends there is added to the token's row: its token and the n - 1 before it in the sequence,
 * or as many as there are at the start. The row is a hash of the tokens modulo `rows`, from the last token t to the first:
 * h ← mix(h + 0x9E3779B97F4A7C15 (t + 1)), from h = 0, in 64 bits, with the mix of SplitMix64. N-grams of one row share it.
 *
 * These tables have no part in the output, tied or not. They start as other matrices do, decay and learn as the embedding
 * (`embedding` of `learningRateMultipliers`, `inputGradientScale`), and a step changes only the rows that it reads, as in models
 * with another head. Norms, shares and drifts of records are those of the embedding alone. They need the wasm module `models`: a
 * lab fetches it, `loadCore` takes `modules: ['models']`.
 */
export interface NgramConfig {
  /** From 2 to 8. */
  order: number;
  /** Of each table. */
  rows: number;
}

/** What models of all kinds have. */
interface AnyModelConfig {
  vocabSize: number;
  dModel: number;
  /**
   * 'sqrt-d-model' multiplies looked-up rows by √dModel, in models of all kinds; it is never baked into the matrix.
   * Default 'none'.
   */
  embeddingScale?: 'none' | 'sqrt-d-model';
  /** One learned bias per token, added to its logit. Default false. */
  outputBias?: boolean;
  /** Standard deviation of the normal start of matrices. Default 0.02. */
  initStd?: number;
  /** Width of the hidden layers: of tied-mlp, and of the layers of transformers and encoder-decoders. Default 4 dModel. */
  dFeedForward?: number;
}

/** What direct paths and transformers have. */
interface TwoTableConfig extends AnyModelConfig {
  tying: Tying | TyingSchedule;
  /** Default `{ kind: 'full' }`, which is absent from a trainer's `model`. */
  head?: HeadConfig;
  /**
   * Rank of factorised tables, at most dModel: each is the product of a matrix [V, tableRank], one row per token, and a factor
   * [tableRank, dModel] (`embedding.factor`, `unembedding.factor`). Tied models share both. With tying 'tied' or 'untied' that does
   * not change, and any head but 'adaptive'; needs the module `models`, as other heads do. Absent: tables [V, dModel].
   */
  tableRank?: number;
}

/** What the layers of transformers and encoder-decoders have. They normalise before they read. */
interface LayersConfig {
  /** Query heads; divides dModel. Default 4. */
  nHeads?: number;
  /** Key and value heads (grouped queries); divides nHeads. Default nHeads. */
  nKeyValueHeads?: number;
  /** Most tokens of one sequence; of an encoder-decoder, of a target and the token that starts it. Default 64. */
  contextLength?: number;
  /** Default 'rms-norm'. */
  norm?: 'rms-norm' | 'layer-norm';
  /** Added to the mean square (layer-norm: to the variance) before its root is taken. Default 1e-5. */
  normEpsilon?: number;
  /** Default 'learned'. */
  positions?: 'learned' | 'none' | 'rotary';
  /** With `positions: 'rotary'` only. Default 10000. */
  rotaryBase?: number;
  /** 'gelu' in its tanh form, as in GPT-2. Default 'gelu'. */
  feedForward?: 'gelu' | 'swiglu';
  /** Whether the output of the last layer is normalised before it is read out. Default true. */
  finalNorm?: boolean;
  /** Which linear maps have biases ('all': layer-norms too). Default 'feed-forward'. */
  biases?: 'none' | 'feed-forward' | 'all';
  /** Probability that an element is dropped in training: after the embedding, in attention, after each branch. Default 0. */
  dropout?: number;
}

/** Refused where they are given: what only models of another kind have. */
type Absent<Names extends PropertyKey> = Partial<Record<Names, never>>;
type OfTransformers = 'lowRank' | 'nLayers' | 'ngrams';
type OfTextModels = 'head' | 'tableRank';
type OfEncoderDecoders = Exclude<
  keyof EncoderDecoderConfig,
  keyof AnyModelConfig | keyof LayersConfig | 'kind' | 'tying' | OfTextModels | OfTransformers
>;

/** Logits from the embedding row alone. */
export interface DirectPathConfig
  extends TwoTableConfig, Absent<keyof LayersConfig | OfTransformers | OfEncoderDecoders> {
  kind: 'direct-path';
}

/** A decoder. */
export interface TransformerConfig extends TwoTableConfig, LayersConfig, Absent<OfEncoderDecoders> {
  kind: 'transformer';
  /** Rank of the correction of tied-low-rank, at most dModel. Default 8, or dModel where that is less. */
  lowRank?: number;
  /** Default 4. */
  nLayers?: number;
  /** Default: none. */
  ngrams?: NgramConfig;
}

/** The three tables of tokens of an encoder-decoder: two are read, one predicts. */
export type TokenTable = 'encoder-input' | 'decoder-input' | 'output';

/**
 * Which of the three tables of an encoder-decoder are one. 'all': all three. 'decoder': the decoder's two. 'none': each is a
 * table of its own. Otherwise those named, two or three; a trainer says `{ tables }` of two, in the order of `TokenTable`,
 * where no word says it.
 */
export type PairTying = 'all' | 'decoder' | 'none' | { tables: readonly TokenTable[] };

/**
 * An encoder that reads a source in both directions, and a decoder that continues a target, attending to all of the source.
 * It is trained on pairs, and needs the wasm module `models`: a lab fetches it, `loadCore` takes `modules: ['models']`.
 */
export interface EncoderDecoderConfig extends AnyModelConfig, LayersConfig, Absent<OfTransformers | OfTextModels> {
  kind: 'encoder-decoder';
  tying: PairTying;
  /** Default 2. */
  nEncoderLayers?: number;
  /** Default 2. */
  nDecoderLayers?: number;
  /** Most tokens of a source. Default 32. */
  sourceLength?: number;
  /** Ids of the tokens before and after each target, which no target may contain. Defaults 0 and 1. */
  startToken?: number;
  endToken?: number;
  /** 'inverse-sqrt-d-model' divides logits by √dModel, as in T5 with tied tables. Default 'none'. */
  logitScale?: 'none' | 'inverse-sqrt-d-model';
}

/** Models that continue a text. */
export type TextModelConfig = DirectPathConfig | TransformerConfig;

export type ModelConfig = TextModelConfig | EncoderDecoderConfig;

/**
 * A factor: a constant, or up to 16 pairs [steps done, value], ascending, with straight lines between them and the nearest
 * value outside.
 */
export type FactorSchedule = number | readonly (readonly [step: number, value: number])[];

export interface TrainingConfig {
  /**
   * 'coupled-adamw' is AdamW, but all rows of a table of tokens share one second moment (a value for each column): their mean
   * square of gradients, as in arXiv 2502.08441. Default 'adamw'.
   */
  optimizer?: 'adamw' | 'sgd' | 'coupled-adamw';
  learningRate: number;
  /** Steps of linear warm-up. Default 0. */
  warmupSteps?: number;
  /** Default 'constant'. 'cosine' falls from `learningRate` to `finalLearningRateFraction` of it at `totalSteps`. */
  decay?: 'constant' | 'cosine';
  /** Where the cosine ends; needed for `decay: 'cosine'`. */
  totalSteps?: number;
  /** Default 0. */
  finalLearningRateFraction?: number;
  /** Decoupled from the gradient; of matrices only, not of biases and norms. Default 0. */
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
   * Sequences of contextLength tokens a batch (of a direct path: (token, next token) pairs; of an encoder-decoder: pairs of a
   * source and a target). Needed with `tokenIds` and `pairs`; ignored with `bigramCounts`, which always uses the whole table.
   */
  batchSize?: number;
  /**
   * Batches per step, one after the other: memory for one, the gradient of all (their mean). Ignored with `bigramCounts`.
   * Default 1.
   */
  gradientAccumulation?: number;
  /**
   * Multiplies the input part of the embedding's gradient (of an encoder-decoder: of both tables that are read): a constant, or
   * pairs [steps done, value]. Records tell the parts without it. Default 1.
   */
  inputGradientScale?: FactorSchedule;
  /**
   * Multiply the learning rate, by role: of the embedding, of the unembedding, and of all else; a matrix with both roles
   * takes `embedding`, as does an encoder's own table. Constants, or pairs [steps done, value]. At 0 nothing moves. Default 1 each.
   */
  learningRateMultipliers?: { embedding?: FactorSchedule; unembedding?: FactorSchedule; inner?: FactorSchedule };
  /**
   * Share of each target that is spread evenly over all tokens, in training steps and `gradient`; of a clustered or adaptive head, in each
   * of its two softmaxes, and of a culled one, over the kept tokens. `evaluate` is without it. Needs the module `models`, as heads
   * do. From 0 to below 1. Default 0.
   */
  labelSmoothing?: number;
  /**
   * Divides the logits, in training and in everything that the model predicts; `generate` has a temperature of its own besides.
   * Needs the module `models`. From 0.001 to 1000. Default 1. A file of weights does not have it: give it to `toTrainer`, too.
   */
  temperature?: number;
  /** Whether weight decay applies to embedding, unembedding and positions as well. Default true. */
  decayEmbeddings?: boolean;
  /** Which data each step draws, dropout, and the start of the weights. An integer below 2^53. */
  seed: number;
  /** Start of the weights, where it is to differ from `seed`. */
  initSeed?: number;
}
