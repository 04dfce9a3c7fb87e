/** Valid architectures and batches of any size: counting takes the same time for all. */
import { MODEL_FAMILIES } from '../../../web/core/accounting/model-families.js';
import { SAMPLES } from '../../web/core/configs.js';
import type { Draw } from '../draw.js';

type Options = Record<string, unknown>;
const FAMILIES = Object.keys(MODEL_FAMILIES);
export const TABLE_TYINGS = ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank'] as const;

export function architecture(draw: Draw): Options {
  const nHeads = draw.of([1, 4, 8]);
  const vocabSize = draw.of([1, 2, 1000, 50_257]);
  const ngramOrder = draw.whole(2, 8);
  const stack = draw.of([undefined, 'decoder', 'encoder', 'encoder-decoder']);
  return {
    family: draw.of(FAMILIES),
    vocabSize,
    dModel: nHeads * draw.of([64, 128]),
    nLayers: draw.of([0, 1, 12, 100]),
    ...(stack === undefined ? {} : { stack }),
    ...(stack === 'encoder-decoder' ? draw.some({ nEncoderLayers: () => draw.whole(0, 9) }) : {}),
    ...(draw.odds(0.2) ? { ngramOrder, ngramRows: draw.of([1, 1000, 12_800_000]) } : {}),
    ...draw.some(
      {
        nHeads: () => nHeads,
        nKeyValueHeads: () => 1,
        dHead: () => draw.of([32, 64]),
        dFeedForward: () => draw.whole(1, 5000),
        feedForward: () => draw.of(['plain', 'gated']),
        nExperts: () => 4,
        positions: () => draw.of(['learned', 'rotary', 'relative', 'none']),
        contextLength: () => draw.whole(1, 5000),
        relativeBuckets: () => draw.whole(1, 64),
        nSegments: () => draw.whole(0, 2),
        norm: () => draw.of(['layer-norm', 'rms-norm']),
        normsPerLayer: () => draw.whole(1, 4),
        queryKeyNorm: () => draw.of(['none', 'head', 'full']),
        embeddingNorm: () => draw.odds(0.5),
        finalNorm: () => draw.odds(0.5),
        biases: () => draw.of(['none', 'all', 'query-key-value', 'feed-forward']),
        fusedQueryKeyValue: () => draw.odds(0.5),
        headTransform: () => draw.odds(0.5),
        outputBias: () => draw.odds(0.5),
        lowRank: () => draw.whole(1, 64),
        tableRank: () => draw.whole(0, 64),
        valueEmbeddings: () => draw.of(['none', 'own', 'tied']),
        outputVocabSize: () => draw.of([vocabSize, vocabSize + 1]),
      },
      0.15,
    ),
  };
}

export function batch(draw: Draw, { stack, vocabSize }: Options): Options {
  return {
    sequences: draw.whole(1, 64),
    tokens: draw.whole(1, 2048),
    ...(stack === 'encoder-decoder' ? draw.some({ encoderTokens: () => draw.whole(1, 99) }) : {}),
    ...draw.some({
      tying: () => draw.of(TABLE_TYINGS),
      precision: () => draw.of(['float32', 'bfloat16', 'mixed']),
      optimizer: () => draw.of(['adamw', 'sgd-momentum', 'sgd']),
      flopPerSecond: () => 1e12,
      bytesPerSecond: () => 1e11,
      heads: () => heads(draw, vocabSize as number),
    }),
  };
}

function heads(draw: Draw, vocabSize: number): Options {
  return draw.some(
    {
      sampled: () => ({ samples: draw.whole(1, vocabSize - 1) }),
      adaptive: () => ({ cutoffs: [1, 9, 99].slice(0, draw.whole(1, 3)), ...draw.some({ divisor: () => 2 }) }),
      culled: () => ({ vocabSize: draw.whole(1, vocabSize) }),
      clustered: () => ({ clusters: draw.whole(1, vocabSize) }),
    },
    0.5,
  );
}

export function context(draw: Draw): Options {
  return draw.some({
    startsFrom: () => draw.of(['scratch', 'tied', 'untied']),
    lossDifference: () => draw.share() - 0.5,
    parameterBudget: () => draw.whole(1, 2 ** 40),
    precision: () => draw.of(['float32', 'bfloat16', 'mixed']),
    optimizer: () => draw.of(['adamw', 'sgd-momentum', 'sgd']),
  });
}

/** A configuration of a real model, sometimes with a missing field or another size. */
export function config(draw: Draw): Options {
  const made = structuredClone(draw.of(SAMPLES).config);
  const inner = (made.text_config ?? made) as Options;
  if (draw.odds(0.2)) delete inner[draw.of(Object.keys(inner))];
  for (const name of Object.keys(inner)) {
    if (typeof inner[name] === 'number' && draw.odds(0.05)) inner[name] = draw.whole(0, 10_000);
  }
  return made;
}
