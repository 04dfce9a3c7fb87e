/** The card of any object that has one. */
import { invalidArgument } from '../../runtime/errors.js';

/** The verb of trainers and arms, and the verb of checkpoints. */
const VERBS = ['modelCard', 'identityCard'] as const;

/** Calls the verb that `model` has, in a core or in a lab. */
export function cardOf(model: unknown, options: unknown): unknown {
  if (typeof model === 'object' && model !== null) {
    const verbs = model as Partial<Record<(typeof VERBS)[number], (options: unknown) => unknown>>;
    for (const verb of VERBS) {
      if (typeof verbs[verb] === 'function') return verbs[verb](options);
    }
  }
  throw invalidArgument('model', model, 'a trainer, an arm of a comparison or a checkpoint');
}
