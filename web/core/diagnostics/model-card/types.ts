/** Public types of model cards: what a model is, how its tables are coupled, and what was measured on it. */
import type { DiagnosticOptions } from '../../runtime/types.js';
import type { AlignmentMethod } from '../types.js';
import type { ModelConfig, TrainingConfig, Tying, TyingSchedule } from '../../model/types.js';
import type { TunedLensOptions } from '../readout-types.js';
import type { StepRecord } from '../../training/types.js';

/** The fields of a step's record that a card uses. */
export type CardRecord = Pick<StepRecord, 'step' | 'loss' | 'inputShare' | 'inputPositionShare'>;

export interface ModelCardOptions extends DiagnosticOptions {
  /** The text that losses, layers and gradients are measured on: at least two tokens, preferably not from the training text. */
  tokenIds: Uint32Array;
  /** How often each token occurs [V], for frequency bands. Default: counted in `tokenIds`. */
  counts?: Uint32Array;
  /** Also trains a tuned lens and reads the layers with it; transformers only. Its own `tokenIds` is the text that the lens learns from. */
  tunedLens?: Omit<TunedLensOptions, keyof DiagnosticOptions>;
  /** The records that `run` returned, to show the input share over training; in ascending order of steps, at most a million. */
  records?: readonly CardRecord[];
  /** Number of random row orders for the chance level of alignments, 1 to 1,000. Default 3. */
  nullRuns?: number;
  /** Seed of the random orders and of the held-out rows. Default 0. */
  seed?: number;
}

export type CardUnit =
  | 'nats per token'
  | 'bits'
  | 'bits per byte'
  | 'tokens'
  | 'parameters'
  | 'dimensions'
  /** Of a whole; negative if parameters are added, or a prediction is worse than the mean. */
  | 'fraction'
  | 'cosine'
  /** Of ranks, -1 to 1. */
  | 'correlation'
  /** ‖·‖_F of a gradient of the mean loss, nats per token per unit of a weight. */
  | 'gradient norm'
  /** ‖·‖ of a row of a table. */
  | 'row norm'
  /** Without a unit. */
  | 'ratio';

/** A number with its unit and chance level. */
export interface CardNumber {
  /** Null if not defined, such as a correlation with a constant. */
  value: number | null;
  unit: CardUnit;
  /** What it would be by chance; null if it has no chance level. */
  chance: number | null;
  /** Standard deviation of the chance level; null if not known. */
  chanceDeviation: number | null;
}

/** Replaces a part that this model does not have, or that its sizes do not allow. */
export interface NotMeasured {
  /** Why, in one sentence. */
  notMeasured: string;
}

/** A factor: its value for the next step, and its pairs [steps done, value]; a single pair is a constant. */
export interface CardSchedule {
  now: number;
  schedule: [step: number, value: number][];
}

export interface CardTraining {
  optimizer: NonNullable<TrainingConfig['optimizer']>;
  /** Factor of the input part of the table's gradient. */
  inputGradientScale: CardSchedule;
  /** Factor of the output part; absent if it is 1 throughout. */
  outputGradientScale?: CardSchedule;
  /** Highest learning rates by role, including the highest multipliers. A table with both roles uses that of `embedding`. */
  learningRates: { embedding: number; unembedding: number; inner: number };
  /** Factors of the learning rate. */
  learningRateMultipliers: { embedding: CardSchedule; unembedding: CardSchedule; inner: CardSchedule };
  /** Steps of linear warm-up. */
  warmupSteps: number;
  decay: NonNullable<TrainingConfig['decay']>;
  /** The step at which the decay ends; null if the learning rate is constant. */
  totalSteps: number | null;
  /** Weight decay of the tables; 0 if only inner matrices decay. */
  tableWeightDecay: number;
  seed: number;
  initSeed: number;
}

/** How input and output tables are coupled. */
export interface CouplingPolicy {
  kind: ModelConfig['kind'];
  vocabSize: number;
  dModel: number;
  /** Null for a direct path. */
  nLayers: number | null;
  tying: Tying | TyingSchedule;
  /** The step at which the tying last changed; null if it has not changed by this step. */
  tyingChangedAt: number | null;
  /** The steps of all changes of the tying so far. */
  tyingChanges: number[];
  /** Pairs of parameters that are one matrix at this step. */
  shared: [name: string, tiedTo: string][];
  /** Factor of a looked-up row: 1 or √dModel. */
  embeddingScale: number;
  training: CardTraining | NotMeasured;
}

export interface CardParameters {
  /** In memory: a shared table counts once. */
  stored: CardNumber;
  /** Token tables stored, 1 or 2, and their parameters. */
  tables: number;
  tableParameters: CardNumber;
  /** Parameters of the map or correction between a table and its second role. */
  mapParameters: CardNumber;
  /** What `stored` would be with one table per role and no map. */
  untied: CardNumber;
  /** untied - stored; negative where this coupling adds parameters. */
  saved: CardNumber;
  savedOfStored: CardNumber;
  savedOfUntied: CardNumber;
}

/** Layers read as predictions. */
export interface CardLayers {
  /** Tokens whose divergence was measured. */
  tokens: number;
  /** Tokens without a loss: the last one, which has no next token. */
  leftOut: number;
  /** How the tuned lens was trained; `leftOut`: tokens of its text that no step drew. Null without a lens. */
  lens: {
    tokens: number;
    leftOut: number;
    steps: number;
    tokensPerStep: number;
    learningRate: number;
    seed: number;
  } | null;
  /** Before the first layer, ..., after the last, whose divergence from itself is exactly 0 bits. */
  layers: {
    /** Number of layers below. */
    layer: number;
    /** KL(last layer ‖ this one). */
    divergence: CardNumber;
    loss: CardNumber;
    /** The same for the tuned lens; null without one. */
    tunedDivergence: CardNumber | null;
    tunedLoss: CardNumber | null;
  }[];
  /** The effect of leaving out each layer in turn, from the first on, over the predictions of the text. */
  ablation: {
    /** The layer left out; 0 is the first. */
    layer: number;
    loss: CardNumber;
    /** Increase of the loss; 0 if the layer does nothing. */
    increase: CardNumber;
    standardError: number | null;
  }[];
}

/** The gradient of the tables on the text, without `inputGradientScale`. */
export interface CardGradient {
  /** Predictions. */
  tokens: number;
  leftOut: number;
  /** Norms of the input part and the output part, as [V, d] matrices. */
  inputNorm: CardNumber;
  outputNorm: CardNumber;
  inputShare: CardNumber;
  outputShare: CardNumber;
  /** The second definition of the input part: one gradient per position, not summed by token. */
  inputPositionNorm: CardNumber;
  inputPositionShare: CardNumber;
  outputPositionShare: CardNumber;
  /** Cosine of the input part with the output part. Chance: 0 and its standard deviation, with the rows of one part in a random order. */
  cosine: CardNumber;
  /** Fraction of the norm of the logits' gradient that reaches the hidden state; chance: √(d / V), a root mean square. */
  reach: CardNumber | NotMeasured;
}

/** The input share of the gradient during training, each value on the data of its step. */
export interface CardHistory {
  /** Number of records given, and of those not among `points`. There are at most 12 points, denser at the start. */
  records: number;
  leftOut: number;
  points: { step: number; loss: CardNumber; inputShare: CardNumber; inputPositionShare: CardNumber }[];
}

/** How well the rows of the input embedding map to those of the output embedding. */
export interface CardAlignment {
  /** Rows compared. */
  rows: number;
  leftOut: number;
  nullRuns: number;
  seed: number;
  /** Chance: the mean over runs with the rows in a random order. */
  meanCosine: CardNumber;
  /** The theoretical chance level for independent normal entries; null if none is known. */
  chanceInTheory: number | null;
  residual: CardNumber;
  /** For rows held out from the fit; a map that knows nothing about them has 0. */
  heldOut: { rows: number; meanCosine: CardNumber; residual: CardNumber } | null;
}

export interface CardTable {
  rows: number;
  leftOut: number;
  seed: number;
  /** Mean cosine of pairs of rows, and the same with the mean row subtracted. */
  meanCosine: CardNumber;
  centeredMeanCosine: CardNumber;
  isoScore: CardNumber;
  /** The smallest partition function over the largest. */
  partition: CardNumber;
  participationRatio: CardNumber;
  effectiveRank: CardNumber;
  /** How well rows predict log-frequency, in held-out rows: 0 is no better than the mean, and a fit to noise is below 0. */
  frequencyR2: CardNumber;
  /** Rank correlation of norms and frequency. */
  normSpearman: CardNumber;
  meanNorm: CardNumber;
  normDeviation: CardNumber;
}

export interface CardTables {
  /** 'derived': the output embedding is the input embedding after a map or with a correction. */
  relation: 'shared' | 'separate' | 'derived';
  alignments:
    Record<Extract<AlignmentMethod, 'identity' | 'orthogonal' | 'linear'>, CardAlignment | NotMeasured> | NotMeasured;
  input: CardTable | NotMeasured;
  output: CardTable | NotMeasured;
}

/** The direct path from token to token: no layers, no biases. */
export interface CardDirectPath {
  /** Rows of the square matrix. */
  rows: number;
  leftOut: number;
  symmetric: boolean;
  /** Without the final norm. Chance, for independent entries: √½. */
  asymmetry: CardNumber;
  /** As the model reads it: with the final norm and biases. */
  withFinalNorm: CardNumber | NotMeasured;
  /** The same through the feed-forward part of the first layer. */
  throughMlp0: CardNumber | NotMeasured;
}

export interface CardLoss {
  /** Predictions. */
  tokens: number;
  /** Tokens that nothing predicts: the first. */
  leftOut: number;
  /** Chance: all tokens are equally probable. */
  loss: CardNumber;
  /** The loss of a predictor that knows only token frequencies. */
  fromFrequencies: CardNumber;
  perplexity: CardNumber;
  /** Not measured without a tokenizer. */
  bitsPerByte: CardNumber | NotMeasured;
  /** Losses by how often the predicted token occurs. Chance: the loss of a predictor that knows only token frequencies. */
  bands: { from: number; to: number; tokens: number; loss: CardNumber; standardError: number | null }[];
}

/** Plain data: it survives JSON unchanged, and every number in it is finite or null. */
export interface ModelCardData {
  program: string;
  /** Steps trained. */
  step: number;
  seed: number;
  /** The text measured on; `distinct`: how many tokens of the vocabulary occur in it. */
  text: { tokens: number; distinct: number; counts: 'given' | 'of the text' };
  coupling: CouplingPolicy;
  parameters: CardParameters;
  layers: CardLayers | NotMeasured;
  gradient: CardGradient;
  history: CardHistory | NotMeasured;
  tables: CardTables;
  directPath: CardDirectPath | NotMeasured;
  loss: CardLoss;
}

export interface ModelCard {
  data: ModelCardData;
  /** The same numbers as Markdown text to paste, to four digits. */
  markdown: string;
}

export interface ModelCardVerbs {
  /**
   * A block for a model card: how the tables are coupled, what that saves, and what was measured on a text and on the tables, each
   * number with its unit, its chance level and what was left out. Changes nothing. Parts that this kind of model does not have say so.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range or an id is not below `vocabSize`; 'unsupported' if `tunedLens` is given for a direct path; 'shape-mismatch' if there are not `vocabSize` counts; 'not-finite' if a measure of the text is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.from({ length: 64 }, (_, i) => (i * i) % 8);
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 4, nLayers: 1, nHeads: 2, contextLength: 8, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 4, seed: 1 },
   *   tokenIds,
   * });
   * const { data, markdown } = trainer.modelCard({ tokenIds });
   * data.parameters.saved.value; // → 32
   * 'notMeasured' in data.directPath || data.directPath.asymmetry.value; // → 0
   * markdown.includes('| saved by this coupling | 32 | parameters |'); // → true
   * ```
   */
  modelCard(options: ModelCardOptions): ModelCard;
}
