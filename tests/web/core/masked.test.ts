// Models that predict hidden tokens from both sides. Their mathematics is compared with PyTorch in tests/cpp/training/test_masked.cpp.
import { expect, test } from 'vitest';
import { createLab, loadCore, type ModelConfig, type Trainer, type TransformerConfig } from '../../../web/index.js';
import { expectError } from './support.js';

const core = await loadCore({ modules: ['models', 'readout', 'diagnostics', 'checkpoint'] });
const VOCAB_SIZE = 12;
const small = {
  kind: 'transformer',
  vocabSize: VOCAB_SIZE,
  dModel: 8,
  nLayers: 2,
  nHeads: 2,
  contextLength: 8,
} as const;
const training = { learningRate: 0.01, batchSize: 4, seed: 1 } as const;
const tokenIds = Uint32Array.from({ length: 300 }, (_, i) => (i * i + (i >> 2)) % VOCAB_SIZE);
const objectives = ['masked', 'masked-diffusion'] as const;

const modelOf = (more: Partial<TransformerConfig> = {}): ModelConfig =>
  ({ ...small, tying: 'tied', objective: 'masked', ...more }) as ModelConfig;
const trainerOf = (more: Partial<TransformerConfig> = {}): Trainer =>
  core.createTrainer({ model: modelOf(more), training, tokenIds });

test('complete options have the objective and, where it is fixed, the rate; next-token is omitted', () => {
  expect(trainerOf().model).toMatchObject({ objective: 'masked', maskRate: 0.15 });
  expect(trainerOf({ maskRate: 0.4 }).model.maskRate).toBe(0.4);
  expect(trainerOf({ objective: 'masked-diffusion' }).model).not.toHaveProperty('maskRate');
  const plain = trainerOf({ objective: 'next-token' });
  expect(plain.model).not.toHaveProperty('objective');
  expect(plain.save()).toEqual(core.createTrainer({ model: { ...small, tying: 'tied' }, training, tokenIds }).save());
});

test.each(objectives)('%s: trains, saves, continues and rewinds to the same bits', (objective) => {
  const trainer = trainerOf({ objective });
  const before = trainer.evaluate().loss;
  trainer.run(80);
  expect(trainer.evaluate().loss).toBeLessThan(before);
  const again = core.loadTrainer(trainer.save());
  expect(again.model).toEqual(trainer.model);
  trainer.run(10);
  again.run(10);
  expect(again.save()).toEqual(trainer.save());
  trainer.rewind(80);
  trainer.run(10);
  expect(trainer.matrix('embedding')).toEqual(again.matrix('embedding'));
});

test('an evaluation counts the tokens that other models predict, and hides the same ones each time and in any part', () => {
  const trainer = trainerOf({ objective: 'masked-diffusion' });
  trainer.run(20);
  const text = tokenIds.slice(0, 8 * 9 + 1);
  const whole = trainer.evaluate(text);
  expect(whole.tokens).toBe(72);
  expect(trainer.evaluate(text)).toEqual(whole);
  const parts = [0, 24, 48].map((first) => trainer.evaluate(text.slice(first, first + 25)).loss);
  expect(parts.reduce((sum, loss) => sum + loss / 3, 0)).toBeCloseTo(whole.loss, 5);
});

test('the loss of a fixed rate is that of the logits where tokens are hidden', () => {
  const trainer = trainerOf({ maskRate: 1, contextLength: 4 });
  trainer.run(30);
  // Every token is hidden, so that nothing but the positions is read.
  const text = Uint32Array.of(0, 3, 1, 4, 1);
  const { data } = trainer.logits(Uint32Array.of(12, 12, 12, 12));
  const losses = [3, 1, 4, 1].map((token, i) => {
    const row = [...data.subarray(i * VOCAB_SIZE, (i + 1) * VOCAB_SIZE)];
    return Math.log(row.reduce((sum, z) => sum + Math.exp(z), 0)) - row[token]!;
  });
  expect(trainer.evaluate(text).loss).toBeCloseTo(
    losses.reduce((sum, loss) => sum + loss / 4, 0),
    5,
  );
});

test('logits, states and attention read both sides and the mask, whose row is a parameter of its own', () => {
  const trainer = trainerOf();
  const rows = trainer.parameters().map(({ name, shape, tiedTo }) => [name, tiedTo ?? shape]);
  expect(rows.slice(0, 3)).toEqual([
    ['embedding', [VOCAB_SIZE, 8]],
    ['unembedding', 'embedding'],
    ['mask_embedding', [1, 8]],
  ]);
  const ids = Uint32Array.of(1, VOCAB_SIZE, 3);
  expect([trainer.logits(ids).rows, trainer.logits(ids).cols]).toEqual([3, VOCAB_SIZE]);
  const [first] = trainer.hiddenStates(ids);
  const mask = trainer.matrix('mask_embedding').data;
  const positions = trainer.matrix('positions').data;
  for (let j = 0; j < 8; j++) expect(first!.data[8 + j]).toBeCloseTo(mask[j]! + positions[8 + j]!, 6);
  for (const { weights } of trainer.attention(ids)) expect(weights.data.every((weight) => weight > 0)).toBe(true);
  const before = trainer.logits(ids).data.slice(0, VOCAB_SIZE);
  expect(trainer.logits(Uint32Array.of(1, VOCAB_SIZE, 4)).data.slice(0, VOCAB_SIZE)).not.toEqual(before);
  expectError(() => trainer.logits(Uint32Array.of(VOCAB_SIZE + 1)), 'invalid-argument', /^tokenIds\[0\] is 13; expected a token id below 13$/); // prettier-ignore
  expectError(() => trainer.evaluate(ids), 'invalid-argument', /^tokenIds\[1\] is 12; expected a token id below 12$/);
  expectError(
    () => trainerOf({ objective: 'next-token' }).logits(ids),
    'invalid-argument',
    /^tokenIds\[1\] is 12; expected a token id below 12$/,
  );
});

test('the gradient of the next step has its parts by role, and the mask is in neither table', () => {
  for (const tying of ['tied', 'untied'] as const) {
    const { input, output, total, inputPositionNorm } = trainerOf({ tying, objective: 'masked-diffusion' }).gradient();
    expect(inputPositionNorm).toBeGreaterThan(0);
    expect([input.rows, output.rows]).toEqual([VOCAB_SIZE, VOCAB_SIZE]);
    total.data.forEach((sum, i) =>
      expect(sum).toBeCloseTo(input.data[i]! + (tying === 'tied' ? output.data[i]! : 0), 6),
    );
  }
});

test('verbs that continue a text refuse the model by its objective', async () => {
  const trainer = trainerOf();
  const few = tokenIds.slice(0, 6);
  const said = /^model\.objective is 'masked'; expected 'next-token': this needs a model that predicts what follows$/;
  expectError(() => trainer.generate({ prompt: few, tokens: 3 }), 'unsupported', said);
  expectError(() => trainer.nextTokenLogits({ from: few }), 'unsupported', said);
  expectError(() => trainer.gradient({ inputs: few, targets: few }), 'unsupported', said);
  expectError(() => trainer.directPathReport(few), 'unsupported', said);
  expectError(() => trainer.logitLens(few), 'unsupported', said);
  expectError(() => trainer.gradientReport(few), 'unsupported', said);
  expectError(() => trainer.lossByFrequency(few), 'unsupported', said);
  expectError(() => trainer.toTransformers(), 'unsupported', said);
  expectError(() => trainer.toGguf(), 'unsupported', said);
});

test('a file of its weights opens with the same objective, and so the same logits', async () => {
  const layers = { norm: 'layer-norm', biases: 'all' } as const;
  for (const more of [{}, layers]) {
    const trainer = trainerOf({ ...more, maskRate: 0.3 });
    trainer.run(10);
    const bytes = trainer.toSafetensors();
    // Programs that read GPT-2's names would read it as a model that sees one side.
    expect(Buffer.from(bytes).includes('transformer.wte.weight')).toBe(false);
    const again = await (await core.openCheckpoint(bytes)).toTrainer();
    expect(again.model).toMatchObject({ objective: 'masked', maskRate: 0.3 });
    const ids = Uint32Array.of(1, VOCAB_SIZE, 3);
    expect(again.logits(ids)).toEqual(trainer.logits(ids));
  }
});

test('it is refused by name where it is not possible', () => {
  const refused = (model: object, message: RegExp): void =>
    expectError(
      () => core.createTrainer({ model: { ...modelOf(), ...model } as ModelConfig, training, tokenIds }),
      'invalid-argument',
      message,
    );
  for (const bad of ['mlm', 1, null, ['masked'], true])
    refused({ objective: bad }, /^model\.objective is .*; expected one of 'next-token', 'masked', 'masked-diffusion'$/);
  for (const bad of [0, -0.1, 1.01, '0.15', null]) refused({ maskRate: bad }, /^model\.maskRate is .*; expected/);
  const absent = /^model\.maskRate is 0\.15; expected it to be absent; only objective 'masked' has it$/;
  refused({ objective: 'masked-diffusion', maskRate: 0.15 }, absent);
  refused({ objective: undefined, maskRate: 0.15 }, absent);
  refused({ tableRank: 2 }, /^model\.objective is 'masked'; expected 'next-token', with model\.tableRank$/);
  refused({ ngrams: { order: 2, rows: 9 } }, /^model\.objective is 'masked'; .*with model\.ngrams$/);
  refused({ valueEmbeddings: 'own' }, /^model\.objective is 'masked'; .*with model\.valueEmbeddings$/);
  refused({ head: { kind: 'sampled', samples: 3 } }, /^model\.objective is 'masked'; .*with model\.head$/);
  const path = { kind: 'direct-path', vocabSize: 12, dModel: 4, tying: 'tied', objective: 'masked' } as const;
  expectError(
    () => core.createTrainer({ model: path as unknown as ModelConfig, training, tokenIds }),
    'invalid-argument',
    /^model\.objective is 'masked'; expected it to be absent; only kind 'transformer' has it$/,
  );
});

test('a core without the module says which it needs', async () => {
  const bare = await loadCore();
  expectError(() => bare.createTrainer({ model: modelOf(), training, tokenIds }), 'unsupported', /models/);
  const saved = trainerOf().save();
  expectError(() => bare.loadTrainer(saved), 'unsupported', /models/);
});

test('a lab trains to the same bits, in one worker and in several', async () => {
  const lab = await createLab();
  for (const objective of objectives) {
    const here = trainerOf({ objective });
    const there = await lab.createTrainer({ model: modelOf({ objective }), training, tokenIds });
    await there.run(10);
    here.run(10);
    expect(await there.save()).toEqual(here.save());
    expect(await there.evaluate()).toEqual(here.evaluate());
  }
  lab.dispose();
});
