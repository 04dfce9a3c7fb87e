// Factorized tables through the public verbs. Their computation is tested in tests/cpp and against PyTorch.
import { beforeAll, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type ModelConfig, type Trainer } from '../../../web/index.js';
import { checkContinues, stream } from './small-transformers.js';
import { expectError } from './support.js';

let core: Core;
let tokenIds: Uint32Array;
let vocabSize: number;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'readout', 'accounting', 'checkpoint'] });
  tokenIds = stream(core);
  vocabSize = Math.max(...tokenIds) + 1;
});

const training = { learningRate: 0.02, seed: 3, batchSize: 8 };
const modelOf = (kind: ModelConfig['kind'], more: object = {}): ModelConfig => {
  const common = { vocabSize, dModel: 8, tying: 'tied', tableRank: 3, initStd: 0.1 };
  const sizes = kind === 'transformer' ? { nLayers: 1, nHeads: 2, contextLength: 8 } : {};
  return { kind, ...common, ...sizes, ...more } as ModelConfig;
};
const trainerOf = (model: ModelConfig): Trainer => core.createTrainer({ model, training, tokenIds });

const HEADS = [
  undefined,
  { kind: 'sampled', samples: 5 },
  { kind: 'clustered', clusters: 3 },
  { kind: 'culled', kept: 5 },
];

test.each(['direct-path', 'transformer'] as const)(
  'a %s with factorized tables learns and continues from its file',
  (kind) => {
    for (const tying of ['tied', 'untied'] as const) {
      for (const head of HEADS) {
        const trainer = trainerOf(modelOf(kind, { tying, ...(head ? { head } : {}) }));
        expect(trainer.model.tableRank).toBe(3);
        checkContinues(core, trainer);
        expect(trainer.generate({ prompt: Uint32Array.of(1), tokens: 5, seed: 1 }).tokenIds).toHaveLength(5);
        const { parts } = core.estimateMemory(trainer.model, trainer.training);
        const counted = trainer.parameters().reduce((sum, { count }) => sum + count, 0);
        expect(parts.find(({ name }) => name === 'weights')!.bytes).toBeGreaterThanOrEqual(4 * counted);
      }
    }
  },
);

test('factorized tables have one row per token and one factor, which a tied model shares', () => {
  const shapesOf = (trainer: Trainer): Record<string, unknown> =>
    Object.fromEntries(
      trainer
        .parameters()
        .filter(({ name }) => name.includes('embedding'))
        .map(({ name, shape, tiedTo }) => [name, tiedTo ?? shape]),
    );
  const own = { embedding: [vocabSize, 3], 'embedding.factor': [3, 8] };
  const tied = trainerOf(modelOf('transformer'));
  expect(shapesOf(tied)).toEqual({ ...own, unembedding: 'embedding', 'unembedding.factor': 'embedding.factor' });
  const untied = trainerOf(modelOf('transformer', { tying: 'untied' }));
  expect(shapesOf(untied)).toEqual({ ...own, unembedding: [vocabSize, 3], 'unembedding.factor': [3, 8] });
  for (const trainer of [tied, untied]) {
    trainer.run(2);
    const { input, output, total, factor } = trainer.gradient();
    for (const { rows, cols, data } of [input, output, total]) {
      expect([rows, cols, data.length]).toEqual([vocabSize, 3, 3 * vocabSize]);
    }
    for (const { rows, cols, data } of Object.values(factor!)) expect([rows, cols, data.length]).toEqual([3, 8, 24]);
    for (const parts of [{ input, output, total }, factor!]) {
      const sums = parts.input.data.map((value, i) => value + (trainer === tied ? parts.output.data[i]! : 0));
      expect(parts.total.data).toEqual(sums);
      expect(sums.some((value) => value !== 0)).toBe(true);
    }
  }
  expect(new TextDecoder('latin1').decode(tied.toSafetensors())).toContain('\\"tableRank\\":3');
});

test('parameter counts equal those of a trainer, and work depends on the rank', () => {
  const shape = { vocabSize: 1000, dModel: 64, nLayers: 2, nHeads: 2, contextLength: 8, tableRank: 16 };
  for (const tying of ['tied', 'untied'] as const) {
    const trainer = core.createTrainer({
      model: { kind: 'transformer', tying, ...shape },
      training,
      tokenIds,
    });
    const allocated = trainer.parameters().reduce((sum, { count }) => sum + count, 0);
    const architecture = { family: 'tied-embeddings', ...shape } as const;
    const { stored, groups, tables, tied, untied } = core.countParameters(architecture, tying);
    expect(stored).toBe(allocated);
    expect(groups.tables).toBe((tying === 'tied' ? 1 : 2) * (1000 + 64) * 16);
    expect(untied - tied!).toBe((1000 + 64) * 16);
    expect(tables).toBe(tying === 'tied' ? 1 : 2);
    const { parts, heads } = core.countCompute(architecture, {
      sequences: 2,
      tokens: 8,
      tying,
      heads: { sampled: { samples: 9 }, clustered: { clusters: 10 } },
    });
    expect(parts.lookup.forward).toBe(16 * 16 * 64);
    expect(parts.head.forward).toBe(16 * 16 * (64 + 1000));
    expectError(
      () => core.countCompute(architecture, { sequences: 1, tokens: 1, heads: { adaptive: { cutoffs: [9] } } }),
      'invalid-argument',
      /^batch\.heads\.adaptive is .*; only a model whose tables are not factorized has it$/,
    );
    expect(heads.map(({ macs }) => macs.forward / 256)).toEqual([64 + 1000, 64 + 10, 64 + 10 + 100]);
  }
});

test.each(['tied', 'untied'] as const)(
  'files of %s tables open again with the same bits, and also with the other tying',
  async (tying) => {
    const trainer = trainerOf(modelOf('transformer', { tying }));
    trainer.run(5);
    const ids = tokenIds.subarray(0, 6);
    for (const file of [trainer.toSafetensors(), trainer.toGguf()]) {
      const checkpoint = await core.openCheckpoint(file);
      expect(checkpoint.tying.tied).toBe(tying === 'tied');
      const again = await checkpoint.toTrainer();
      // A weights file doesn't contain the initialization.
      expect({ ...again.model, initStd: 0.1 }).toEqual(trainer.model);
      for (const { name } of trainer.parameters()) expect(again.matrix(name)).toEqual(trainer.matrix(name));
      expect(again.logits(ids)).toEqual(trainer.logits(ids));
      const other = await checkpoint.toTrainer({ model: { tying: tying === 'tied' ? 'untied' : 'tied' } });
      expect(other.matrix('embedding.factor')).toEqual(trainer.matrix('embedding.factor'));
      if (tying === 'tied') expect(other.logits(ids)).toEqual(trainer.logits(ids));
    }
  },
);

test('a direct path with factorized tables learns a table of pairs better with a larger rank', () => {
  const bigramCounts = core.bigrams(tokenIds, vocabSize).counts;
  const losses = [2, 8].map((tableRank) => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize, dModel: 8, tying: 'untied', tableRank },
      training: { learningRate: 0.05, seed: 1 },
      bigramCounts,
    });
    trainer.run(300);
    return trainer.evaluate().loss;
  });
  const { bigram, unigram } = core.bigramBounds(bigramCounts);
  expect(losses[1]).toBeLessThan(losses[0]!);
  expect(losses[0]).toBeLessThan(unigram);
  expect(losses[1]).toBeGreaterThan(bigram);
});

test('ranks, tyings, heads and verbs that factorized tables do not support are refused by name', async () => {
  const refused = (more: object, message: RegExp): void => {
    expectError(() => trainerOf(modelOf('transformer', more)), 'invalid-argument', message);
  };
  refused({ tableRank: 0 }, /^model\.tableRank is 0; expected an integer from 1 to 8$/);
  refused({ tableRank: 9 }, /^model\.tableRank is 9; expected an integer from 1 to 8$/);
  refused({ tying: 'tied-linear' }, /^model\.tying is 'tied-linear'; expected 'tied' or 'untied'/);
  refused({ tying: { untieAtStep: 5 } }, /^model\.tying is .*; expected 'tied' or 'untied'/);
  refused({ head: { kind: 'adaptive', cutoffs: [2] } }, /^model\.tableRank is 3; expected it to be absent with a head/);
  const trainer = trainerOf(modelOf('transformer'));
  expectError(() => trainer.logitLens(tokenIds.slice(0, 9)), 'unsupported', /^model\.tableRank is 3; expected tables/);
  const lab = await createLab();
  const there = await lab.createTrainer({ model: modelOf('transformer'), training, tokenIds });
  await there.run(5);
  trainer.run(5);
  expect(await there.save()).toEqual(trainer.save());
  lab.dispose();
});
