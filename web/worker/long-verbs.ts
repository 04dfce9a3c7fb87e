/**
 * The verbs that a lab does in slices: other calls and cancels are handled in between, several verbs take turns, and a page without worker
 * can draw. Listeners and signals stay with the caller; the other side refers to them by the call's ticket.
 */
import { CORE_WORK } from '../core/api/core-verbs.js';
import type { AnyVerb, Verbs } from '../core/runtime/verb.js';
import { CORPUS_WORK } from '../core/text/corpus.js';
import { TOKENIZER_WORK } from '../core/text/tokenizer.js';
import { COMPARISON_WORK } from '../core/training/comparison.js';
import { TRAINER_WORK } from '../core/training/trainer-verbs.js';
import { CORE_TARGET } from './protocol.js';

/** By name alone: verbs of the same name differ in their work only, which is done on the other side. */
const HANDLE_WORK: Verbs = { ...TOKENIZER_WORK, ...CORPUS_WORK, ...COMPARISON_WORK, ...TRAINER_WORK };

export const declaredIn = (verbs: Verbs, name: string): AnyVerb | undefined =>
  Object.hasOwn(verbs, name) ? verbs[name] : undefined;

/** Undefined if the verb is a single call. `target`: the number of a handle, or the core's. */
export const longVerb = (target: number, name: string): AnyVerb | undefined =>
  declaredIn(target === CORE_TARGET ? CORE_WORK : HANDLE_WORK, name);
