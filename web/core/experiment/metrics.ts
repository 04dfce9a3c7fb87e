/** What an experiment can measure: records of steps, and results of the API's diagnostics. */
import { TiedError } from '../runtime/errors.js';
import type { LabTokenizer } from '../types.js';
import { bySimilarity, nats, number, pair, record, table, without, type Metric, type Reads } from './metric-kinds.js';
import { MODEL_METRICS } from './model-metrics.js';
import { PAIR_METRICS } from './pair-metrics.js';
import { PATH_METRICS } from './path-metrics.js';
import { inRandomOrder } from './random-order.js';
import { startOf } from './start-table.js';

/** Metrics by name. The documentation of a metric's verb says more. */
export const METRICS: Readonly<Record<string, Metric>> = {
  'training-loss': record('loss', nats),
  'input-share': record('inputShare', 'fraction'),
  'input-position-share': record('inputPositionShare', 'fraction'),
  'input-gradient-norm': record('inputGradientNorm', 'gradient norm'),
  'input-position-gradient-norm': record('inputPositionGradientNorm', 'gradient norm'),
  'output-gradient-norm': record('outputGradientNorm', 'gradient norm'),
  'gradient-cosine': record('gradientCosine', 'cosine'),
  'gradient-norm': record('gradientNorm', 'gradient norm'),
  'embedding-drift': record('embeddingDrift', 'ratio'),
  'unembedding-drift': record('unembeddingDrift', 'ratio'),

  ...MODEL_METRICS,
  ...PAIR_METRICS,
  ...PATH_METRICS,

  isotropy: table(['seed'], async ({ host, counts, signal }, matrix, options) => {
    const found = await host.isotropy(matrix, { counts, ...without(options), ...signal });
    const { frequencyR2, null: chance } = found;
    const units = {
      meanCosine: 'cosine',
      centeredMeanCosine: 'cosine',
      projectedMeanCosine: 'cosine',
      isoScore: 'fraction',
      partition: 'ratio',
      centeredPartition: 'ratio',
      participationRatio: 'dimensions',
      effectiveRank: 'dimensions',
    } as const;
    const left = ['isoScore', 'partition', 'participationRatio', 'effectiveRank'] as const;
    return [
      ...(Object.entries(units) as [keyof typeof units, string][]).flatMap(([name, unit]) => [
        number(name, found[name], unit),
        number(`${name}.chance`, chance[name], unit),
      ]),
      ...left.flatMap((name) => [
        number(`projected.${name}`, found.projected[name], units[name]),
        number(`projected.${name}.chance`, chance.projected[name], units[name]),
      ]),
      number('frequencyR2', frequencyR2?.inSample ?? null, 'fraction'),
      number('frequencyR2.heldOut', frequencyR2?.heldOut ?? null, 'fraction'),
      number('frequencyR2.chance', chance.frequencyR2, 'fraction'),
    ];
  }),
  spectrum: table(['center', 'project'], async ({ host, signal }, matrix, options) => {
    const {
      values,
      participationRatio,
      effectiveRank,
      null: chance,
    } = await host.spectrum(matrix, {
      ...without(options),
      ...signal,
    });
    const total = values.reduce((sum, value) => sum + value * value, 0);
    let before = 0;
    // How much of the table its first directions hold: 1, 2, 4, 8, ... and all of them.
    const shares = [...values].flatMap((value, i) => {
      before += value * value;
      const directions = i + 1;
      const isListed = (directions & (directions - 1)) === 0 || directions === values.length;
      return isListed ? [{ ...number('share', total > 0 ? before / total : null, 'fraction'), band: directions }] : [];
    });
    return [
      number('largest', values[0] ?? null, 'singular value'),
      number('participationRatio', participationRatio, 'dimensions'),
      number('participationRatio.chance', chance.participationRatio, 'dimensions'),
      number('effectiveRank', effectiveRank, 'dimensions'),
      number('effectiveRank.chance', chance.effectiveRank, 'dimensions'),
      ...shares,
    ];
  }),
  neighbors: table(['token', 'k', 'similarity'], async ({ host, tokenizer }, matrix, { token, ...options }) => {
    const found = await host.neighbors(matrix, await idOf(token, tokenizer), bySimilarity(options));
    return found.flatMap(({ row, cosine }, i) => [
      { ...number('', cosine, 'cosine'), band: i + 1 },
      { ...number('token', row, 'token'), band: i + 1 },
    ]);
  }),
  'start-cosine': table([], async (measured, matrix, _options, name) => {
    const { host, signal } = measured;
    const start = await startOf(measured, name);
    const { meanCosine, null: chance } = await host.align(start, matrix, {
      method: 'identity',
      center: false,
      ...signal,
    });
    return [number('', meanCosine, 'cosine'), number('chance', chance.meanCosine, 'cosine')];
  }),
  'norm-frequency': table([], async ({ host, counts }, matrix) => {
    const found = await host.normFrequency(matrix, counts);
    return [
      number('spearman', found.spearman, 'correlation'),
      number('spearman.deviationByChance', found.null, 'correlation'),
      number('pearson', found.pearson, 'correlation'),
      number('meanNorm', found.meanNorm, 'row norm'),
      number('standardDeviation', found.standardDeviation, 'row norm'),
    ];
  }),

  alignment: pair(
    ['method', 'center', 'holdOut', 'nullRuns', 'seed', 'penalty'],
    async (host, [a, b], options, signal) => {
      const { method = 'linear', ...others } = options;
      const given = { holdOut: 0.2, ...without(others), method: method as never, ...signal };
      const found = await host.align(a, b, given);
      return [
        number('', found.meanCosine, 'cosine'),
        number('chance', found.null.meanCosine, 'cosine'),
        ...(found.heldOut === null
          ? []
          : [
              number('heldOut', found.heldOut.meanCosine, 'cosine'),
              number('heldOut.chance', await heldOutByChance(), 'cosine'),
            ]),
      ];

      /** The verb's own null is for the rows of the fit. */
      async function heldOutByChance(): Promise<number | null> {
        if (others['nullRuns'] === 0) return null;
        const shuffled = inRandomOrder(b, typeof others['seed'] === 'number' ? others['seed'] : 0);
        const { heldOut } = await host.align(a, shuffled, { ...given, nullRuns: 0 });
        return heldOut?.meanCosine ?? null;
      }
    },
  ),
  'neighbor-overlap': pair(['k', 'similarity', 'sample', 'seed'], async (host, [a, b], options, signal) => {
    const found = await host.neighborOverlap(a, b, { ...bySimilarity(options), ...signal });
    return [
      number('', found.overlap, 'fraction'),
      number('chance', found.null, 'fraction'),
      number('standardError', found.standardError, 'fraction'),
    ];
  }),
  cka: pair(['dimensions'], async (host, [a, b], options, signal) => {
    const found = await host.cka(a, b, { ...without(options), ...signal });
    return [
      number('', found.cka, 'fraction'),
      number('chance', found.null, 'fraction'),
      number('subspaces', found.subspaces.overlap, 'fraction'),
      number('subspaces.chance', found.subspaces.null, 'fraction'),
    ];
  }),
  'spectral-distance': pair(
    ['k', 'similarity', 'dimensions', 'sample', 'nullRuns', 'seed'],
    async (host, [a, b], options, signal) => {
      const found = await host.spectralDistance(a, b, { ...bySimilarity(options), ...signal });
      return [number('', found.distance, 'ratio'), number('chance', found.null.mean, 'ratio')];
    },
  ),
};

/** The token of a measure, given by id or by text. */
async function idOf(token: unknown, tokenizer: LabTokenizer | null): Promise<number> {
  if (typeof token !== 'string') return token as number;
  const ids = await tokenizer?.encode(token);
  if (ids?.length === 1) return ids[0]!;
  const found = ids === undefined ? 'which a Markov chain does not have' : `of ${ids.length} tokens`;
  throw new TiedError('invalid-argument', `token is '${token}', ${found}; expected one token, or its id`);
}

/** Metrics for models that read a text, or that read pairs. */
export const metricsOf = (reads: Reads): string[] =>
  Object.entries(METRICS)
    .filter(([, metric]) => metric.reads === undefined || metric.reads === reads)
    .map(([name]) => name);
