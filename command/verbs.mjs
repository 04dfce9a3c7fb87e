/** Everything that the command can do, in the order of its help. */
import { check } from './check.mjs';
import { count } from './count.mjs';
import { collectVerb, expandVerb, runVerb } from './experiment-verbs.mjs';

/** @type {readonly import('./declare.mjs').Verb[]} */
export const verbs = [check, count, runVerb, expandVerb, collectVerb];
