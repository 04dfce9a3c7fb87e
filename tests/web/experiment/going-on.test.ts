// What an experiment reports while it runs, and how it resumes from that.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadCore,
  type Core,
  type ExperimentRecords,
  type ExperimentResult,
  type ExperimentState,
} from '../../../web/index.js';
import { paths, timeless } from './specs.js';

/** A transformer, whose optimizer has more state than that of a direct path. */
const gpt = {
  name: 'going-on',
  text: { stories: { seed: 1, length: 4000 } },
  tokenizer: { kind: 'word' },
  model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
  training: { learningRate: 0.01, steps: 150, batchSize: 2 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2],
  measure: [
    { metric: 'loss', every: 50 },
    { metric: 'training-loss', every: 10 },
    { metric: 'alignment', between: ['tied.embedding', 'untied.unembedding'] },
  ],
  claims: [{ id: 'gap', says: 'alignment(untied.unembedding).heldOut > alignment(untied.unembedding)' }],
} as const;

let core: Core;
let whole: ExperimentRecords;
beforeAll(async () => {
  core = await loadCore({ modules: ['diagnostics', 'stories'] });
  whole = await core.runExperiment(gpt);
});

test('a job resumes from a state to the same bits, wherever it was stopped', async () => {
  const states: [string, ExperimentState][] = [];
  const results: ExperimentResult[] = [];
  const controller = new AbortController();
  const run = core.runExperiment(gpt, {
    stateEvery: 0,
    onState: (id, state) => {
      states.push([id, state]);
      if (results.length === 1 && state.step >= 100) controller.abort();
    },
    onResult: (result) => results.push(result),
    signal: controller.signal,
  });
  await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  const [id, state] = states.at(-1)!;
  expect(id).toBe(whole.runs[1]!.id);
  expect(state.step).toBe(100);
  expect(state.metrics.map(({ metric }) => metric)).toContain('training-loss');
  const began: [string, number][] = [];
  const again = await core.runExperiment(gpt, {
    states: Object.fromEntries(states),
    results,
    onJob: (...job) => began.push(job),
  });
  expect(began[0]).toEqual([id, 100]);
  expect(timeless(again)).toEqual(timeless(whole));
});

test('a job whose state is damaged or of another version starts from the beginning, to the same bits', async () => {
  const states = new Map<string, ExperimentState>();
  await core.runExperiment(gpt, {
    stateEvery: 0,
    onState: (id, state) => {
      if (state.step === 100) states.set(id, state);
    },
  });
  const ids = [...states.keys()];
  const [cut, other] = [ids[0]!, ids[1]!];
  states.set(cut, { ...states.get(cut)!, model: states.get(cut)!.model.slice(0, -8) });
  const older = states.get(other)!.model.slice();
  older[4]! ^= 0x40;
  states.set(other, { ...states.get(other)!, model: older });
  const told: [string, number][] = [];
  const again = await core.runExperiment(gpt, {
    states: Object.fromEntries(states),
    onJob: (...job) => told.push(job),
  });
  expect(told.filter(([id]) => id === cut).slice(0, 3)).toEqual([
    [cut, 100],
    [cut, 0],
    [cut, 50],
  ]);
  expect(again.runs.map(({ error }) => error)).toEqual([null, null, null, null]);
  expect(timeless(again)).toEqual(timeless(whole));
});

test('each job is reported with its steps, from first to last', async () => {
  const told = new Map<string, number[]>();
  await core.runExperiment(gpt, { onJob: (id, steps) => told.set(id, [...(told.get(id) ?? []), steps]) });
  expect([...told.keys()]).toEqual(whole.runs.map(({ id }) => id));
  for (const steps of told.values()) expect(steps).toEqual([0, 50, 100, 150]);
});

test('records grow with the results, and end as those of the whole experiment', async () => {
  const told: ExperimentRecords[] = [];
  const end = await core.runExperiment(gpt, { onRecords: (records) => told.push(records) });
  expect(told.map(({ runs }) => runs.length)).toEqual([1, 2, 3, 4]);
  expect(told[1]!.claims[0]).toMatchObject({
    verdict: 'undecided',
    because: '1 of 2 seeds lack a value of alignment(untied.unembedding).heldOut, alignment(untied.unembedding)',
  });
  expect(told[1]!.metrics.some(({ metric }) => metric.startsWith('alignment'))).toBe(true);
  expect(told.at(-1)).toEqual(end);
  expect(timeless(end)).toEqual(timeless(whole));
});

describe('the outcome of a claim', () => {
  test('has the values that it names for each seed, and chance levels where measured', () => {
    const [{ values, difference }] = whole.claims[0]!.points as [ExperimentRecords['claims'][0]['points'][0]];
    expect(values.map(({ name }) => name)).toEqual([
      'alignment(untied.unembedding).heldOut',
      'alignment(untied.unembedding)',
    ]);
    const measured = (part: string) =>
      whole.metrics
        .filter(({ metric }) => metric === `alignment(tied.embedding, untied.unembedding)${part}`)
        .map(({ value }) => value);
    expect(values.map((one) => one.values)).toEqual([measured('.heldOut'), measured('')]);
    expect(values.map((one) => one.chance)).toEqual([measured('.heldOut.chance'), measured('.chance')]);
    const [heldOut, seen] = values.map((one) => one.values as number[]);
    expect(difference!.values).toEqual(heldOut!.map((value, at) => value - seen![at]!));
  });

  test('has no chance level for values without one, and null for a seed without a value', async () => {
    const told: ExperimentRecords[] = [];
    await core.runExperiment(paths, { onRecords: (records) => told.push(records) });
    const [{ values }] = told[1]!.claims[0]!.points as [ExperimentRecords['claims'][0]['points'][0]];
    expect(values.map(({ name, chance }) => [name, chance])).toEqual([
      ['loss(tied)', null],
      ['loss(untied)', null],
    ]);
    expect(values[0]!.values).toEqual([expect.any(Number), null, null]);
  });
});

test('held-out rows in random order agree no more than by chance', () => {
  const chance = whole.metrics.filter(({ metric }) => metric.endsWith('.heldOut.chance'));
  expect(chance).toHaveLength(2);
  for (const { value } of chance) expect(Math.abs(value!)).toBeLessThan(0.3);
});
