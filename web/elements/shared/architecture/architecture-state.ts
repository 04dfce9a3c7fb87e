import type { Architecture, ImportedModel, KnownModel, TableTying } from '../../../core/accounting/types.js';
import type { SizedFamily } from '../../../core/accounting/model-families.js';
import type { Refused } from '../settings/with-settings.js';
import { attributeName, type Values } from '../settings/setting.js';
import {
  architectureFields,
  architectureSettings,
  readSetting,
  type ArchitectureField,
  type ArchitectureSetting,
} from './fields.js';
import { familyPreset, isDescribed, ownId, presetOf, tablesId, type Preset } from './presets.js';
import { atWidth, keepPossible, nearestDivisor, possibleTyings, tyingFor } from './what-follows.js';

export { settingNames } from './fields.js';
export { possibleTyings, sharesVocabulary, stackOf } from './what-follows.js';

/**
 * The model of a figure, and its form in attributes and links: the id of a preset, and only the differences from it.
 * Pure; counts nothing.
 */
export interface ArchitectureState {
  /** 'tables', a family, the id of a known model, or 'own'. */
  readonly model: string;
  /** For a model from a file. */
  readonly name: string | null;
  readonly architecture: Architecture;
  readonly tying: TableTying;
  /** For a model from a file: its contents, so that restoring a width also restores its heads. */
  readonly original: Architecture | null;
  /** For a model from a file: edited before this state was read from a link. */
  readonly edited?: true;
}

const given = (settings: Values, name: string): unknown => settings[name] ?? undefined;

// ---------------------------------------------------------------- from settings to state

/** Whether the settings name a model that is not in `models`; until those are loaded it may still be valid. */
export function namesUnknownModel(settings: Values, models: readonly KnownModel[]): boolean {
  const model = given(settings, 'model');
  return model !== undefined && model !== ownId && presetOf(String(model), models) === null;
}

function basePreset(settings: Values, models: readonly KnownModel[], start: string): Preset {
  const model = given(settings, 'model');
  const family = readSetting('family', given(settings, 'family')) as SizedFamily | undefined;
  const startPreset = presetOf(start, models) ?? familyPreset('gpt-2');
  // Tables with layers between them make a model.
  const layers = readSetting('nLayers', given(settings, 'nLayers'));
  const hasLayers = layers !== undefined && layers !== 0;
  if (hasLayers && family === undefined && (model ?? start) === tablesId) return familyPreset('plain-formula');
  if (model === ownId) return { ...familyPreset(family ?? 'gpt-2'), id: ownId };
  if (model === undefined) return family === undefined ? startPreset : familyPreset(family);
  return presetOf(String(model), models) ?? startPreset;
}

/**
 * The state that attributes or a link describe, and the invalid ones. `start` is the preset if neither `model` nor
 * `family` is given.
 */
export function readState(
  settings: Values,
  models: readonly KnownModel[],
  start: string,
): { state: ArchitectureState; problems: Refused[] } {
  const problems: Refused[] = [];
  const refuse = (name: ArchitectureSetting, used: unknown): void => {
    const attribute = attributeName(architectureSettings, name);
    problems.push({ name, attribute, value: settings[name], problem: { kind: 'unknown' }, used });
  };
  if (namesUnknownModel(settings, models)) {
    // Differences from an unknown model mean nothing either.
    refuse('model', start);
    return { state: readState({}, models, start).state, problems };
  }
  const read = (name: ArchitectureSetting, used: unknown): unknown => {
    const value = readSetting(name, given(settings, name));
    if (value === undefined && given(settings, name) !== undefined) refuse(name, used);
    return value;
  };
  const base = basePreset(settings, models, start);
  const dModel = readSetting('dModel', given(settings, 'dModel')) as number | undefined;
  // The sizes of listed tensors are fixed.
  const fields = isDescribed(base.architecture) ? architectureFields : [];
  const scaled =
    fields.length === 0 ? base.architecture : atWidth(base.architecture, dModel ?? base.architecture.dModel);
  const own = fields.map((field) => [field, read(field, base.architecture[field])] as const);
  const architecture: Architecture = {
    ...scaled,
    ...Object.fromEntries(own.filter(([, value]) => value !== undefined)),
  };
  const usual = tyingFor(architecture, base.tying);
  const name = given(settings, 'modelName');
  return {
    state: {
      model: base.id,
      name: base.id === ownId && name !== undefined ? String(name) : null,
      architecture,
      // The core refuses a way of tying that the architecture lacks, and explains why.
      tying: (read('tying', usual) as TableTying | undefined) ?? usual,
      original: base.id === ownId ? architecture : null,
      ...(base.id === ownId && isSet(given(settings, 'modelEdited')) ? { edited: true } : {}),
    },
    problems,
  };
}

/** As a boolean attribute. */
const isSet = (value: unknown): boolean => value !== undefined && value !== false && value !== 'false';

// ---------------------------------------------------------------- from state to settings

/** The settings that restore `state`, by property name: the preset and the differences from it. */
export function settingsOf(state: ArchitectureState, models: readonly KnownModel[], start: string): Values {
  const { architecture, model, tying, name } = state;
  const settings: Record<string, unknown> = {};
  const { family } = architecture;
  // No link holds a list of tensors.
  if (model === ownId && family === 'listed') return settings;
  const usual = familyPreset(family === 'listed' ? 'gpt-2' : family);
  const base = (model === ownId ? usual : presetOf(model, models)) ?? usual;
  if (model !== start) settings.model = model;
  if (model === ownId && name !== null) settings.modelName = name;
  if (model === ownId && isEdited(state, models)) settings.modelEdited = true;
  const scaled = atWidth(base.architecture, architecture.dModel);
  // Links to the tables alone always contain their sizes.
  const always: readonly string[] =
    model === tablesId ? ['vocabSize', 'dModel'] : model === ownId ? ['family', 'vocabSize', 'dModel', 'nLayers'] : [];
  for (const field of architectureFields) {
    const value = architecture[field];
    const isUsual = field === 'dModel' ? value === base.architecture.dModel : value === scaled[field];
    if (value !== undefined && (always.includes(field) || !isUsual)) settings[field] = value;
  }
  if (tying !== tyingFor(architecture, base.tying)) settings.tying = tying;
  return settings;
}

// ---------------------------------------------------------------- what the reader does

/** Another preset; null if the id is unknown. */
export function withPreset(id: string, models: readonly KnownModel[]): ArchitectureState | null {
  const preset = presetOf(id, models);
  if (preset === null) return null;
  const { architecture, tying } = preset;
  return { model: id, name: null, architecture, tying: tyingFor(architecture, tying), original: null };
}

/** A model from a file. */
export const withOwn = (name: string | null, architecture: Architecture, tying: TableTying): ArchitectureState => ({
  model: ownId,
  name,
  architecture,
  tying,
  original: architecture,
});

/** The model of a configuration. If that does not tell how it is tied, the choice made before stays; the report of the file says so. */
export const withImported = (
  { name, architecture, tying }: ImportedModel,
  before: ArchitectureState | null,
): ArchitectureState => withOwn(name, architecture, tying ?? tyingFor(architecture, before?.tying ?? null));

export const withTying = (state: ArchitectureState, tying: TableTying): ArchitectureState => ({ ...state, tying });

/** Whether the state differs from its preset. */
export function isChanged(state: ArchitectureState, models: readonly KnownModel[]): boolean {
  const { architecture, original, model, tying } = state;
  const base = original ?? presetOf(model, models)?.architecture ?? architecture;
  const usual = model === ownId ? tying : tyingFor(base, presetOf(model, models)?.tying ?? null);
  return tying !== usual || architectureFields.some((field) => architecture[field] !== base[field]);
}

/** Fields that may differ while the model still belongs to its family, "any size", or the formula. */
const sizeFields: ReadonlySet<ArchitectureField> = new Set([
  'vocabSize',
  'outputVocabSize',
  'dModel',
  'nLayers',
  'nEncoderLayers',
  'nHeads',
  'nKeyValueHeads',
  'dHead',
  'dFeedForward',
  'dDenseFeedForward',
  'contextLength',
  'nExperts',
  'nActiveExperts',
  'nSharedExperts',
  'nDenseLayers',
]);

/**
 * Whether the preset's name no longer fits. A published model has one set of sizes; a family, and the tables alone,
 * have any.
 */
export function isEdited(state: ArchitectureState, models: readonly KnownModel[]): boolean {
  const { architecture, model } = state;
  if (model === tablesId) return false;
  if (state.edited === true) return true;
  const preset = presetOf(model, models);
  if (preset === null || models.some(({ id }) => id === model)) return isChanged(state, models);
  return architectureFields.some(
    (field) => !sizeFields.has(field) && architecture[field] !== preset.architecture[field],
  );
}

/**
 * Changes sizes of the model. Dependent fields follow: heads and feed-forward widths scale with the width unless the
 * reader set them, and fields that become invalid take the nearest valid value.
 */
export function withChange(
  state: ArchitectureState,
  change: Partial<Architecture>,
  models: readonly KnownModel[],
): ArchitectureState {
  const { architecture } = state;
  // What is listed has the sizes that it has.
  if (!isDescribed(architecture)) return state;
  const changed: Architecture = { ...architecture, ...change };
  // Both vocabularies change together until the reader separates them.
  if (change.vocabSize !== undefined && architecture.outputVocabSize === architecture.vocabSize) {
    changed.outputVocabSize = change.vocabSize;
  }
  if (change.dModel !== undefined) {
    const base = state.original ?? presetOf(state.model, models)?.architecture ?? architecture;
    const before = atWidth(base, architecture.dModel);
    const after = atWidth(base, change.dModel);
    for (const field of ['dFeedForward', 'dDenseFeedForward', 'nHeads', 'nKeyValueHeads'] as const) {
      const following = after[field];
      if (following !== undefined && architecture[field] === before[field]) changed[field] = following;
    }
    for (const field of ['lowRank', 'tableRank'] as const) {
      if (changed[field] !== undefined) changed[field] = Math.min(changed[field], change.dModel);
    }
  }
  if (change.nHeads !== undefined && change.nKeyValueHeads === undefined && changed.nKeyValueHeads !== undefined) {
    const alike = architecture.nKeyValueHeads === architecture.nHeads;
    changed.nKeyValueHeads = alike ? change.nHeads : nearestDivisor(change.nHeads, changed.nKeyValueHeads);
  }
  keepPossible(changed, architecture);
  if (change.stack !== undefined && changed.nEncoderLayers !== undefined) {
    changed.nEncoderLayers = change.stack === 'encoder-decoder' ? changed.nEncoderLayers || changed.nLayers : 0;
  }
  const tying = possibleTyings(changed).includes(state.tying) ? state.tying : tyingFor(changed, null);
  return { ...state, architecture: changed, tying };
}
