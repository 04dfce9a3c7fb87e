/**
 * The contents of an experiment's report: the tables of its records, packed, because a page may hold thousands of runs.
 */
import type { ClaimOutcome, ExperimentRecords, ExperimentRun, ExperimentSpec } from '../../../core/types.js';

/** A row of `runs` without the fields that depend on when and where a job ran, so a report is the same everywhere. */
export type ReportedRun = Omit<ExperimentRun, 'started_at' | 'seconds' | 'cpu'>;

/** The rows of one metric, layer and band. */
export interface PackedMetric {
  readonly metric: string;
  readonly layer: number | null;
  readonly band: number | null;
  readonly unit: string;
  /** `run` is the run's index in `runs`. */
  readonly rows: readonly (readonly [run: number, step: number, value: number | null])[];
}

/** In the form in which the command writes it into the page. */
export interface PackedReport {
  readonly spec: ExperimentSpec;
  readonly runs: { readonly fields: readonly string[]; readonly rows: readonly (readonly unknown[])[] };
  readonly metrics: readonly PackedMetric[];
  readonly claims: readonly ClaimOutcome[];
  readonly problems: ExperimentRecords['problems'];
  /** The files that come with the page. */
  readonly files: readonly { readonly name: string; readonly formats: readonly string[] }[];
}

export interface Report extends Omit<PackedReport, 'runs'> {
  readonly runs: readonly ReportedRun[];
}

export const unpack = ({ runs: { fields, rows }, ...others }: PackedReport): Report => ({
  ...others,
  runs: rows.map((row) => Object.fromEntries(fields.map((name, at) => [name, row[at]])) as unknown as ReportedRun),
});

/** The points of the grid, named as in the runs and in their order; '{}' without a grid. */
export const pointsOf = ({ runs }: Pick<Report, 'runs'>): string[] => [...new Set(runs.map(({ point }) => point))];
