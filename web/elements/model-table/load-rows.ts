import type { KnownModel } from '../../core/accounting/types.js';
import type { Lab } from '../../core/types.js';
import { oncePer } from '../shared/once-per.js';
import { modelRow, type ModelRow } from './model-rows.js';

/** The lab verbs that the table uses. */
export type CountingLab = Pick<Lab, 'knownModels' | 'countParameters'>;

/** Every known model with its counts. */
export const loadRows = oncePer(async (lab: CountingLab): Promise<readonly ModelRow[]> => {
  const models = await lab.knownModels();
  const row = async (model: KnownModel): Promise<ModelRow> =>
    modelRow(model, await lab.countParameters(model.architecture, model.tying));
  return Promise.all(models.map(row));
});
