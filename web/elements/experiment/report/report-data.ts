/** What the report of an experiment holds: the tables of its records, packed, because thousands of runs may be in one page. */
import type { ClaimOutcome, ExperimentRecords, ExperimentRun, ExperimentSpec } from '../../../core/types.js';

/** A row of `runs` without what the clock says: a report is the same wherever the jobs ran. */
export type ReportedRun = Omit<ExperimentRun, 'started_at' | 'seconds' | 'cpu'>;

/** The rows of one metric, layer and band. */
export interface PackedMetric {
  readonly metric: string;
  readonly layer: number | null;
  readonly band: number | null;
  readonly unit: string;
  /** `run` is the run's place in `runs`. */
  readonly rows: readonly (readonly [run: number, step: number, value: number | null])[];
}

/** As the command writes it into the page. */
export interface PackedReport {
  readonly spec: ExperimentSpec;
  readonly runs: { readonly fields: readonly string[]; readonly rows: readonly (readonly unknown[])[] };
  readonly metrics: readonly PackedMetric[];
  readonly claims: readonly ClaimOutcome[];
  readonly problems: ExperimentRecords['problems'];
  /** The files beside the page. */
  readonly files: readonly { readonly name: string; readonly formats: readonly string[] }[];
}

export interface Report extends Omit<PackedReport, 'runs'> {
  readonly runs: readonly ReportedRun[];
}

export const unpack = ({ runs: { fields, rows }, ...others }: PackedReport): Report => ({
  ...others,
  runs: rows.map((row) => Object.fromEntries(fields.map((name, at) => [name, row[at]])) as unknown as ReportedRun),
});

/** The points of the grid, as the runs name them, in their order; '{}' without a grid. */
export const pointsOf = ({ runs }: Pick<Report, 'runs'>): string[] => [...new Set(runs.map(({ point }) => point))];
