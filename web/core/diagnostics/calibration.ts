/** Whether a model's confidence is how often it is right: the expected calibration error of its most probable tokens. */
import { exp } from '../runtime/elementary.js';
import { readIds, readoutOf, type ReadTrainer } from './readout.js';
import { inSequences, lossesOf } from './token-losses.js';
import type { Calibration, CalibrationOptions } from '../types.js';
import { checkInteger, checkOptions, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';

const BINS = 15;
const MOST_BINS = 1000;

export const calibration = verb({
  what: 'reading of the calibration',
  optionsAt: 1,
  modules: ['readout'],
  check(tokenIds: unknown, options: CalibrationOptions = {}) {
    const { bins = BINS } = checkOptions('options', options, ['bins', ...LISTENING]);
    return { tokenIds, bins: checkInteger('options.bins', bins, 1, MOST_BINS) };
  },
  work(trainer: ReadTrainer, { tokenIds, bins }): Work<Calibration> {
    return readCalibration(trainer, readIds(trainer, tokenIds, 2), bins);
  },
});

/** Sums over the predictions of a bin. */
interface Bin {
  tokens: number;
  right: number;
  confidence: number;
  /** Of c (1 - c): the variance of the number of right ones, if each is right with its confidence c. */
  variance: number;
}

/** `ids`: at least two, below the size of the vocabulary; they do not change. */
function* readCalibration(trainer: ReadTrainer, ids: Uint32Array, count: number): Work<Calibration> {
  const bins = Array.from({ length: count }, (): Bin => ({ tokens: 0, right: 0, confidence: 0, variance: 0 }));
  const readout = readoutOf(trainer, 'losses');
  const leftOut = yield* inSequences(readout, trainer, ids, (_, { first, count: length }) => {
    const logits = trainer.logits(ids.subarray(first, first + length));
    const predicted = largest(logits.data, logits.cols);
    lossesOf(readout, logits, predicted).forEach((loss, i) => {
      const confidence = Math.min(1, exp(-loss));
      // Above its lower limit, up to its upper one.
      const bin = bins[Math.max(1, Math.ceil(confidence * count)) - 1]!;
      bin.tokens++;
      bin.right += Number(predicted[i] === ids[first + i + 1]);
      bin.confidence += confidence;
      bin.variance += confidence * (1 - confidence);
    });
  });
  return { ...summaryOf(bins, ids.length - leftOut), leftOut };
}

/** The first token with the largest logit, by row. */
const largest = (logits: Float32Array, cols: number): Uint32Array =>
  Uint32Array.from({ length: logits.length / cols }, (_, row) => {
    const first = row * cols;
    let best = first;
    for (let i = first + 1; i < first + cols; i++) if (logits[i]! > logits[best]!) best = i;
    return best - first;
  });

function summaryOf(bins: readonly Bin[], tokens: number): Omit<Calibration, 'leftOut'> {
  const mean = (of: (bin: Bin) => number): number => bins.reduce((sum, bin) => sum + of(bin), 0) / tokens;
  return {
    error: mean(({ right, confidence }) => Math.abs(right - confidence)),
    // Normal: the mean of |x| is √(2/π) deviations, and its own variance 1 - 2/π of that of x.
    chance: Math.sqrt(2 / Math.PI) * mean(({ variance }) => Math.sqrt(variance)),
    chanceDeviation: Math.sqrt(((1 - 2 / Math.PI) * mean(({ variance }) => variance)) / tokens),
    accuracy: mean(({ right }) => right),
    confidence: mean(({ confidence }) => confidence),
    bins: bins.map((bin, i) => ({
      from: i / bins.length,
      tokens: bin.tokens,
      accuracy: bin.right / bin.tokens,
      confidence: bin.confidence / bin.tokens,
    })),
    tokens,
  };
}
