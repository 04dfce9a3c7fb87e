/** Public types of experiments; a part of types.ts. */
import type {
  EncoderDecoderConfig,
  PairTying,
  TransformerConfig,
  TrainingConfig,
  Tying,
  TyingSchedule,
} from '../model/types.js';
import type { PairTaskOptions, TextPair } from '../training/pair-types.js';
import type { TokenizerOptions } from '../text/types.js';

/** Where the text of an experiment comes from. */
export type ExperimentText =
  | { string: string }
  /** The name of a file, whose text the caller passes in `texts`. */
  | { file: string }
  | { stories: { seed: number; length: number } }
  | { markov: { states: number; length: number; seed: number } };

/** Where the pairs of an experiment come from. The tokens of both sides are their characters, plus a start and an end token. */
export type ExperimentPairs =
  | { list: readonly TextPair[] }
  /** The name of a file, whose text the caller passes in `texts`: one pair per line, source, tab, target. */
  | { file: string }
  /** Pairs that `writePairs` generates. */
  | Omit<PairTaskOptions, 'from'>;

/** Options that only encoder-decoders have. */
type PairOptions = Pick<
  EncoderDecoderConfig,
  'nEncoderLayers' | 'nDecoderLayers' | 'sourceLength' | 'logitScale' | 'startToken' | 'endToken'
>;

/** Without `vocabSize`, which the text determines. Options that the kind of model does not have are refused. */
export type ExperimentModel = Partial<Omit<TransformerConfig, 'kind' | 'vocabSize' | 'tying' | keyof PairOptions>> &
  Partial<Omit<PairOptions, 'startToken' | 'endToken'>> & {
    /** 'encoder-decoder' if the experiment has `pairs`, and only then. */
    kind?: 'direct-path' | 'transformer' | 'encoder-decoder';
    tying?: Tying | TyingSchedule | 'tied-mlp' | PairTying;
  };

/** Without `seed`, which the experiment determines. */
export type ExperimentTraining = Partial<Omit<TrainingConfig, 'seed'>> & { steps?: number };

/** A second text, to which every model is moved: it keeps its weights, and a new optimizer trains them on. */
export interface ExperimentThen {
  /** A text of the same tokens: read with the tokenizer of the first text, or a Markov chain of as many states. */
  text: ExperimentText;
  /** Steps on the first text, fewer than `training.steps`; the others are on the second. */
  afterSteps: number;
  /** Options that change with the text, such as `learningRate`. Warm-up and other schedules begin again. */
  training?: Omit<ExperimentTraining, 'steps' | 'initSeed' | 'batchSize' | 'gradientAccumulation' | 'shards'>;
}

export interface ExperimentArm {
  model?: ExperimentModel;
  training?: ExperimentTraining;
  /**
   * The order in which it reads tokens. 'backward': from the last to the first, predicting the previous token. 'either': trains on each
   * pair of neighbors in both orders; only for a direct path that trains on all pairs of the text (without `batchSize`). Default
   * 'forward'.
   */
  direction?: 'forward' | 'backward' | 'either';
  /**
   * The fraction of the tokens that are hidden, from 0.01 to 0.95: the model predicts a hidden token from the nearest visible one before it ('forward'), after it
   * ('backward'), or on each side ('either'), as masked models and masked diffusion do from all they see. Only for a direct path that trains on all pairs of the text. Its pairs are
   * those expected over all choices of hidden tokens, in hundredths. Default: none are hidden, and the next token is predicted.
   */
  hidden?: number;
}

/** What is measured, and when. Measures that belong to no step, such as those of two arms, are taken at the end. */
export interface ExperimentMeasure {
  metric: string;
  /** At every multiple of this step, and at the end. */
  every?: number;
  /** The last step of `every`. Default: the end. */
  until?: number;
  /** 'start', 'end', a step, or several of these. Default: 'end'. */
  at?: 'start' | 'end' | number | readonly ('start' | 'end' | number)[];
  /** For measures of one table; 'encoder-embedding' is the input table of an encoder-decoder's encoder. */
  table?: 'embedding' | 'unembedding' | 'encoder-embedding';
  /** For measures of two tables: both, each as 'arm.table'. */
  between?: readonly [string, string];
  /** With `then`: the text whose tokens are read. Default 'first'. */
  on?: 'first' | 'second';
  /** Further options: those of the metric's verb. */
  [option: string]: unknown;
}

export interface ExperimentClaim {
  id: string;
  /** A comparison of measured values, such as 'loss(tied) - loss(untied) > 0 in every seed and above 3 sd'. */
  says: string;
  /** The same in plain words, for readers. */
  words?: string;
}

/** An experiment as a file: plain JSON. */
export interface ExperimentSpec {
  name: string;
  /** What the models read; either this or `pairs`. */
  text?: ExperimentText;
  /** What the models learn to translate, instead of `text`; all models are then encoder-decoders. */
  pairs?: ExperimentPairs;
  /** The tokenizer of a text, default `{ kind: 'bpe' }`; not for a Markov chain, whose states are the tokens. */
  tokenizer?: TokenizerOptions;
  /** Fraction of the tokens to hold out, or of the pairs, which are held out at equal intervals. Default 0.1. */
  validation?: number;
  /** Where models of a text are trained further. */
  then?: ExperimentThen;
  /** Options of all arms, unless an arm overrides them. */
  model: ExperimentModel;
  training: ExperimentTraining;
  /** 1 to 16 models by name. */
  arms: Readonly<Record<string, ExperimentArm>>;
  /** Values of 'model.NAME', 'training.NAME' or 'tokenizer.NAME': every arm runs with each combination. */
  grid?: Readonly<Record<string, readonly unknown[]>>;
  /** All arms of a seed see the same data in the same order. */
  seeds: readonly number[];
  /**
   * 'independent': each arm has its own initial weights. 'shared': arms with the same seed start with the same weights,
   * as far as their shapes agree. Default 'independent'.
   */
  starts?: 'independent' | 'shared';
  measure: readonly ExperimentMeasure[];
  claims?: readonly ExperimentClaim[];
}

/** One model, trained once: the smallest part of an experiment that can run on its own, anywhere. Plain JSON. */
export interface ExperimentJob {
  /** The first 16 hex digits of the SHA-256 of the job without its id and `specHash`, as canonical JSON. */
  id: string;
  experiment: string;
  specHash: string;
  arm: string;
  seed: number;
  /** The values of the grid. */
  point: Readonly<Record<string, unknown>>;
  /** As in the experiment: either this or `pairs`. */
  text?: ExperimentText;
  pairs?: ExperimentPairs;
  tokenizer: TokenizerOptions | null;
  validation: number;
  then?: ExperimentThen;
  /** Absent: 'forward'. */
  direction?: 'backward' | 'either';
  /** Absent: none. */
  hidden?: number;
  model: ExperimentModel;
  training: ExperimentTraining & { steps: number; initSeed: number };
  measure: readonly ExperimentMeasure[];
  /** Whether a measure of two arms needs the trained model. */
  keepsModel: boolean;
}

/** A row of `runs`. */
export interface ExperimentRun {
  id: string;
  experiment: string;
  spec_hash: string;
  arm: string;
  tying: string;
  vocab_size: number | null;
  d_model: number | null;
  /** Layers; for an encoder-decoder, of both stacks together. */
  n_layers: number | null;
  seed: number;
  /** The values of the grid, as JSON. */
  point: string;
  /** The tokenizer as JSON; null for a Markov chain and for pairs. */
  tokenizer: string | null;
  /** SHA-256 of the UTF-8 bytes of the text, of the states of a chain as 32-bit integers, or of pairs as lines: source, tab, target. With `then`, of the hashes of both texts, one after the other. */
  text_sha256: string | null;
  parameters: number | null;
  steps: number;
  /** SHA-256 of the trained parameters in their order, as 32-bit floats: equal if two engines gave the same bits. */
  weights_sha256: string | null;
  /** UTC. */
  started_at: string;
  seconds: number;
  status: 'done' | 'failed';
  error: string | null;
  package_version: string;
  engine: 'wasm-simd128' | 'wasm-relaxed';
  /** The CPU's name; null if the platform does not reveal it, as in browsers. */
  cpu: string | null;
}

/** A row of `metrics`. */
export interface ExperimentMetric {
  /** Id of the run; for two arms, of the first arm's run. */
  id: string;
  step: number;
  /** With its arguments, as in claims: 'loss', 'isotropy(embedding).isoScore', 'alignment(tied.embedding, untied.embedding)'. */
  metric: string;
  layer: number | null;
  /** The frequency at which the band begins; see `lossByFrequency`. */
  band: number | null;
  /** Null where it is not defined. */
  value: number | null;
  unit: string;
}

/** The result of a job. */
export interface ExperimentResult {
  run: ExperimentRun;
  metrics: ExperimentMetric[];
  /** What `save` of the trainer wrote; null unless a measure of two arms needs it. */
  model: Uint8Array | null;
}

export interface Summary {
  values: number[];
  mean: number;
  /** Sample standard deviation; null for one value. */
  standardDeviation: number | null;
  /** Half the width of the 95% interval of the mean (Student's t); null for one value. */
  halfWidth: number | null;
}

/** A measured value that a claim names. */
export interface ClaimValue {
  /** As the claim names it: 'alignment(untied.unembedding).heldOut'. */
  name: string;
  /** One value per seed of the experiment, in order; null where there is none. */
  values: (number | null)[];
  /** The chance level per seed; null if the metric does not measure it. */
  chance: (number | null)[] | null;
}

export interface ClaimOutcome {
  id: string;
  says: string;
  verdict: 'holds' | 'fails' | 'undecided';
  /** The reason for the verdict, in one sentence. */
  because: string;
  /** Left side minus right side at each point of the grid, by seed. */
  points: {
    point: Readonly<Record<string, unknown>>;
    seeds: number[];
    difference: Summary | null;
    /** The values it was computed from, in the order of the claim. */
    values: ClaimValue[];
    verdict: ClaimOutcome['verdict'];
  }[];
}

export interface ExperimentRecords {
  runs: ExperimentRun[];
  metrics: ExperimentMetric[];
  claims: ClaimOutcome[];
  /** Measures of two models that could not be taken, and why. Failed runs have their own error. */
  problems: { id: string; metric: string; error: string }[];
}

/** The state in which a job was stopped; resuming from it gives the same bits. */
export interface ExperimentState {
  step: number;
  /** What was measured before this step. */
  metrics: readonly ExperimentMetric[];
  /** What `save` of the trainer wrote. */
  model: Uint8Array;
  seconds: number;
}

export interface ExperimentOptions {
  /** The texts of `{ file }`, by name. */
  texts?: Readonly<Record<string, string>>;
  /** Results of an earlier, unfinished run; their jobs do not run again. */
  results?: readonly ExperimentResult[];
  /** States in which jobs of an earlier run were stopped, by job id. With one that is damaged, or of another version, the job starts from the beginning. */
  states?: Readonly<Record<string, ExperimentState>>;
  /** Called with each new result as soon as it is available. */
  onResult?: (result: ExperimentResult) => void;
  /** Called now and then with the state of a job. */
  onState?: (id: string, state: ExperimentState) => void;
  /** Seconds between calls of `onState`. Default 5. */
  stateEvery?: number;
  /** Jobs at the same time: at most one for each core. Default: as many as a lab has workers for; a core does one after the other. */
  jobs?: number;
  /**
   * The most threads of each job, 1 to 8, which speed it up if its `training.shards` is more than 1; results have the same bits. With
   * `jobs`, at most one for each core in all. Default: jobs share what is left.
   */
  threads?: number;
  /** Called with the fraction of all steps done, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Called when a job begins and as it continues, with its steps done. */
  onJob?: (id: string, steps: number) => void;
  /** Called with the records so far, after each result and at the end. Claims are undecided while seeds are missing. */
  onRecords?: (records: ExperimentRecords) => void;
  /** Cancels the experiment. To resume it, pass what `onResult` and `onState` received as `results` and `states`. */
  signal?: AbortSignal | undefined;
}

/** Experiments: models trained and compared as a file specifies. The code is fetched on the first call. */
export interface ExperimentVerbs {
  /**
   * Runs an experiment: every arm with every seed at every point of the grid, measured as specified; then the measures that compare two
   * trained models, and the claims. A lab trains on all of the machine's cores, a core on its own thread with pauses between the steps.
   * A job gives the same numbers wherever it runs. A run that diverges is recorded as failed; the others continue.
   *
   * @param spec - plain JSON; see {@link ExperimentSpec}
   * @throws {TiedError} 'invalid-argument' if a field is unknown or has an invalid value, before anything is trained; 'unsupported' if a metric needs a module that the core was loaded without; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const { runs, metrics, claims } = await core.runExperiment({
   *   name: 'order-of-words',
   *   text: { string: 'New York is old. '.repeat(40) },
   *   tokenizer: { kind: 'word' },
   *   model: { kind: 'direct-path', dModel: 8 },
   *   training: { learningRate: 0.1, steps: 60 },
   *   arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
   *   seeds: [1, 2, 3],
   *   measure: [{ metric: 'loss' }],
   *   claims: [{ id: 'gap', says: 'loss(tied) - loss(untied) > 0 in every seed' }],
   * });
   * runs.length; // → 6
   * metrics[0]!.metric; // → "loss"
   * claims[0]!.verdict; // → "holds"
   * ```
   */
  runExperiment(spec: ExperimentSpec, options?: ExperimentOptions): Promise<ExperimentRecords>;
}
