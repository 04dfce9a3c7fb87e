/**
 * What the thread that opened a lab needs to know of the verbs: the rest, with all of the core, is the worker's. The build puts the
 * values in place of this code (tools/build/values.mjs), so everything exported must be plain data.
 */
import { CORE_VERBS, CORE_WORK, INTERNAL_CORE_VERBS, modulesOfVerb } from '../core/api/core-verbs.js';
import type { ModuleName } from '../core/runtime/modules.js';
import type { AnyVerb, Verbs } from '../core/runtime/verb.js';
import { CORPUS_WORK } from '../core/text/corpus.js';
import { TOKENIZER_WORK } from '../core/text/tokenizer.js';
import { COMPARISON_WORK } from '../core/training/comparison.js';
import { TRAINER_VERBS, TRAINER_WORK } from '../core/training/trainer-verbs.js';

export { CORE_VERBS } from '../core/api/core-verbs.js';
export { ARM_VERBS, TRAINER_VERBS } from '../core/training/trainer-verbs.js';

/** A verb that a lab does in slices. Its listener and its signal stay with the caller; the other side refers to them by the call's ticket. */
export type LongVerb = Pick<AnyVerb, 'what' | 'optionsAt' | 'listener' | 'onlyInLab' | 'streams'>;
type ByName<Facts> = Readonly<Record<string, Facts>>;

const longVerbs = (verbs: Verbs): ByName<LongVerb> =>
  Object.fromEntries(
    Object.entries(verbs).map(([name, { what, optionsAt, listener, onlyInLab, streams }]) => [
      name,
      { what, optionsAt, listener, onlyInLab, streams } as LongVerb,
    ]),
  );

export const LONG_VERBS = {
  core: longVerbs(CORE_WORK),
  handles: longVerbs({ ...TOKENIZER_WORK, ...CORPUS_WORK, ...COMPARISON_WORK, ...TRAINER_WORK }),
};

const modulesOf = (names: readonly string[], of: 'core' | 'trainer'): ByName<readonly ModuleName[]> =>
  Object.fromEntries(names.map((name) => [name, modulesOfVerb(name, of)] as const).filter(([, all]) => all.length > 0));

/** The modules that verbs need beside those that are always loaded. */
export const MODULES_OF = {
  core: modulesOf([...CORE_VERBS, ...INTERNAL_CORE_VERBS], 'core'),
  trainer: modulesOf(TRAINER_VERBS, 'trainer'),
};
