/** Valid architectures and batches of any size: counting takes the same time for all. */
import { OPTIMIZER_NUMBERS } from '../../../web/core/accounting/count-compute.js';
import { SIZED_FAMILIES } from '../../../web/core/accounting/model-families.js';
import { ARCHITECTURE_FIELDS } from '../../../web/core/generated/fields.js';
import { PRECISION, STARTS_FROM, TABLE_TYING, TENSOR_GROUP } from '../../../web/core/generated/words.js';
import { SAMPLES } from '../../web/core/configs.js';
import type { Draw } from '../draw.js';
import { some, type Options } from './fields.js';

const FAMILIES = SIZED_FAMILIES;
const OPTIMIZERS = Object.keys(OPTIMIZER_NUMBERS);
/** Sizes depend on each other, and biases of norms on the norm. */
const BY_HAND = Object.entries(ARCHITECTURE_FIELDS).flatMap(([name, field]) =>
  'whole' in field || name === 'stack' || name === 'normBiases' ? [name] : [],
);

export function architecture(draw: Draw): Options {
  const nHeads = draw.of([1, 4, 8]);
  const vocabSize = draw.of([1, 2, 1000, 50_257]);
  const ngramOrder = draw.whole(2, 8);
  const stack = draw.of([undefined, ...ARCHITECTURE_FIELDS.stack.words]);
  return {
    family: draw.of(FAMILIES),
    vocabSize,
    dModel: nHeads * draw.of([64, 128]),
    nLayers: draw.of([0, 1, 12, 100]),
    ...(stack === undefined ? {} : { stack }),
    ...(stack === 'encoder-decoder' ? draw.some({ nEncoderLayers: () => draw.whole(0, 9) }) : {}),
    ...(draw.odds(0.2) ? { ngramOrder, ngramRows: draw.of([1, 1000, 12_800_000]) } : {}),
    ...(draw.odds(0.2) ? experts(draw) : {}),
    ...some(draw, ARCHITECTURE_FIELDS, {}, BY_HAND),
    ...(draw.odds(0.1) ? { norm: 'layer-norm', normBiases: draw.odds(0.5) } : {}),
    ...draw.some(
      {
        nHeads: () => nHeads,
        nKeyValueHeads: () => 1,
        dHead: () => draw.of([32, 64]),
        dFeedForward: () => draw.whole(1, 5000),
        contextLength: () => draw.whole(1, 5000),
        relativeBuckets: () => draw.whole(1, 64),
        nSegments: () => draw.whole(0, 2),
        normsPerLayer: () => draw.whole(1, 4),
        lowRank: () => draw.whole(1, 64),
        tableRank: () => draw.whole(0, 64),
        outputVocabSize: () => draw.of([vocabSize, vocabSize + 1]),
      },
      0.15,
    ),
  };
}

/** Or its tensors, one by one. */
export const countedArchitecture = (draw: Draw): Options =>
  draw.odds(0.8)
    ? architecture(draw)
    : {
        family: 'listed',
        vocabSize: draw.of([1, 1000]),
        dModel: draw.of([1, 64]),
        nLayers: draw.whole(0, 9),
        tensors: Array.from({ length: draw.whole(1, 5) }, (_, i) => ({
          name: `layers.*.${i}`,
          shape: Array.from({ length: draw.whole(1, 2) }, () => draw.whole(1, 5000)),
          group: draw.of(TENSOR_GROUP),
          ...draw.some({ copies: () => draw.whole(5, 90), activeCopies: () => draw.whole(0, 1) }),
        })),
      };

const experts = (draw: Draw): Options => ({
  nExperts: 4,
  ...draw.some({
    nActiveExperts: () => draw.whole(1, 4),
    nSharedExperts: () => draw.whole(0, 2),
  }),
  ...(draw.odds(0.3) ? { nDenseLayers: 1, dDenseFeedForward: draw.whole(1, 5000) } : {}),
});

export function batch(draw: Draw, { stack, vocabSize }: Options): Options {
  return {
    sequences: draw.whole(1, 64),
    tokens: draw.whole(1, 2048),
    ...(stack === 'encoder-decoder' ? draw.some({ encoderTokens: () => draw.whole(1, 99) }) : {}),
    ...draw.some({
      tying: () => draw.of(TABLE_TYING),
      precision: () => draw.of(PRECISION),
      optimizer: () => draw.of(OPTIMIZERS),
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
    startsFrom: () => draw.of(STARTS_FROM),
    lossDifference: () => draw.share() - 0.5,
    parameterBudget: () => draw.whole(1, 2 ** 40),
    precision: () => draw.of(PRECISION),
    optimizer: () => draw.of(OPTIMIZERS),
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
