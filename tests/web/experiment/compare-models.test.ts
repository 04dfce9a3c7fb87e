/** Measures of two tables: how often the files of the models are read. */
import { expect, test } from 'vitest';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { compareModels } from '../../../web/core/experiment/compare-models.js';
import { hostOfCore } from '../../../web/core/experiment/core-host.js';
import { loadCore, type ExperimentResult } from '../../../web/index.js';
import { paths } from './specs.js';

test('each model is read once, however many of its tables the measures compare', async () => {
  const core = await loadCore({ modules: ['diagnostics'] });
  const between = ['untied.embedding', 'untied.unembedding'] as const;
  const measure = [...paths.measure.slice(3), { metric: 'alignment', method: 'orthogonal', between }] as const;
  const spec = { ...paths, seeds: [1], measure, claims: [] };
  const results = new Map<string, ExperimentResult>();
  const records = await core.runExperiment(spec, {
    onResult: (result) => {
      results.set(result.run.arm, result);
    },
  });
  const read: Uint8Array[] = [];
  const host = Object.assign(Object.create(hostOfCore(core)) as ReturnType<typeof hostOfCore>, {
    loadTrainer: (bytes: Uint8Array) => {
      read.push(bytes);
      return Promise.resolve(core.loadTrainer(bytes));
    },
  });
  const { metrics, problems } = await compareModels(host, checkSpec(spec), results, {});
  expect(problems).toEqual([]);
  const found = new Set(metrics.map(({ metric }) => metric));
  expect(metrics).toEqual(records.metrics.filter(({ metric }) => found.has(metric)));
  expect(metrics.filter(({ metric }) => metric.includes(between.join(', '))).length).toBeGreaterThan(0);
  expect(read).toEqual([results.get('tied')!.model, results.get('untied')!.model]);
});
