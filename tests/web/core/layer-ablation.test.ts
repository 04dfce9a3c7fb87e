// Layers left out one by one, against copies of the model whose branches end in zeros.
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Core, type ModelConfig, type Trainer } from '../../../web/index.js';
import { expectError, rowsOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout'] });
});

const VOCAB = 12;
const CONTEXT = 16;
const IDS = Uint32Array.from({ length: 90 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);
const trained = (model: Partial<ModelConfig>): Trainer => {
  const trainer = core.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize: VOCAB, dModel: 8, tying: 'untied' },
      ...{ nLayers: 3, nHeads: 2, contextLength: CONTEXT, initStd: 0.3 },
      ...model,
    } as ModelConfig,
    training: { learningRate: 0.01, batchSize: 4, seed: 3 },
    tokenIds: IDS,
  });
  trainer.run(20);
  return trainer;
};

function silence(trainer: Trainer, layer: number): void {
  for (const { name } of trainer.parameters()) {
    if (!name.startsWith(`layers.${layer}.attention.output`) && !name.startsWith(`layers.${layer}.feed_forward.down`))
      continue;
    const matrix = trainer.matrix(name);
    trainer.setMatrix(name, { ...matrix, data: new Float32Array(matrix.data.length) });
  }
}

const lossesOf = (trainer: Trainer): number[] => {
  const losses: number[] = [];
  for (let first = 0; first + 1 < IDS.length; first += CONTEXT) {
    const inputs = IDS.slice(first, Math.min(first + CONTEXT, IDS.length - 1));
    rowsOf(trainer.logits(inputs)).forEach((logits, i) => {
      const all = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      losses.push(Math.log(all) - logits[IDS[first + i + 1]!]!);
    });
  }
  return losses;
};

test.each<Partial<ModelConfig>>([{}, { tying: 'tied', norm: 'layer-norm', biases: 'all' }, { finalNorm: false }])(
  'leaving out a layer gives the loss of a model in which it adds nothing: %j',
  (model) => {
    const trainer = trained(model);
    const before = trainer.toSafetensors();
    const { loss, tokens, layers } = trainer.ablateLayers(IDS);
    expect(trainer.toSafetensors()).toEqual(before);
    expect(tokens).toBe(IDS.length - 1);
    expect(loss).toBeCloseTo(trainer.evaluate(IDS).loss, 5);
    expect(layers).toHaveLength(3);
    const whole = lossesOf(trainer);
    layers.forEach((without, layer) => {
      const copy = trained(model);
      silence(copy, layer);
      const ids = IDS.slice(0, CONTEXT);
      expect(trainer.logits(ids, { withoutLayer: layer })).toEqual(copy.logits(ids));
      const increases = lossesOf(copy).map((one, i) => one - whole[i]!);
      const mean = increases.reduce((sum, one) => sum + one, 0) / tokens;
      const variance = increases.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (tokens - 1);
      expect(without.increase).toBeCloseTo(mean, 5);
      expect(without.loss).toBeCloseTo(copy.evaluate(IDS).loss, 5);
      expect(without.standardError).toBeCloseTo(Math.sqrt(variance / tokens), 5);
    });
  },
);

test('a single prediction has no standard error, and a layer that adds nothing changes nothing', () => {
  const trainer = trained({});
  expect(trainer.ablateLayers(IDS.slice(0, 2)).layers.map((one) => one.standardError)).toEqual([NaN, NaN, NaN]);
  silence(trainer, 1);
  expect(trainer.ablateLayers(IDS).layers[1]).toMatchObject({ increase: 0, standardError: 0 });
});

test('direct paths and invalid layers are refused', () => {
  const path = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: VOCAB, dModel: 4, tying: 'tied' },
    training: { learningRate: 0.1, batchSize: 4, seed: 1 },
    tokenIds: IDS,
  });
  expectError(
    () => path.ablateLayers(IDS),
    'unsupported',
    /^the model is of kind 'direct-path'; expected 'transformer'/,
  );
  expectError(
    () => path.logits(IDS, { withoutLayer: 0 }),
    'unsupported',
    /expected 'transformer': options\.withoutLayer is the index of a layer$/,
  );
  const trainer = trained({});
  for (const [withoutLayer, message] of [
    [3, /^options\.withoutLayer is 3; expected an integer from 0 to 2$/],
    [-1, /^options\.withoutLayer is -1; expected/],
    [0.5, /^options\.withoutLayer is 0\.5; expected/],
    ['0', /^options\.withoutLayer is '0'; expected/],
  ] as const) {
    const call = () => trainer.logits(IDS.slice(0, 4), { withoutLayer: withoutLayer as number });
    expectError(call, 'invalid-argument', message);
  }
  expectError(() => trainer.ablateLayers(IDS.slice(0, 1)), 'invalid-argument', /^tokenIds/);
});
