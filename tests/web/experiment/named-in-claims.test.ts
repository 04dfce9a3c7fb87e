// What a claim names is found: values of the grid of every type, and what several measures ask for.
import { expect, test } from 'vitest';
import { loadCore, type ExperimentSpec } from '../../../web/index.js';

const core = await loadCore({ modules: ['diagnostics'] });
const spec = {
  name: 'named',
  text: { markov: { states: 6, length: 500, seed: 1 } },
  model: { kind: 'direct-path', dModel: 4 },
  training: { learningRate: 0.1, steps: 6 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2],
  measure: [{ metric: 'loss' }],
} as const satisfies ExperimentSpec;
const judged = (more: Partial<ExperimentSpec>, ...says: string[]) =>
  core.runExperiment({ ...spec, ...more, claims: says.map((one, i) => ({ id: `claim-${i}`, says: one })) });

test('a word of a claim is a value of the grid, whatever its type', async () => {
  const grid = {
    'model.outputBias': [true, false],
    'training.learningRate': [0.1, 0.001],
    'training.optimizer': ['coupled-adamw', 'sgd'],
    // Lists have no word.
    'training.inputGradientScale': [1, [[0, 1] as const, [3, 0] as const]],
  };
  const { claims, metrics } = await judged(
    { grid },
    'loss(tied, model.outputBias=true) < 9',
    'loss(tied, model.outputBias=false) < 9',
    'loss(tied, training.learningRate=1e-3) > loss(tied, training.learningRate=0.1)',
    'loss(tied, training.optimizer=sgd, training.inputGradientScale=1) < 9',
  );
  expect(claims.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'undecided', 'holds']);
  expect(claims.map(({ points }) => points.length)).toEqual([8, 8, 8, 4]);
  for (const { points } of claims) for (const { seeds } of points) expect(seeds).toEqual([1, 2]);
  expect(metrics).toHaveLength(16 * 2 * 2);
  for (const [says, expected] of [
    ['loss(tied, model.outputBias=1) > 0', 'expected model.outputBias to be one of true, false'],
    ['loss(tied, training.optimizer=adamw) > 0', 'expected training.optimizer to be one of "coupled-adamw", "sgd"'],
    ['loss(tied, model.outputbias=true) > 0', 'expected a value of loss'],
  ] as const)
    await expect(judged({ grid }, says)).rejects.toThrow(`spec.claims[0].says has '${says.slice(0, -4)}'; ${expected}`);
});

test('what two measures ask for is measured once', async () => {
  const between = ['tied.embedding', 'untied.embedding'] as const;
  const measure = [
    { metric: 'loss', every: 2 },
    { metric: 'loss', at: [1, 'end'] },
    { metric: 'training-loss', every: 3 },
    { metric: 'training-loss' },
    { metric: 'cka', dimensions: 2, between },
    { metric: 'cka', dimensions: 2, between },
  ] as const;
  const { claims, metrics, runs } = await judged(
    { measure },
    'loss(tied) > 0',
    'loss(tied, step=1) > 0',
    'training-loss(untied) > 0',
    'cka(untied.embedding) > -1',
  );
  expect(claims.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'holds', 'holds']);
  const { id } = runs[0]!;
  const stepsOf = (name: string) =>
    metrics.filter((row) => row.id === id && row.metric === name).map(({ step }) => step);
  expect(stepsOf('loss')).toEqual([0, 1, 2, 4, 6]);
  expect(stepsOf('training-loss')).toEqual([3, 6]);
  expect(stepsOf('cka(tied.embedding, untied.embedding, dimensions=2)')).toEqual([6]);
});

test('a name without options is the measure without, and refused if there are only several with', async () => {
  const rounded = [4, 8].map((bits) => ({ metric: 'rounded-loss', bits }));
  const isotropies = [{ metric: 'isotropy', table: 'unembedding' }, { metric: 'isotropy' }] as const;
  const { claims } = await judged(
    { measure: [...rounded, ...isotropies] },
    'rounded-loss(tied, bits=8) > 0',
    'abs(isotropy(untied).isoScore - isotropy(untied.embedding).isoScore) <= 0',
    'abs(isotropy(untied).isoScore - isotropy(untied, table=unembedding).isoScore) <= 0 in every seed',
  );
  expect(claims.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'fails']);
  await expect(judged({ measure: rounded }, 'rounded-loss(tied) > 0')).rejects.toThrow(
    "spec.claims[0].says has 'rounded-loss(tied)'; expected one of rounded-loss(bits=4), rounded-loss(bits=8)",
  );
});

test('a verdict says of what a value is missing', async () => {
  // A chain's states are no text.
  const { claims } = await judged({}, 'loss(tied) > loss(untied).bitsPerByte');
  expect(claims[0]).toMatchObject({
    verdict: 'undecided',
    because: '2 of 2 seeds lack a value of loss(untied).bitsPerByte',
  });
});
