// N-gram tables, which are used for input only, through the public verbs. Their computation is tested in tests/cpp and against PyTorch.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLab,
  loadCore,
  type Core,
  type ModelConfig,
  type Trainer,
  type TransformerConfig,
} from '../../../web/index.js';
import { ngramRow } from './head-reference.js';
import { checkContinues, checkGeneration, SMALL, stream, VOCAB_SIZE } from './small-transformers.js';
import { expectError } from './support.js';

let core: Core;
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout', 'accounting'] });
  tokenIds = stream(core);
});

const training = { learningRate: 0.02, seed: 3, batchSize: 4 };
const modelOf = (more: Partial<TransformerConfig> = {}): TransformerConfig => ({
  ...SMALL,
  tying: 'tied',
  ngrams: { order: 3, rows: 50 },
  ...more,
});
const trainerOf = (more?: Partial<TransformerConfig>): Trainer =>
  core.createTrainer({ model: modelOf(more), training, tokenIds });

describe.each(['tied', 'untied', 'tied-low-rank', { untieAtStep: 25 }] as const)(
  'a model with n-grams, %j',
  (tying) => {
    test('learns, generates, rewinds and continues from its file', () => {
      const trainer = trainerOf({ tying });
      expect(trainer.model.ngrams).toEqual({ order: 3, rows: 50 });
      checkContinues(core, trainer);
      checkGeneration(trainer, tokenIds.slice(0, 3));
    });

    test('has the counted parameters and memory', () => {
      const trainer = trainerOf({ tying });
      const counted = trainer.parameters().filter(({ tiedTo }) => tiedTo === null);
      const total = counted.reduce((sum, { count }) => sum + count, 0);
      const { parts } = core.estimateMemory(trainer.model, trainer.training);
      expect(parts.find(({ name }) => name === 'weights')!.bytes).toBeGreaterThanOrEqual(4 * total);
      if (typeof tying !== 'string') return;
      const { dModel, nLayers, nHeads, contextLength } = SMALL;
      const architecture = {
        family: 'tied-embeddings',
        vocabSize: VOCAB_SIZE,
        dModel,
        nLayers,
        nHeads,
        contextLength,
      } as const;
      const count = core.countParameters({ ...architecture, ngramOrder: 3, ngramRows: 50 }, tying);
      const without = core.countParameters(architecture, tying);
      expect(count.stored).toBe(total);
      expect(count.stored - without.stored).toBe(2 * 50 * dModel);
      expect(count.tables).toBe(without.tables);
      expect(count.saved).toBe(without.saved);
      expect(
        count.tensors
          .filter(({ name }) => name.startsWith('ngrams'))
          .map(({ name, shape, group }) => [name, shape, group]),
      ).toEqual([
        ['ngrams.2', [50, dModel], 'tables'],
        ['ngrams.3', [50, dModel], 'tables'],
      ]);
      // Rows are looked up; the tables are in no product.
      const work = [architecture, { ...architecture, ngramOrder: 3, ngramRows: 50 }].map(
        (each) => core.countCompute(each, { sequences: 4, tokens: 8, tying }).macs.total,
      );
      expect(work[1]).toBe(work[0]);
    });
  },
);

test('each position reads the documented rows, and a step changes no others', () => {
  const trainer = trainerOf({ positions: 'none' });
  const ids = tokenIds.slice(0, 6);
  const [first] = trainer.hiddenStates(ids);
  const tables = [trainer.matrix('embedding'), trainer.matrix('ngrams.2'), trainer.matrix('ngrams.3')];
  const width = SMALL.dModel;
  const read = (table: number, row: number, j: number): number => tables[table]!.data[row * width + j]!;
  ids.forEach((id, i) => {
    const rows = [id, ...[2, 3].map((n) => ngramRow([...ids].slice(Math.max(0, i + 1 - n), i + 1), 50))];
    for (let j = 0; j < width; j++) {
      const sum = rows.reduce((x, row, table) => x + read(table, row, j), 0);
      expect(first!.data[i * width + j]).toBeCloseTo(sum, 6);
    }
  });

  const large = trainerOf({ ngrams: { order: 2, rows: 5000 } });
  const before = large.matrix('ngrams.2').data;
  const weights = large.matrix('embedding').data;
  large.run(1);
  const after = large.matrix('ngrams.2').data;
  const changed = new Set([...after.keys()].filter((i) => after[i] !== before[i]).map((i) => Math.floor(i / width)));
  expect(changed.size).toBeGreaterThan(0);
  expect(changed.size).toBeLessThanOrEqual(training.batchSize * SMALL.contextLength);
  const pairs = new Set<number>();
  for (let i = 0; i < tokenIds.length; i++) {
    pairs.add(ngramRow([tokenIds[i]!], 5000));
    if (i > 0) pairs.add(ngramRow([tokenIds[i - 1]!, tokenIds[i]!], 5000));
  }
  expect([...changed].every((row) => pairs.has(row))).toBe(true);
  // The table of tokens has a full head, so all of it changes.
  expect(large.matrix('embedding').data.every((x, i) => x !== weights[i])).toBe(true);
});

test('with several heads, each position reads a part of its row from each, and one head is none', () => {
  const trainer = trainerOf({ positions: 'none', ngrams: { order: 2, rows: 50, heads: 4 } });
  expect(trainer.model.ngrams).toEqual({ order: 2, rows: 50, heads: 4 });
  const table = trainer.matrix('ngrams.2');
  expect([table.rows, table.cols]).toEqual([200, 4]);
  const ids = tokenIds.slice(0, 6);
  const [first] = trainer.hiddenStates(ids);
  const embedding = trainer.matrix('embedding').data;
  ids.forEach((id, i) => {
    const pair = [...ids].slice(Math.max(0, i - 1), i + 1);
    for (let j = 0; j < 16; j++) {
      const row = ngramRow(pair, 50, Math.floor(j / 4));
      expect(first!.data[i * 16 + j]).toBeCloseTo(embedding[id * 16 + j]! + table.data[row * 4 + (j % 4)]!, 6);
    }
  });
  checkContinues(core, trainer);
  const [one, none] = [{ heads: 1 }, {}].map((more) => trainerOf({ ngrams: { order: 3, rows: 50, ...more } }));
  expect(one!.save()).toEqual(none!.save());
});

test('added before every layer, rows are in the state of each, and added at the input they are the default', () => {
  const reading = { order: 2, rows: 50, heads: 4 } as const;
  const everywhere = trainerOf({ ngrams: { ...reading, places: 'every-layer' } });
  expect(everywhere.model.ngrams).toEqual({ ...reading, places: 'every-layer' });
  const only = trainerOf({ ngrams: { ...reading, places: 'input' } });
  expect(only.save()).toEqual(trainerOf({ ngrams: reading }).save());
  const ids = tokenIds.slice(0, 6);
  const [states, others] = [everywhere, only].map((trainer) => trainer.hiddenStates(ids));
  const table = everywhere.matrix('ngrams.2').data;
  expect(states![0]!.data).toEqual(others![0]!.data);
  ids.forEach((_, i) => {
    const pair = [...ids].slice(Math.max(0, i - 1), i + 1);
    for (let j = 0; j < 16; j++) {
      const read = table[ngramRow(pair, 50, Math.floor(j / 4)) * 4 + (j % 4)]!;
      expect(states![1]!.data[i * 16 + j]).toBeCloseTo(others![1]!.data[i * 16 + j]! + read, 5);
    }
  });
  checkContinues(core, everywhere);
  checkGeneration(everywhere, tokenIds.slice(0, 3));
});

test('the parts by role of parameters, gradients and records belong to the table of tokens', () => {
  const trainer = trainerOf();
  const names = trainer.parameters().map(({ name, shape, tiedTo }) => [name, tiedTo ?? shape]);
  expect(names.slice(0, 4)).toEqual([
    ['embedding', [VOCAB_SIZE, 16]],
    ['unembedding', 'embedding'],
    ['ngrams.2', [50, 16]],
    ['ngrams.3', [50, 16]],
  ]);
  const { input, output, total } = trainer.gradient();
  total.data.forEach((sum, i) => expect(sum).toBe(Math.fround(input.data[i]! + output.data[i]!)));
  const norm = (data: Float32Array): number => Math.sqrt(data.reduce((sum, x) => sum + x * x, 0));
  const [record] = trainer.run(1);
  expect(record!.inputGradientNorm).toBeCloseTo(norm(input.data), 5);
  expect(record!.outputGradientNorm).toBeCloseTo(norm(output.data), 5);
});

test('with an embedding rate of 0, n-gram tables do not change', () => {
  const fixed = core.createTrainer({
    model: modelOf(),
    training: { ...training, learningRateMultipliers: { embedding: 0 } },
    tokenIds,
  });
  const before = fixed.matrix('ngrams.3').data;
  fixed.run(3);
  expect(fixed.matrix('ngrams.3').data).toEqual(before);
});

test('a model with n-grams is written with its own names, never as a GPT-2 or Llama', () => {
  const gpt2 = { norm: 'layer-norm', biases: 'all', positions: 'learned', feedForward: 'gelu' } as const;
  const llama = { norm: 'rms-norm', biases: 'none', positions: 'rotary', feedForward: 'swiglu' } as const;
  const text = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
  for (const layers of [gpt2, llama]) {
    const trainer = trainerOf(layers);
    const safetensors = text(trainer.toSafetensors());
    expect(safetensors).toContain('"ngrams.2"');
    expect(safetensors).toContain('\\"ngrams\\":{\\"order\\":3,\\"rows\\":50}');
    expect(safetensors).not.toContain('transformer.wte.weight');
    const gguf = text(trainer.toGguf());
    expect(gguf).toContain('ngrams.2');
    expect(gguf.includes('gpt2') || gguf.includes('llama')).toBe(false);
  }
});

test('verbs that read hidden states through the head include what n-grams add', () => {
  const trainer = trainerOf();
  trainer.run(20);
  const text = tokenIds.slice(0, SMALL.contextLength);
  const { layers } = trainer.logitLens(text);
  expect(layers).toHaveLength(SMALL.nLayers + 1);
  // For one sequence, in both ways.
  expect(trainer.lossByFrequency(text).loss).toBeCloseTo(trainer.evaluate(text).loss, 5);
});

test('n-grams are refused by name where they are not possible', async () => {
  const refused = (more: object, message: RegExp): void => {
    expectError(
      () => core.createTrainer({ model: { ...modelOf(), ...more } as ModelConfig, training, tokenIds }),
      'invalid-argument',
      message,
    );
  };
  refused({ ngrams: { order: 1, rows: 5 } }, /^model\.ngrams\.order is 1; expected an integer from 2 to 8$/);
  refused({ ngrams: { order: 9, rows: 5 } }, /^model\.ngrams\.order is 9/);
  refused({ ngrams: { order: 2, rows: 0 } }, /^model\.ngrams\.rows is 0; expected an integer from 1 to 4294967295$/);
  refused({ ngrams: { order: 2 } }, /^model\.ngrams\.rows is undefined/);
  refused({ ngrams: { order: 2, rows: 5, width: 2 } }, /^model\.ngrams\.width is /);
  refused({ ngrams: 2 }, /^model\.ngrams is 2/);
  const heads = (given: unknown): object => ({ ngrams: { order: 2, rows: 5, heads: given } });
  refused(heads(3), /^model\.ngrams\.heads is 3; expected a divisor of model\.dModel, 16$/);
  for (const bad of [0, 65, 1.5, '2', null])
    refused(heads(bad), /^model\.ngrams\.heads is .*; expected an integer from 1 to 64$/);
  for (const bad of ['layers', 1, null])
    refused(
      { ngrams: { order: 2, rows: 5, places: bad } },
      /^model\.ngrams\.places is .*; expected one of 'input' or 'every-layer'$/,
    );
  const direct = {
    kind: 'direct-path',
    vocabSize: VOCAB_SIZE,
    dModel: 4,
    tying: 'tied',
    ngrams: { order: 2, rows: 5 },
  };
  expectError(
    () => core.createTrainer({ model: direct as unknown as ModelConfig, training, tokenIds }),
    'invalid-argument',
    /^model\.ngrams is .*; expected it to be absent; only kind 'transformer' has it$/,
  );
  const pairs = { kind: 'encoder-decoder', vocabSize: 12, dModel: 4, tying: 'all', ngrams: { order: 2, rows: 5 } };
  expectError(
    () => core.createTrainer({ model: pairs as unknown as ModelConfig, training, tokenIds }),
    'invalid-argument',
    /^model\.ngrams is .*; expected it to be absent; only kind 'transformer' has it$/,
  );
  expectError(
    () => core.createTrainer({ model: modelOf({ ngrams: { order: 8, rows: 4e9 } }), training, tokenIds }),
    'out-of-memory',
    /^model\.ngrams\.rows is 4000000000 \(.* in all\); expected at most \d+, for/,
  );
});

test('a lab trains to the same bits', async () => {
  const lab = await createLab();
  const here = trainerOf();
  const there = await lab.createTrainer({ model: modelOf(), training, tokenIds });
  await there.run(10);
  here.run(10);
  expect(await there.save()).toEqual(here.save());
  expect((await lab.loadTrainer(here.save())).model).toEqual(here.model);
  lab.dispose();
});
