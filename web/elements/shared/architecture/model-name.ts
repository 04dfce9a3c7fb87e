import { formatWhole } from '../../../charts/number-format.js';
import type { SizedFamily } from '../../../core/accounting/model-families.js';
import type { KnownModel } from '../../../core/accounting/types.js';
import { isEdited, type ArchitectureState } from './architecture-state.js';
import type { ArchitectureStrings } from './architecture.strings.js';
import { modelFamilies, ownId, tablesId } from './presets.js';

/** Names of models. */

function presetName(state: ArchitectureState, models: readonly KnownModel[], texts: ArchitectureStrings): string {
  const { model, name } = state;
  if (model === tablesId) return texts.tablesAlone;
  if (model === ownId) return name ?? texts.unnamed;
  if (modelFamilies.includes(model as SizedFamily)) return texts.families[model as SizedFamily];
  return models.find(({ id }) => id === model)?.name ?? model;
}

/** A model with changed sizes loses the name of its preset. */
export function modelName(state: ArchitectureState, models: readonly KnownModel[], texts: ArchitectureStrings): string {
  const name = presetName(state, models, texts);
  return isEdited(state, models) ? texts.editedFrom(name) : name;
}

/** Name and sizes, for a picture without controls. */
export function modelLine(state: ArchitectureState, models: readonly KnownModel[], texts: ArchitectureStrings): string {
  const { vocabSize, dModel, nLayers } = state.architecture;
  const layers = state.model === tablesId ? null : formatWhole(nLayers);
  return texts.pictured(
    modelName(state, models, texts),
    texts.picturedSizes(formatWhole(vocabSize), formatWhole(dModel), layers),
  );
}
