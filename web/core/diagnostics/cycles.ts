/** Cycles of three tokens, by Kolmogorov's criterion. */
import { KOLMOGOROV_CYCLES } from '../generated/records.js';
import { square } from '../runtime/elementary.js';
import { measuring, type CheckedDiagnostic } from './diagnostics.js';
import type { Cycle, KolmogorovCycles, KolmogorovCyclesOptions } from '../types.js';
import { sizedBy } from '../runtime/answer.js';
import { checkInteger, checkMatrix, checkOptions, checkSeed, LISTENING } from '../runtime/validate.js';
import type { GraphsModule } from '../runtime/diagnostics-modules.js';

const MAX_NULL_RUNS = 1000;
const MOST_LISTED = 100;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Reads its arguments once, in their order. */
function checkCycles(counts: unknown, options: unknown = {}): CheckedDiagnostic<KolmogorovCycles, GraphsModule> {
  const { rows, data } = checkMatrix('counts', counts, { square: true });
  const given = checkOptions('options', options as KolmogorovCyclesOptions, [
    ...['listed', 'nullRuns', 'seed'],
    ...LISTENING,
  ]);
  const { listed = 5, nullRuns = 20, seed = 0 } = given;
  checkInteger('options.listed', listed, 0, MOST_LISTED);
  checkInteger('options.nullRuns', nullRuns, 0, MAX_NULL_RUNS);
  checkSeed('options.seed', seed);
  return {
    arrays: [data],
    names: sizedBy('counts'),
    start: (module, [table]) => module.startCycles(table!, rows, listed, nullRuns, seed),
    read: (answer) => {
      const { compared, oneWay, affinities, strongest } = answer.read(KOLMOGOROV_CYCLES);
      const [affinity, ...samples] = affinities;
      // A sample without a cycle that can be compared has no affinity.
      const runs = samples.filter((run) => !Number.isNaN(run));
      const middle = mean(runs);
      const deviation = Math.sqrt(mean(runs.map((run) => square(run - middle))) * (runs.length / (runs.length - 1)));
      return {
        affinity: compared > 0 ? affinity! : null,
        null: {
          mean: runs.length > 0 ? middle : null,
          standardDeviation: runs.length > 1 ? deviation : null,
          runs,
        },
        compared,
        oneWay,
        strongest: strongest.map((cycle) => ({ ...cycle, tokens: [...cycle.tokens] as Cycle['tokens'] })),
      };
    },
  };
}

export const kolmogorovCycles = measuring('graphs')('reading of the cycles', 1, checkCycles);
