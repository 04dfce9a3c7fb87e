// Metrics of gradients count the factors of their parts, whether constant or changing with the steps.
import { expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';

const core = await loadCore({ modules: ['models', 'stories', 'diagnostics', 'readout'] });

const factors = {
  'a constant': 0.3,
  // 1, 0.625 and 0.25 at the steps that are measured.
  'one that changes': [
    [0, 1],
    [4, 0],
    [8, 1],
  ],
} as const;
const scales = ['inputGradientScale', 'outputGradientScale'] as const;
const cases = scales.flatMap((scale) => Object.entries(factors).map(([what, factor]) => ({ scale, what, factor })));
const training = { steps: 5, learningRate: 0.01, batchSize: 4 };
const arms = { shared: { model: { tying: 'tied' } }, own: { model: { tying: 'untied' } } } as const;

test.each(cases)('of a text, $scale with $what', async ({ scale, factor }) => {
  const { metrics } = await core.runExperiment({
    name: 'split',
    text: { stories: { seed: 1, length: 3000 } },
    tokenizer: { kind: 'character' },
    model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
    training: { ...training, [scale]: factor },
    arms,
    seeds: [1],
    measure: [{ metric: 'gradient-split', tokens: 50, at: [0, 3, 5] }],
  });
  const splits = metrics.filter(({ metric }) => metric === 'gradient-split(tokens=50)');
  expect(splits).toHaveLength(6);
  // Products and sums of two numbers in single precision.
  for (const { value, step } of splits) expect(value, `step ${step}`).toBeLessThan(1e-6);
});

test.each(cases)('of pairs, $scale with $what', async ({ scale, factor }) => {
  const { metrics } = await core.runExperiment({
    name: 'split',
    pairs: { task: 'reversal', seed: 1, count: 60, length: 3 },
    model: { dModel: 8, nHeads: 2, nEncoderLayers: 1, nDecoderLayers: 1 },
    training: { ...training, [scale]: factor },
    arms: { shared: { model: { tying: 'all' } }, own: { model: { tying: 'none' } } },
    seeds: [1],
    measure: [{ metric: 'role-gradients', at: [0, 3, 5] }],
  });
  const splits = metrics.filter(({ metric }) => metric === 'role-gradients.split');
  expect(splits).toHaveLength(6);
  for (const { value, step } of splits) expect(value, `step ${step}`).toBe(0);
});

test('a table that nothing changes has no difference', async () => {
  const { metrics } = await core.runExperiment({
    name: 'still',
    text: { stories: { seed: 1, length: 3000 } },
    tokenizer: { kind: 'character' },
    model: { kind: 'direct-path', dModel: 4 },
    training: { ...training, inputGradientScale: 0, outputGradientScale: 0 },
    arms,
    seeds: [1],
    measure: [{ metric: 'gradient-split' }],
  });
  expect(metrics.filter(({ metric }) => metric === 'gradient-split').map(({ value }) => value)).toEqual([0, 0]);
});
