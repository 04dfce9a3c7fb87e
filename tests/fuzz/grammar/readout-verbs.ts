import { isDeepStrictEqual } from 'node:util';
import type { Trainer } from '../../../web/index.js';
import type { Draw } from '../draw.js';
import * as gives from '../shapes.js';
import { listening } from './listening.js';
import { ids, matrix, seed } from './values.js';
import type { Verbs } from './verb.js';

const text = (draw: Draw, on: Trainer, least: number): Uint32Array => ids(draw, on.model.vocabSize, least, 40);
const maybeListening = (draw: Draw): object => (draw.odds(0.3) ? listening(draw, 'onProgress') : {});

/** Mostly with the model's sizes. */
function lens(draw: Draw, on: Trainer): object {
  const width = draw.odds(0.9) ? on.model.dModel : draw.whole(1, 5);
  const layers = draw.odds(0.9) ? (on.model.nLayers ?? 1) : draw.whole(1, 3);
  const layer = () => ({ weight: matrix(draw, width, width), bias: matrix(draw, 1, width).data });
  return { layers: Array.from({ length: Math.min(layers, 8) }, layer) };
}

const frequencies = (draw: Draw, on: Trainer): unknown[] =>
  draw.odds(0.3)
    ? []
    : [
        {
          ...draw.some({ counts: () => ids(draw, 9, on.model.vocabSize, on.model.vocabSize) }),
          ...maybeListening(draw),
        },
      ];

const norms = {
  input: gives.anyNumber,
  output: gives.anyNumber,
  inputShare: gives.anyNumber,
  pull: gives.anyNumber,
  push: gives.anyNumber,
};

const path = gives.record({
  asymmetry: gives.anyNumber,
  selfPrediction: gives.anyNumber,
  breaking: gives.anyNumber,
  loss: gives.anyNumber,
  correlation: gives.anyNumber,
});

/** Values that survive JSON unchanged. */
const plainData: gives.Shape = (value, where = 'the result') =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value) ? null : `${where} is changed by JSON`;

export const READOUT_VERBS = {
  logitLens: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [
      text(draw, on, 1),
      { ...draw.some({ lens: () => lens(draw, on) }, 0.5), ...maybeListening(draw) },
    ],
    gives: gives.record({
      layers: gives.listOf(
        gives.record({
          divergence: gives.anyNumber,
          loss: gives.nullOr(gives.anyNumber),
          perToken: gives.floats,
          predicted: gives.tokenIds,
          probability: gives.floats,
        }),
      ),
      chance: gives.number,
      leftOut: gives.whole,
    }),
  },
  trainTunedLens: {
    names: ['options'],
    args: (draw, _, on) => [
      {
        tokenIds: text(draw, on, 1),
        steps: draw.whole(1, 4),
        tokensPerStep: draw.whole(1, 20),
        ...draw.some({ learningRate: () => draw.of([1e-6, 0.01, 10]), seed: () => seed(draw) }),
        ...maybeListening(draw),
      },
    ],
    gives: gives.record({
      layers: gives.listOf(gives.record({ weight: gives.matrix, bias: gives.floats })),
      history: gives.matrix,
      leftOut: gives.whole,
    }),
  },
  gradientReport: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [text(draw, on, 2), ...frequencies(draw, on)],
    gives: gives.record({
      tokens: gives.whole,
      leftOut: gives.whole,
      ...norms,
      inputPositionNorm: gives.anyNumber,
      cosine: gives.anyNumber,
      cosineNull: gives.record({ mean: gives.anyNumber, standardDeviation: gives.anyNumber }),
      reach: gives.record({ share: gives.anyNumber, chance: gives.number }),
      bands: gives.listOf(gives.record({ from: gives.whole, count: gives.whole, pushedRows: gives.whole, ...norms })),
    }),
  },
  directPath: {
    names: ['options'],
    args: (draw) => [
      {
        ...draw.some({
          finalNorm: () => draw.odds(0.5),
          mlp0: () => draw.odds(0.5),
          symmetry: () => draw.of([true, false, { worst: draw.whole(0, 5) }]),
        }),
        ...maybeListening(draw),
      },
    ],
    gives: gives.either(gives.matrix, gives.record({ asymmetry: gives.anyNumber, norm: gives.anyNumber })),
  },
  directPathReport: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [
      text(draw, on, 2),
      { ...draw.some({ bigramsOf: () => text(draw, on, 2) }), ...maybeListening(draw) },
    ],
    gives: gives.record({
      tokens: gives.whole,
      leftOut: gives.whole,
      paths: gives.record({ embeddings: path, finalNorm: gives.nullOr(path), mlp0: path }),
      model: gives.record({ loss: gives.anyNumber, correlation: gives.anyNumber }),
      bigrams: gives.record({ selfPrediction: gives.anyNumber, breaking: gives.anyNumber, loss: gives.number }),
      chance: path,
    }),
  },
  selfTransitions: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [text(draw, on, 2), listening(draw, 'onProgress')],
    gives: gives.record({
      observed: gives.number,
      predicted: gives.number,
      chance: gives.number,
      occurring: gives.whole,
      below: gives.record({ observed: gives.whole, predicted: gives.whole }),
      perToken: gives.record({
        count: gives.tokenIds,
        share: gives.floats,
        observed: gives.floats,
        predicted: gives.floats,
      }),
      tokens: gives.whole,
      leftOut: gives.whole,
    }),
  },
  calibration: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [
      text(draw, on, 2),
      { ...draw.some({ bins: () => draw.whole(1, 30) }), ...listening(draw, 'onProgress') },
    ],
    gives: gives.record({
      error: gives.number,
      chance: gives.number,
      chanceDeviation: gives.number,
      accuracy: gives.number,
      confidence: gives.number,
      bins: gives.listOf(gives.record({ from: gives.number, tokens: gives.whole })),
      tokens: gives.whole,
      leftOut: gives.whole,
    }),
  },
  ngramCollisions: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [text(draw, on, 5), listening(draw, 'onProgress')],
    gives: gives.record({
      lengths: gives.listOf(
        gives.record({
          ...{ n: gives.whole, ngrams: gives.whole, rows: gives.number, shared: gives.number, chance: gives.number },
          ...{ oneHead: gives.number, oneHeadChance: gives.number, tokens: gives.number },
        }),
      ),
    }),
  },
  ablateLayers: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [text(draw, on, 2), listening(draw, 'onProgress')],
    gives: gives.record({
      loss: gives.anyNumber,
      tokens: gives.whole,
      leftOut: gives.whole,
      layers: gives.listOf(
        gives.record({ loss: gives.anyNumber, increase: gives.anyNumber, standardError: gives.anyNumber }),
      ),
    }),
  },
  lossByFrequency: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [text(draw, on, 2), ...frequencies(draw, on)],
    gives: gives.record({
      loss: gives.anyNumber,
      chance: gives.number,
      tokens: gives.whole,
      leftOut: gives.whole,
      bands: gives.listOf(
        gives.record({ from: gives.whole, tokens: gives.whole, loss: gives.anyNumber, chance: gives.number }),
      ),
    }),
  },
  modelCard: {
    names: ['options'],
    args: (draw, _, on) => [
      {
        tokenIds: text(draw, on, 2),
        ...draw.some(
          {
            counts: () => ids(draw, 9, on.model.vocabSize, on.model.vocabSize),
            tunedLens: () => ({
              tokenIds: text(draw, on, 1),
              steps: draw.whole(1, 3),
              tokensPerStep: draw.whole(1, 20),
            }),
            records: () =>
              Array.from({ length: draw.whole(1, 20) }, (_, i) => ({
                ...{ step: i + 1, loss: draw.share(), inputShare: draw.share(), inputPositionShare: draw.share() },
              })),
            nullRuns: () => draw.whole(1, 3),
            seed: () => seed(draw),
          },
          0.4,
        ),
        ...maybeListening(draw),
      },
    ],
    gives: gives.record({ data: plainData, markdown: gives.string }),
  },
} as const satisfies Partial<Verbs<Trainer>>;
