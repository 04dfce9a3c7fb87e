/** Which models run in the module `models`, and which calls need it. core.wasm runs all other models. */
import { MAX_TYING_CHANGES } from '../generated/fields.js';
import { isRecord, readList } from './validate.js';

export type ModuleOfModel = 'core' | 'models';

const changes = (value: unknown, usual: number): boolean => value !== undefined && value !== usual;

/** The module for options of a model and its training, checked or not. */
export function moduleOfModel(model: unknown, training: unknown): ModuleOfModel {
  if (isRecord(training) && (changes(training['labelSmoothing'], 0) || changes(training['temperature'], 1))) {
    return 'models';
  }
  if (!isRecord(model)) return 'core';
  const { head, kind, ngrams, tableRank, tying } = model;
  if (kind === 'encoder-decoder' || ngrams !== undefined || tableRank !== undefined) return 'models';
  if (readList(tying, 2, MAX_TYING_CHANGES)) return 'models';
  return isRecord(head) && head['kind'] !== 'full' ? 'models' : 'core';
}

/** The module for a model from a checkpoint. Files lack the order of tokens that other heads need; `core` refuses those by name. */
export const moduleOfBlank = (model: unknown, training: unknown): ModuleOfModel =>
  isRecord(model) && model['head'] !== undefined ? 'core' : moduleOfModel(model, training);

// The offset of the version in trainer_file.cpp, and the versions with features that core.wasm does not have.
const VERSION = 8;
const OF_MODELS: readonly unknown[] = [6, 7];

/** The module for a saved trainer; anything else is refused by whichever module reads it. */
export function moduleOfFile(bytes: unknown): ModuleOfModel {
  return bytes instanceof Uint8Array && OF_MODELS.includes(bytes[VERSION]) ? 'models' : 'core';
}

/** Whether a core's verb needs it with these arguments, checked or not. */
export function needsModels(verb: string, args: readonly unknown[]): boolean {
  const [first, second] = args;
  switch (verb) {
    case 'createTrainer':
      return isRecord(first) && moduleOfModel(first['model'], first['training']) === 'models';
    case 'startModel':
      return isRecord(first) && moduleOfBlank(first['model'], first['training']) === 'models';
    case 'estimateMemory':
      return moduleOfModel(first, second) === 'models';
    case 'loadTrainer':
      return moduleOfFile(first) === 'models';
    case 'compare': {
      const arms = isRecord(second) ? second['arms'] : undefined;
      return (
        isRecord(arms) &&
        Object.values(arms).some((arm) => isRecord(arm) && moduleOfModel(arm['model'], arm['training']) === 'models')
      );
    }
    default:
      return false;
  }
}
