/** Metrics over the steps of training: each arm's mean, with every seed. */
import type { ExperimentJob, ExperimentMetric } from '../../core/types.js';
import type { RoleSeries } from '../shared/line-chart-view.js';
import type { ArmRoles } from './roles.js';

/** A metric measured at several steps, by its name in the records. */
export interface Curves {
  readonly metric: string;
  readonly unit: string;
  readonly series: readonly RoleSeries[];
}

/** More charts would bury the claims. */
const mostCharts = 3;

type MetricsOf = (job: ExperimentJob) => readonly ExperimentMetric[];

/** The points of the grid, in the order of the jobs; a single point without fields if there is no grid. */
export const pointsOf = (jobs: readonly ExperimentJob[]): ExperimentJob['point'][] =>
  [...new Set(jobs.map(({ point }) => JSON.stringify(point)))].map((one) => JSON.parse(one) as ExperimentJob['point']);

/** The curves of the jobs at one point of the grid. Each point has its own charts. */
export function curvesOf(
  jobs: readonly ExperimentJob[],
  point: ExperimentJob['point'],
  metricsOf: MetricsOf,
  roles: ArmRoles,
): Curves[] {
  const shown = jobs.filter((job) => JSON.stringify(job.point) === JSON.stringify(point));
  const units = new Map<string, { unit: string; steps: Set<number> }>();
  for (const job of shown) {
    for (const { metric, layer, band, step, unit } of metricsOf(job)) {
      if (layer !== null || band !== null) continue;
      const found = units.get(metric) ?? { unit, steps: new Set() };
      found.steps.add(step);
      units.set(metric, found);
    }
  }
  return [...units]
    .filter(([metric, { steps }]) => steps.size > 1 && !metric.includes('.'))
    .slice(0, mostCharts)
    .map(([metric, { unit, steps }]) => {
      const x = [...steps].sort((a, b) => a - b);
      const arms = [...new Set(shown.map(({ arm }) => arm))];
      const series = arms.flatMap((arm): RoleSeries[] => {
        const runs = shown
          .filter((job) => job.arm === arm)
          .map((job) => valuesAt(x, metricsOf(job), metric))
          .filter((run) => run.some(Number.isFinite));
        if (runs.length === 0) return [];
        return [{ id: arm, label: arm, role: roles.get(arm) ?? 'ink', x, y: meanOfRuns(runs, x.length), runs }];
      });
      return { metric, unit, series };
    });
}

function valuesAt(x: readonly number[], rows: readonly ExperimentMetric[], metric: string): number[] {
  const values = new Map(rows.filter((row) => row.metric === metric).map(({ step, value }) => [step, value]));
  return x.map((step) => values.get(step) ?? Number.NaN);
}

/** NaN until every run has reached the step; a mean over fewer runs would jump. */
const meanOfRuns = (runs: readonly (readonly number[])[], count: number): number[] =>
  Array.from({ length: count }, (_, at) => runs.reduce((sum, run) => sum + run[at]!, 0) / runs.length);
