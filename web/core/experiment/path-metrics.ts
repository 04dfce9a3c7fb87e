/** Metrics of direct paths: how often tokens follow themselves, the floor of tied ones, and what their logits tell. */
import { exp } from '../runtime/elementary.js';
import type { Matrix } from '../types.js';
import { nats, number, textModel, without, type Measured, type MeasuredText, type Metric } from './metric-kinds.js';

/** Logits are in single precision: probabilities that are closer, relative to their size, count as equal. */
const ROUNDING = 1e-5;

/** The logits [V, V] after each token, of a direct path or of what a transformer is without its layers. */
function pathLogits({ trainer, signal }: MeasuredText, path: object): Promise<Matrix> {
  const from = Uint32Array.from({ length: trainer.model.vocabSize }, (_, token) => token);
  return trainer.model.kind === 'transformer'
    ? trainer.directPath({ ...path, ...signal })
    : trainer.nextTokenLogits({ from });
}

/** The means of `values` over the tokens of each power of ten of `counts`; tokens that do not occur are in none. */
export function byFrequency(part: string, counts: Uint32Array, values: (id: number) => number): Measured[] {
  const bands = new Map<number, [sum: number, tokens: number]>();
  counts.forEach((count, id) => {
    if (count === 0) return;
    const band = Number(`1e${String(count).length - 1}`);
    const [sum, tokens] = bands.get(band) ?? [0, 0];
    bands.set(band, [sum + values(id), tokens + 1]);
  });
  return [...bands]
    .sort(([a], [b]) => a - b)
    .map(([band, [sum, tokens]]) => ({ ...number(part, sum / tokens, 'fraction'), band }));
}

export function softmaxRows({ rows, cols, data }: Matrix): Matrix {
  const probabilities = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * cols, (i + 1) * cols);
    const most = row.reduce((a, b) => Math.max(a, b), -Infinity);
    const weights = Float64Array.from(row, (logit) => exp(logit - most));
    const sum = weights.reduce((a, b) => a + b, 0);
    weights.forEach((weight, j) => (probabilities[i * cols + j] = weight / sum));
  }
  return { rows, cols, data: probabilities };
}

/** How often the tokens of a chain follow themselves, beside how often they occur in it. */
export interface Repetition {
  /** P(i given i) of each token. */
  readonly own: readonly number[];
  /** The fraction of tokens that follow themselves less often than they occur, and that of all other pairs. */
  readonly below: number;
  readonly others: number;
  /** How many of the chain's tokens repeat, and how many would if the next token did not depend on the current one. */
  readonly predicted: number;
  readonly chance: number;
}

export function repetitionIn({ rows: size, data }: Matrix, stationary: ArrayLike<number>): Repetition {
  const own = Array.from({ length: size }, (_, id) => data[id * size + id]!);
  const isBelow = (from: number, to: number): boolean => data[from * size + to]! < stationary[to]! * (1 - ROUNDING);
  let [below, others, predicted, chance] = [0, 0, 0, 0];
  for (let from = 0; from < size; from++) {
    predicted += stationary[from]! * own[from]!;
    chance += stationary[from]! * stationary[from]!;
    for (let to = 0; to < size; to++) {
      if (from === to) below += Number(isBelow(from, to));
      else others += Number(isBelow(from, to));
    }
  }
  return { own, below: below / size, others: others / (size * (size - 1)), predicted, chance };
}

/** Whether no column is 0. */
const isFull = ({ cols, data }: Matrix): boolean =>
  Array.from({ length: cols }, (_, col) => data.some((value, place) => place % cols === col && value !== 0)).every(
    Boolean,
  );

export const PATH_METRICS: Readonly<Record<string, Metric>> = {
  'path-repetition': textModel(['finalNorm', 'mlp0'], async (measured, options) => {
    const chain = softmaxRows(await pathLogits(measured, without(options)));
    const { stationary } = await measured.host.markovBounds(chain);
    const { own, below, others, predicted, chance } = repetitionIn(chain, stationary);
    return [
      number('', predicted, 'fraction'),
      number('chance', chance, 'fraction'),
      number('below', below, 'fraction'),
      number('below.chance', others, 'fraction'),
      ...byFrequency('difference', measured.counts, (id) => own[id]! - stationary[id]!),
    ];
  }),
  'tied-floor': textModel(['steps', 'tolerance', 'seed'], async ({ host, text, signal }, options) => {
    const pairs = await text.pairs();
    const { floor, reached, bigram } = await host.tiedFloor(pairs, { ...without(options), ...signal });
    const { symmetricLogits } = await host.bigramBounds(pairs);
    return [
      // The symmetric floor holds for tied paths, too, and is known exactly where the search ends early.
      number('', Math.max(floor, symmetricLogits), nats),
      number('reached', reached, nats),
      number('bigram', bigram, nats),
      number('symmetric', symmetricLogits, nats),
    ];
  }),
  'recovered-table': textModel(['tolerance', 'nullRuns', 'seed'], async (measured, options) => {
    const { host, trainer, signal } = measured;
    const logits = await pathLogits(measured, {});
    const embedding = await trainer.matrix('embedding');
    const given = { width: Math.min(embedding.rows, embedding.cols), ...without(options, 'nullRuns', 'seed') };
    const found = await host.recoverTable(logits, { ...given, ...signal });
    const tables = { reading: embedding, writing: await trainer.matrix('unembedding') };
    // Equal logits have no width, and fewer positive eigenvalues than columns no such table.
    const comparable = found.table.cols === embedding.cols && isFull(found.table);
    const rotation = comparable
      ? await host.align(found.table, embedding, {
          ...{ method: 'orthogonal', holdOut: 0 },
          ...without(options, 'tolerance'),
          ...signal,
        })
      : null;
    const spaces = (['reading', 'writing'] as const).map(async (role) => {
      if (found.width === 0) return [];
      const dimensions = Math.min(found.width, embedding.cols);
      const { subspaces } = await host.cka(found[role], tables[role], { dimensions, ...signal });
      return [number(role, subspaces.overlap, 'fraction'), number(`${role}.chance`, subspaces.null, 'fraction')];
    });
    return [
      number('width', found.width, 'dimensions'),
      number('gap', found.gap, 'ratio'),
      number('asymmetry', found.asymmetry, 'fraction'),
      number('tied', Number(found.tied), 'fraction'),
      number('cosine', rotation?.meanCosine ?? null, 'cosine'),
      number('cosine.chance', rotation?.null.meanCosine ?? null, 'cosine'),
      number('residual', rotation?.residual ?? null, 'ratio'),
      ...(await Promise.all(spaces)).flat(),
    ];
  }),
};
