/** Counts of each family against published totals and closed forms; exactness; shared tables. */
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Architecture, type Core, type TableTying } from '../../../web/index.js';
import { completeArchitecture } from '../../../web/core/accounting/architecture-options.js';
import { SIZED_FAMILIES } from '../../../web/core/accounting/model-families.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const gpt2 = (dModel: number, nLayers: number): Architecture => ({
  family: 'gpt-2',
  vocabSize: 50_257,
  dModel,
  nLayers,
});

// Totals of the published weights, counted by shape. Fields that are not given here have the family's defaults.
const PUBLISHED: [name: string, architecture: Architecture, tying: TableTying, stored: number][] = [
  ['GPT-2', gpt2(768, 12), 'tied', 124_439_808],
  ['GPT-2 Medium', gpt2(1024, 24), 'tied', 354_823_168],
  ['GPT-2 Large', gpt2(1280, 36), 'tied', 774_030_080],
  ['GPT-2 XL', gpt2(1600, 48), 'tied', 1_557_611_200],
  ['Llama-2-7B', { family: 'llama', vocabSize: 32_000, dModel: 4096, nLayers: 32 }, 'untied', 6_738_415_616],
  // With the head for masked tokens, without the pooler.
  ['BERT base', { family: 'bert', vocabSize: 30_522, dModel: 768, nLayers: 12 }, 'tied', 109_514_298],
  ['T5 small', { family: 't5', vocabSize: 32_128, dModel: 512, nLayers: 6 }, 'tied', 60_506_624],
  [
    'Gemma 2B',
    { family: 'gemma', vocabSize: 256_000, dModel: 2048, nLayers: 18, nKeyValueHeads: 1 },
    'tied',
    2_506_172_416,
  ],
  ['Pythia-70M', { family: 'gpt-neox', vocabSize: 50_304, dModel: 512, nLayers: 6 }, 'untied', 70_426_624],
  [
    'Mixtral-8x7B',
    {
      family: 'mixture-of-experts',
      vocabSize: 32_000,
      dModel: 4096,
      nLayers: 32,
      nHeads: 32,
      nKeyValueHeads: 8,
      dFeedForward: 14_336,
    },
    'untied',
    46_702_792_704,
  ],
];

test.each(PUBLISHED)('%s is counted exactly', (_, architecture, tying, stored) => {
  expect(core.countParameters(architecture, tying).stored).toBe(stored);
});

test('only the experts that a token uses count as active', () => {
  const [, mixtral, tying] = PUBLISHED.at(-1)!;
  const { stored, active } = core.countParameters(mixtral, tying);
  // Six of the eight are idle: three matrices each, in 32 layers.
  expect(stored - active).toBe(32 * 6 * 3 * 4096 * 14_336);
});

test('the plain formula is 12 d² per layer plus the tables; with two LayerNorms it is the formula of seed 003', () => {
  const plain = { family: 'plain-formula', vocabSize: 50_257, dModel: 768, nLayers: 12 } as const;
  expect(core.countParameters(plain).stored).toBe(50_257 * 768 + 12 * 12 * 768 * 768);
  const withNorms = { ...plain, norm: 'layer-norm', normBiases: true } as const;
  expect(core.countParameters(withNorms).stored).toBe(123_568_896);
});

test('with either denominator, savings add up: GPT-2 saves 31.2% of the tied and 23.7% of the untied model', () => {
  const tied = core.countParameters(gpt2(768, 12));
  const untied = core.countParameters(gpt2(768, 12), 'untied');
  const table = 50_257 * 768;
  expect(tied).toMatchObject({ tying: 'tied', tables: 1, saved: table, untied: untied.stored, tied: tied.stored });
  expect(untied).toMatchObject({ tables: 2, saved: 0, tied: tied.stored, untied: tied.stored + table });
  expect(tied.savedOfStored).toBe(38_597_376 / 124_439_808);
  expect(tied.savedOfUntied).toBe(38_597_376 / 163_037_184);
  expect(tied.tableShare).toBe(38_597_376 / 124_439_808);
  expect(tied.effective).toBe(untied.stored);
  for (const count of [tied, untied]) {
    const owned = count.tensors.filter(({ tiedTo }) => tiedTo === null);
    expect(owned.reduce((sum, tensor) => sum + tensor.count, 0)).toBe(count.stored);
    expect(Object.values(count.groups).reduce((sum, group) => sum + group, 0)).toBe(count.stored);
    expect(Object.keys(count.groups)).toEqual(['tables', 'positions', 'attention', 'feed-forward', 'norms', 'head']);
  }
});

test('tying stores one, two or three tables of an encoder-decoder, and saves at most two thirds', () => {
  const model = {
    family: 'plain-formula',
    stack: 'encoder-decoder',
    vocabSize: 50_000,
    dModel: 768,
    nLayers: 0,
  } as const;
  const counts = (['tied', 'tied-inputs', 'tied-decoder', 'untied'] as const).map((tying) =>
    core.countParameters(model, tying),
  );
  expect(counts.map(({ tables }) => tables)).toEqual([1, 2, 2, 3]);
  expect(counts.map(({ stored }) => stored)).toEqual([38_400_000, 76_800_000, 76_800_000, 115_200_000]);
  expect(counts[0]!.saved).toBe(76_800_000);
  expect(counts[0]!.savedOfUntied).toBe(2 / 3);
});

test('tables of different vocabularies cannot be shared, so the model counts as untied', () => {
  const model = { family: 'llama', vocabSize: 100, outputVocabSize: 50, dModel: 64, nLayers: 1 } as const;
  const count = core.countParameters(model);
  expect(count).toMatchObject({ tying: 'untied', tied: null, saved: 0 });
  expect(count.groups.tables).toBe(150 * 64);
});

test('a map that costs more than the table makes savings negative', () => {
  const { saved, savedOfStored } = core.countParameters(
    { family: 'plain-formula', vocabSize: 10, dModel: 64, nLayers: 1 },
    'tied-linear',
  );
  expect(saved).toBe(10 * 64 - 64 * 64);
  expect(savedOfStored).toBeLessThan(0);
});

test('a model without layers is its tables alone, and sharing saves half of them', () => {
  const count = core.countParameters({ family: 'plain-formula', vocabSize: 50_000, dModel: 4096, nLayers: 0 });
  expect(count).toMatchObject({ stored: 204_800_000, untied: 409_600_000, saved: 204_800_000 });
  expect(count).toMatchObject({ savedOfUntied: 0.5, savedOfStored: 1, tableShare: 1 });
});

test('beyond 2^53 a count is the nearest double', () => {
  const [vocabSize, dModel, nLayers] = [2 ** 43 - 1, 100_003, 9_999_991];
  const { stored, untied, savedOfUntied } = core.countParameters({
    family: 'plain-formula',
    vocabSize,
    dModel,
    nLayers,
  });
  const table = BigInt(vocabSize) * BigInt(dModel);
  const layers = 12n * BigInt(dModel) ** 2n * BigInt(nLayers);
  expect(stored).toBe(Number(table + layers));
  expect(untied).toBe(Number(2n * table + layers));
  expect(savedOfUntied).toBeCloseTo(Number(table) / Number(2n * table + layers), 14);
});

test('effective parameters are counted up to 2^64 - 2 and refused beyond', () => {
  const tables = (vocabSize: number, dModel: number) =>
    core.countParameters({ family: 'plain-formula', vocabSize, dModel, nLayers: 0 }, 'tied');
  // 2^63 - 1 is 7² 73 127 337 92737 649657.
  const largest = tables(92_737 * 649_657, 7 * 7 * 73 * 127 * 337);
  expect(largest.stored).toBe(2 ** 63 - 1);
  expect(largest.effective).toBe(2 ** 64 - 2);
  expectError(
    () => tables(2 ** 32, 2 ** 31),
    'invalid-argument',
    /^architecture is one of more than 2\^64 - 2 parameters; expected sizes with at most 2\^64 - 2 parameters in total$/,
  );
});

const FAMILIES = SIZED_FAMILIES;

test.each(FAMILIES)('%s: completing an architecture twice changes nothing, and it counts the same', (family) => {
  const complete = completeArchitecture({ family, vocabSize: 1000, dModel: 512, nLayers: 3 });
  expect(completeArchitecture(complete)).toEqual(complete);
  expect(Object.values(complete)).not.toContain(undefined);
  const count = core.countParameters({ family, vocabSize: 1000, dModel: 512, nLayers: 3 });
  expect(count.architecture).toEqual(complete);
  expect(core.countParameters(complete)).toEqual(count);
});

test.each(FAMILIES)('%s: any width can be divided into heads, unless the family fixes their number', (family) => {
  const dModel = family === 'tied-embeddings' ? 20 : 10;
  const { nHeads, dHead } = completeArchitecture({ family, vocabSize: 10, dModel, nLayers: 1 });
  expect(nHeads * dHead).toBe(dModel);
});

test('heads of T5 and Gemma have the family’s width, whatever the width of the model', () => {
  const sizes = { vocabSize: 10, dModel: 512, nLayers: 1 };
  expect(completeArchitecture({ ...sizes, family: 't5', nHeads: 6 }).dHead).toBe(64);
  expect(completeArchitecture({ ...sizes, family: 'gemma', nHeads: 4 }).dHead).toBe(256);
  expect(completeArchitecture({ ...sizes, family: 'gemma' }).nHeads).toBe(2);
  expect(completeArchitecture({ ...sizes, family: 'llama', dHead: 128 }).nHeads).toBe(4);
});

test('queries, keys and values have the same parameter count in one matrix as in three', () => {
  const model = { family: 'gpt-2', vocabSize: 100, dModel: 128, nLayers: 2, nKeyValueHeads: 1 } as const;
  const fused = core.countParameters(model);
  const apart = core.countParameters({ ...model, fusedQueryKeyValue: false });
  expect(apart.groups).toEqual(fused.groups);
  expect(apart.tensors.length).toBe(fused.tensors.length + 4);
});
