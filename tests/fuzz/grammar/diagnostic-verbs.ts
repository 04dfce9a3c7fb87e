import { ALIGNMENT_METHOD, NEIGHBOR_METRIC } from '../../../web/core/generated/words.js';
import type { Core, Matrix } from '../../../web/index.js';
import type { Draw } from '../draw.js';
import * as gives from '../shapes.js';
import { listening } from './listening.js';
import { counts, ids, matrix, seed } from './values.js';
import type { Verbs } from './verb.js';

/** Sometimes with a row of zeros, like a padding token. */
function table(draw: Draw, rows: number, cols = draw.whole(1, 5)): Matrix {
  const made = matrix(draw, rows, cols);
  if (draw.odds(0.2)) made.data.fill(0, 0, cols);
  return made;
}

function twoTables(draw: Draw, sameWidth = false): [Matrix, Matrix] {
  const rows = draw.whole(5, 20);
  const first = table(draw, rows);
  return [first, table(draw, rows, sameWidth ? first.cols : undefined)];
}

const maybeListening = (draw: Draw): object => (draw.odds(0.3) ? listening(draw, 'onProgress') : {});
const neighborOptions = (draw: Draw): object =>
  draw.some({ k: () => draw.whole(1, 4), metric: () => draw.of(NEIGHBOR_METRIC) }, 0.6);

/** Sometimes without the last argument. */
const withOptions = (draw: Draw, args: unknown[], options: object): unknown[] =>
  draw.odds(0.3) ? args : [...args, { ...options, ...maybeListening(draw) }];

export const DIAGNOSTIC_VERBS: Verbs<Core> = {
  align: {
    names: ['source', 'target', 'options'],
    args: (draw) => {
      const method = draw.of(ALIGNMENT_METHOD);
      const more = {
        center: () => draw.odds(0.5),
        holdOut: () => draw.of([0, 0.2, 0.5]),
        nullRuns: () => draw.whole(0, 3),
        seed: () => seed(draw),
        penalty: () => draw.of([1e-6, 1, 1e6]),
      };
      const tables = twoTables(draw, method === 'identity' || method === 'orthogonal');
      return [...tables, { method, ...draw.some(more, 0.5), ...maybeListening(draw) }];
    },
    gives: gives.record({
      meanCosine: gives.anyNumber,
      residual: gives.anyNumber,
      perToken: gives.floats,
      map: gives.nullOr(gives.matrix),
      null: gives.record({ meanCosine: gives.anyNumber, runs: gives.listOf(gives.anyNumber) }),
      heldOut: gives.nullOr(gives.record({ meanCosine: gives.anyNumber, tokens: gives.whole })),
      leftOut: gives.whole,
    }),
  },
  neighbors: {
    names: ['table', 'row', 'options'],
    args: (draw) => {
      const made = table(draw, draw.whole(5, 12));
      const vector = () => Float32Array.from({ length: made.cols }, () => draw.share() + 0.1);
      const query = draw.odds(0.5) ? draw.whole(1, made.rows - 1) : vector();
      return draw.odds(0.3) ? [made, query, { k: 1 }] : [made, query, { k: 2, ...neighborOptions(draw) }];
    },
    gives: gives.listOf(gives.record({ row: gives.whole, cosine: gives.number })),
  },
  neighborOverlap: {
    names: ['a', 'b', 'options'],
    args: (draw) => {
      const options = draw.some({ sample: () => draw.whole(1, 4), seed: () => seed(draw) }, 0.5);
      return [
        ...twoTables(draw),
        { k: draw.whole(1, 2), ...neighborOptions(draw), ...options, ...maybeListening(draw) },
      ];
    },
    gives: gives.record({
      overlap: gives.number,
      perToken: gives.floats,
      null: gives.number,
      standardError: gives.number,
      leftOut: gives.whole,
    }),
  },
  spectralDistance: {
    names: ['a', 'b', 'options'],
    args: (draw) => [
      ...twoTables(draw),
      {
        ...{ k: draw.whole(1, 2), dimensions: draw.whole(1, 3), ...neighborOptions(draw) },
        ...draw.some({ sample: () => draw.whole(1, 4), nullRuns: () => draw.whole(0, 2), seed: () => seed(draw) }, 0.5),
        ...maybeListening(draw),
      },
    ],
    gives: gives.record({
      distance: gives.number,
      null: gives.record({ mean: gives.anyNumber }),
      rows: gives.whole,
      leftOut: gives.whole,
      residual: gives.number,
    }),
  },
  kolmogorovCycles: {
    names: ['counts', 'options'],
    args: (draw) =>
      withOptions(
        draw,
        [counts(draw, draw.whole(1, 7))],
        draw.some({ listed: () => draw.whole(0, 4), nullRuns: () => draw.whole(0, 3), seed: () => seed(draw) }, 0.5),
      ),
    gives: gives.record({
      affinity: gives.nullOr(gives.number),
      null: gives.record({ mean: gives.nullOr(gives.number), standardDeviation: gives.nullOr(gives.number) }),
      compared: gives.whole,
      oneWay: gives.whole,
      strongest: gives.listOf(gives.record({ forward: gives.number, backward: gives.number, flow: gives.number })),
    }),
  },
  tiedFloor: {
    names: ['counts', 'options'],
    args: (draw) =>
      withOptions(
        draw,
        [counts(draw, draw.whole(2, 7))],
        draw.some({ steps: () => draw.whole(1, 200), tolerance: () => 0.01, seed: () => seed(draw) }, 0.5),
      ),
    gives: gives.record({ floor: gives.number, reached: gives.number, bigram: gives.number, steps: gives.whole }),
  },
  recoverTable: {
    names: ['logits', 'options'],
    args: (draw) => {
      const size = draw.whole(2, 9);
      return withOptions(
        draw,
        [table(draw, size, size)],
        draw.some({ width: () => draw.whole(1, size), tolerance: () => 0.01 }, 0.5),
      );
    },
    gives: gives.record({
      singularValues: gives.doubles,
      tolerance: gives.number,
      width: gives.whole,
      gap: gives.nullOr(gives.anyNumber),
      asymmetry: gives.number,
      eigenvalues: gives.record({ least: gives.number, largest: gives.number }),
      meanResidual: gives.number,
    }),
  },
  spectrum: {
    names: ['table', 'options'],
    args: (draw) =>
      withOptions(
        draw,
        [table(draw, draw.whole(2, 12))],
        draw.some({ center: () => true, project: () => draw.odds(0.5) }, 0.5),
      ),
    gives: gives.record({ values: gives.doubles, participationRatio: gives.number, effectiveRank: gives.number }),
  },
  cka: {
    names: ['a', 'b', 'options'],
    args: (draw) => withOptions(draw, twoTables(draw), draw.some({ dimensions: () => 1 }, 0.5)),
    gives: gives.record({
      cka: gives.number,
      null: gives.number,
      subspaces: gives.record({ dimensions: gives.whole, overlap: gives.number, null: gives.number }),
      leftOut: gives.whole,
    }),
  },
  isotropy: {
    names: ['table', 'options'],
    args: (draw) => {
      const made = table(draw, draw.whole(2, 30));
      const counts = () => Uint32Array.from({ length: made.rows }, () => draw.whole(0, 9));
      return withOptions(draw, [made], draw.some({ counts, seed: () => seed(draw) }, 0.5));
    },
    gives: gives.record({
      meanCosine: gives.anyNumber,
      isoScore: gives.anyNumber,
      partition: gives.anyNumber,
      centeredPartition: gives.anyNumber,
      projected: gives.record({ isoScore: gives.anyNumber, participationRatio: gives.anyNumber }),
      frequencyR2: gives.nullOr(gives.record({ inSample: gives.anyNumber, heldOut: gives.anyNumber })),
      null: gives.record({
        meanCosine: gives.anyNumber,
        centeredMeanCosine: gives.anyNumber,
        projectedMeanCosine: gives.anyNumber,
      }),
      leftOut: gives.whole,
    }),
  },
  normFrequency: {
    names: ['table', 'counts'],
    args: (draw) => {
      const made = table(draw, draw.whole(4, 12));
      return [made, Uint32Array.from({ length: made.rows }, () => draw.whole(0, 999))];
    },
    gives: gives.record({
      spearman: gives.anyNumber,
      pearson: gives.anyNumber,
      bands: gives.listOf(gives.record({ from: gives.whole, to: gives.whole, count: gives.whole })),
    }),
  },
  decomposeHidden: {
    names: ['hidden', 'unembedding', 'targets', 'options'],
    args: (draw) => {
      const [states, vocabSize, width] = [draw.whole(1, 6), draw.whole(2, 9), draw.whole(2, 5)];
      const embedding = () => table(draw, vocabSize, width);
      const args = [table(draw, states, width), table(draw, vocabSize, width), ids(draw, vocabSize, states, states)];
      return withOptions(draw, args, draw.some({ embedding, seed: () => seed(draw) }, 0.5));
    },
    gives: gives.record({
      parallel: gives.floats,
      ratio: gives.floats,
      inputCosine: gives.nullOr(gives.floats),
      null: gives.record({
        medianRatio: gives.anyNumber,
        randomMedianRatio: gives.number,
        inputCosine: gives.nullOr(gives.anyNumber),
      }),
      baseline: gives.number,
      leftOut: gives.whole,
    }),
  },
};
