// What <tied-experiment> says, draws and exports, with a real core. Its use is tested in tests/browser/experiment.test.ts.
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { costOf } from '../../../web/core/experiment/cost.js';
import { checkSpec, expand } from '../../../web/core/experiment-runner.js';
import { curvesOf, pointsOf } from '../../../web/elements/experiment/curves.js';
import { defaultSpec } from '../../../web/elements/experiment/default-spec.js';
import { experimentStrings as texts } from '../../../web/elements/experiment/experiment.strings.js';
import { exportedTables, jsonFile, tableFile } from '../../../web/elements/experiment/exports.js';
import type { Plan } from '../../../web/elements/experiment/plan.js';
import { criterionInWords, planInWords, timeInWords, timeLeft } from '../../../web/elements/experiment/plan-words.js';
import { rolesOf, roleOfValue } from '../../../web/elements/experiment/roles.js';
import { loadCore, type ExperimentRecords, type ExperimentSpec } from '../../../web/index.js';
import { paths } from '../experiment/specs.js';

const planOf = (given: ExperimentSpec): Plan => {
  const { tokenizer, ...others } = checkSpec(given);
  const spec = tokenizer === null ? others : { tokenizer, ...others };
  return { spec, jobs: expand(checkSpec(given)), key: '', texts: {}, costOf };
};

let records: ExperimentRecords;
beforeAll(async () => {
  const core = await loadCore({ modules: ['diagnostics'] });
  records = await core.runExperiment(paths);
});

describe('the description of the plan', () => {
  it('names models, seeds, steps, text and time', () => {
    expect(planInWords(texts, planOf(defaultSpec), 2).join(' ')).toBe(
      '6 models: tied and untied, each with seeds 1, 2 and 3. 1,000 steps on 100,000 characters of generated stories. At a rough guess, this takes less than a minute on 2 cores.',
    );
  });

  it('gives counts if a list would be too long, and the number of settings of a grid', () => {
    const many = {
      ...paths,
      claims: [],
      measure: paths.measure.slice(0, 1),
      seeds: [1, 2, 3, 4, 5, 6],
      grid: { 'model.dModel': [2, 4] },
    };
    const words = planInWords(texts, planOf(many), 1);
    expect(words.slice(0, 2)).toEqual(['24 models: tied and untied, each with 6 seeds.', 'At each of 2 settings.']);
    expect(words.at(-1)).toContain('on one core');
  });

  it.each([
    ['a > b', 'lies above 0, fails'],
    ['a < b in every seed', 'lies below 0 and no seed contradicts it, fails'],
    ['a >= b and above 3 sd', 'lies above 0 and the mean is more than 3 standard deviations from 0, fails'],
  ])('says when the condition %s holds', (says, words) => {
    expect(criterionInWords(texts, { id: 'one', says })).toContain(words);
  });

  it.each([
    [5, 'less than a minute', 'about 5 s'],
    [61, 'about a minute', 'about 60 s'],
    [200, 'about 3 minutes', 'about 3 minutes'],
    [9000, 'about 2.5 hours', 'about 2.5 hours'],
  ])('writes %d seconds as a time', (seconds, before, left) => {
    expect(timeInWords(texts, seconds)).toBe(before);
    expect(timeLeft(texts, seconds)).toBe(left);
  });

  it('estimates more work for larger models, and less time on more cores', () => {
    const [small] = expand(checkSpec(defaultSpec));
    const wide = { ...small!, model: { ...small!.model, dModel: 96 } };
    expect(costOf(wide)).toBeGreaterThan(2 * costOf(small!));
    const long = { ...defaultSpec, training: { ...defaultSpec.training, steps: 100_000 } };
    expect(planInWords(texts, planOf(long), 1).at(-1)).toContain('hours on one core');
    expect(planInWords(texts, planOf(long), 4).at(-1)).toMatch(/minutes on 4 cores/);
  });
});

describe('roles', () => {
  it('are those of tables for values of tables, otherwise those of arms', () => {
    const roles = rolesOf(expand(checkSpec(paths)));
    expect(Object.fromEntries(roles)).toEqual({ tied: 'tied', untied: 'untied' });
    expect(roleOfValue('alignment(untied.unembedding).heldOut', roles)).toBe('output');
    expect(roleOfValue('alignment(untied.embedding)', roles)).toBe('input');
    expect(roleOfValue('loss(untied, step=0)', roles)).toBe('untied');
    expect(roleOfValue('loss(other)', roles)).toBe('ink');
  });
});

describe('curves', () => {
  it('have every seed of an arm and their mean at each step', () => {
    const jobs = expand(checkSpec(paths));
    const metricsOf = ({ id }: { id: string }) => records.metrics.filter((row) => row.id === id);
    const [loss] = curvesOf(jobs, {}, metricsOf, rolesOf(jobs));
    expect(loss).toMatchObject({ metric: 'loss', unit: 'nats per token' });
    const [tied] = loss!.series;
    expect(tied).toMatchObject({ label: 'tied', role: 'tied', x: [0, 30, 60] });
    expect(tied!.runs).toHaveLength(3);
    const ends = tied!.runs!.map((run) => run[2]!);
    expect(tied!.y[2]).toBeCloseTo((ends[0]! + ends[1]! + ends[2]!) / 3, 12);
  });

  it('have no mean if a seed is missing', () => {
    const jobs = expand(checkSpec(paths));
    const metricsOf = ({ id, seed }: { id: string; seed: number }) =>
      records.metrics.filter((row) => row.id === id && (seed !== 3 || row.step < 60));
    const [tied] = curvesOf(jobs, {}, metricsOf, rolesOf(jobs))[0]!.series;
    expect(Array.from(tied!.y, Number.isFinite)).toEqual([true, true, false]);
  });
});

it('belong to one point of a grid', () => {
  const jobs = expand(checkSpec({ ...paths, claims: [], grid: { 'model.dModel': [2, 4] } }));
  expect(pointsOf(jobs)).toEqual([{ 'model.dModel': 2 }, { 'model.dModel': 4 }]);
  expect(pointsOf(expand(checkSpec(paths)))).toEqual([{}]);
  const metricsOf = ({ id, point }: (typeof jobs)[number]) =>
    [0, 60].map((step) => ({
      ...{ id, step, metric: 'loss', layer: null, band: null, unit: '' },
      value: Number(point['model.dModel']),
    }));
  for (const point of pointsOf(jobs)) {
    const [loss, ...others] = curvesOf(jobs, point, metricsOf, rolesOf(jobs));
    expect(others).toEqual([]);
    for (const { y, runs } of loss!.series) {
      expect(Array.from(y)).toEqual([point['model.dModel'], point['model.dModel']]);
      expect(runs).toHaveLength(3);
    }
  }
});

describe('exports', () => {
  it('as JSON contain the tables, claims and problems', async () => {
    const { name, content } = await jsonFile('order', records);
    expect(name).toBe('order.json');
    const read = JSON.parse(content as string) as Record<string, unknown[]>;
    expect(Object.keys(read)).toEqual(['runs', 'metrics', 'clock', 'claims', 'problems']);
    expect(read['metrics']).toEqual(records.metrics);
    expect(read['claims']).toEqual(records.claims);
    expect(read['runs']).toHaveLength(6);
    expect(read['runs']![0]).not.toHaveProperty('seconds');
  });

  it.each(exportedTables)('of %s have the same rows as CSV and as Parquet', async (table) => {
    const csv = (await tableFile('order', records, table, 'csv')).content as string;
    const { content, name } = await tableFile('order', records, table, 'parquet');
    expect(name).toBe(`order-${table}.parquet`);
    const rows = await parquetReadObjects({ file: (content as Uint8Array<ArrayBuffer>).buffer });
    const [head, ...lines] = csv.trimEnd().split('\r\n');
    expect(Object.keys(rows[0]!).join(',')).toBe(head);
    expect(rows).toHaveLength(table === 'metrics' ? records.metrics.length : 6);
    expect(lines).toHaveLength(rows.length);
  });
});
