/** The loss of each prediction of a text, a sequence at a time, divided by how often the predicted token occurs. */
import { LOSS_BAND } from '../generated/records.js';
import { log } from '../runtime/elementary.js';
import { checkFrequencies, countsOf } from './frequency-options.js';
import { readIds, readoutOf, type ReadTrainer } from './readout.js';
import { sizedBy } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import { inSequences } from './token-losses.js';
import type { FrequencyOptions, LossBand, LossByFrequency } from '../types.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

/**
 * The loss of a predictor that knows only frequencies. It cannot distinguish tokens with the same count, so each gets an equal part of
 * the mass of its count. Tokens with a count of 0 get the mass that they have in the text: no other division between them and the rest
 * has a lower loss.
 */
function withChance(
  bands: readonly Omit<LossBand, 'chance'>[],
  targets: Uint32Array,
  counts: Uint32Array,
): Pick<LossByFrequency, 'chance' | 'bands'> {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const lacking = counts.reduce((sum, count) => sum + Number(count === 0), 0);
  const predicted = targets.reduce((sum, id) => sum + Number(counts[id] === 0), 0);
  const known = (targets.length - predicted) / targets.length;
  const lossOf = (count: number): number => -log(count === 0 ? (1 - known) / lacking : (known * count) / total);
  const sums = bands.map(() => 0);
  for (const id of targets) {
    const count = counts[id]!;
    sums[bands.findIndex(({ to }) => count <= to)]! += lossOf(count);
  }
  return {
    chance: sums.reduce((sum, loss) => sum + loss, 0) / targets.length,
    bands: bands.map((band, i) => ({ ...band, chance: sums[i]! / band.tokens })),
  };
}

export const lossByFrequency = verb({
  what: 'reading of the losses',
  optionsAt: 1,
  modules: ['readout'],
  check: (tokenIds: unknown, options?: FrequencyOptions) => ({ tokenIds, given: checkFrequencies(options) }),
  work(trainer: ReadTrainer, { tokenIds, given }): Work<LossByFrequency> {
    const ids = readIds(trainer, tokenIds, 2);
    const runtime = readoutOf(trainer, 'losses');
    const counts = countsOf(given, ids, trainer.model.vocabSize);
    const work = lossesByFrequency(runtime, trainer, ids, counts);
    return trainer.remembered.keeping('losses', [ids, counts], work, (losses) => losses);
  },
});

/** `ids`: at least two, below the size of the vocabulary; they do not change. `counts`: one for each token. */
export function* lossesByFrequency(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  ids: Uint32Array,
  counts: Uint32Array,
): Work<LossByFrequency> {
  const { vocabSize } = trainer.model;
  const targets = ids.subarray(1);
  const { length: tokens } = targets;
  const losses = new Float32Array(tokens);
  const leftOut = yield* inSequences(runtime, trainer, ids, (tokenLosses, { first, count }) => {
    const end = first + count;
    losses.set(tokenLosses.of(ids.subarray(first, end), targets.subarray(first, end)), first);
  });
  const found = runtime.call(
    [losses, targets, counts],
    (module, [at, next, occurrences]) => module.lossBands(at!, next!, tokens, occurrences!, vocabSize),
    (answer) => answer.read([LOSS_BAND]),
    sizedBy('tokenIds'),
  );
  const bands = found.map(({ limits, ...band }) => ({ ...limits, ...band }));
  const loss = bands.reduce((sum, band) => sum + band.loss * band.tokens, 0) / tokens;
  return { loss, tokens, leftOut, ...withChance(bands, targets, counts) };
}
