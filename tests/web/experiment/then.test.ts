// Models that are moved to a second text.
import { beforeAll, describe, expect, test } from 'vitest';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { expand } from '../../../web/core/experiment/expand.js';
import {
  createLab,
  loadCore,
  type Core,
  type ExperimentRecords,
  type ExperimentSpec,
  type ExperimentState,
} from '../../../web/index.js';
import { moving, timeless } from './specs.js';

/** Without its second text. */
const alone = Object.fromEntries(
  Object.entries(moving).filter(([field]) => field !== 'then'),
) as unknown as ExperimentSpec;

let core: Core;
let whole: ExperimentRecords;
beforeAll(async () => {
  core = await loadCore({ modules: ['accounting', 'readout', 'stories'] });
  whole = await core.runExperiment(moving);
});

const valuesOf = ({ metrics, runs }: ExperimentRecords, metric: string) =>
  metrics.filter((row) => row.metric === metric && row.id === runs[0]!.id);
const valueAt = (metric: string, step: number, records = whole) =>
  valuesOf(records, metric).find((row) => row.step === step)!.value!;

/** The first job by hand, with the verbs of the API. */
function byHand() {
  const [job] = expand(checkSpec(moving));
  const corpus = core.openCorpus(core.writeStories(moving.text.stories), { tokenizer: moving.tokenizer });
  const tokenizer = corpus.tokenizer!;
  const second = tokenizer.encode(moving.then.text.string);
  const held = Math.floor(second.length * 0.1);
  const made = (tokenIds: Uint32Array, training: object) =>
    core.createTrainer({
      model: { ...moving.model, vocabSize: corpus.vocabSize, tying: 'tied' },
      training: {
        learningRate: 0.01,
        batchSize: 4,
        decay: 'cosine',
        seed: 1,
        initSeed: job!.training.initSeed,
        ...training,
      },
      tokenIds,
      tokenizer,
    });
  const first = made(corpus.tokenIds('training'), { totalSteps: 70 });
  first.run(70);
  const next = made(second.subarray(0, second.length - held), { learningRate: 0.003, totalSteps: 80 });
  for (const { name, tiedTo } of first.parameters()) if (tiedTo === null) next.setMatrix(name, first.matrix(name));
  return { first, next, heldOut: [corpus.tokenIds('validation'), second.subarray(second.length - held)] as const };
}

describe('a moved model', () => {
  test('gives the numbers of a new trainer on the second text that has its weights', () => {
    const { first, next, heldOut } = byHand();
    expect(valueAt('loss', 70)).toBe(first.evaluate(heldOut[0]).loss);
    expect(valueAt('loss(on=second)', 70)).toBe(first.evaluate(heldOut[1]).loss);
    expect(valueAt('loss(on=second).bitsPerByte', 70)).toBe(first.evaluate(heldOut[1]).bitsPerByte);
    const records = next.run(80);
    expect(valueAt('embedding-drift', 71)).toBe(records[0]!.embeddingDrift);
    expect(valueAt('training-loss', 140)).toBe(records[69]!.loss);
    expect(valueAt('loss', 150)).toBe(next.evaluate(heldOut[0]).loss);
    expect(valueAt('loss(on=second)', 150)).toBe(next.evaluate(heldOut[1]).loss);
    expect(valueAt('calibration(on=second)', 150)).toBe(next.calibration(heldOut[1]).error);
  });

  test('is until then the model of an experiment without a second text', async () => {
    const measure = [{ metric: 'loss' }, { metric: 'embedding-drift', every: 1 }];
    const short = { ...alone, training: { ...moving.training, steps: 70 }, measure, claims: [] };
    const records = await core.runExperiment(short);
    expect(valueAt('loss', 70, records)).toBe(valueAt('loss', 70));
    expect(
      valuesOf(whole, 'embedding-drift')
        .slice(0, 70)
        .map(({ value }) => value),
    ).toEqual(valuesOf(records, 'embedding-drift').map(({ value }) => value));
  });

  test('is recorded at each step once, and its drift begins again', () => {
    const drift = valuesOf(whole, 'embedding-drift');
    expect(drift.map(({ step }) => step)).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
    expect(drift[70]!.value).toBeLessThan(drift[69]!.value! / 5);
    expect(valueAt('loss(on=second)', 150)).toBeLessThan(valueAt('loss(on=second)', 70));
    expect(valueAt('work.run', 150) / valueAt('work.run', 70)).toBeCloseTo(150 / 70, 10);
    expect(whole.claims[0]!.points[0]!.difference!.values[0]).toBe(valueAt('loss', 150) - valueAt('loss', 70));
    expect(whole.runs[0]!.steps).toBe(150);
  });

  test('resumes from any state to the same bits, before, at and after the move', async () => {
    const states: [string, ExperimentState][] = [];
    await core.runExperiment({ ...moving, seeds: [1] }, { stateEvery: 0, onState: (...state) => states.push(state) });
    const own = states.filter(([id]) => id === whole.runs[0]!.id);
    expect(own.map(([, { step }]) => step)).toEqual([64, 70, 134, 150]);
    for (const state of own) {
      expect(timeless(await core.runExperiment(moving, { states: Object.fromEntries([state]) }))).toEqual(
        timeless(whole),
      );
    }
  });

  test('is the same in the workers of a lab', async () => {
    using lab = await createLab();
    expect(timeless(await lab.runExperiment(moving))).toEqual(timeless(whole));
  });
});

describe('the second text', () => {
  test('may be a chain of as many states, or read backward, and a direct path may learn its pairs', async () => {
    const spec = {
      name: 'moved-paths',
      text: { markov: { states: 6, length: 2000, seed: 1 } },
      then: { text: { markov: { states: 6, length: 2000, seed: 2 } }, afterSteps: 60 },
      model: { kind: 'direct-path', dModel: 4 },
      training: { learningRate: 0.1, steps: 120 },
      arms: {
        pairs: { model: { tying: 'untied' } },
        backward: { model: { tying: 'untied' }, direction: 'backward' },
        batches: { model: { tying: 'untied' }, training: { batchSize: 64 } },
      },
      seeds: [1],
      measure: [
        { metric: 'loss', on: 'second', at: [60, 'end'] },
        { metric: 'bigram-bounds', on: 'second' },
        { metric: 'bigram-bounds', on: 'first' },
      ],
    } as const satisfies ExperimentSpec;
    const { metrics, runs } = await core.runExperiment(spec);
    for (const { id, error } of runs) {
      expect(error).toBeNull();
      const of = (metric: string) => metrics.filter((row) => row.id === id && row.metric === metric);
      const [before, after] = of('loss(on=second)').map(({ value }) => value!);
      expect(after).toBeLessThan(before! - 0.1);
      const [first, second] = ['first', 'second'].map((on) => of(`bigram-bounds(on=${on}).bigram`)[0]!.value);
      expect(first).not.toBe(second);
    }
  });

  test('is hashed with the first, and named if it is missing', async () => {
    const one = await core.runExperiment({ ...alone, seeds: [1], measure: [{ metric: 'parameters' }], claims: [] });
    expect(whole.runs[0]!.text_sha256).not.toBe(one.runs[0]!.text_sha256);
    const missing = { ...moving, then: { ...moving.then, text: { file: 'b.txt' } } };
    await expect(core.runExperiment(missing)).rejects.toThrow(
      "spec.then.text.file is 'b.txt'; expected a name in options.texts",
    );
  });

  test.each([
    [{ validation: 0 }, 'spec.validation is 0; expected above 0'],
    [{ model: { ...moving.model, tying: { untieAtStep: 10 } }, arms: { one: {} }, claims: [] }, 'model.tying'],
    [{ measure: [{ metric: 'parameters', on: 'second' }], claims: [] }, 'spec.measure[0].on is not an option'],
    [{ measure: [{ metric: 'loss', on: 'third' }], claims: [] }, "spec.measure[0].on is 'third'"],
    [
      { text: undefined, pairs: { task: 'sorting', seed: 1, count: 9 }, tokenizer: undefined },
      'spec.then is an object',
    ],
  ])('%o is refused', async (fields, named) => {
    await expect(core.runExperiment({ ...moving, ...fields } as ExperimentSpec)).rejects.toThrow(named);
  });
});

test('a cosine ends with each text, and an id depends on the second one', () => {
  const [job] = expand(checkSpec(moving));
  expect(job!.training.totalSteps).toBe(70);
  expect(job!.then!.training).toEqual({ learningRate: 0.003, totalSteps: 80 });
  const given = { ...moving, training: { ...moving.training, totalSteps: 200 } };
  expect(expand(checkSpec(given))[0]!.then!.training).toEqual({ learningRate: 0.003 });
  const other = { ...moving, then: { ...moving.then, afterSteps: 71 }, measure: [{ metric: 'loss' }], claims: [] };
  expect(expand(checkSpec(other))[0]!.id).not.toBe(job!.id);
});
