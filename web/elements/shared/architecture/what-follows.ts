import type { Architecture, CompleteArchitecture, TableTying } from '../../../core/accounting/types.js';
import { completeArchitecture } from '../../../core/accounting/architecture-options.js';
import { MODEL_FAMILIES } from '../../../core/accounting/model-families.js';

/** Fields that follow from a model's sizes: heads and feed-forward widths that fit, and ways to share its tables. */

/**
 * `base` at another width: its heads and feed-forward widths stay in proportion, so dragging the width never gives
 * an invalid model. An explicit head width stays.
 */
export function atWidth(base: Architecture, dModel: number): Architecture {
  if (dModel === base.dModel) return base;
  const scaled: Architecture = { ...base, dModel };
  // Without layers nothing has to fit the width.
  if (base.nLayers === 0) return scaled;
  const ratio = dModel / base.dModel;
  const inProportion = (value: number): number =>
    Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.round(value * ratio)));
  if (base.dFeedForward !== undefined) scaled.dFeedForward = inProportion(base.dFeedForward);
  if (base.dDenseFeedForward !== undefined && base.dDenseFeedForward > 0) {
    scaled.dDenseFeedForward = inProportion(base.dDenseFeedForward);
  }
  if (base.nHeads === undefined) return scaled;
  const wished = inProportion(base.nHeads);
  if (base.dHead === undefined) {
    scaled.nHeads = nearestDivisor(dModel, wished);
    if (base.nKeyValueHeads !== undefined) {
      scaled.nKeyValueHeads = nearestDivisor(scaled.nHeads, inProportion(base.nKeyValueHeads));
    }
  } else {
    const group = Math.max(1, Math.round(base.nHeads / (base.nKeyValueHeads ?? base.nHeads)));
    const groups = Math.max(1, Math.round(wished / group));
    scaled.nHeads = groups * group;
    if (base.nKeyValueHeads !== undefined) scaled.nKeyValueHeads = groups;
  }
  return scaled;
}

/** The divisor of `whole` nearest to `wished`; the smaller of two. */
export function nearestDivisor(whole: number, wished: number): number {
  // Bounds the search; 1 always divides.
  const most = Math.min(whole, wished * 2, 1_000_000);
  for (let distance = 0; distance < most; distance++) {
    const below = wished - distance;
    if (below >= 1 && whole % below === 0) return below;
    const above = wished + distance;
    if (above <= whole && whole % above === 0) return above;
  }
  return 1;
}

/** The architecture with every field, or null if it is invalid; the core explains why. */
export function completed(architecture: Architecture): CompleteArchitecture | null {
  try {
    return completeArchitecture(architecture);
  } catch {
    return null;
  }
}

/** Whether input and output have the same vocabulary, so that one table can serve both. */
export const sharesVocabulary = ({ vocabSize, outputVocabSize = vocabSize }: Architecture): boolean =>
  outputVocabSize === vocabSize;

export const stackOf = ({ stack, family }: Architecture): NonNullable<Architecture['stack']> =>
  stack ?? MODEL_FAMILIES[family].stack;

/** The ways of sharing the architecture's tables, most sharing first. */
export function possibleTyings(architecture: Architecture): TableTying[] {
  const twoStacks = stackOf(architecture) === 'encoder-decoder';
  if (!sharesVocabulary(architecture)) return twoStacks ? ['tied-decoder', 'untied'] : ['untied'];
  if (twoStacks) return ['tied', 'tied-decoder', 'tied-inputs', 'untied'];
  // Factorized tables have no map before them.
  return architecture.tableRank ? ['tied', 'untied'] : ['tied', 'tied-linear', 'tied-mlp', 'tied-low-rank', 'untied'];
}

/** `wished` if possible, otherwise the first possible way. */
export function tyingFor(architecture: Architecture, wished: TableTying | null): TableTying {
  const possible = possibleTyings(architecture);
  if (wished !== null && possible.includes(wished)) return wished;
  return possible[0] === 'tied-decoder' ? 'untied' : (possible[0] ?? 'untied');
}

/** Gives fields that a change has made invalid the nearest valid value. */
export function keepPossible(changed: Architecture, before: Architecture): void {
  keepExpertsPossible(changed);
  keepNgramsPossible(changed, before);
  keepValueEmbeddingsPossible(changed);
}

/** Leaves out those that the widths, or a second stack, no longer allow. */
function keepValueEmbeddingsPossible(changed: Architecture): void {
  if ((changed.valueEmbeddings ?? 'none') === 'none' || isPossible(changed)) return;
  if (isPossible({ ...changed, valueEmbeddings: 'none' })) changed.valueEmbeddings = 'none';
}

function isPossible(architecture: Architecture): boolean {
  try {
    completeArchitecture(architecture);
    return true;
  } catch {
    return false;
  }
}

/** N-grams start with pairs. Their tables start with one row per token; without n-grams they have no rows. */
function keepNgramsPossible(changed: Architecture, before: Architecture): void {
  if (changed.ngramOrder === undefined) return;
  if (changed.ngramOrder === 1) changed.ngramOrder = (before.ngramOrder ?? 0) > 1 ? 0 : 2;
  if (changed.ngramOrder === 0) changed.ngramRows = 0;
  else changed.ngramRows ||= changed.vocabSize;
}

/** Limits active experts to the experts, and dense layers to the layers; removes both without experts. */
function keepExpertsPossible(changed: Architecture): void {
  const experts = changed.nExperts ?? MODEL_FAMILIES[changed.family].nExperts;
  if (experts === 0) {
    for (const field of ['nActiveExperts', 'nSharedExperts', 'nDenseLayers', 'dDenseFeedForward'] as const) {
      if (changed[field] !== undefined) changed[field] = 0;
    }
    return;
  }
  if (changed.nActiveExperts !== undefined) {
    changed.nActiveExperts = Math.max(1, Math.min(changed.nActiveExperts, experts));
  }
  if (changed.nDenseLayers !== undefined) {
    changed.nDenseLayers = Math.min(changed.nDenseLayers, changed.nLayers);
    if (changed.nDenseLayers === 0 && changed.dDenseFeedForward !== undefined) changed.dDenseFeedForward = 0;
  }
}
