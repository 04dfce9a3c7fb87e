/** How often a model lets each token of a text follow itself, a sequence at a time. */
import { exp } from '../runtime/elementary.js';
import { readIds, readoutOf, type ReadTrainer } from './readout.js';
import { inSequences } from './token-losses.js';
import type { DiagnosticOptions, SelfTransitions } from '../types.js';
import { checkOptions, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';

/** Logits and losses are in single precision: probabilities that are closer, relative to their size, count as equal. */
const ROUNDING = 1e-5;

export const selfTransitions = verb({
  what: 'reading of the self-transitions',
  optionsAt: 1,
  modules: ['readout'],
  check(tokenIds: unknown, options: DiagnosticOptions = {}) {
    checkOptions('options', options, LISTENING);
    return tokenIds;
  },
  work(trainer: ReadTrainer, tokenIds): Work<SelfTransitions> {
    return readSelfTransitions(trainer, readIds(trainer, tokenIds, 2));
  },
});

/** `ids`: at least two, below the size of the vocabulary; they do not change. */
function* readSelfTransitions(trainer: ReadTrainer, ids: Uint32Array): Work<SelfTransitions> {
  const { vocabSize } = trainer.model;
  const count = new Uint32Array(vocabSize);
  const repeats = new Uint32Array(vocabSize);
  /** Sums of the model's probabilities over the positions of each token. */
  const sums = new Float64Array(vocabSize);
  const leftOut = yield* inSequences(readoutOf(trainer, 'losses'), trainer, ids, (tokenLosses, stretch) => {
    const inputs = ids.subarray(stretch.first, stretch.first + stretch.count);
    // As if each token followed itself.
    tokenLosses.of(inputs, inputs).forEach((loss, i) => {
      const id = inputs[i]!;
      count[id]!++;
      repeats[id]! += Number(ids[stretch.first + i + 1] === id);
      sums[id]! += Math.min(1, exp(-loss));
    });
  });
  return { ...summaryOf(count, repeats, sums, ids.length - leftOut), tokens: ids.length - leftOut, leftOut };
}

/** `count`, `repeats`, `sums` [V]: how often a token occurs, how often it follows itself, and the sum of the model's probabilities that it does. */
function summaryOf(
  count: Uint32Array,
  repeats: Uint32Array,
  sums: Float64Array,
  tokens: number,
): Omit<SelfTransitions, 'tokens' | 'leftOut'> {
  const total = (values: ArrayLike<number>): number => Array.from(values).reduce((sum, value) => sum + value, 0);
  // 0 / 0 for tokens that do not occur.
  const meansOf = (values: Uint32Array | Float64Array): Float32Array =>
    Float32Array.from(count, (times, id) => values[id]! / times);
  const occurring = (holds: (times: number, id: number) => boolean): number =>
    count.reduce((sum, times, id) => sum + Number(times > 0 && holds(times, id)), 0);
  return {
    observed: total(repeats) / tokens,
    predicted: total(sums) / tokens,
    chance: count.reduce((sum, times) => sum + (times / tokens) * (times / tokens), 0),
    occurring: occurring(() => true),
    below: {
      observed: occurring((times, id) => repeats[id]! * tokens < times * times),
      predicted: occurring((times, id) => sums[id]! * tokens < times * times * (1 - ROUNDING)),
    },
    perToken: {
      count,
      share: Float32Array.from(count, (times) => times / tokens),
      observed: meansOf(repeats),
      predicted: meansOf(sums),
    },
  };
}
