// Value embeddings through the public verbs. Their computation is tested in tests/cpp and against PyTorch.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLab,
  loadCore,
  type Architecture,
  type Core,
  type ModelConfig,
  type Trainer,
  type TransformerConfig,
} from '../../../web/index.js';
import { checkContinues, checkGeneration, SMALL, stream, VOCAB_SIZE } from './small-transformers.js';
import { expectError } from './support.js';

let core: Core;
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout', 'accounting', 'checkpoint'] });
  tokenIds = stream(core);
});

const training = { learningRate: 0.02, seed: 3, batchSize: 4 };
const modelOf = (more: Partial<TransformerConfig> = {}): TransformerConfig => ({ ...SMALL, tying: 'tied', ...more });
const trainerOf = (more?: Partial<TransformerConfig>): Trainer =>
  core.createTrainer({ model: modelOf(more), training, tokenIds });

const KINDS: readonly [string, Partial<TransformerConfig>, width: number][] = [
  ['own', { valueEmbeddings: 'own' }, 16],
  ['own, narrower', { valueEmbeddings: 'own', nKeyValueHeads: 1 }, 8],
  ['own, beside factorized tables', { valueEmbeddings: 'own', tableRank: 3 }, 16],
  ['tied', { valueEmbeddings: 'tied' }, 16],
  ['tied, in an untied model', { valueEmbeddings: 'tied', tying: 'untied' }, 16],
  ['tied, in a model that is untied later', { valueEmbeddings: 'tied', tying: { untieAtStep: 15 } }, 16],
];

describe.each(KINDS)('value embeddings: %s', (_, more, width) => {
  const isTied = more.valueEmbeddings === 'tied';

  test('learn, generate, rewind and continue from a file', () => {
    const trainer = trainerOf(more);
    expect(trainer.model.valueEmbeddings).toBe(more.valueEmbeddings);
    checkContinues(core, trainer);
    checkGeneration(trainer, tokenIds.slice(0, 3));
  });

  test('have a gradient of their own role, which the total and the records include', () => {
    const scale = 3;
    const trainer = core.createTrainer({
      model: modelOf(more),
      training: { ...training, inputGradientScale: scale },
      tokenIds,
    });
    const { input, output, value, total, factor, inputRows, valueRows } = trainer.gradient();
    expect([value!.rows, value!.cols]).toEqual([VOCAB_SIZE, width]);
    expect(valueRows).toBe(inputRows);
    const cols = more.tableRank ?? SMALL.dModel;
    expect([total.rows, total.cols, total.data.length]).toEqual([VOCAB_SIZE, cols, VOCAB_SIZE * cols]);
    expect(factor?.total.data.length).toBe(more.tableRank && more.tableRank * SMALL.dModel);
    total.data.forEach((sum, i) => {
      const written = more.tying === 'untied' ? 0 : output.data[i]!;
      const read = input.data[i]! + (isTied ? value!.data[i]! : 0);
      expect(sum).toBeCloseTo(scale * read + written, 6);
    });
    const norm = (data: Float32Array): number => Math.sqrt(data.reduce((sum, x) => sum + x * x, 0));
    expect(norm(value!.data)).toBeGreaterThan(0);
    const [record] = trainer.run(1);
    expect(record!.valueGradientNorm).toBeCloseTo(norm(value!.data), 5);
    expect(record!.encoderGradientNorm).toBeUndefined();
    const columns = trainer.run(20, { columns: true });
    expect(columns.valueGradientNorm).toHaveLength(20);
    const [drift, ofTable] = [columns.valueEmbeddingDrift!, columns.embeddingDrift];
    expect(drift.every((x, i) => x > 0 && (x === ofTable[i]) === isTied)).toBe(true);
  });

  test('have the counted parameters, work and memory', () => {
    const trainer = trainerOf(more);
    const parameters = trainer.parameters();
    const table = parameters.find(({ name }) => name === 'value_embedding')!;
    expect([table.shape, table.tiedTo]).toEqual([[VOCAB_SIZE, width], isTied ? 'embedding' : null]);
    const total = parameters.reduce((sum, { count }) => sum + count, 0);
    const { parts } = core.estimateMemory(trainer.model, trainer.training);
    expect(parts.find(({ name }) => name === 'weights')!.bytes).toBeGreaterThanOrEqual(4 * total);
    const { tying = 'tied', valueEmbeddings = 'none', nKeyValueHeads = SMALL.nHeads, tableRank = 0 } = more;
    if (typeof tying !== 'string') return;
    const { dModel, nLayers, nHeads, contextLength } = SMALL;
    const sizes = { vocabSize: VOCAB_SIZE, dModel, nLayers, nHeads, nKeyValueHeads, contextLength, tableRank };
    const architecture = { family: 'tied-embeddings', ...sizes, valueEmbeddings } as const;
    const [count, without] = [architecture, { ...architecture, valueEmbeddings: 'none' } as const].map((each) =>
      core.countParameters(each, tying),
    );
    expect(count!.stored).toBe(total);
    expect(count!.stored - without!.stored).toBe(isTied ? 0 : VOCAB_SIZE * width);
    expect(count!.effective - without!.effective).toBe(VOCAB_SIZE * width);
    expect([count!.tables, count!.saved]).toEqual([without!.tables, without!.saved]);
    // Rows are looked up and added; the table is in no product.
    const work = [architecture, { ...architecture, valueEmbeddings: 'none' } as const].map(
      (each) => core.countCompute(each, { sequences: 4, tokens: 8, tying }).macs.total,
    );
    expect(work[1]).toBe(work[0]);
  });

  test('are in weight files with their own name, which open with the same verdict, bits and logits', async () => {
    const trainer = trainerOf(more);
    trainer.run(20);
    const plain = trainerOf({ ...more, valueEmbeddings: 'none' });
    // safetensors names a shared table twice, GGUF once.
    for (const [format, isNamed] of [
      ['toSafetensors', true],
      ['toGguf', !isTied],
    ] as const) {
      const bytes = trainer[format]();
      expect(Buffer.from(bytes).includes('value_embedding')).toBe(isNamed);
      const checkpoint = await core.openCheckpoint(bytes);
      const { tied } = checkpoint.tying;
      if (typeof more.tying !== 'object') expect(tied).toBe((await core.openCheckpoint(plain[format]())).tying.tied);
      if (more.tableRank === undefined) expect(tied).toBe(more.tying === undefined);
      const again = await checkpoint.toTrainer();
      expect(again.model.valueEmbeddings).toBe(more.valueEmbeddings);
      expect(again.matrix('value_embedding')).toEqual(trainer.matrix('value_embedding'));
      const ids = tokenIds.slice(0, SMALL.contextLength);
      expect(again.logits(ids)).toEqual(trainer.logits(ids));
    }
  });
});

test('other programs’ names are never used', () => {
  const gpt2 = { norm: 'layer-norm', biases: 'all', positions: 'learned', feedForward: 'gelu' } as const;
  const llama = { norm: 'rms-norm', biases: 'none', positions: 'rotary', feedForward: 'swiglu' } as const;
  for (const layers of [gpt2, llama]) {
    expect(Object.keys(trainerOf(layers).toTransformers())).toContain('config.json');
    for (const valueEmbeddings of ['own', 'tied'] as const) {
      const trainer = trainerOf({ ...layers, valueEmbeddings });
      expect(Buffer.from(trainer.toSafetensors()).includes('transformer.wte.weight')).toBe(false);
      const gguf = Buffer.from(trainer.toGguf());
      expect(gguf.includes('gpt2') || gguf.includes('llama')).toBe(false);
      expectError(() => trainer.toTransformers(), 'unsupported', /./);
    }
  }
});

test('a tied table has three parts, so verbs that split its gradient in two refuse it, and others read it', () => {
  const text = tokenIds.slice(0, 20);
  const tied = trainerOf({ valueEmbeddings: 'tied' });
  expectError(
    () => tied.gradientReport(text),
    'unsupported',
    /^model\.valueEmbeddings is 'tied'; expected 'none' or 'own'/,
  );
  const own = trainerOf({ valueEmbeddings: 'own' });
  expect(own.gradientReport(text).tokens).toBe(19);
  for (const trainer of [own, tied]) {
    expect(trainer.logitLens(text).layers.at(-1)!.divergence).toBe(0);
    expect(trainer.lossByFrequency(text.slice(0, 8)).loss).toBeCloseTo(trainer.evaluate(text.slice(0, 8)).loss, 5);
  }
});

test('an experiment finds the whole gradient in its parts', async () => {
  const arms = {
    own: { model: { tying: 'tied', valueEmbeddings: 'own' } },
    tied: { model: { tying: 'tied', valueEmbeddings: 'tied' } },
    both: { model: { tying: 'untied', valueEmbeddings: 'tied' } },
  } as const;
  const { metrics, runs } = await core.runExperiment({
    name: 'roles',
    text: { string: 'New York is old. The old city is New York. '.repeat(30) },
    tokenizer: { kind: 'character' },
    model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
    training: { steps: 3, learningRate: 0.01, batchSize: 2, inputGradientScale: 2 },
    arms,
    seeds: [1],
    measure: [{ metric: 'gradient-split', tokens: 50 }, { metric: 'work' }],
  });
  for (const arm of Object.keys(arms)) {
    const { id } = runs.find((run) => run.arm === arm)!;
    const row = metrics.find((one) => one.id === id && one.metric === 'gradient-split(tokens=50)');
    expect(row!.value).toBeLessThan(1e-6);
  }
});

test("'none' is the default, which completed models omit", () => {
  const trainer = trainerOf({ valueEmbeddings: 'none' });
  expect(trainer.model).toEqual(trainerOf().model);
  expect(trainer.model).not.toHaveProperty('valueEmbeddings');
  expect(trainer.run(1)[0]).not.toHaveProperty('valueGradientNorm');
  expect(trainer.gradient()).not.toHaveProperty('value');
});

test('they are refused by name where they are not possible', () => {
  const refused = (model: object, message: RegExp): void =>
    expectError(
      () => core.createTrainer({ model: model as ModelConfig, training, tokenIds }),
      'invalid-argument',
      message,
    );
  const tied = { ...modelOf(), valueEmbeddings: 'tied' };
  refused(
    { ...tied, valueEmbeddings: 'shared' },
    /^model\.valueEmbeddings is 'shared'; expected one of 'none', 'own', 'tied'$/,
  );
  refused({ ...tied, nKeyValueHeads: 1 }, /^model\.valueEmbeddings is 'tied'; .*values are narrower than the table$/);
  refused({ ...tied, tableRank: 3 }, /^model\.valueEmbeddings is 'tied'; .*for factorized tables$/);
  const absent = /^model\.valueEmbeddings is 'own'; expected it to be absent; only kind 'transformer' has it$/;
  refused({ kind: 'direct-path', vocabSize: 12, dModel: 4, tying: 'tied', valueEmbeddings: 'own' }, absent);
  refused({ kind: 'encoder-decoder', vocabSize: 12, dModel: 4, tying: 'all', valueEmbeddings: 'own' }, absent);

  const counted = (more: Partial<Architecture>, message: RegExp): void =>
    expectError(
      () => core.countParameters({ family: 'llama', vocabSize: 9, dModel: 8, nLayers: 1, nHeads: 2, ...more }),
      'invalid-argument',
      message,
    );
  counted(
    { valueEmbeddings: 'tied', nKeyValueHeads: 1 },
    /^architecture\.valueEmbeddings is 'tied'; .*have the width 4/,
  );
  counted({ valueEmbeddings: 'tied', tableRank: 2 }, /^architecture\.valueEmbeddings is 'tied'; .*factorized tables$/);
  counted({ valueEmbeddings: 'own', stack: 'encoder-decoder' }, /^architecture\.valueEmbeddings .*only a single stack/);
});

test('a lab trains and compares to the same bits', async () => {
  const lab = await createLab();
  const here = trainerOf({ valueEmbeddings: 'tied' });
  const there = await lab.createTrainer({ model: modelOf({ valueEmbeddings: 'tied' }), training, tokenIds });
  await there.run(10);
  here.run(10);
  expect(await there.save()).toEqual(here.save());
  lab.dispose();
});
