// Every verb of a trainer works for every kind of model, or refuses it with a code that its doc comment lists.
import { expect, test } from 'vitest';
import { readApi, verbsOf } from '../../../tools/api/read-api.mjs';
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';
import { loadCore, TiedError, type Trainer } from '../../../web/index.js';

const ofTrainers = ['Trainer', 'ReadoutVerbs', 'PathVerbs', 'ModelCardVerbs', 'PairTrainerVerbs'];
const documented = new Map(
  verbsOf(readApi())
    .map(({ name, doc }) => [...name.split('.'), doc.throws.join(' ')] as [string, string, string])
    .filter(([owner]) => ofTrainers.includes(owner))
    .map(([, verb, throws]) => [verb, throws]),
);
const core = await loadCore({ modules: OPTIONAL_MODULES });
const tokenIds = Uint32Array.from({ length: 120 }, (_, i) => (i * i + (i >> 2)) % 12);
const few = tokenIds.slice(0, 4);
const sides = Array.from({ length: 8 }, (_, i) => Uint32Array.of(2 + i, 3 + (i % 5)));
const pairs = { source: sides, target: sides };
const training = { learningRate: 0.01, batchSize: 4, seed: 1 };
const path = { kind: 'direct-path', vocabSize: 12, dModel: 4, tying: 'tied' } as const;
const gpt = { ...path, kind: 'transformer', nLayers: 1, nHeads: 2, contextLength: 6 } as const;
const stacks = { nHeads: 2, nEncoderLayers: 1, nDecoderLayers: 1, contextLength: 6 };

const models: Record<string, () => Trainer> = {
  'a direct path': () => core.createTrainer({ model: path, training, tokenIds }),
  'a transformer': () => core.createTrainer({ model: gpt, training, tokenIds }),
  'a model with rotary positions and untied tables': () =>
    core.createTrainer({ model: { ...gpt, positions: 'rotary', tying: 'untied' }, training, tokenIds }),
  'a model with n-grams and tied value embeddings': () =>
    core.createTrainer({
      model: { ...gpt, ngrams: { order: 3, rows: 7, heads: 2 }, valueEmbeddings: 'tied' },
      training: { ...training, optimizer: 'muon', shards: 2 },
      tokenIds,
    }),
  'a model that predicts hidden tokens': () =>
    core.createTrainer({ model: { ...gpt, objective: 'masked' }, training, tokenIds }),
  'a model with factorized tables': () => core.createTrainer({ model: { ...gpt, tableRank: 2 }, training, tokenIds }),
  'a model with smoothed labels and a temperature': () =>
    core.createTrainer({ model: gpt, training: { ...training, labelSmoothing: 0.1, temperature: 1.5 }, tokenIds }),
  ...Object.fromEntries(
    (
      [
        { kind: 'sampled', samples: 3 },
        { kind: 'adaptive', cutoffs: [4] },
        { kind: 'clustered', clusters: 3 },
        { kind: 'culled', kept: 8 },
      ] as const
    ).map((head) => [
      `a model with the head ${head.kind}`,
      () => core.createTrainer({ model: { ...gpt, head }, training, tokenIds }),
    ]),
  ),
  'an encoder-decoder': () =>
    core.createTrainer({
      model: { kind: 'encoder-decoder', vocabSize: 12, dModel: 4, tying: 'all', ...stacks },
      training,
      pairs,
    }),
};

const calls: Record<string, (trainer: Trainer) => unknown> = {
  run: (trainer) => trainer.run(1),
  evaluate: (trainer) => [trainer.evaluate(), trainer.evaluate(tokenIds)],
  parameters: (trainer) => trainer.parameters(),
  matrix: (trainer) => trainer.matrix('embedding'),
  setMatrix: (trainer) => {
    trainer.setMatrix('embedding', trainer.matrix('embedding'));
  },
  gradient: (trainer) => trainer.gradient(),
  nextTokenLogits: (trainer) => trainer.nextTokenLogits({ from: few }),
  nextTokenProbabilities: (trainer) => trainer.nextTokenProbabilities({ from: few }),
  logits: (trainer) => trainer.logits(few),
  hiddenStates: (trainer) => trainer.hiddenStates(few),
  attention: (trainer) => trainer.attention(few),
  generate: (trainer) => [
    trainer.generate({ prompt: few, tokens: 9 }),
    trainer.generate({ prompt: few, tokens: 9, beyondContext: 'keep' }),
  ],
  tokenizer: (trainer) => trainer.tokenizer(),
  save: (trainer) => trainer.save(),
  toSafetensors: (trainer) => trainer.toSafetensors(),
  toGguf: (trainer) => trainer.toGguf(),
  toTransformers: (trainer) => trainer.toTransformers(),
  rewind: (trainer) => {
    trainer.rewind();
  },
  directPath: (trainer) => trainer.directPath(),
  directPathReport: (trainer) => trainer.directPathReport(tokenIds),
  logitLens: (trainer) => trainer.logitLens(tokenIds),
  trainTunedLens: (trainer) => trainer.trainTunedLens({ tokenIds, steps: 1 }),
  lossByFrequency: (trainer) => trainer.lossByFrequency(tokenIds),
  selfTransitions: (trainer) => trainer.selfTransitions(tokenIds),
  calibration: (trainer) => trainer.calibration(tokenIds),
  ngramCollisions: (trainer) => trainer.ngramCollisions(tokenIds),
  ablateLayers: (trainer) => trainer.ablateLayers(tokenIds),
  gradientReport: (trainer) => trainer.gradientReport(tokenIds),
  modelCard: (trainer) => trainer.modelCard({ tokenIds }),
  translate: (trainer) => trainer.translate({ source: sides[0]!, maxTokens: 3 }),
  evaluatePairs: (trainer) => trainer.evaluatePairs(),
  pairLogits: (trainer) => trainer.pairLogits({ source: sides[0]!, target: sides[0]! }),
  pairAttention: (trainer) => trainer.pairAttention({ source: sides[0]!, target: sides[0]! }),
};

test('every verb that lists errors is called', () => {
  const listing = [...documented].filter(([verb, throws]) => throws !== '' && verb !== 'dispose').map(([verb]) => verb);
  expect(Object.keys(calls).sort()).toEqual(expect.arrayContaining(listing.sort()));
});

test.each(Object.entries(models))('%s is accepted, or refused with a listed code', (_, made) => {
  for (const [verb, call] of Object.entries(calls)) {
    const trainer = made();
    try {
      call(trainer);
    } catch (error) {
      expect(error, verb).toBeInstanceOf(TiedError);
      const { code, message } = error as TiedError;
      expect(documented.get(verb), `${verb}: ${message}`).toContain(`'${code}'`);
    } finally {
      trainer.dispose();
    }
  }
});
