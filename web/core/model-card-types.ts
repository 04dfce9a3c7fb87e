/** What users see of model cards: what a model is, how its tables are coupled, and what was measured on it. */
import type { Checkpoint } from './checkpoint-types.js';
import type { AlignmentMethod, DiagnosticOptions } from './diagnostics-types.js';
import type { ModelConfig, TrainingConfig, Tying, TyingSchedule } from './config-types.js';
import type { IdentityCard, IdentityCardOptions } from './identity-card-types.js';
import type { LabTrainer } from './lab-types.js';
import type { TunedLensOptions } from './readout-types.js';
import type { StepRecord } from './training-types.js';

/** What a card takes of a step's record. */
export type CardRecord = Pick<StepRecord, 'step' | 'loss' | 'inputShare' | 'inputPositionShare'>;

export interface ModelCardOptions extends DiagnosticOptions {
  /** The text that losses, layers and gradients are measured on; at least two tokens, best of text that was not trained on. */
  tokenIds: Uint32Array;
  /** How often each token occurs [V], for bands of frequency. Default: in `tokenIds`. */
  counts?: Uint32Array;
  /** Also trains a tuned lens and reads the layers with it; transformers only. `tokenIds` in it is the text that the lens learns from. */
  tunedLens?: Omit<TunedLensOptions, keyof DiagnosticOptions>;
  /** What `run` returned, for the share of the input part over training; in ascending order of steps, at most a million. */
  records?: readonly CardRecord[];
  /** Random orders of the rows for the chance level of alignments, 1 to 1,000. Default 3. */
  nullRuns?: number;
  /** Of the random orders, and of the rows that are held out. Default 0. */
  seed?: number;
}

export type CardUnit =
  | 'nats per token'
  | 'bits'
  | 'bits per byte'
  | 'tokens'
  | 'parameters'
  | 'dimensions'
  /** Of a whole; negative where parameters are added, or a prediction is worse than the mean. */
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

/** A number with what it takes to read it. */
export interface CardNumber {
  /** Null where it is not defined, as the correlation with something constant. */
  value: number | null;
  unit: CardUnit;
  /** What it would be by chance; null where it has no chance level. */
  chance: number | null;
  /** Standard deviation of the chance level; null where it is not known. */
  chanceDeviation: number | null;
}

/** In place of a part that this model does not have, or that its sizes do not allow. */
export interface NotMeasured {
  /** Why, in a sentence. */
  notMeasured: string;
}

/** A factor: of the next step, and pairs [steps done, value]; one pair is a constant. */
export interface CardSchedule {
  now: number;
  schedule: [step: number, value: number][];
}

export interface CardTraining {
  optimizer: NonNullable<TrainingConfig['optimizer']>;
  /** Factor of the input part of the table's gradient. */
  inputGradientScale: CardSchedule;
  /** Highest learning rates by role, the highest multipliers included. A table with both roles takes that of `embedding`. */
  learningRates: { embedding: number; unembedding: number; inner: number };
  /** Factors of the learning rate. */
  learningRateMultipliers: { embedding: CardSchedule; unembedding: CardSchedule; inner: CardSchedule };
  /** Steps of linear warm-up. */
  warmupSteps: number;
  decay: NonNullable<TrainingConfig['decay']>;
  /** Where the decay ends; null where it is constant. */
  totalSteps: number | null;
  /** Of the tables: 0 where only inner matrices decay. */
  tableWeightDecay: number;
  seed: number;
  initSeed: number;
}

/** How the tables that read and write are coupled. */
export interface CouplingPolicy {
  kind: ModelConfig['kind'];
  vocabSize: number;
  dModel: number;
  /** Null of a direct path. */
  nLayers: number | null;
  tying: Tying | TyingSchedule;
  /** The step at which it last changed; null where it has not by this step. */
  tyingChangedAt: number | null;
  /** The steps of all changes by this step. */
  tyingChanges: number[];
  /** At this step: pairs of parameters that are one matrix. */
  shared: [name: string, tiedTo: string][];
  /** Factor of a row that is read: 1 or √dModel. */
  embeddingScale: number;
  training: CardTraining | NotMeasured;
}

export interface CardParameters {
  /** In memory: a shared table counts once. */
  stored: CardNumber;
  /** Token tables stored, 1 or 2, and their parameters. */
  tables: number;
  tableParameters: CardNumber;
  /** Of the map or correction between one table and its second role. */
  mapParameters: CardNumber;
  /** What `stored` is with one table per role and no map. */
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
  /** Tokens without a loss: the last one, whose next is not known. */
  leftOut: number;
  /** What the tuned lens learned from and how; `leftOut`: tokens of that text that no step drew. Null without one. */
  lens: {
    tokens: number;
    leftOut: number;
    steps: number;
    tokensPerStep: number;
    learningRate: number;
    seed: number;
  } | null;
  /** Before the first layer, ..., after the last, which is exactly 0 bits from itself. */
  layers: {
    /** Layers below. */
    layer: number;
    /** KL(last layer ‖ this one). */
    divergence: CardNumber;
    loss: CardNumber;
    /** The same of the tuned lens; null without one. */
    tunedDivergence: CardNumber | null;
    tunedLoss: CardNumber | null;
  }[];
  /** What is lost with each layer left out in turn, the first one first; over the predictions of the text. */
  ablation: {
    /** Left out; 0 is the first. */
    layer: number;
    loss: CardNumber;
    /** Of the loss; 0 if the layer does nothing. */
    increase: CardNumber;
    standardError: number | null;
  }[];
}

/** The gradient of the tables on the text, without `inputGradientScale`. */
export interface CardGradient {
  /** Predictions. */
  tokens: number;
  leftOut: number;
  /** Through reading and through writing, as [V, d] matrices. */
  inputNorm: CardNumber;
  outputNorm: CardNumber;
  inputShare: CardNumber;
  outputShare: CardNumber;
  /** The second definition: the input part with one gradient per position, not summed by token. */
  inputPositionNorm: CardNumber;
  inputPositionShare: CardNumber;
  outputPositionShare: CardNumber;
  /** Of the input with the output part. By chance, with the rows of one in a random order, 0 and its standard deviation. */
  cosine: CardNumber;
  /** Fraction of the norm of the logits' gradient that reaches the hidden state; by chance √(d / V). */
  reach: CardNumber | NotMeasured;
}

/** The share of the input part of the gradient while the model trained, each on the data of its step. */
export interface CardHistory {
  /** Records that were given, and those that are not among `points`, at most 12, denser at the start. */
  records: number;
  leftOut: number;
  points: { step: number; loss: CardNumber; inputShare: CardNumber; inputPositionShare: CardNumber }[];
}

/** How the rows of the input embedding are mapped to those of the output embedding. */
export interface CardAlignment {
  /** Rows compared. */
  rows: number;
  leftOut: number;
  nullRuns: number;
  seed: number;
  /** Chance: the mean of the runs with rows in a random order. */
  meanCosine: CardNumber;
  /** The chance level in theory, for independent normal entries; null where none is known. */
  chanceInTheory: number | null;
  residual: CardNumber;
  /** In rows that the map did not see; a map that knows nothing of them has 0. */
  heldOut: { rows: number; meanCosine: CardNumber; residual: CardNumber } | null;
}

export interface CardTable {
  rows: number;
  leftOut: number;
  seed: number;
  /** Of pairs of rows; and with the mean row subtracted. */
  meanCosine: CardNumber;
  centeredMeanCosine: CardNumber;
  isoScore: CardNumber;
  /** The smallest partition function over the largest. */
  partition: CardNumber;
  participationRatio: CardNumber;
  effectiveRank: CardNumber;
  /** What rows tell about log-frequency, in held-out rows: 0 is no better than the mean, and a fit to chance is below 0. */
  frequencyR2: CardNumber;
  /** Of norms and frequency. */
  normSpearman: CardNumber;
  meanNorm: CardNumber;
  normDeviation: CardNumber;
}

export interface CardTables {
  /** 'derived': the output embedding is the input embedding through a map, or with a correction. */
  relation: 'shared' | 'separate' | 'derived';
  alignments:
    Record<Extract<AlignmentMethod, 'identity' | 'orthogonal' | 'linear'>, CardAlignment | NotMeasured> | NotMeasured;
  input: CardTable | NotMeasured;
  output: CardTable | NotMeasured;
}

/** The direct path from token to token: no layers, no biases. */
export interface CardDirectPath {
  /** Of the square matrix. */
  rows: number;
  leftOut: number;
  symmetric: boolean;
  /** Without the final norm. By chance, for independent entries, √½. */
  asymmetry: CardNumber;
  /** As it is read: with the final norm and biases. */
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
  /** The loss of a reader who knows only how frequent tokens are. */
  fromFrequencies: CardNumber;
  perplexity: CardNumber;
  /** Not measured without a tokenizer. */
  bitsPerByte: CardNumber | NotMeasured;
  /** By how often the predicted token occurs. Chance: of the reader who knows only how frequent tokens are. */
  bands: { from: number; to: number; tokens: number; loss: CardNumber; standardError: number | null }[];
}

/** Plain data: it survives JSON unchanged, and every number in it is finite or null. */
export interface ModelCardData {
  program: string;
  /** Steps trained. */
  step: number;
  seed: number;
  /** Of the text; `distinct`: how many tokens of the vocabulary occur in it. */
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
  /** The same numbers as text to paste, to four digits. */
  markdown: string;
}

export interface ModelCardVerbs {
  /**
   * A block for a model card: how the tables are coupled, what that saves, and what was measured on a text and on the tables, each
   * number with its unit, its chance level and what was left out. Changes nothing. A part that this kind of model does not have says so.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range or an id is not below `vocabSize`; 'unsupported' if a direct path is to have a tuned lens; 'shape-mismatch' if there are not `vocabSize` counts; 'not-finite' if a measure of the text is not; 'cancelled' after `signal` was aborted
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

/** The card of a model, whether it was trained here or opened from a file. */
export interface CardVerbs {
  /**
   * What `model.modelCard(options)` gives, for programs that hold models of either kind.
   *
   * @param model - a trainer, or an arm of a comparison
   * @throws {TiedError} 'invalid-argument' if `model` has no card; besides, what its verb throws
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 4, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 0, 1),
   * });
   * const { data } = core.modelCard(trainer, { tokenIds: Uint32Array.of(0, 1, 2, 0) });
   * data.parameters.saved.value; // → 6
   * const checkpoint = await core.openCheckpoint(trainer.toSafetensors());
   * (await core.modelCard(checkpoint)).data.tables.input?.shape; // → [3,2]
   * ```
   */
  modelCard(model: Pick<ModelCardVerbs, 'modelCard'>, options: ModelCardOptions): ModelCard;
  /**
   * What `checkpoint.identityCard(options)` gives: of a file there are the tables, but no text, layers or gradients.
   *
   * @throws {TiedError} 'invalid-argument' if `checkpoint` has no card; besides, what its verb throws
   */
  modelCard(checkpoint: Pick<Checkpoint, 'identityCard'>, options?: IdentityCardOptions): Promise<IdentityCard>;
}

/** The same of a lab. */
export interface LabCardVerbs {
  /**
   * As in a core. Both cards are promises, and a trainer is one of a lab.
   *
   * @throws {TiedError} as in a core; 'invalid-argument' if `model` has no card
   * @example
   * ```ts
   * const lab = await createLab();
   * const trainer = await lab.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 4, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 0, 1),
   * });
   * const { markdown } = await lab.modelCard(trainer, { tokenIds: Uint32Array.of(0, 1, 2, 0) });
   * markdown.includes('saved by this coupling'); // → true
   * lab.dispose();
   * ```
   */
  modelCard(model: Pick<LabTrainer, 'modelCard'>, options: ModelCardOptions): Promise<ModelCard>;
  modelCard(checkpoint: Pick<Checkpoint, 'identityCard'>, options?: IdentityCardOptions): Promise<IdentityCard>;
}
