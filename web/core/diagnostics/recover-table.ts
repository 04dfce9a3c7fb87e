/** A table from the logits of a direct path. */
import { RECOVERED_TABLE } from '../generated/records.js';
import { measuring, type CheckedDiagnostic } from './diagnostics.js';
import type { Matrix, RecoveredTable, RecoverTableOptions } from '../types.js';
import { sizedBy } from '../runtime/answer.js';
import {
  checkInteger,
  checkMatrix,
  checkOptions,
  checkPositive,
  LARGEST_RATE,
  LISTENING,
} from '../runtime/validate.js';
import type { GraphsModule } from '../runtime/diagnostics-modules.js';

/** Reads its arguments once, in their order. */
function checkRecovery(logits: unknown, options: unknown = {}): CheckedDiagnostic<RecoveredTable, GraphsModule> {
  const { rows, data } = checkMatrix('logits', logits, { square: true });
  const given = checkOptions('options', options as RecoverTableOptions, ['width', 'tolerance', ...LISTENING]);
  const { width = 0, tolerance = 0 } = given;
  if (given.width !== undefined) checkInteger('options.width', width, 1, rows);
  if (given.tolerance !== undefined) checkPositive('options.tolerance', tolerance, LARGEST_RATE);
  return {
    arrays: [data],
    names: sizedBy('logits'),
    start: (module, [square]) => module.startRecovery(square!, rows, width, tolerance),
    read: (answer) => {
      const found = answer.read(RECOVERED_TABLE);
      const [kept, next] = [found.singularValues[found.rank - 1], found.singularValues[found.rank]];
      const table = (values: Float32Array): Matrix => ({ rows, cols: values.length / rows, data: values });
      return {
        singularValues: found.singularValues,
        tolerance: found.tolerance,
        width: found.rank,
        gap: kept === undefined || next === undefined ? null : kept / Math.max(next, Number.MIN_VALUE),
        asymmetry: found.asymmetry,
        eigenvalues: { least: found.leastEigenvalue, largest: found.largestEigenvalue },
        tied: isGram(found, rows),
        table: table(found.table),
        mean: found.mean,
        meanResidual: found.meanResidual,
        reading: table(found.reading),
        writing: table(found.writing),
      };
    },
  };
}

interface Spectrum {
  readonly singularValues: Float64Array;
  readonly tolerance: number;
  readonly asymmetry: number;
  readonly leastEigenvalue: number;
}

/** Whether the centered logits are symmetric without a negative eigenvalue, up to what the tolerance allows. */
function isGram({ singularValues, tolerance, asymmetry, leastEigenvalue }: Spectrum, rows: number): boolean {
  const norm = Math.sqrt(singularValues.reduce((sum, value) => sum + value * value, 0));
  // A skew matrix of V directions within the tolerance has at most this norm.
  return asymmetry * norm <= tolerance * Math.sqrt(rows) && leastEigenvalue >= -tolerance;
}

export const recoverTable = measuring('graphs')('recovery of the table', 1, checkRecovery);
