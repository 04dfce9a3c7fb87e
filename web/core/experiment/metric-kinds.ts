/** What kinds of metrics there are, and what they are given and give. */
import { TiedError } from '../errors.js';
import type { Lab, LabCorpus, LabTrainer, Matrix, StepRecord } from '../types.js';

/** The verbs that experiments call: of a lab, or of a core, whose results need no waiting. */
export type ExperimentHost = Pick<
  Lab,
  | 'align'
  | 'bigramBounds'
  | 'cka'
  | 'countCompute'
  | 'createTrainer'
  | 'decomposeHidden'
  | 'irreversibility'
  | 'isotropy'
  | 'kolmogorovCycles'
  | 'loadTrainer'
  | 'neighborOverlap'
  | 'normFrequency'
  | 'openCorpus'
  | 'randomMarkovChain'
  | 'simd'
  | 'spectralDistance'
  | 'spectrum'
  | 'symmetry'
  | 'version'
  | 'writeStories'
>;

/** The text of a job, ready to be measured on. */
export interface JobText {
  readonly corpus: LabCorpus;
  readonly training: Uint32Array;
  readonly heldOut: Uint32Array;
  /** How often each token occurs in the training part [V]. */
  readonly counts: Uint32Array;
  /** How often each token follows each in the training part [V, V], as the model reads it. */
  readonly pairs: () => Promise<Matrix>;
}

/** A row without its run, step and arguments. `part`: '' for what the metric is named after. */
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
  readonly text: JobText;
  readonly signal: { signal?: AbortSignal };
}

export type Options = Readonly<Record<string, unknown>>;
/** Options were checked by name; their values are checked by the verb that takes them. */
export type Given = Record<string, never>;

export type Metric =
  | { readonly of: 'step'; readonly column: keyof StepRecord; readonly unit: string }
  | {
      readonly of: 'model';
      readonly options: readonly string[];
      readonly measure: (model: MeasuredModel, options: Options) => Promise<Measured[]>;
    }
  | {
      readonly of: 'table';
      readonly options: readonly string[];
      readonly measure: (model: MeasuredModel, table: Matrix, options: Options) => Promise<Measured[]>;
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
    };

export const nats = 'nats per token';

export const number = (part: string, value: number | null, unit: string): Measured => ({
  part,
  value: value !== null && Number.isFinite(value) ? value : null,
  unit,
});

export const record = (column: keyof StepRecord, unit: string): Metric => ({ of: 'step', column, unit });

/** The tokens that a model is measured on: the first of the held-out ones. */
export function probeOf({ text: { heldOut } }: MeasuredModel, { tokens }: Options): Uint32Array {
  if (heldOut.length < 2) {
    throw new TiedError('invalid-argument', `${heldOut.length} tokens are held out; expected at least 2 to measure on`);
  }
  return tokens === undefined ? heldOut : heldOut.subarray(0, Math.max(2, Number(tokens)));
}

export const without = (options: Options, ...names: readonly string[]): Given =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))) as Given;

export const model = (
  options: readonly string[],
  measure: (model: MeasuredModel, options: Options) => Promise<Measured[]>,
): Metric => ({ of: 'model', options, measure });

export const table = (
  options: readonly string[],
  measure: (model: MeasuredModel, table: Matrix, options: Options) => Promise<Measured[]>,
): Metric => ({ of: 'table', options, measure });

export const pair = (options: readonly string[], measure: (Metric & { of: 'two tables' })['measure']): Metric => ({
  of: 'two tables',
  options,
  measure,
});

/** Of a tied model both names are one table. */
export async function tableOf(trainer: LabTrainer, name: 'embedding' | 'unembedding'): Promise<Matrix> {
  const parameters = await trainer.parameters();
  const found = parameters.find((parameter) => parameter.name === name);
  return trainer.matrix(found === undefined || found.tiedTo !== null ? 'embedding' : name);
}
