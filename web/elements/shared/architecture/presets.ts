import type { Architecture, KnownModel, TableTying } from '../../../core/accounting/types.js';
import { MODEL_FAMILIES, SIZED_FAMILIES, type SizedFamily } from '../../../core/accounting/model-families.js';

export const modelFamilies: readonly SizedFamily[] = SIZED_FAMILIES;

/** Whether the fields that a reader can edit describe all of the model. */
export const isDescribed = ({ family }: Architecture): boolean => family !== 'listed';

/** Starting points: the tables alone, a family at a usual size, a known model, or a file. */
export interface Preset {
  /** The value of the attribute `model`. */
  readonly id: string;
  /** Null if the strings have a name for it. */
  readonly name: string | null;
  readonly architecture: Architecture;
  /** Null: the first possible way, 'tied' before 'untied'. */
  readonly tying: TableTying | null;
}

/** No layers: the cost of the tables for a vocabulary and a width. */
export const tablesId = 'tables';
/** A model that is not listed, such as one from a file. */
export const ownId = 'own';

/** A usual size of each family; other fields follow from the family. */
const familySizes: Readonly<Record<SizedFamily, { vocabSize: number; dModel: number; nLayers: number }>> = {
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
  // Sizes of layers are valid for every width, although there are no layers.
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

export function familyPreset(family: SizedFamily): Preset {
  // A fixed number of heads is set explicitly, so that it can adapt to a width that it does not divide.
  const { nHeads } = MODEL_FAMILIES[family];
  const heads = nHeads === null ? {} : { nHeads };
  return { id: family, name: null, architecture: { family, ...familySizes[family], ...heads }, tying: null };
}

const isFamily = (id: string): id is SizedFamily => (modelFamilies as readonly string[]).includes(id);

/** The preset with this id, or null if there is none (yet: known models come from the core). */
export function presetOf(id: string, models: readonly KnownModel[]): Preset | null {
  if (id === tablesId) return tables;
  if (isFamily(id)) return familyPreset(id);
  return models.find((model) => model.id === id) ?? null;
}
