/** The kinds of metrics, with their inputs and results. */
import { factorAt } from '../model/factor-schedule.js';
import { TiedError } from '../runtime/errors.js';
import type {
  Lab,
  LabCorpus,
  LabTokenizer,
  LabTrainer,
  Matrix,
  StepColumns,
  StepRecord,
  TokenPairs,
} from '../types.js';

/** The verbs that experiments call, of a lab or of a core, whose results are immediate. */
export type ExperimentHost = Pick<
  Lab,
  | 'align'
  | 'bigramBounds'
  | 'cka'
  | 'countCompute'
  | 'createTrainer'
  | 'decomposeHidden'
  | 'encodePairs'
  | 'irreversibility'
  | 'isotropy'
  | 'kolmogorovCycles'
  | 'loadTrainer'
  | 'markovBounds'
  | 'neighborOverlap'
  | 'neighbors'
  | 'normFrequency'
  | 'openCorpus'
  | 'pairTokenizer'
  | 'parsePairs'
  | 'randomMarkovChain'
  | 'recoverTable'
  | 'simd'
  | 'spectralDistance'
  | 'spectrum'
  | 'symmetry'
  | 'tiedFloor'
  | 'version'
  | 'writePairs'
  | 'writeStories'
>;

/** What the models of a job read: a text or pairs. */
export type Reads = 'text' | 'pairs';

/** The text of a job, ready to be measured on. */
export interface JobText {
  readonly corpus: LabCorpus;
  readonly training: Uint32Array;
  readonly heldOut: Uint32Array;
  /** How often each token follows each other token in the training part [V, V], in the model's reading direction. */
  readonly pairs: () => Promise<Matrix>;
}

/** The pairs of a job, ready to be measured on. */
export interface JobPairs {
  readonly tokenizer: LabTokenizer;
  readonly training: TokenPairs;
  readonly heldOut: TokenPairs;
  /** The fraction of the held-out pairs whose source is also trained on; null if none are held out. */
  readonly seen: number | null;
  /** The lengths that a model needs to read them; see `encodePairs`. */
  readonly lengths: { readonly sourceLength: number; readonly contextLength: number };
}

/** A row without its run, step and arguments. `part`: '' for the value that the metric is named after. */
export interface Measured {
  part: string;
  layer?: number;
  band?: number;
  value: number | null;
  unit: string;
}

export interface MeasuredModel {
  readonly host: ExperimentHost;
  readonly trainer: LabTrainer;
  /** The tokenizer of the text or the pairs; null for a Markov chain. */
  readonly tokenizer: LabTokenizer | null;
  /** How often each token occurs in the training data [V]. */
  readonly counts: Uint32Array;
  readonly signal: { signal?: AbortSignal };
  /** The tokens to evaluate on, of an experiment with two texts; otherwise the trainer's own. */
  readonly evaluated?: Uint32Array;
  /** Steps of the trainer before this one, on the first of two texts. */
  readonly stepsBefore: number;
}
export type MeasuredText = MeasuredModel & { readonly text: JobText };
export type MeasuredPairs = MeasuredModel & { readonly pairs: JobPairs };

export type Options = Readonly<Record<string, unknown>>;
/** Options were checked by name; their values are checked by the verb that takes them. */
export type Given = Record<string, never>;

type Measure<Of> = (model: Of, options: Options) => Promise<Measured[]>;

export type Metric = { readonly reads?: Reads } & (
  | { readonly of: 'step'; readonly values: readonly StepValue[] }
  | {
      readonly of: 'model';
      readonly options: readonly string[];
      readonly measure: Measure<MeasuredText & MeasuredPairs>;
    }
  | {
      readonly of: 'table';
      readonly options: readonly string[];
      readonly measure: (
        model: MeasuredText & MeasuredPairs,
        table: Matrix,
        options: Options,
        name: TableName,
      ) => Promise<Measured[]>;
    }
  | {
      readonly of: 'two tables';
      readonly options: readonly string[];
      readonly measure: (
        host: ExperimentHost,
        tables: readonly [Matrix, Matrix],
        options: Options,
        signal: { signal?: AbortSignal },
      ) => Promise<Measured[]>;
    }
);

/** A value of a step, from the record at `index`. */
export interface StepValue {
  readonly part: string;
  readonly unit: string;
  readonly of: (columns: StepColumns, index: number) => number;
}

export const nats = 'nats per token';

export const number = (part: string, value: number | null, unit: string): Measured => ({
  part,
  value: value !== null && Number.isFinite(value) ? value : null,
  unit,
});

export const record = (column: keyof StepRecord, unit: string, reads?: Reads): Metric => ({
  of: 'step',
  values: [{ part: '', unit, of: (columns, index) => columns[column]![index]! }],
  ...(reads === undefined ? {} : { reads }),
});

/** The factors with which the next step multiplies the parts of a table's gradient, in the model's single precision. */
export function gradientScales({ training, step }: LabTrainer): { input: number; output: number } {
  const { inputGradientScale = 1, outputGradientScale = 1 } = training;
  return {
    input: Math.fround(factorAt(inputGradientScale, step)),
    output: Math.fround(factorAt(outputGradientScale, step)),
  };
}

/** A difference relative to a magnitude; nothing is no difference, even of a table without a gradient. */
export const relative = (difference: number, magnitude: number): number =>
  difference === 0 ? 0 : difference / magnitude;

/** The tokens that a model is measured on: the first held-out ones. */
export function probeOf({ text: { heldOut } }: MeasuredText, { tokens }: Options): Uint32Array {
  if (heldOut.length < 2) {
    throw new TiedError('invalid-argument', `${heldOut.length} tokens are held out; expected at least 2 to measure on`);
  }
  return tokens === undefined ? heldOut : heldOut.subarray(0, Math.max(2, Number(tokens)));
}

export const without = (options: Options, ...names: readonly string[]): Given =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))) as Given;

/** A metric of any model. */
export const model = (options: readonly string[], measure: Measure<MeasuredModel>): Metric => ({
  of: 'model',
  options,
  measure,
});

/** A metric of models that read a text. */
export const textModel = (options: readonly string[], measure: Measure<MeasuredText>): Metric => ({
  of: 'model',
  reads: 'text',
  options,
  measure,
});

/** A metric of models that read pairs. */
export const pairModel = (options: readonly string[], measure: Measure<MeasuredPairs>): Metric => ({
  of: 'model',
  reads: 'pairs',
  options,
  measure,
});

export const table = (options: readonly string[], measure: (Metric & { of: 'table' })['measure']): Metric => ({
  of: 'table',
  options,
  measure,
});

export const pair = (options: readonly string[], measure: (Metric & { of: 'two tables' })['measure']): Metric => ({
  of: 'two tables',
  options,
  measure,
});

/** Passes `similarity` to the verb as `metric`, a name that the measure itself already uses. */
export const bySimilarity = ({ similarity, ...others }: Options): Given =>
  ({ ...others, ...(similarity === undefined ? {} : { metric: similarity }) }) as unknown as Given;

/** The tables of a model, by the names that experiments use, with the names of their parameters. */
export const TABLES = {
  embedding: 'embedding',
  unembedding: 'unembedding',
  'encoder-embedding': 'encoder.embedding',
} as const;
export type TableName = keyof typeof TABLES;

export const isTable = (parameter: string): boolean => (Object.values(TABLES) as string[]).includes(parameter);

/** In a tied model several names are one table. */
export async function tableOf(trainer: LabTrainer, name: TableName): Promise<Matrix> {
  const parameters = await trainer.parameters();
  const found = parameters.find((parameter) => parameter.name === TABLES[name]);
  return trainer.matrix(found === undefined ? 'embedding' : (found.tiedTo ?? found.name));
}
