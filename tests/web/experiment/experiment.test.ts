import { cpus } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { metricsOf } from '../../../web/core/experiment/metrics.js';
import {
  createLab,
  loadCore,
  TiedError,
  type Core,
  type ExperimentRecords,
  type ExperimentResult,
} from '../../../web/index.js';
import { paths, timeless, transformers } from './specs.js';

let core: Core;
let records: ExperimentRecords;
const results: ExperimentResult[] = [];
beforeAll(async () => {
  core = await loadCore({ modules: ['accounting', 'diagnostics', 'graphs', 'readout', 'stories'] });
  records = await core.runExperiment(paths, { onResult: (result) => results.push(result) });
});

const valuesOf = ({ metrics, runs }: ExperimentRecords, metric: string, arm: string) =>
  metrics.filter((row) => row.metric === metric && runs.find(({ id }) => id === row.id)?.arm === arm);

describe('the records', () => {
  test('have a run with its facts for each arm and seed', () => {
    expect(records.runs.map(({ arm, seed }) => [arm, seed])).toEqual(
      [1, 2, 3].flatMap((seed) => [
        ['tied', seed],
        ['untied', seed],
      ]),
    );
    const [tied, untied] = records.runs;
    expect(tied).toMatchObject({ tying: 'tied', d_model: 4, n_layers: null, status: 'done', error: null, steps: 60 });
    expect(untied!.parameters).toBe(2 * tied!.parameters!);
    expect(tied!.vocab_size! * 4).toBe(tied!.parameters);
    expect(new Set(records.runs.map(({ id }) => id)).size).toBe(6);
    expect(new Set(records.runs.map(({ weights_sha256 }) => weights_sha256)).size).toBe(6);
    expect(tied!.text_sha256).toMatch(/^[0-9a-f]{64}$/);
    const model = cpus()[0]?.model.trim();
    expect(records.runs.map(({ cpu }) => cpu)).toEqual(
      Array(6).fill(model === undefined || model === '' ? null : model),
    );
  });

  test('have each metric at its steps', () => {
    const steps = (metric: string) =>
      valuesOf(records, metric, 'tied')
        .slice(0, 4)
        .map(({ step }) => step);
    expect(steps('loss').slice(0, 3)).toEqual([0, 30, 60]);
    expect(steps('input-share').slice(0, 3)).toEqual([20, 40, 60]);
    expect(steps('isotropy(unembedding).isoScore').slice(0, 2)).toEqual([0, 60]);
  });

  test('equal the results of the API’s verbs', () => {
    const { run, model } = results[0]!;
    const trainer = core.loadTrainer(model!);
    const last = valuesOf(records, 'loss', 'tied')
      .filter(({ id }) => id === run.id)
      .at(-1)!;
    expect(last.value).toBe(trainer.evaluate().loss);
    const { isoScore } = core.isotropy(trainer.matrix('embedding'));
    expect(valuesOf(records, 'isotropy(unembedding).isoScore', 'tied')[1]!.value).toBe(isoScore);
    const other = core.loadTrainer(results[1]!.model!);
    const aligned = core.align(trainer.matrix('embedding'), other.matrix('unembedding'), {
      method: 'orthogonal',
      holdOut: 0.2,
    });
    const name = 'alignment(tied.embedding, untied.unembedding, method=orthogonal)';
    expect(valuesOf(records, name, 'tied')[0]!.value).toBe(aligned.meanCosine);
    expect(valuesOf(records, `${name}.heldOut`, 'tied')[0]!.value).toBe(aligned.heldOut!.meanCosine);
    expect(valuesOf(records, `${name}.chance`, 'tied')[0]!.value).toBe(aligned.null.meanCosine);
  });

  test('are the same when repeated, and in the workers of a lab', async () => {
    const lab = await createLab();
    const inLab = await lab.runExperiment(paths);
    lab.dispose();
    expect(timeless(inLab)).toEqual(timeless(records));
  });

  test('are the same for every metric in a lab and in a core', async () => {
    const lab = await createLab();
    const [here, there] = await Promise.all([core.runExperiment(transformers), lab.runExperiment(transformers)]);
    lab.dispose();
    expect(here.runs.map(({ error }) => error)).toEqual([null, null]);
    expect(timeless(there)).toEqual(timeless(here));
    const measured = new Set(here.metrics.map(({ metric }) => metric.replace(/[(.].*/, '')));
    expect([...measured].sort()).toEqual(metricsOf('text').sort());
    expect(here.metrics.filter(({ value }) => value === null).map(({ metric }) => metric)).toEqual([]);
    expect(here.problems).toEqual([]);
    expect(here.metrics.every(({ value, unit }) => Number.isFinite(value) && unit !== '')).toBe(true);
  });
});

describe('arms', () => {
  test('may have heads that refer to any token of a large vocabulary, but not beyond', () => {
    const head = (cutoff: number) => ({ tying: 'tied', head: { kind: 'adaptive', cutoffs: [256, cutoff] } }) as const;
    const spec = (cutoff: number) =>
      checkSpec({
        ...transformers,
        tokenizer: { kind: 'bpe', vocabSize: 2048 },
        model: { ...transformers.model, dModel: 16 },
        arms: { tied: { model: head(cutoff) }, untied: { model: { tying: 'untied' } } },
        measure: [{ metric: 'loss' }],
        claims: [],
      });
    expect(spec(2047).arms).toHaveProperty('tied');
    expect(() => spec(2048)).toThrow("arm 'tied': model.head.cutoffs[1] is 2048; expected an integer from 257 to 2047");
  });

  test('with the same seed see the same data, with different initial weights unless the experiment says otherwise', async () => {
    const twice = {
      ...paths,
      arms: { one: { model: { tying: 'tied' } }, two: { model: { tying: 'tied' } } },
      measure: [{ metric: 'loss', at: 'start' }],
      claims: [],
      seeds: [1],
    } as const;
    const [one, two] = (await core.runExperiment(twice)).metrics;
    expect(one!.value).not.toBe(two!.value);
    const [same, again] = (await core.runExperiment({ ...twice, starts: 'shared' })).metrics;
    expect(again!.value).toBe(same!.value);
  });

  test('that are added do not change the numbers of the others', async () => {
    const more = { ...paths, arms: { between: { model: { tying: 'tied-linear' } }, ...paths.arms } } as const;
    const { runs } = await core.runExperiment(more);
    for (const { arm, seed, weights_sha256 } of records.runs) {
      expect(runs.find((run) => run.arm === arm && run.seed === seed)!.weights_sha256).toBe(weights_sha256);
    }
  });

  test('run with each value of the grid', async () => {
    const grid = {
      ...paths,
      grid: { 'model.dModel': [2, 4], 'tokenizer.kind': ['word', 'character'] },
      seeds: [1],
      measure: [{ metric: 'loss' }],
      claims: [{ id: 'width', says: 'loss(tied, model.dModel=2) > loss(tied, model.dModel=4)' }],
    } as const;
    const { runs, claims } = await core.runExperiment(grid);
    expect(runs).toHaveLength(8);
    expect(runs.map(({ d_model }) => d_model)).toEqual([2, 2, 2, 2, 4, 4, 4, 4]);
    expect(runs[0]!.point).toBe('{"model.dModel":2,"tokenizer.kind":"word"}');
    expect(claims[0]!.points.map(({ point }) => point)).toEqual([
      { 'tokenizer.kind': 'word' },
      { 'tokenizer.kind': 'character' },
    ]);
  });

  test('that diverge are recorded, and the others continue', async () => {
    const wild = {
      ...paths,
      arms: { ...paths.arms, wild: { model: { tying: 'untied' }, training: { learningRate: 1e30, optimizer: 'sgd' } } },
      seeds: [1],
    } as const;
    const { runs } = await core.runExperiment(wild);
    expect(runs.map(({ status }) => status)).toEqual(['done', 'done', 'failed']);
    expect(runs[2]!.error).toMatch(/finite/);
  });

  test.each(['file', 'markov'] as const)('train on %s', async (kind) => {
    const { name, model, training, arms, seeds } = paths;
    const text = kind === 'file' ? { file: 'a.txt' } : { markov: { states: 6, length: 2000, seed: 1 } };
    const spec = { name, model, training, arms, seeds, text, measure: [{ metric: 'loss' }], claims: [] };
    const { runs, metrics } = await core.runExperiment(spec, { texts: { 'a.txt': paths.text.string } });
    expect(runs[0]!.vocab_size).toBe(kind === 'file' ? 275 : 6);
    expect(runs[0]!.tokenizer === null).toBe(kind === 'markov');
    expect(metrics.filter(({ metric }) => metric === 'loss')).toHaveLength(6);
  });
});

describe('claims', () => {
  test('are judged by differences per seed', () => {
    const [gap, lower] = records.claims;
    expect(gap).toMatchObject({ id: 'gap', verdict: 'holds' });
    expect(lower).toMatchObject({ id: 'lower', verdict: 'holds' });
    const [{ difference, seeds }] = gap!.points as [ExperimentRecords['claims'][0]['points'][0]];
    expect(seeds).toEqual([1, 2, 3]);
    const loss = (arm: string) =>
      valuesOf(records, 'loss', arm)
        .filter(({ step }) => step === 60)
        .map(({ value }) => value!);
    expect(difference!.values).toEqual(loss('tied').map((value, i) => value - loss('untied')[i]!));
  });

  test.each([
    ['loss(tied) < loss(untied)', 'fails'],
    ['loss(tied) - loss(untied) > 0 and above 1000000 sd', 'fails'],
    ['abs(loss(tied) - loss(tied)) < 0.001', 'holds'],
    ['2 * loss(tied) / 2 > loss(untied)', 'holds'],
    ['input-share(tied, step=20..40) >= 0', 'holds'],
    ['alignment(tied.embedding, untied.unembedding).heldOut > -2', 'holds'],
    ['alignment(untied.embedding) > -2 in every seed', 'holds'],
    ['-loss(tied) < (loss(untied))', 'holds'],
  ])('%s: %s', async (says, verdict) => {
    const { claims } = await core.runExperiment({ ...paths, claims: [{ id: 'one', says }] }, { results });
    expect(claims[0]!.because).not.toBe('');
    expect(claims[0]!.verdict).toBe(verdict);
  });

  test('with a single seed are at best undecided', async () => {
    const { claims } = await core.runExperiment({ ...paths, seeds: [1] }, { results });
    expect(claims.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided']);
  });
});

describe('finished work', () => {
  test('is not repeated', async () => {
    const again: string[] = [];
    const onResult = ({ run }: ExperimentResult) => again.push(run.id);
    const found = await core.runExperiment(paths, { results: results.slice(0, 4), onResult });
    expect(again).toEqual(records.runs.slice(4).map(({ id }) => id));
    expect(timeless(found)).toEqual(timeless(records));
  });

  test('remains if a run is cancelled', async () => {
    const kept: ExperimentResult[] = [];
    const controller = new AbortController();
    const onResult = (result: ExperimentResult) => {
      kept.push(result);
      if (kept.length === 2) controller.abort();
    };
    await expect(core.runExperiment(paths, { signal: controller.signal, onResult })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(kept).toHaveLength(2);
    expect(timeless(await core.runExperiment(paths, { results: kept }))).toEqual(timeless(records));
  });

  test('is reported as a fraction that ends with 1', async () => {
    const told: number[] = [];
    await core.runExperiment(paths, { results: results.slice(0, 3), onProgress: (fraction) => told.push(fraction) });
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told[0]).toBeGreaterThan(0.5);
    expect(told.at(-1)).toBe(1);
  });
});

test('a core without a module that a metric needs says so', async () => {
  const small = await loadCore({ modules: [] });
  const refused = await small.runExperiment(paths).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TiedError);
  expect(refused).toMatchObject({ code: 'unsupported' });
});
