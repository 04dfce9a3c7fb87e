/** Parameter counts against what trainers allocate: two independent implementations. */
import { beforeAll, expect, test } from 'vitest';
import {
  loadCore,
  type Architecture,
  type Core,
  type EncoderDecoderConfig,
  type ModelConfig,
  type ParameterCount,
  type TableTying,
  type Trainer,
  type TransformerConfig,
  type Tying,
} from '../../../web/index.js';
import { Chance, given } from './chance.js';

const CONFIGURATIONS = 400;
/** Longer than the longest context. Both tokens exist in every model here. */
const IDS = Uint32Array.from({ length: 80 }, (_, i) => i % 2);

interface Twins {
  model: ModelConfig;
  architecture: Architecture;
  tying: TableTying;
}

function randomTransformer(chance: Chance): Twins {
  const nHeads = chance.of([1, 2, 4, 6]);
  const heads = chance.maybe(nHeads) ?? 4;
  const nKeyValueHeads = chance.maybe(chance.of([1, 2, 3, 4, 6].filter((n) => heads % n === 0)));
  // Rotary positions rotate pairs of a head's elements.
  const dModel = heads * 2 * chance.whole(1, 4);
  const tying = chance.of<Tying>(['tied', 'untied', 'tied-linear', 'tied-low-rank']);
  const both = {
    vocabSize: chance.whole(2, 40),
    dModel,
    nLayers: chance.whole(1, 4),
    nHeads: heads === 4 ? chance.maybe(4) : heads,
    nKeyValueHeads,
    contextLength: chance.maybe(chance.whole(1, 16)),
    positions: chance.maybe(chance.of(['learned', 'none', 'rotary'] as const)),
    norm: chance.maybe(chance.of(['rms-norm', 'layer-norm'] as const)),
    finalNorm: chance.maybe(chance.of([true, false])),
    biases: chance.maybe(chance.of(['none', 'feed-forward', 'all'] as const)),
    dFeedForward: chance.maybe(chance.whole(1, 50)),
    outputBias: chance.maybe(chance.of([true, false])),
    lowRank: tying === 'tied-low-rank' ? chance.maybe(chance.whole(1, dModel)) : undefined,
    tableRank: rankOf(chance, tying, dModel),
  };
  const gated = chance.maybe(chance.of([true, false]));
  const model = given({ ...both, kind: 'transformer', tying, feedForward: gated && 'swiglu' }) as ModelConfig;
  if (gated === false) model.feedForward = 'gelu';
  const architecture = given({ ...both, family: 'tied-embeddings', feedForward: gated && 'gated' }) as Architecture;
  if (gated === false) architecture.feedForward = 'plain';
  return { model, architecture, tying };
}

const rankOf = (chance: Chance, tying: Tying, dModel: number): number | undefined =>
  tying === 'tied' || tying === 'untied' ? chance.maybe(chance.whole(1, dModel)) : undefined;

function randomDirectPath(chance: Chance): Twins {
  const tying = chance.of<Tying>(['tied', 'untied', 'tied-linear', 'tied-mlp']);
  const dModel = chance.whole(1, 33);
  const both = {
    vocabSize: chance.whole(2, 40),
    dModel,
    outputBias: chance.maybe(chance.of([true, false])),
    tableRank: rankOf(chance, tying, dModel),
  };
  return {
    model: given({ ...both, kind: 'direct-path' as const, tying }) as ModelConfig,
    architecture: given({
      ...both,
      family: 'tied-embeddings' as const,
      nLayers: 0,
      positions: 'none' as const,
      finalNorm: false,
    }) as Architecture,
    tying,
  };
}

/** Of the five ways to share three tables, the four that counts have a name for; the fifth has as many parameters as 'tied-inputs'. */
const PAIR_TYINGS = [
  ['all', 'tied'],
  ['decoder', 'tied-decoder'],
  ['none', 'untied'],
  [{ tables: ['encoder-input', 'decoder-input'] }, 'tied-inputs'],
] as const;

function randomEncoderDecoder(chance: Chance): Twins {
  const { model, architecture } = randomTransformer(chance);
  const { nLayers, contextLength = 64, ...layers } = model as TransformerConfig;
  delete layers.lowRank;
  delete layers.tableRank;
  const [tying, counted] = chance.of(PAIR_TYINGS);
  const nEncoderLayers = chance.whole(1, 4);
  return {
    model: {
      ...layers,
      ...{ kind: 'encoder-decoder', tying, contextLength: contextLength + 1, sourceLength: contextLength + 1 },
      ...given({ nEncoderLayers, nDecoderLayers: nLayers }),
    } as ModelConfig,
    architecture: {
      ...given({ ...architecture, lowRank: undefined, tableRank: undefined }),
      ...{ stack: 'encoder-decoder', nEncoderLayers, contextLength: contextLength + 1 },
    },
    tying: counted,
  };
}

interface Tensor {
  shape: readonly number[];
  tiedTo: string | null;
  count: number;
}

/** A trainer lists no count for a tied matrix; here it gets the count of the matrix that it shares. */
function allocated(trainer: Trainer): Record<string, Tensor> {
  return Object.fromEntries(
    trainer.parameters().map(({ name, shape, tiedTo }) => {
      return [name, { shape: [...shape], tiedTo, count: shape.reduce((product, size) => product * size, 1) }];
    }),
  );
}

/** One entry per tensor, as a trainer lists them: '*' becomes the number of each layer. */
function counted({ tensors }: ParameterCount): Record<string, Tensor> {
  const all: Record<string, Tensor> = {};
  for (const { name, shape, copies, tiedTo, count } of tensors) {
    for (let i = 0; i < Number(copies); i++) {
      all[name.replace('*', String(i))] = { shape, tiedTo, count: Number(count / copies) };
    }
  }
  return all;
}

const effective = (tensors: Record<string, Tensor>): number =>
  Object.values(tensors).reduce((sum, { count }) => sum + count, 0);

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['accounting', 'models'] });
});

function expectEqualCounts({ model, architecture, tying }: Twins): void {
  const trainer = core.createTrainer({
    model,
    training: { learningRate: 0.01, batchSize: 1, seed: 1 },
    tokenIds: IDS,
  });
  const real = allocated(trainer);
  const kept = trainer.parameters().reduce((sum, { count }) => sum + count, 0);
  trainer.dispose();
  const count = core.countParameters(architecture, tying);
  const about = JSON.stringify({ architecture, tying });
  expect(counted(count), about).toEqual(real);
  expect(count.stored, about).toBe(kept);
  expect(count.effective, about).toBe(effective(real));
  expect(count.active, about).toBe(count.stored);
}

test(`counts equal what createTrainer allocates: names, shapes, ties and sums of ${CONFIGURATIONS} random transformers`, () => {
  const chance = new Chance(20_240_607);
  for (let i = 0; i < CONFIGURATIONS; i++) expectEqualCounts(randomTransformer(chance));
});

test('counts equal the allocations of direct paths, which are transformers without layers', () => {
  const chance = new Chance(7);
  for (let i = 0; i < 100; i++) expectEqualCounts(randomDirectPath(chance));
});

test('counts equal the allocations of encoder-decoders, however they share tables (sums only, since their tensors have other names)', () => {
  const chance = new Chance(44);
  for (let i = 0; i < 100; i++) {
    const { model, architecture, tying } = randomEncoderDecoder(chance);
    // Both its tokens start and end targets.
    model.vocabSize = architecture.vocabSize = Math.max(3, model.vocabSize);
    const pairs = { source: [Uint32Array.of(2)], target: [Uint32Array.of(2)] };
    const training = { learningRate: 0.01, batchSize: 1, seed: 1 };
    const trainer = core.createTrainer({ model: model as EncoderDecoderConfig, training, pairs });
    const real = allocated(trainer);
    const kept = trainer.parameters().reduce((sum, { count }) => sum + count, 0);
    trainer.dispose();
    const count = core.countParameters(architecture, tying);
    const about = JSON.stringify({ architecture, tying });
    expect(count.stored, about).toBe(kept);
    expect(count.effective, about).toBe(effective(real));
    const weights = core.estimateMemory(model, training).parts.find(({ name }) => name === 'weights')!;
    // 4 bytes per element, each parameter padded to its alignment.
    expect(weights.bytes, about).toBeGreaterThanOrEqual(4 * kept);
    expect(weights.bytes, about).toBeLessThan(4 * kept + 64 * Object.keys(real).length);
  }
});

test('the family’s defaults are those of createTrainer, except for the layers', () => {
  const sizes = { vocabSize: 11, dModel: 16 };
  expectEqualCounts({
    model: { ...sizes, kind: 'transformer', tying: 'tied' },
    architecture: { ...sizes, family: 'tied-embeddings', nLayers: 4 },
    tying: 'tied',
  });
});
