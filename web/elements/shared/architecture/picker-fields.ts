import type { Architecture, CompleteArchitecture } from '../../../core/accounting-types.js';
import { completeArchitecture } from '../../../core/architecture-options.js';
import type { ArchitectureState } from './architecture-state.js';
import type { ArchitectureField } from './fields.js';
import { tablesId } from './presets.js';

/** The architecture with every field, or null where it is invalid, which the core explains. */
export function completed(architecture: Architecture): CompleteArchitecture | null {
  try {
    return completeArchitecture(architecture);
  } catch {
    return null;
  }
}

/** The fields that apply to this model, besides vocabulary, width and layers. */
export function applyingFields(state: ArchitectureState): ReadonlySet<ArchitectureField> {
  const { architecture, model, tying } = state;
  const shown = new Set<ArchitectureField>();
  if (model === tablesId) return shown;
  const complete = completed(architecture) ?? architecture;
  const twoStacks = complete.stack === 'encoder-decoder';
  add(shown, 'stack', 'outputVocabSize');
  if (twoStacks) add(shown, 'nEncoderLayers');
  if (tying === 'tied-low-rank') add(shown, 'lowRank');
  if (complete.family === 'plain-formula') return shown;
  add(shown, 'positions', 'outputBias');
  if (complete.positions === 'learned') add(shown, 'contextLength');
  if (complete.positions === 'relative') add(shown, 'relativeBuckets');
  if (complete.nLayers === 0 && (complete.nEncoderLayers ?? 0) === 0) return shown;
  add(shown, 'nHeads', 'nKeyValueHeads', 'dHead', 'feedForward', 'dFeedForward', 'biases', 'nExperts');
  if ((complete.nExperts ?? 0) === 0) return shown;
  add(shown, 'nActiveExperts', 'nSharedExperts', 'nDenseLayers');
  if ((complete.nDenseLayers ?? 0) > 0) add(shown, 'dDenseFeedForward');
  return shown;
}

function add(shown: Set<ArchitectureField>, ...fields: readonly ArchitectureField[]): void {
  for (const field of fields) shown.add(field);
}
