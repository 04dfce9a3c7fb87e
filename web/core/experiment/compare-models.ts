/** Measures of two arms, from their trained models, after both have finished. */
import type { ExperimentRecords, ExperimentResult } from '../experiment-types.js';
import { checkBetween, nameOf, optionsOf } from './check-measure.js';
import { readsOf, type CheckedSpec } from './check-spec.js';
import { isOfModel } from './faults.js';
import { tableOf, type ExperimentHost, type TableName } from './metric-kinds.js';
import { METRICS } from './metrics.js';
import type { Matrix } from '../types.js';

/** `results`: for one seed at one point of the grid, by arm. Failed arms have no rows. */
export async function compareModels(
  host: ExperimentHost,
  spec: CheckedSpec,
  results: ReadonlyMap<string, ExperimentResult>,
  signal: { signal?: AbortSignal },
): Promise<Pick<ExperimentRecords, 'metrics' | 'problems'>> {
  const arms = Object.keys(spec.arms);
  const tables = new Map<string, Matrix>();
  const found: Pick<ExperimentRecords, 'metrics' | 'problems'> = { metrics: [], problems: [] };
  for (const measure of spec.measure) {
    const metric = METRICS[measure.metric]!;
    if (metric.of !== 'two tables') continue;
    const sides = checkBetween('between', measure.between, arms, readsOf(spec));
    const matrices: Matrix[] = [];
    for (const { arm, table } of sides) {
      const model = results.get(arm)?.model ?? null;
      if (model === null) break;
      const key = `${arm}.${table}`;
      if (!tables.has(key)) tables.set(key, await tableIn(host, model, table));
      matrices.push(tables.get(key)!);
    }
    const [first, second] = matrices;
    if (first === undefined || second === undefined) continue;
    const { run } = results.get(sides[0].arm)!;
    const name = nameOf(measure);
    try {
      for (const { part, ...row } of await metric.measure(host, [first, second], optionsOf(measure), signal)) {
        found.metrics.push({ id: run.id, step: run.steps, metric: name(part), layer: null, band: null, ...row });
      }
    } catch (error) {
      // The models are already trained, so a measure that refuses must not cost the others.
      if (!isOfModel(error)) throw error;
      found.problems.push({ id: run.id, metric: name(''), error: error.message });
    }
  }
  return found;
}

async function tableIn(host: ExperimentHost, model: Uint8Array, table: TableName): Promise<Matrix> {
  const trainer = await host.loadTrainer(model);
  try {
    return await tableOf(trainer, table);
  } finally {
    trainer.dispose();
  }
}
