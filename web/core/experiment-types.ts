/** Public types of experiments; a part of types.ts. */
import type {
  EncoderDecoderConfig,
  PairTying,
  TransformerConfig,
  TrainingConfig,
  Tying,
  TyingSchedule,
} from './config-types.js';
import type { PairTaskOptions, TextPair } from './pair-types.js';
import type { TokenizerOptions } from './text-types.js';

/** Where the text of an experiment comes from. */
export type ExperimentText =
  | { string: string }
  /** The name of a file, whose text the caller passes in `texts`. */
  | { file: string }
  | { stories: { seed: number; length: number } }
  | { markov: { states: number; length: number; seed: number } };

/** Where the pairs of an experiment come from. Their characters, and a start and an end, are the tokens of both sides. */
export type ExperimentPairs =
  | { list: readonly TextPair[] }
  /** The name of a file, whose text the caller passes in `texts`: a pair a line, source, tab, target. */
  | { file: string }
  /** Those of `writePairs`. */
  | Omit<PairTaskOptions, 'from'>;

/** What an encoder-decoder has, and no other model. */
type PairOptions = Pick<
  EncoderDecoderConfig,
  'nEncoderLayers' | 'nDecoderLayers' | 'sourceLength' | 'logitScale' | 'startToken' | 'endToken'
>;

/** Without `vocabSize`, which the text decides; options that the kind of model does not have are refused. */
export type ExperimentModel = Partial<Omit<TransformerConfig, 'kind' | 'vocabSize' | 'tying' | keyof PairOptions>> &
  Partial<Omit<PairOptions, 'startToken' | 'endToken'>> & {
    /** 'encoder-decoder' where the experiment has `pairs`, and there only. */
    kind?: 'direct-path' | 'transformer' | 'encoder-decoder';
    tying?: Tying | TyingSchedule | 'tied-mlp' | PairTying;
  };

/** Without `seed`, which the experiment decides. */
export type ExperimentTraining = Partial<Omit<TrainingConfig, 'seed'>> & { steps?: number };

export interface ExperimentArm {
  model?: ExperimentModel;
  training?: ExperimentTraining;
  /**
   * How it reads the tokens: 'backward' from the last to the first, so that the token before is predicted; 'either' trains on each pair of
   * neighbours in both orders, of a direct path on all pairs of the text (without `batchSize`) only. Default 'forward'.
   */
  direction?: 'forward' | 'backward' | 'either';
}

/** What is measured, and when. A measure that is of no step, such as one of two arms, is taken at the end. */
export interface ExperimentMeasure {
  metric: string;
  /** At every multiple of this step, and at the end. */
  every?: number;
  /** The last step of `every`. Default: the end. */
  until?: number;
  /** 'start', 'end', a step, or several of these. Default: 'end'. */
  at?: 'start' | 'end' | number | readonly ('start' | 'end' | number)[];
  /** Of measures of a table; 'encoder-embedding' is what the encoder of an encoder-decoder reads. */
  table?: 'embedding' | 'unembedding' | 'encoder-embedding';
  /** Of measures of two tables: both, each as 'arm.table'. */
  between?: readonly [string, string];
  /** Further options: those of the metric's verb. */
  [option: string]: unknown;
}

export interface ExperimentClaim {
  id: string;
  /** A comparison of measured values, as 'loss(tied) - loss(untied) > 0 in every seed and above 3 sd'. */
  says: string;
  /** The same in plain words, for readers. */
  words?: string;
}

/** An experiment as a file: plain JSON. */
export interface ExperimentSpec {
  name: string;
  /** What the models read; or `pairs`. */
  text?: ExperimentText;
  /** What the models learn to translate, in place of `text`; all of them are encoder-decoders. */
  pairs?: ExperimentPairs;
  /** Of a text, default `{ kind: 'bpe' }`; not for a Markov chain, whose states are the tokens. */
  tokenizer?: TokenizerOptions;
  /** Fraction of the tokens to hold out, or of the pairs, which are taken at equal distances. Default 0.1. */
  validation?: number;
  /** Of all arms, unless they say otherwise. */
  model: ExperimentModel;
  training: ExperimentTraining;
  /** 1 to 16 models by name. */
  arms: Readonly<Record<string, ExperimentArm>>;
  /** Values of 'model.NAME', 'training.NAME' or 'tokenizer.NAME': every arm is run with each combination. */
  grid?: Readonly<Record<string, readonly unknown[]>>;
  /** All arms of a seed see the same data in the same order. */
  seeds: readonly number[];
  /** 'independent': each arm has initial weights of its own. 'shared': arms of a seed begin alike, as far as their shapes agree. Default 'independent'. */
  starts?: 'independent' | 'shared';
  measure: readonly ExperimentMeasure[];
  claims?: readonly ExperimentClaim[];
}

/** One model, trained once: the smallest part of an experiment that can run anywhere. Plain JSON. */
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
  /** Absent: 'forward'. */
  direction?: 'backward' | 'either';
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
  /** Of an encoder-decoder, those of both stacks. */
  n_layers: number | null;
  seed: number;
  /** The values of the grid, as JSON. */
  point: string;
  /** As JSON; null for a Markov chain and for pairs. */
  tokenizer: string | null;
  /** Of the UTF-8 bytes of the text, of the states of a chain as 32-bit integers, or of pairs as lines: source, tab, target. */
  text_sha256: string | null;
  parameters: number | null;
  steps: number;
  /** Of the trained parameters in their order, as 32-bit floats: equal where two engines gave the same bits. */
  weights_sha256: string | null;
  /** UTC. */
  started_at: string;
  seconds: number;
  status: 'done' | 'failed';
  error: string | null;
  package_version: string;
  engine: 'wasm-simd128' | 'wasm-relaxed';
  /** The processor's name; null where the platform does not tell it, as in browsers. */
  cpu: string | null;
}

/** A row of `metrics`. */
export interface ExperimentMetric {
  /** Of the run; of the first of two arms. */
  id: string;
  step: number;
  /** With its arguments, as in claims: 'loss', 'isotropy(embedding).isoScore', 'alignment(tied.embedding, untied.embedding)'. */
  metric: string;
  layer: number | null;
  /** From this frequency on; see `lossByFrequency`. */
  band: number | null;
  /** Null where it is not defined. */
  value: number | null;
  unit: string;
}

/** What a job leaves. */
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
  /** Of each seed of the experiment, in its order; null where there is none. */
  values: (number | null)[];
  /** What chance gives, likewise; null where the metric does not measure it. */
  chance: (number | null)[] | null;
}

export interface ClaimOutcome {
  id: string;
  says: string;
  verdict: 'holds' | 'fails' | 'undecided';
  /** Why, in a sentence. */
  because: string;
  /** Left side minus right side, at each point of the grid, by seed. */
  points: {
    point: Readonly<Record<string, unknown>>;
    seeds: number[];
    difference: Summary | null;
    /** What it was computed from, in the order of the claim. */
    values: ClaimValue[];
    verdict: ClaimOutcome['verdict'];
  }[];
}

export interface ExperimentRecords {
  runs: ExperimentRun[];
  metrics: ExperimentMetric[];
  claims: ClaimOutcome[];
  /** Measures of two models that could not be taken, and why; runs that failed have their own error. */
  problems: { id: string; metric: string; error: string }[];
}

/** Where a job was stopped: it goes on to the same bits. */
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
  /** Results of an earlier, unfinished run: their jobs are not run again. */
  results?: readonly ExperimentResult[];
  /** Where jobs of an earlier run were stopped, by their ids. */
  states?: Readonly<Record<string, ExperimentState>>;
  /** Called with each new result as soon as it is there. */
  onResult?: (result: ExperimentResult) => void;
  /** Called with where a job is, from time to time. */
  onState?: (id: string, state: ExperimentState) => void;
  /** Seconds between these. Default 5. */
  stateEvery?: number;
  /** The fraction of all steps that is done, 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Called when a job begins and as it goes on, with its steps done. */
  onJob?: (id: string, steps: number) => void;
  /** Called with the records of what has ended, after each result and at the end: claims are undecided while seeds are missing. */
  onRecords?: (records: ExperimentRecords) => void;
  /** Cancels the experiment; what `onResult` and `onState` were given can go on as `results` and `states`. */
  signal?: AbortSignal;
}

/** Experiments: models that are trained and compared as a file says. Fetched on the first call. */
export interface ExperimentVerbs {
  /**
   * Runs an experiment: every arm with every seed at every point of the grid, measured as the file says; then what compares two trained
   * models, and the claims. A lab trains on all of the machine's cores, a core on its own thread with pauses between the steps. One job
   * gives the same numbers wherever it runs. A run that diverges is recorded as failed; the others go on.
   *
   * @param spec - plain JSON; see {@link ExperimentSpec}
   * @throws {TiedError} 'invalid-argument' if a field is unknown or has a value that it cannot have, before anything is trained; 'unsupported' where a metric needs a module that the core was loaded without; 'cancelled' after `signal` was aborted
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
