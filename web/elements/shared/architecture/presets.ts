import type { Architecture, KnownModel, ModelFamily, TableTying } from '../../../core/accounting-types.js';
import { MODEL_FAMILIES } from '../../../core/model-families.js';
import { modelFamilies } from './fields.js';

/** What a reader can start from: the tables alone, a family at a customary size, a known model, or an own file. */
export interface Preset {
  /** What the attribute `model` says. */
  readonly id: string;
  /** Null where the strings have a name for it. */
  readonly name: string | null;
  readonly architecture: Architecture;
  /** Null: what the architecture allows, 'tied' before 'untied'. */
  readonly tying: TableTying | null;
}

/** No layers: what the tables of a vocabulary and a width cost. */
export const tablesId = 'tables';
/** A model that no list holds, such as one from a file. */
export const ownId = 'own';

/** A customary size of each family; the rest follows from the family. */
const familySizes: Readonly<Record<ModelFamily, { vocabSize: number; dModel: number; nLayers: number }>> = {
  'gpt-2': { vocabSize: 50_257, dModel: 768, nLayers: 12 },
  bert: { vocabSize: 30_522, dModel: 768, nLayers: 12 },
  t5: { vocabSize: 32_128, dModel: 512, nLayers: 6 },
  llama: { vocabSize: 32_000, dModel: 4096, nLayers: 32 },
  gemma: { vocabSize: 256_000, dModel: 2048, nLayers: 18 },
  'gpt-neox': { vocabSize: 50_432, dModel: 6144, nLayers: 44 },
  'mixture-of-experts': { vocabSize: 32_000, dModel: 4096, nLayers: 32 },
  'tied-embeddings': { vocabSize: 512, dModel: 64, nLayers: 4 },
  'plain-formula': { vocabSize: 50_257, dModel: 768, nLayers: 12 },
};

const tables: Preset = {
  id: tablesId,
  name: null,
  // What no layer has is given sizes that can be, however wide the tables are.
  architecture: {
    family: 'plain-formula',
    vocabSize: 50_000,
    dModel: 4096,
    nLayers: 0,
    nHeads: 1,
    dHead: 1,
    dFeedForward: 1,
  },
  tying: null,
};

export function familyPreset(family: ModelFamily): Preset {
  // A number of heads that the family has at any width is named, so that it follows a width that it does not divide.
  const { nHeads } = MODEL_FAMILIES[family];
  const heads = nHeads === null ? {} : { nHeads };
  return { id: family, name: null, architecture: { family, ...familySizes[family], ...heads }, tying: null };
}

const isFamily = (id: string): id is ModelFamily => (modelFamilies as readonly string[]).includes(id);

/** The preset of this id, or null where nothing has it (yet: known models come from the core). */
export function presetOf(id: string, models: readonly KnownModel[]): Preset | null {
  if (id === tablesId) return tables;
  if (isFamily(id)) return familyPreset(id);
  return models.find((model) => model.id === id) ?? null;
}
