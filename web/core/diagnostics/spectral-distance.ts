/** The distance between two tables by their nearest-neighbor graphs. */
import { SPECTRAL_DISTANCE } from '../generated/records.js';
import { checkNeighbors, MAX_DEFAULT_SAMPLE, measuring, type CheckedDiagnostic } from './diagnostics.js';
import { invalidArgument } from '../runtime/errors.js';
import type { SpectralDistance, SpectralDistanceOptions } from '../types.js';
import { checkInteger, checkMatrix, checkOptions, checkSeed, LISTENING } from '../runtime/validate.js';
import type { GraphsModule } from '../runtime/diagnostics-modules.js';

/** Default neighbors for tables that are large enough. */
/** A row has at least one neighbor, and one row that is none. */
const FEWEST_ROWS = 3;
const MOST_NEIGHBORS = 64;
const MOST_DIMENSIONS = 128;
const MAX_NULL_RUNS = 100;

/** Reads its arguments once, in their order. */
function checkSpectralDistance(
  a: unknown,
  b: unknown,
  options: unknown = {},
): CheckedDiagnostic<SpectralDistance, GraphsModule> {
  const first = checkMatrix('a', a);
  const second = checkMatrix('b', b);
  const given = checkOptions('options', options as SpectralDistanceOptions, [
    ...['k', 'metric', 'dimensions', 'sample', 'nullRuns', 'seed'],
    ...LISTENING,
  ]);
  const { rows } = first;
  const { sample, seed = 0, nullRuns = 1 } = given;
  if (rows < FEWEST_ROWS) throw invalidArgument('a.rows', rows, `at least ${FEWEST_ROWS} rows`);
  if (sample !== undefined) checkInteger('options.sample', sample, FEWEST_ROWS, rows);
  const size = sample ?? (rows > MAX_DEFAULT_SAMPLE ? MAX_DEFAULT_SAMPLE : 0);
  const nodes = size === 0 ? rows : size;
  const defaults = {
    k: Math.max(1, Math.min(MOST_NEIGHBORS, Math.floor(nodes / 8))),
    dimensions: Math.max(1, Math.min(MOST_DIMENSIONS, Math.floor(nodes / 4))),
  };
  const { k, centered } = checkNeighbors({ ...given, k: given.k ?? defaults.k }, rows);
  const dimensions = checkInteger('options.dimensions', given.dimensions ?? defaults.dimensions, 1);
  checkInteger('options.nullRuns', nullRuns, 0, MAX_NULL_RUNS);
  checkSeed('options.seed', seed);
  return {
    arrays: [first.data, second.data],
    start: (module, [x, y]) =>
      module.startSpectralDistance(
        ...([x!, rows, first.cols, y!, second.rows, second.cols] as const),
        ...([k, dimensions, centered, size, nullRuns, seed] as const),
      ),
    read: (answer) => {
      const { runs: found, rows: used, leftOut } = answer.read(SPECTRAL_DISTANCE);
      const residual = Math.max(0, ...found.map((run) => run.residual));
      const [distance, ...runs] = found.map((run) => run.distance) as [number, ...number[]];
      const mean = runs.reduce((sum, run) => sum + run, 0) / runs.length;
      return { distance, k, dimensions, rows: used, leftOut, residual, null: { mean, runs } };
    },
  };
}

export const spectralDistance = measuring('graphs')('spectral distance', 2, checkSpectralDistance);
