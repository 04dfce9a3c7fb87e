/** Measures that a model does not support are refused before training; every other measure gives numbers. */
import { beforeAll, describe, expect, test } from 'vitest';
import { checkJob } from '../../../web/core/experiment/check-job.js';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { expand } from '../../../web/core/experiment/expand.js';
import { METRICS, metricsOf } from '../../../web/core/experiment/metrics.js';
import { loadCore, TiedError, type Core, type ExperimentSpec } from '../../../web/index.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['accounting', 'diagnostics', 'graphs', 'models', 'readout', 'stories'] });
});

const adaptive = { kind: 'adaptive', cutoffs: [8, 16], divisor: 2 };
const clustered = { kind: 'clustered', clusters: 4 };
const culled = { kind: 'culled', kept: 16 };
const sampled = { kind: 'sampled', samples: 8 };
const path = { kind: 'direct-path', nLayers: undefined, nHeads: undefined, contextLength: undefined };
const models: Record<string, object> = {
  tied: {},
  untied: { tying: 'untied' },
  sampled: { head: sampled },
  adaptive: { head: adaptive },
  'untied, adaptive': { tying: 'untied', head: adaptive },
  clustered: { head: clustered },
  culled: { head: culled },
  factorized: { tableRank: 4 },
  'untied, factorized': { tying: 'untied', tableRank: 4 },
  'n-grams': { ngrams: { order: 2, rows: 16 } },
  masked: { objective: 'masked' },
  'masked diffusion': { objective: 'masked-diffusion' },
  path,
  'linear path': { ...path, tying: 'tied-linear' },
  'path with an MLP': { ...path, tying: 'tied-mlp' },
};
const trainings: Record<string, object> = { temperature: { temperature: 2 }, smoothing: { labelSmoothing: 0.1 } };

const options: Record<string, object> = {
  'packed-loss': { packing: 'Q8_0' },
  'rounded-loss': { bits: 8 },
  neighbors: { token: 3 },
  'tuned-lens': { steps: 1 },
};
const specOf = (metric: string, own: object, training: object = {}): ExperimentSpec => {
  const model = { dModel: 8, nLayers: 1, nHeads: 1, contextLength: 8, tying: 'tied', ...own };
  return {
    name: 'measurable',
    text: { markov: { states: 24, seed: 1, length: 400 } },
    model: Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined)),
    training: { steps: 1, learningRate: 0.01, batchSize: 2, ...training },
    arms: { one: {} },
    seeds: [1],
    measure: [{ metric, ...options[metric] }],
    claims: [],
  } as unknown as ExperimentSpec;
};

/** Whether the specification was refused; a run that fails fails the test. */
async function isRefused(spec: ExperimentSpec): Promise<boolean> {
  let begun = false;
  try {
    const { runs, metrics, problems } = await core.runExperiment(spec, { onProgress: () => (begun = true) });
    expect(runs.map(({ error }) => error)).toEqual([null]);
    expect(problems).toEqual([]);
    expect(metrics.length).toBeGreaterThan(0);
    return false;
  } catch (error) {
    if (!(error instanceof TiedError)) throw error;
    expect(error.code, error.message).toBe('invalid-argument');
    expect(error.message).toMatch(/^spec\.measure\[0\]\.metric is '[a-z-]+', which arm 'one' does not have: /);
    expect(begun).toBe(false);
    return true;
  }
}

/** The models whose layers or logits a metric cannot read. */
const refused: Record<string, string[]> = {};
for (const metric of ['logit-lens', 'tuned-lens', 'direct-path', 'gradient'])
  refused[metric] = Object.keys(models).filter((name) => !['tied', 'untied', 'sampled', 'n-grams'].includes(name));
refused['gradient']!.push('sampled');
for (const metric of ['symmetry', 'path-repetition', 'recovered-table'])
  refused[metric] = refused['logit-lens']!.filter((name) => !name.includes('path'));
const hides = ['masked', 'masked diffusion'];
refused['gradient-split'] = refused['work'] = hides;
refused['layer-ablation'] = ['culled', ...hides, ...Object.keys(models).filter((name) => name.includes('path'))];
refused['loss-by-frequency'] = refused['self-transitions'] = refused['calibration'] = ['culled', ...hides];
refused['ngram-collisions'] = Object.keys(models).filter((name) => name !== 'n-grams');
refused['hidden-states'] =
  refused['lost-table'] =
  refused['packed-loss'] =
    ['untied, adaptive', 'factorized', 'untied, factorized'];

const measured = metricsOf('text').filter((metric) => METRICS[metric]!.of !== 'two tables');

test.each(measured)('%s is measured for a model that supports it, otherwise refused', async (metric) => {
  const found: string[] = [];
  for (const [name, own] of Object.entries(models)) if (await isRefused(specOf(metric, own))) found.push(name);
  expect(found.sort()).toEqual((refused[metric] ?? []).sort());
});

describe.each(Object.entries(trainings))('with %s', (_, training) => {
  test('metrics that read rows are refused', async () => {
    const found: string[] = [];
    for (const metric of measured.filter((one) => one !== 'ngram-collisions'))
      if (await isRefused(specOf(metric, {}, training))) found.push(metric);
    const readRows = ['direct-path', 'gradient', 'logit-lens', 'path-repetition', 'recovered-table', 'symmetry'];
    expect(found.sort()).toEqual([...readRows, 'tuned-lens']);
  });
});

describe('for two tables', () => {
  const pairs = metricsOf('text').filter((metric) => METRICS[metric]!.of === 'two tables');
  const others: Record<string, object> = {
    wide: { dModel: 16 },
    adaptive: { tying: 'untied', head: adaptive },
    factorized: { tableRank: 4 },
    clustered: { tying: 'untied', head: clustered },
    culled: { tying: 'untied', head: culled },
  };
  const methods = ['identity', 'orthogonal', 'linear', 'ridge'];
  const kinds = pairs.flatMap((metric): { metric: string; method?: string }[] =>
    metric === 'alignment' ? methods.map((method) => ({ metric, method })) : [{ metric }],
  );

  test.each(kinds)('$metric $method is measured, or refused because of their shapes', async ({ metric, method }) => {
    const found: string[] = [];
    for (const [name, own] of Object.entries(others)) {
      for (const table of ['embedding', 'unembedding']) {
        const { model, ...spec } = specOf(metric, {});
        const measure = { metric, ...(method && { method }), between: [`one.${table}`, `other.${table}`] };
        const arms = { one: { model: { tying: 'untied' } }, other: { model: own } };
        let begun = false;
        try {
          const given = { ...spec, model, arms, measure: [measure] } as unknown as ExperimentSpec;
          const { metrics, problems } = await core.runExperiment(given, { onProgress: () => (begun = true) });
          expect(problems).toEqual([]);
          expect(metrics.length).toBeGreaterThan(0);
        } catch (error) {
          if (!(error instanceof TiedError)) throw error;
          expect(error.message).toMatch(/^spec\.measure\[0\]\.(between|method) is .*; expected /);
          expect(begun).toBe(false);
          found.push(`${name} ${table}`);
        }
      }
    }
    const differs = ['identity', 'orthogonal'].includes(method ?? '')
      ? ['wide', 'factorized'].flatMap((name) => [`${name} embedding`, `${name} unembedding`])
      : [];
    expect(found.sort()).toEqual([...differs, 'adaptive unembedding'].sort());
  });
});

describe('layers', () => {
  const withLayers = (layers: unknown, depths: number[]): unknown => ({
    ...specOf('logit-lens', {}),
    grid: { 'model.nLayers': depths },
    measure: [{ metric: 'logit-lens', layers }],
  });

  test.each([9, 2, [0, 2], [0, 1, 1000]])('%j is refused for a model with one layer', (layers) => {
    expect(() => checkSpec(withLayers(layers, [1]))).toThrow(
      /^spec\.measure\[0\]\.layers is .*; expected layers from 0, what the first one reads, to 1$/,
    );
  });

  test('of the deepest model are valid in the experiment and in its jobs', () => {
    const jobs = expand(checkSpec(withLayers([0, 3], [1, 3])));
    expect(jobs).toHaveLength(2);
    expect(jobs.map((job) => checkJob(JSON.parse(JSON.stringify(job))).id)).toEqual(jobs.map(({ id }) => id));
    expect(() => checkSpec(withLayers([0, 4], [1, 3]))).toThrow(
      'expected layers from 0, what the first one reads, to 3',
    );
  });
});
