import type { KnownModel, ParameterCount } from '../../core/accounting-types.js';
import type { Lab } from '../../core/types.js';
import { modelRow, type ModelRow } from './model-rows.js';

/** The lab verbs that the table uses. */
export type CountingLab = Pick<Lab, 'knownModels' | 'countParameters'>;

const known = new WeakMap<CountingLab, Promise<readonly ModelRow[]>>();

/** Every known model with its counts, once per lab. */
export function loadRows(lab: CountingLab): Promise<readonly ModelRow[]> {
  let rows = known.get(lab);
  if (rows === undefined) {
    rows = countAll(lab);
    known.set(lab, rows);
    // Failures are not cached.
    rows.catch(() => known.delete(lab));
  }
  return rows;
}

async function countAll(lab: CountingLab): Promise<ModelRow[]> {
  const models = await lab.knownModels();
  const counts = await Promise.all(
    models.map((model: KnownModel): Promise<ParameterCount> => lab.countParameters(model.architecture, model.tying)),
  );
  return models.flatMap((model, at) => {
    const count = counts[at];
    return count === undefined ? [] : [modelRow(model, count)];
  });
}
