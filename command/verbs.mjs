/** Everything that the command can do, in the order of its help. */
import { check } from './check.mjs';
import { count } from './count.mjs';
import { floor } from './floor.mjs';
import { recover } from './recover.mjs';
import { train } from './train.mjs';
import { evaluate, generate } from './use-model.mjs';
import { replay } from './replay.mjs';
import { collectVerb, expandVerb, runVerb } from './experiment-verbs.mjs';
import { completionOf } from './completion.mjs';

/** @type {readonly import('./declare.mjs').Verb[]} */
export const verbs = [
  train,
  evaluate,
  generate,
  check,
  count,
  floor,
  recover,
  replay,
  runVerb,
  expandVerb,
  collectVerb,
  completionOf(() => verbs),
];
