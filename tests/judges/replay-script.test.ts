// The script of `replay --pytorch` for models that no link asks for: it trains them to the same losses, or is refused by the option.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeScript } from '../../command/pytorch.mjs';
import { hashOfWeights } from '../../web/core/experiment/run-job.js';
import { loadCore, type TrainingConfig, type TransformerConfig } from '../../web/index.js';
import { filesByPython } from './python.js';

const STEPS = 12;
const { python, isSkipped, title } = filesByPython('pytorch', 'the script of replay');
const core = loadCore({ modules: ['models'] });
const folder = mkdtempSync(join(tmpdir(), 'tied-script-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tokenIds = Uint32Array.from({ length: 600 }, (_, i) => (i * i + (i >> 3)) % 23);
const small = { kind: 'transformer', vocabSize: 23, dModel: 8, nLayers: 3, nHeads: 2, contextLength: 6 } as const;
const usual = { learningRate: 0.01, batchSize: 4, seed: 5 };

/** Trains a model and writes the script that repeats it, as `replay` does for a figure of heads. */
async function written(
  name: string,
  more: Partial<TransformerConfig>,
  training: Partial<TrainingConfig> = {},
): Promise<string> {
  const trainer = (await core).createTrainer({
    model: { ...small, tying: 'tied', ...more } as TransformerConfig,
    training: { ...usual, ...training },
    tokenIds,
  });
  const { model, training: complete } = trainer;
  const weights = await hashOfWeights(trainer as never);
  const start = { name, model: trainer.save(), weights, options: { model, training: complete } };
  const losses = trainer.run(STEPS).map(({ loss }) => loss);
  const file = join(folder, `${name}.py`);
  writeScript(file, '#tied=heads', { model: 'heads', step: STEPS }, { starts: [start as never], tokenIds }, [
    { name, losses },
  ]);
  return file;
}

const models: [string, Partial<TransformerConfig>][] = [
  ['pairs', { ngrams: { order: 2, rows: 17 } }],
  ['several-heads', { ngrams: { order: 3, rows: 17, heads: 4 } }],
  ['every-layer', { ngrams: { order: 3, rows: 11, heads: 2, places: 'every-layer' }, tying: 'untied' }],
  ['every-layer-scaled', { ngrams: { order: 2, rows: 29, places: 'every-layer' }, embeddingScale: 'sqrt-d-model' }],
  ['sampled', { ngrams: { order: 2, rows: 9, heads: 2 }, head: { kind: 'sampled', samples: 5 } }],
  ['factorized', { ngrams: { order: 2, rows: 9, heads: 8, places: 'every-layer' }, tableRank: 3 }],
];

describe.skipIf(isSkipped)(title, () => {
  test.each(models)('trains %s to the same losses', { timeout: 120_000 }, async (name, more) => {
    const ended = spawnSync(python, [await written(name, more)], { encoding: 'utf8' });
    expect({ status: ended.status, stderr: ended.stderr }, ended.stdout).toEqual({ status: 0, stderr: '' });
    expect(ended.stdout).toMatch(/initial weights: the same bits/);
    expect(ended.stdout).toMatch(/tolerance 2e-05 to step 12\nthe losses agree\n$/);
  });
});

test.each([
  [{ objective: 'masked' }, {}, "model.objective is 'masked'; expected 'next-token' for --pytorch"],
  [{ valueEmbeddings: 'own' }, {}, "model.valueEmbeddings is 'own'; expected 'none' for --pytorch"],
  [{ positions: 'rotary' }, {}, "model.positions is 'rotary'; expected 'learned' for --pytorch"],
  [{ nKeyValueHeads: 1 }, {}, 'model.nKeyValueHeads is 1; expected model.nHeads, 2, for --pytorch'],
  [{ outputBias: true }, {}, 'model.outputBias is true; expected false for --pytorch'],
  [{}, { optimizer: 'muon' }, "training.optimizer is 'muon'; expected 'adamw' for --pytorch"],
  [{}, { optimizer: 'coupled-adamw' }, "training.optimizer is 'coupled-adamw'; expected 'adamw' for --pytorch"],
  [
    {},
    { learningRateMultipliers: { inner: 2 } },
    'training.learningRateMultipliers.inner is 2; expected 1 for --pytorch',
  ],
  [{}, { gradientAccumulation: 2 }, 'training.gradientAccumulation is 2; expected 1 for --pytorch'],
  [{}, { labelSmoothing: 0.1 }, 'training.labelSmoothing is 0.1; expected it to be absent for --pytorch'],
] as const)('a script that would leave out %o or %o is refused by its name', async (model, training, said) => {
  await expect(written('refused', model, training)).rejects.toThrow(said);
});
