// The script beside the command in dist/: web/core/experiment-runner.ts.
import type {
  ExperimentJob,
  ExperimentRecords,
  ExperimentResult,
  ExperimentSpec,
  ExperimentState,
} from '../web/core/experiment/types.js';
import type { Lab, LabTrainer } from './tied-embeddings.js';

export type { ExperimentJob, ExperimentRecords, ExperimentResult, ExperimentSpec };

export interface JobOptions {
  signal: object;
  onSteps: (steps: number) => void;
  onMoment: (state: () => Promise<ExperimentState>) => Promise<void>;
  state: ExperimentState | null;
}

/** The opened text of a job. */
export interface OpenedText {
  readonly corpus: { readonly vocabSize: number };
}

export class TextCache {
  constructor(lab: Lab, options: { texts: Record<string, string>; signal: object });
  of(job: ExperimentJob): Promise<OpenedText>;
  close(): void;
}

/** A job as `expand` writes it, read from a file. */
export function checkJob(job: unknown): ExperimentJob;
export function checkSpec(spec: unknown): ExperimentSpec;
/** Approximate seconds of a job on one core of an ordinary laptop. */
export function costOf(job: ExperimentJob): number;
export function expand(spec: ExperimentSpec): ExperimentJob[];
export function runJob(lab: Lab, job: ExperimentJob, text: OpenedText, options: JobOptions): Promise<ExperimentResult>;
/** `open` is called only if models are compared. */
export function collect(
  open: () => Promise<Lab>,
  spec: ExperimentSpec,
  results: ExperimentResult[],
  signal: object,
): Promise<ExperimentRecords>;
export {
  csvOf,
  jsonLinesOf,
  packageOf,
  parquetColumnsOf,
  rowsOf,
  tablesOf,
  type ExperimentTable,
} from '../web/core/experiment/tables.js';
/** As `weights_sha256` of an experiment's records. */
export function hashOfWeights(trainer: Pick<LabTrainer, 'parameters' | 'matrix'>): Promise<string>;
