/** The gradient of the tables on a text by role and frequency, a few sequences at a time. */
import { GRADIENT_ROWS, LEDGER_SUMMARY, type LEDGER_PART } from '../generated/records.js';
import { square } from '../runtime/elementary.js';
import { checkFrequencies, countsOf } from './frequency-options.js';
import {
  openReadout,
  readIds,
  readoutOf,
  statesOf,
  stretches,
  transformerSizes,
  type ReadTrainer,
  type Stretch,
} from './readout.js';
import { sizedBy, type Read } from '../runtime/answer.js';
import type { Handle, Runtime } from '../runtime/runtime.js';
import { ShuffledRows } from './shuffled-rows.js';
import type { FrequencyOptions, GradientReport } from '../types.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

/** Approximate tokens per part. The trainer computes the gradient for whole sequences, with one copy of the tables for all of them. */
const TOKENS_PER_PART = 256;

/** Multiply-adds per part of the preparation, and of the work after the sequences. */
const PRODUCTS_PER_PART = 2 ** 22;

const share = (part: number, other: number): number => (part + other === 0 ? 0 : part / (part + other));

export const gradientReport = verb({
  what: 'gradient report',
  optionsAt: 1,
  modules: ['readout'],
  check: (tokenIds: unknown, options?: FrequencyOptions) => ({ tokenIds, given: checkFrequencies(options) }),
  work(trainer: ReadTrainer, { tokenIds, given }): Work<GradientReport> {
    const ids = readIds(trainer, tokenIds, 2);
    const runtime = readoutOf(trainer, 'gradient');
    const { vocabSize } = transformerSizes('gradientReport', trainer);
    const work = reportGradient(runtime, trainer, ids, countsOf(given, ids, vocabSize));
    return trainer.remembered.keeping('gradient', [ids], work, (report) => report);
  },
});

/**
 * `ids`: at least two, below the size of the vocabulary; they do not change. `counts`: one for each token. `onMismatch` is told the largest
 * difference between pull + push and the gradient of the model's own backward pass, relative to the latter.
 */
export function* reportGradient(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  ids: Uint32Array,
  counts: Uint32Array,
  onMismatch?: (mismatch: number) => void,
): Work<GradientReport> {
  const { vocabSize, width, layers, contextLength } = transformerSizes('gradientReport', trainer);
  const [inputs, targets] = [ids.subarray(0, -1), ids.subarray(1)];
  const tokens = inputs.length;
  // A few sequences at a time, and a shorter one.
  const whole = Math.floor(tokens / contextLength) * contextLength;
  const atOnce = Math.max(1, Math.floor(TOKENS_PER_PART / contextLength)) * contextLength;
  const texts = [...stretches(whole, atOnce), ...(whole < tokens ? [{ first: whole, count: tokens - whole }] : [])];
  // The unembedding is prepared some rows at a time, before the first sequence; its gradient is read so after the last one.
  const blocks = stretches(vocabSize, Math.max(1, Math.floor(PRODUCTS_PER_PART / (width * width))));
  const all = texts.length + 2 * blocks.length;
  const shuffled = new ShuffledRows(width);
  /** The squared norm of the input part by position. */
  let positions = 0;
  /** Predictions so far. */
  let predictions = 0;
  let done = 0;
  const readout = openReadout(runtime, trainer);
  const call = (
    arrays: readonly (Float32Array | Uint32Array)[],
    made: Parameters<Handle<ReadoutModule>['call']>[1],
  ): void => readout.call(arrays, made, () => undefined, sizedBy('tokenIds'));
  const add = ({ first, count }: Stretch): void => {
    const [from, to] = [inputs, targets].map((part) => part.subarray(first, first + count)) as [
      Uint32Array,
      Uint32Array,
    ];
    const sequenceLength = Math.min(count, contextLength);
    const { input, output, inputPositionNorm } = trainer.gradient({ inputs: from, targets: to, sequenceLength });
    const weight = count / tokens;
    positions += square(weight * inputPositionNorm);
    predictions += count;
    call([input.data, output.data], (module, at, [i, o]) => module.addGradient(at, i!, o!, weight));
    for (const { first: begin, count: some } of stretches(count, contextLength)) {
      const states = statesOf(trainer, from.subarray(begin, begin + some)).subarray(layers * some * width);
      call([states, to.subarray(begin, begin + some)], (module, at, [last, next]) =>
        module.addToLedger(at, last!, some, next!),
      );
    }
  };
  const shuffle = ({ first, count }: Stretch): void => {
    const { input, output } = readout.call(
      [],
      (module, at) => module.gradientRows(at, first, count),
      (answer) => answer.read(GRADIENT_ROWS),
    );
    shuffled.add(input, output);
  };
  try {
    for (const { count } of blocks) {
      yield done++ / all;
      call([], (module, at) => module.prepareLedger(at, count));
    }
    for (const text of texts) {
      yield done++ / all;
      add(text);
    }
    for (const block of blocks) {
      yield done++ / all;
      shuffle(block);
    }
    const found = readout.call(
      [counts],
      (module, at, [occurrences]) => module.finishLedger(at, occurrences!),
      (answer) => answer.read(LEDGER_SUMMARY),
      sizedBy('tokenIds'),
    );
    onMismatch?.(found.difference);
    const withShare = ({ input, output, pull, push }: Read<typeof LEDGER_PART>) => ({
      ...{ input, output, inputShare: share(input, output) },
      ...{ pull, push },
    });
    const ofAll = withShare(found.norms);
    const inputPositionNorm = Math.sqrt(positions);
    return {
      tokens: predictions,
      leftOut: ids.length - predictions,
      ...ofAll,
      inputPositionNorm,
      inputPositionShare: share(inputPositionNorm, ofAll.output),
      cosine: found.cosine,
      cosineNull: shuffled.cosine(ofAll.input, ofAll.output),
      reach: { share: found.reach, chance: found.reachByChance },
      bands: found.bands.map(({ limits, rows: count, norms, pushedRows }) => ({
        ...{ ...limits, count },
        ...withShare(norms),
        pushedRows,
      })),
    };
  } finally {
    readout.dispose();
  }
}
