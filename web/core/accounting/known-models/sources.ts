/** Sources of the table's figures: each names a place that a reader can open, at the version that was read. */
import type { KnownModel } from '../types.js';

/** Configurations as their makers published them, collected in one file. */
export function mlcPreset(name: string): string {
  return `The model's config.json, as mlc-ai/mlc-llm has it (79d603f, python/mlc_llm/model/model_preset.py, '${name}')`;
}

/** The same, if the file also states the tying. */
export function presetSources(name: string): KnownModel['sources'] {
  return { sizes: mlcPreset(name), tying: 'The same file: tie_word_embeddings' };
}

/** Counts that Keras gives for the weights it loads. */
export function kerasCount(folder: string, preset: string): string {
  return `keras-team/keras-hub (71453d0), keras_hub/src/models/${folder}/${folder}_presets.py, '${preset}'`;
}

/** The Hub's count of the weights themselves: each model's page shows it rounded; the API gives every digit. */
export function hubCount(repository: string): string {
  return `Safetensors metadata of ${repository} on Hugging Face, as others report it`;
}

/** A file of a repository. */
export function file(repository: string, commit: string, path: string): string {
  return `${repository} (${commit}), ${path}`;
}

/** What the classes of Hugging Face's transformers do if a configuration does not say. */
export function transformersClass(path: string, what: string): string {
  return `huggingface/transformers 4, src/transformers/models/${path}: ${what}`;
}

/** Tied by default: the configuration does not say otherwise. */
export const TIED_BY_DEFAULT =
  'huggingface/transformers 4, src/transformers/configuration_utils.py: tie_word_embeddings is true where nothing else is said, as in its config.json';
