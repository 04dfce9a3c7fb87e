/** How irreversible a text is, compared with samples of a reversible chain, which are drawn in parts. */
import { BIGRAM_ENTROPIES, REVERSIBLE_CHAINS } from '../generated/records.js';
import { log, square } from '../runtime/elementary.js';
import type { CoreModules } from '../runtime/running-modules.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import type { Irreversibility, IrreversibilityOptions, Matrix } from '../types.js';
import { checkInteger, checkMatrix, checkOptions, checkSeed, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';

/** The unit of work. */
const PAIRS_PER_PART = 256;
const MAX_PARTS = 2 ** 16;
/** A spread needs at least two samples. */
const MIN_RUNS = 2;
const MAX_RUNS = 1000;

export interface CheckedIrreversibility {
  nullRuns: number;
  seed: number;
}

/** Checks of the options of `irreversibility`, of a core and of a corpus. */
export function checkIrreversibility(options: IrreversibilityOptions = {}): CheckedIrreversibility {
  const { nullRuns = 20, seed = 0 } = checkOptions('options', options, ['nullRuns', 'seed', ...LISTENING]);
  checkInteger('options.nullRuns', nullRuns, MIN_RUNS, MAX_RUNS);
  checkSeed('options.seed', seed);
  return { nullRuns, seed };
}

/** From checked counts. */
function heldOutOf({ rows, data }: Matrix): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < rows; i++) {
    total += data[i * rows + i]!;
    for (let j = 0; j < i; j++) {
      const [there, back] = [data[i * rows + j]!, data[j * rows + i]!];
      const both = there + back;
      total += both;
      if (there > 0) sum += there * log((2 * there - 1) / both);
      if (back > 0) sum += back * log((2 * back - 1) / both);
    }
  }
  return sum / total;
}

export const irreversibility = verb({
  what: 'irreversibility',
  optionsAt: 1,
  check: (counts: unknown, options?: IrreversibilityOptions) => ({ counts, options: checkIrreversibility(options) }),
  work: ({ modules }: CoreModules, { counts, options }) =>
    measureIrreversibility(modules.get('analysis'), checkMatrix('counts', counts, { square: true }), options),
});

/** `counts` is square. */
export function* measureIrreversibility(
  runtime: Runtime<AnalysisModule>,
  counts: Matrix,
  { nullRuns, seed }: CheckedIrreversibility,
): Work<Irreversibility> {
  const { rows, data } = counts;
  const { address, netFlow, unigram, bigram, jensenShannon } = runtime.call(
    [data],
    (module, [table]) => module.startIrreversibility(table!, rows, nullRuns, seed),
    (answer, made) => ({ address: made, netFlow: answer.read('floats'), ...answer.read(BIGRAM_ENTROPIES) }),
  );
  const handle = new Handle(runtime, 'irreversibility', address, (module, work) => module.deleteIrreversibility(work));
  let divergences: Float64Array = new Float64Array();
  try {
    for (let done = 0; done < 1;) {
      const pairs = PAIRS_PER_PART * Math.min(MAX_PARTS, yield done);
      handle.call(
        [],
        (module, work) => module.advanceIrreversibility(work, pairs),
        (answer) => ({ share: done, divergences } = answer.read(REVERSIBLE_CHAINS)),
      );
    }
  } finally {
    handle.dispose();
  }
  const runs = [...divergences];
  const mutualInformation = Math.max(unigram - bigram, 0);
  const mean = runs.reduce((sum, run) => sum + run, 0) / runs.length;
  const squares = runs.reduce((sum, run) => sum + square(run - mean), 0);
  return {
    js: jensenShannon,
    heldOut: heldOutOf(counts),
    null: { mean, standardDeviation: Math.sqrt(squares / (runs.length - 1)), runs },
    mutualInformation,
    share: mutualInformation > 0 ? (jensenShannon - mean) / mutualInformation : 0,
    netFlow: { rows, cols: rows, data: netFlow },
  };
}
