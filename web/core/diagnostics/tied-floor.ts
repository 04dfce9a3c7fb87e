/** The floor of every tied direct path, of any width. */
import { TIED_FLOOR } from '../generated/records.js';
import { measuring, type CheckedDiagnostic } from './diagnostics.js';
import type { TiedFloor, TiedFloorOptions } from '../types.js';
import { sizedBy } from '../runtime/answer.js';
import { checkInteger, checkMatrix, checkOptions, checkPositive, checkSeed, LISTENING } from '../runtime/validate.js';
import type { GraphsModule } from '../runtime/diagnostics-modules.js';

const MOST_STEPS = 100_000;
/** No loss of a floor is larger, so a larger tolerance would mean the same. */
const LARGEST_TOLERANCE = 1000;

/** Reads its arguments once, in their order. */
function checkTiedFloor(counts: unknown, options: unknown = {}): CheckedDiagnostic<TiedFloor, GraphsModule> {
  const { rows, data } = checkMatrix('counts', counts, { square: true });
  const given = checkOptions('options', options as TiedFloorOptions, ['steps', 'tolerance', 'seed', ...LISTENING]);
  const { steps = 1000, tolerance = 1e-3, seed = 0 } = given;
  checkInteger('options.steps', steps, 1, MOST_STEPS);
  checkPositive('options.tolerance', tolerance, LARGEST_TOLERANCE);
  checkSeed('options.seed', seed);
  return {
    arrays: [data],
    names: sizedBy('counts'),
    start: (module, [table]) => module.startTiedFloor(table!, rows, steps, tolerance, seed),
    read: (answer) => {
      const { floor, reached, bigram, stepsDone } = answer.read(TIED_FLOOR);
      return { floor, reached, bigram, steps: stepsDone };
    },
  };
}

export const tiedFloor = measuring('graphs')('search for the floor', 1, checkTiedFloor);
