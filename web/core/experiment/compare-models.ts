/** Measures of two arms, from their trained models, after both have finished. */
import type { ExperimentRecords, ExperimentResult } from './types.js';
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
  const ofTwo = spec.measure
    .filter(({ metric }) => METRICS[metric]!.of === 'two tables')
    .filter((measure, i, all) => all.findIndex((other) => nameOf(other)('') === nameOf(measure)('')) === i)
    .map((measure) => ({ measure, sides: checkBetween('between', measure.between, arms, readsOf(spec)) }));
  const tables = new Map<string, ReadonlyMap<TableName, Matrix>>();
  const found: Pick<ExperimentRecords, 'metrics' | 'problems'> = { metrics: [], problems: [] };
  for (const { measure, sides } of ofTwo) {
    const metric = METRICS[measure.metric]!;
    if (metric.of !== 'two tables') continue;
    const matrices: Matrix[] = [];
    for (const { arm, table } of sides) {
      const model = results.get(arm)?.model ?? null;
      if (model === null) break;
      const wanted = ofTwo.flatMap(({ sides: all }) => all).filter((side) => side.arm === arm);
      if (!tables.has(arm)) tables.set(arm, await tablesIn(host, model, new Set(wanted.map((side) => side.table))));
      matrices.push(tables.get(arm)!.get(table)!);
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

/** The tables that any measure needs, so that the file is read once. */
async function tablesIn(
  host: ExperimentHost,
  model: Uint8Array,
  names: ReadonlySet<TableName>,
): Promise<ReadonlyMap<TableName, Matrix>> {
  const trainer = await host.loadTrainer(model);
  try {
    const found = new Map<TableName, Matrix>();
    for (const name of names) found.set(name, await tableOf(trainer, name));
    return found;
  } finally {
    trainer.dispose();
  }
}
