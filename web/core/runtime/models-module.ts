/** Which models run in the module `models`, and which calls need it. core.wasm runs all other models. */
import { MODEL_FIELDS } from '../generated/fields.js';
import { isRecord } from './validate.js';

export type ModuleOfModel = 'core' | 'models';

/** The module for the options of a model, checked or not. */
export function moduleOfModel(model: unknown): ModuleOfModel {
  if (!isRecord(model)) return 'core';
  const { head, kind, objective } = model;
  const isMasked = objective === 'masked' || objective === 'masked-diffusion';
  return kind === 'encoder-decoder' || isMasked || (isRecord(head) && head['kind'] !== 'full') ? 'models' : 'core';
}

/** The module for a model from a checkpoint. Files lack the order of tokens that other heads need; `core` refuses those by name. */
export const moduleOfBlank = (model: unknown): ModuleOfModel =>
  isRecord(model) && model['head'] !== undefined ? 'core' : moduleOfModel(model);

// In trainer_file.cpp: what begins a file, or that of a copy, and the offset of the model's fields, after the version and the bytes of a number.
const MAGICS = ['tiedtrnr', 'tiedcopy'];
const MAGIC_BYTES = 8;
const FIELDS_AT = 13;

function choiceIn(file: Uint8Array, path: keyof typeof MODEL_FIELDS): number | undefined {
  let at = FIELDS_AT;
  for (const [name, field] of Object.entries(MODEL_FIELDS)) {
    if (name === path) break;
    at += 'whole' in field || 'real' in field ? 8 : 1;
  }
  return file[at];
}

/** The module for a saved trainer; anything else is refused by whichever module reads it. */
export function moduleOfFile(bytes: unknown): ModuleOfModel {
  if (!(bytes instanceof Uint8Array)) return 'core';
  if (!MAGICS.includes(String.fromCharCode(...bytes.subarray(0, MAGIC_BYTES)))) return 'core';
  const kind = MODEL_FIELDS.kind.words[choiceIn(bytes, 'kind')!];
  const head = MODEL_FIELDS['head.kind'].words[choiceIn(bytes, 'head.kind')!];
  const objective = MODEL_FIELDS.objective.words[choiceIn(bytes, 'objective')!];
  return moduleOfModel({ kind, head: head && { kind: head }, objective });
}

/** Whether a core's verb needs it with these arguments, checked or not. */
export function needsModels(verb: string, [first, second]: readonly unknown[]): boolean {
  switch (verb) {
    case 'createTrainer':
      return isRecord(first) && moduleOfModel(first['model']) === 'models';
    case 'startModel':
      return isRecord(first) && moduleOfBlank(first['model']) === 'models';
    case 'estimateMemory':
      return moduleOfModel(first) === 'models';
    case 'loadTrainer':
      return moduleOfFile(first) === 'models';
    case 'compare': {
      const arms = isRecord(second) ? second['arms'] : undefined;
      return (
        isRecord(arms) && Object.values(arms).some((arm) => isRecord(arm) && moduleOfModel(arm['model']) === 'models')
      );
    }
    default:
      return false;
  }
}
