// Arms of the claims' experiments, trained again in PyTorch by a script that was written from their description: the same losses, gradients by role and weights.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { loadCore, type Trainer, type TrainingConfig, type TransformerConfig } from '../../web/index.js';
import { filesByPython } from './python.js';

const { python, isSkipped, title } = filesByPython('pytorch', 'in PyTorch, from its description alone');
const core = await loadCore({ modules: ['models'] });
const folder = mkdtempSync(join(tmpdir(), 'tied-arms-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [VOCAB_SIZE, STEPS] = [37, 50];
const tokenIds = Uint32Array.from({ length: 700 }, (_, i) => (i * i * 7 + ((i * 13) >> 2) + (i % 5) * 3) % VOCAB_SIZE);
const base: TransformerConfig = {
  kind: 'transformer',
  vocabSize: VOCAB_SIZE,
  dModel: 24,
  nLayers: 3,
  nHeads: 3,
  contextLength: 11,
  dFeedForward: 40,
  tying: 'tied',
  initStd: 0.3,
};
const usual: TrainingConfig = {
  learningRate: 0.004,
  batchSize: 5,
  seed: 11,
  warmupSteps: 4,
  decay: 'cosine',
  totalSteps: 60,
  finalLearningRateFraction: 0.1,
  weightDecay: 0.1,
  gradientClip: 1,
  beta2: 0.95,
};

const arms: Record<string, [Partial<TransformerConfig>, Partial<TrainingConfig>?]> = {
  'rows of pairs and triples with heads': [
    { ngrams: { order: 3, rows: 13, heads: 3 }, embeddingScale: 'sqrt-d-model' },
    { labelSmoothing: 0.1 },
  ],
  'rows of n-grams before every layer': [
    { tying: 'untied', ngrams: { order: 4, rows: 19, heads: 4, places: 'every-layer' }, positions: 'rotary' },
  ],
  'values of its own': [{ tying: 'untied', valueEmbeddings: 'own', nHeads: 4, nKeyValueHeads: 2 }],
  'values from the shared table': [
    { valueEmbeddings: 'tied', feedForward: 'swiglu' },
    {
      inputGradientScale: 0.5,
      outputGradientScale: [
        [0, 0],
        [20, 1],
        [40, 0.3],
      ],
    },
  ],
  'writing alone': [{}, { inputGradientScale: 0 }],
  'reading alone': [{}, { outputGradientScale: 0 }],
  Muon: [{}, { optimizer: 'muon', learningRate: 0.01 }],
  'Muon with the original scale and rates by role': [
    { tying: 'untied', nHeads: 4, nKeyValueHeads: 2, feedForward: 'swiglu', biases: 'none', positions: 'rotary' },
    {
      optimizer: 'muon',
      learningRate: 0.01,
      muonLearningRate: 0.02,
      muonScale: 'original',
      learningRateMultipliers: { embedding: 0.5, unembedding: 2, inner: 0.7 },
    },
  ],
  'rates by role and divided logits': [
    {},
    { learningRateMultipliers: { embedding: 1, unembedding: 0.25, inner: 0.5 }, temperature: 2 },
  ],
  'hidden tokens': [{ tying: 'untied', objective: 'masked', maskRate: 0.3, positions: 'rotary' }],
  'hidden tokens behind a map': [{ tying: 'tied-linear', objective: 'masked', maskRate: 0.5, norm: 'layer-norm' }],
  'masked diffusion': [{ objective: 'masked-diffusion' }, { decayEmbeddings: false }],
};

interface Differences {
  readonly name: string;
  readonly loss: number;
  readonly gradient: number;
  readonly weight: number;
}

const weightsOf = (trainer: Trainer) =>
  Object.fromEntries(
    trainer
      .parameters()
      .filter(({ tiedTo }) => tiedTo === null)
      .map(({ name }) => {
        const { rows, cols, data } = trainer.matrix(name);
        return [name, { shape: [rows, cols], data: [...data] }];
      }),
  );

/** What a trainer makes of an arm; the first gradient of the token table in each role that it has as [V, d]. */
function trained([model, training]: (typeof arms)[string]) {
  const trainer = core.createTrainer({
    model: { ...base, ...model } as TransformerConfig,
    training: { ...usual, ...training },
    tokenIds,
  });
  const start = weightsOf(trainer);
  const { input, output, value } = trainer.gradient();
  const ofTables = { reading: input, writing: output, ...(model.valueEmbeddings === 'tied' && { value }) };
  const gradients = Object.fromEntries(Object.entries(ofTables).map(([role, found]) => [role, [...found!.data]]));
  const losses = trainer.run(STEPS).map(({ loss }) => loss);
  return { model: trainer.model, training: trainer.training, start, gradients, losses, end: weightsOf(trainer) };
}

describe.skipIf(isSkipped)(title, () => {
  let found: Map<string, Differences>;

  beforeAll(() => {
    const file = join(folder, 'arms.json');
    const made = Object.fromEntries(Object.entries(arms).map(([name, arm]) => [name, trained(arm)]));
    writeFileSync(file, JSON.stringify({ tokens: [...tokenIds], arms: made }));
    const ended = spawnSync(python, [join(root, 'tests/judges/arms.py'), file], { encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(ended.stderr);
    const lines = ended.stdout.trim().split('\n');
    found = new Map(lines.map((line) => JSON.parse(line) as Differences).map((one) => [one.name, one]));
  }, 600_000);

  // PyTorch computes in double precision, the trainer in single: the largest differences that were seen are 4e-6, 3e-6 and 7e-6.
  test.each(Object.keys(arms))('%s', (name) => {
    const { loss, gradient, weight } = found.get(name)!;
    expect(loss).toBeLessThan(2e-5);
    expect(gradient).toBeLessThan(1e-5);
    expect(weight).toBeLessThan(5e-5);
  });
});
