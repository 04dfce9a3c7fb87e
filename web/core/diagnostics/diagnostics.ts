/** Diagnostics of embedding tables: checks of their arguments, and the long ones as work in parts. */
import { ALIGNMENT_METHOD, HIDDEN_MEASURE, NEIGHBOR_METRIC } from '../generated/words.js';
import {
  ALIGNMENT,
  HIDDEN_STATES,
  ISOTROPY,
  NEIGHBOR,
  NEIGHBOR_OVERLAP,
  NORM_FREQUENCY,
  SIMILARITY,
  SPECTRUM,
} from '../generated/records.js';
import { argumentError } from '../runtime/errors.js';
import { sizedBy, type Answer, type ArgumentNames } from '../runtime/answer.js';
import { Handle, type Numbers, type Runtime } from '../runtime/runtime.js';
import { cosinesByChance } from './cosine-by-chance.js';
import { partitionByChance } from './partition-by-chance.js';
import { randomMedianRatio } from './random-median-ratio.js';
import { isoScoreByChance, spectrumByChance } from './spectrum-by-chance.js';
import type {
  Alignment,
  AlignmentOptions,
  HiddenStateOptions,
  HiddenStateParts,
  Isotropy,
  IsotropyOptions,
  Matrix,
  Neighbor,
  NeighborOptions,
  NeighborOverlap,
  NormFrequency,
  OverlapOptions,
  Similarity,
  SimilarityOptions,
  Spectrum,
  SpectrumOptions,
} from '../types.js';
import {
  LARGEST_RATE,
  checkAbsent,
  checkBoolean,
  checkChoice,
  checkInteger,
  checkMatrix,
  checkOptions,
  checkPositive,
  checkRange,
  checkSeed,
  checkTokenIds,
  checkVector,
  LISTENING,
} from '../runtime/validate.js';
import type { DiagnosticsModule, DiagnosticWork } from '../runtime/diagnostics-modules.js';
import { verb } from '../runtime/verb.js';
import type { Address, Bindings, HandleAddress } from '../runtime/wasm-module.js';
import type { Work } from '../runtime/work.js';
import type { CoreModules } from '../runtime/running-modules.js';

const MAX_NULL_RUNS = 1000;
const MAX_PARTS = 2 ** 16;
/** The default sample has at most this many rows. */
export const MAX_DEFAULT_SAMPLE = 2048;
const DEFAULT_NEIGHBORS = 10;
const DEFAULT_DIMENSIONS = 10;

/** A long diagnostic whose arguments have been checked. */
export interface CheckedDiagnostic<R, M extends DiagnosticWork = DiagnosticsModule> {
  readonly arrays: readonly (Numbers | undefined)[];
  start(module: M, addresses: Address[]): HandleAddress;
  read(answer: Answer): R;
  /** The caller's names of arguments in the core's errors, unless they are those of the other diagnostics. */
  readonly names?: ArgumentNames;
}

export function* measure<R, M extends DiagnosticWork>(runtime: Runtime<M>, checked: CheckedDiagnostic<R, M>): Work<R> {
  const { arrays, start, read, names = NAMES } = checked;
  const address = runtime.call(arrays, start, (_, made) => made, names);
  const handle = new Handle(runtime, 'diagnostic', address, (module, work) => module.deleteDiagnostic(work));
  try {
    for (let done = 0; done < 1;) {
      const blocks = Math.min(MAX_PARTS, yield done);
      done = handle.call(
        [],
        (module, work) => module.advanceDiagnostic(work, blocks),
        (answer) => answer.read('number'),
        NAMES,
      );
    }
    return handle.call([], (module, work) => module.finishDiagnostic(work), read);
  } finally {
    handle.dispose();
  }
}

/** The caller's names of options in the core's errors. */
const NAMES: ArgumentNames = {
  ...sizedBy('the table'),
  ...Object.fromEntries(
    ['k', 'sample', 'holdOut', 'nullRuns', 'penalty', 'dimensions', 'counts'].map((name) => [name, `options.${name}`]),
  ),
};

/** Declares a verb of a module that measures tables; `check` checks all of its arguments. */
export const measuring =
  <Name extends 'diagnostics' | 'graphs'>(module: Name) =>
  <Args extends unknown[], R>(
    what: string,
    optionsAt: number,
    check: (...args: Args) => CheckedDiagnostic<R, Bindings[Name]>,
  ) =>
    verb({
      ...{ what, optionsAt, modules: [module], check },
      work: ({ modules }: CoreModules, checked: CheckedDiagnostic<R, Bindings[Name]>) =>
        measure(modules.get(module), checked),
    });
const diagnostic = measuring('diagnostics');

// Each check reads its arguments once, in their order.

export function checkAlign(source: unknown, target: unknown, options: unknown): CheckedDiagnostic<Alignment> {
  const from = checkMatrix('source', source);
  const to = checkMatrix('target', target);
  const given = checkOptions('options', options as AlignmentOptions, [
    ...['method', 'center', 'holdOut', 'nullRuns', 'seed', 'penalty'],
    ...LISTENING,
  ]);
  const { method, center = true, holdOut = 0.2, nullRuns = 1, seed = 0, penalty = 1 } = given;
  const kind = ALIGNMENT_METHOD.indexOf(checkChoice('options.method', method, ALIGNMENT_METHOD));
  checkBoolean('options.center', center);
  checkRange('options.holdOut', holdOut, 0, 1, true);
  checkInteger('options.nullRuns', nullRuns, 0, MAX_NULL_RUNS);
  checkSeed('options.seed', seed);
  if (method !== 'ridge') checkAbsent('options.penalty', given.penalty, 'a ridge map');
  checkPositive('options.penalty', penalty, LARGEST_RATE);
  const cols = method === 'identity' ? null : to.cols;
  return {
    arrays: [from.data, to.data],
    start: (module, [x, y]) =>
      module.startAlignment(
        ...([x!, from.rows, from.cols, y!, to.rows, to.cols] as const),
        ...([kind, center, penalty, holdOut, nullRuns, seed] as const),
      ),
    read: (answer) => {
      const { agreement, heldOut, nullCosines, theory, cosines, map, leftOut } = answer.read(ALIGNMENT);
      const runs = [...nullCosines];
      const mean = runs.reduce((sum, cosine) => sum + cosine, 0) / runs.length;
      const [held] = heldOut.map(({ rows: tokens, ...fit }) => ({ ...fit, tokens }));
      return {
        meanCosine: agreement.meanCosine,
        residual: agreement.residual,
        perToken: cosines,
        map: cols === null ? null : { rows: from.cols, cols, data: map },
        null: { meanCosine: mean, runs, theory },
        heldOut: held ?? null,
        leftOut,
      };
    },
  };
}

export const align = diagnostic('alignment', 2, checkAlign);

export function checkNeighbors(given: NeighborOptions, rows: number): { k: number; centered: boolean } {
  const most = Math.max(1, rows - 1);
  const { k = Math.min(DEFAULT_NEIGHBORS, most), metric = 'cosine' } = given;
  checkInteger('options.k', k, 1, most);
  return { k, centered: checkChoice('options.metric', metric, NEIGHBOR_METRIC) === 'centered-cosine' };
}

function checkOverlap(a: unknown, b: unknown, options: unknown = {}): CheckedDiagnostic<NeighborOverlap> {
  const first = checkMatrix('a', a);
  const second = checkMatrix('b', b);
  const given = checkOptions('options', options as OverlapOptions, ['k', 'metric', 'sample', 'seed', ...LISTENING]);
  const { rows } = first;
  const { k, centered } = checkNeighbors(given, rows);
  const { sample, seed = 0 } = given;
  if (sample !== undefined) checkInteger('options.sample', sample, 1, rows);
  checkSeed('options.seed', seed);
  const size = sample ?? (rows > MAX_DEFAULT_SAMPLE ? MAX_DEFAULT_SAMPLE : 0);
  return {
    arrays: [first.data, second.data],
    start: (module, [x, y]) =>
      module.startOverlap(x!, rows, first.cols, y!, second.rows, second.cols, k, centered, size, seed),
    read: (answer) => {
      const { overlap, byChance, standardError, rows: compared, overlaps, leftOut } = answer.read(NEIGHBOR_OVERLAP);
      const perToken = new Float32Array(rows).fill(NaN);
      compared.forEach((row, i) => (perToken[row] = overlaps[i]!));
      return { overlap, perToken, null: byChance, standardError, leftOut };
    },
  };
}

export const neighborOverlap = diagnostic('overlap of neighbors', 2, checkOverlap);

function checkSpectrum(table: unknown, options: unknown = {}): CheckedDiagnostic<Spectrum> {
  const { rows, cols, data } = checkMatrix('table', table);
  const given = checkOptions('options', options as SpectrumOptions, ['center', 'project', ...LISTENING]);
  const center = checkBoolean('options.center', given.center ?? true);
  const project = checkBoolean('options.project', given.project ?? false);
  if (project && !center) {
    throw argumentError(
      'invalid-argument',
      'options.center',
      false,
      'true or absent, because projected rows have no mean',
    );
  }
  return {
    arrays: [data],
    start: (module, [address]) => module.startSpectrum(address!, rows, cols, project ? 2 : Number(center)),
    read: (answer) => {
      const { values, dimensions, leftOut } = answer.read(SPECTRUM);
      const byChance = spectrumByChance(rows - leftOut - (center ? 1 : 0), cols - (project ? 1 : 0));
      return { values, ...dimensions, null: byChance, leftOut };
    },
  };
}

export const spectrum = diagnostic('spectrum', 1, checkSpectrum);

function checkCka(a: unknown, b: unknown, options: unknown = {}): CheckedDiagnostic<Similarity> {
  const first = checkMatrix('a', a);
  const second = checkMatrix('b', b);
  const given = checkOptions('options', options as SimilarityOptions, ['dimensions', ...LISTENING]);
  const dimensions = checkInteger('options.dimensions', given.dimensions ?? DEFAULT_DIMENSIONS, 1);
  const orFewer = given.dimensions === undefined;
  return {
    arrays: [first.data, second.data],
    start: (module, [x, y]) =>
      module.startSimilarity(x!, first.rows, first.cols, y!, second.rows, second.cols, dimensions, orFewer),
    read: (answer) => {
      const { similarity } = answer.read(SIMILARITY);
      return {
        cka: similarity.cka,
        null: similarity.ckaByChance,
        subspaces: {
          dimensions: similarity.dimensions,
          overlap: similarity.subspaceOverlap,
          null: similarity.subspaceByChance,
        },
        leftOut: similarity.leftOut,
      };
    },
  };
}

export const cka = diagnostic('comparison of the tables', 2, checkCka);

export function checkIsotropy(table: unknown, options: unknown = {}): CheckedDiagnostic<Isotropy> {
  const { rows, cols, data } = checkMatrix('table', table);
  const given = checkOptions('options', options as IsotropyOptions, ['counts', 'seed', ...LISTENING]);
  const counts = given.counts === undefined ? undefined : checkCounts('options.counts', given.counts);
  const seed = checkSeed('options.seed', given.seed ?? 0);
  const squares = data.reduce((sum, element) => sum + element * element, 0);
  // Rows of the regression: tokens that occur, without rows of zeros.
  let fitted = 0;
  counts?.forEach((count, row) => {
    if (count > 0 && data.subarray(row * cols, (row + 1) * cols).some((element) => element !== 0)) fitted++;
  });
  return {
    arrays: [data, counts],
    start: (module, [address, occurrences]) =>
      module.startIsotropy(address!, rows, cols, occurrences!, counts?.length ?? 0, seed),
    read: (answer) => {
      const { measures } = answer.read(ISOTROPY);
      const { meanShare, leftOut, frequencyR2: inSample } = measures;
      const used = rows - leftOut;
      // Without a mean row there is no direction to remove.
      const leftCols = meanShare > 0 ? cols - 1 : cols;
      const dimensionsByChance = (width: number) => {
        const byChance = spectrumByChance(used - 1, width);
        return { ...byChance, isoScore: isoScoreByChance(byChance, width) };
      };
      const meanSquare = squares / (used * cols);
      return {
        meanCosine: measures.meanCosine,
        centeredMeanCosine: measures.centeredMeanCosine,
        projectedMeanCosine: measures.projectedMeanCosine,
        isoScore: measures.isoScore,
        partition: measures.partition,
        centeredPartition: measures.centeredPartition,
        ...measures.dimensions,
        projected: {
          isoScore: measures.projectedIsoScore,
          partition: measures.projectedPartition,
          ...measures.projectedDimensions,
        },
        meanShare,
        frequencyR2: inSample === null ? null : { inSample, heldOut: measures.heldOutFrequencyR2 ?? NaN },
        null: {
          ...cosinesByChance(used, cols),
          ...dimensionsByChance(cols),
          partition: partitionByChance(used, cols, meanSquare),
          centeredPartition: partitionByChance(used, cols, meanSquare * (1 - meanShare * meanShare), true),
          projected: {
            ...dimensionsByChance(leftCols),
            partition: partitionByChance(used, leftCols, measures.projectedMeanSquare, true),
          },
          frequencyR2: inSample === null ? null : cols / (fitted - 1),
        },
        leftOut,
      };
    },
  };
}

export const isotropy = diagnostic('isotropy', 1, checkIsotropy);

function checkHidden(
  hidden: unknown,
  unembedding: unknown,
  targets: unknown,
  options: unknown = {},
): CheckedDiagnostic<HiddenStateParts> {
  const states = checkMatrix('hidden', hidden);
  const output = checkMatrix('unembedding', unembedding);
  const ids = checkTokenIds('targets', targets);
  const given = checkOptions('options', options as HiddenStateOptions, ['embedding', 'seed', ...LISTENING]);
  const seed = checkSeed('options.seed', given.seed ?? 0);
  const input = given.embedding === undefined ? undefined : checkMatrix('options.embedding', given.embedding);
  const { rows } = states;
  return {
    arrays: [states.data, output.data, input?.data, ids],
    start: (module, [h, u, e, t]) =>
      module.startHiddenStates(
        ...([h!, rows, states.cols, u!, output.rows, output.cols] as const),
        ...([e!, input?.rows ?? 0, input?.cols ?? 0, t!, ids.length, seed] as const),
      ),
    read: (answer) => {
      const { measures, byChance, baseline, leftOut } = answer.read(HIDDEN_STATES);
      const measure = (name: (typeof HIDDEN_MEASURE)[number]): Float32Array => {
        const at = HIDDEN_MEASURE.indexOf(name) * rows;
        return measures.slice(at, at + rows);
      };
      const ratio = measure('ratio');
      return {
        parallel: measure('parallel'),
        orthogonal: measure('orthogonal'),
        ratio,
        maxOtherCosine: measure('max-other-cosine'),
        centeredMaxOtherCosine: measure('max-other-centered'),
        inputCosine: input === undefined ? null : measure('input-cosine'),
        medianRatio: medianOf(ratio),
        baseline,
        null: {
          medianRatio: medianOf(measure('shuffled-ratio')),
          randomMedianRatio: randomMedianRatio(states.cols),
          inputCosine: input === undefined ? null : medianOf(measure('shuffled-input')),
          maxOtherCosine: medianOf(byChance.subarray(0, byChance.length / 2)),
          centeredMaxOtherCosine: medianOf(byChance.subarray(byChance.length / 2)),
        },
        leftOut,
      };
    },
    names: { ...NAMES, embedding: 'options.embedding' },
  };
}

export const decomposeHidden = diagnostic('split of the hidden states', 3, checkHidden);

/** The median of the values that are numbers; NaN if there are none. */
function medianOf(values: Float32Array): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

const checkCounts = (argument: string, value: unknown): Uint32Array => checkVector(argument, value, 'Uint32Array');

export function neighbors(
  runtime: Runtime<DiagnosticsModule>,
  table: Matrix,
  row: number | Float32Array,
  options: NeighborOptions = {},
): Neighbor[] {
  const { rows, cols, data } = checkMatrix('table', table);
  const vector = typeof row === 'number' ? undefined : checkVector('row', row, 'Float32Array', cols);
  if (vector === undefined) checkInteger('row', row, 0, rows - 1);
  // The core checks tables, which it reads as a whole; a single vector is checked here.
  const wrong = vector?.findIndex((element) => !Number.isFinite(element)) ?? -1;
  if (wrong >= 0) throw argumentError('not-finite', `row[${wrong}]`, vector![wrong], 'a finite number');
  const { k, centered } = checkNeighbors(checkOptions('options', options, ['k', 'metric']), rows);
  return runtime.call(
    [data, vector],
    (module, [address, query]) =>
      module.neighbors(address!, rows, cols, query!, vector === undefined ? (row as number) : 0, k, centered),
    (answer) => answer.read([NEIGHBOR]),
    { vector: 'row', k: 'options.k' },
  );
}

export function normFrequency(runtime: Runtime<DiagnosticsModule>, table: Matrix, counts: Uint32Array): NormFrequency {
  const { rows, cols, data } = checkMatrix('table', table);
  const occurrences = checkCounts('counts', counts);
  return runtime.call(
    [data, occurrences],
    (module, [address, given]) => module.normFrequency(address!, rows, cols, given!, occurrences.length),
    (answer) => {
      const { spearman, pearson, byChance, meanNorm, deviation, bands, leftOut } = answer.read(NORM_FREQUENCY);
      return {
        ...{ spearman, pearson, null: byChance, meanNorm, standardDeviation: deviation },
        bands: bands.map(({ limits, meanNorm: ofBand, rows: count }) => ({ ...limits, meanNorm: ofBand, count })),
        leftOut,
      };
    },
  );
}
