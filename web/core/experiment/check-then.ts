/** Checks the second text of an experiment, to which its models are moved. */
import { invalidArgument } from '../runtime/errors.js';
import type { ExperimentText, ExperimentThen } from './types.js';
import { TRAINING_OPTIONS } from '../training/training-options.js';
import { checkInteger, checkOptions } from '../runtime/validate.js';
import { checkTextSource } from './check-source.js';
import { checkPlain } from './plain-data.js';

/** Without options that belong to the whole run: the size of its steps, its start, its seed. */
const THEN_TRAINING = TRAINING_OPTIONS.filter(
  (name) => !['seed', 'initSeed', 'batchSize', 'gradientAccumulation', 'shards'].includes(name),
);

/** @param first - the text before; undefined for pairs */
export function checkThen(value: unknown, first: ExperimentText | undefined): ExperimentThen | undefined {
  if (value === undefined) return undefined;
  if (first === undefined)
    throw invalidArgument('spec.then', value, 'it to be absent: only models of a text are moved');
  const given = checkOptions<ExperimentThen>('spec.then', value as ExperimentThen, ['text', 'afterSteps', 'training']);
  const text = checkTextSource(given.text, 'spec.then.text');
  const [before, after] = [first, text].map((one) => ('markov' in one ? one.markov.states : null));
  if (before !== after) {
    const expected =
      before === null ? 'a text, as spec.text is' : `a Markov chain of ${before} states, as spec.text is`;
    throw invalidArgument('spec.then.text', given.text, expected);
  }
  const training = { ...checkOptions('spec.then.training', given.training ?? {}, THEN_TRAINING) };
  checkPlain('spec.then.training', training);
  return { text, afterSteps: checkInteger('spec.then.afterSteps', given.afterSteps, 1), training };
}
