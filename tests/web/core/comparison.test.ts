import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type CompareOptions, type ComparisonFrame, type Core, type Corpus } from '../../../web/index.js';
import { errorOf, expectError } from './support.js';

const TEXT = 'the cat sat on the mat, the dog sat on the log; '.repeat(8);
const PATH = { kind: 'direct-path', dModel: 4 } as const;
const TRAINING = { learningRate: 0.05 };
const ARMS = {
  tied: { model: { ...PATH, tying: 'tied' }, training: TRAINING },
  untied: { model: { ...PATH, tying: 'untied' }, training: { ...TRAINING, batchSize: 8 } },
  transformer: {
    model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8, tying: 'tied' },
    training: { learningRate: 0.01, batchSize: 2 },
  },
} as const satisfies CompareOptions['arms'];

let core: Core;
let corpus: Corpus;
beforeAll(async () => {
  core = await loadCore();
  corpus = core.openCorpus(TEXT, { tokenizer: { kind: 'character' } });
});

/** The losses of an arm over all frames. */
const losses = (frames: readonly ComparisonFrame[], arm: string): number[] =>
  frames.flatMap(({ columns }) => [...columns[arm]!.loss]);

/** Trainers equal to the arms, made one by one. */
function apart(name: keyof typeof ARMS, seed: number) {
  const model = { ...ARMS[name].model, vocabSize: corpus.vocabSize };
  const training = { ...ARMS[name].training, seed };
  const stream = {
    tokenIds: corpus.tokenIds(),
    validationTokenIds: corpus.tokenIds('validation'),
    tokenizer: corpus.tokenizer!,
  };
  const data = name === 'tied' ? { bigramCounts: corpus.bigrams().counts } : stream;
  return core.createTrainer({ model, training, ...data });
}

describe('a comparison', () => {
  test('has the same bits as trainers that are made one by one', () => {
    const comparison = core.compare(corpus, { arms: ARMS, steps: 30, seed: 7, measure: { every: 10 } });
    const frames = [...comparison];
    expect(comparison.names).toEqual(Object.keys(ARMS));
    expect(comparison.step).toBe(30);
    for (const name of comparison.names as (keyof typeof ARMS)[]) {
      const trainer = apart(name, 7);
      const before = trainer.evaluate();
      const records = trainer.run(30);
      expect(losses(frames, name)).toEqual(records.map(({ loss }) => loss));
      const shares = frames.flatMap(({ columns }) => [...columns[name]!.inputShare]);
      expect(shares).toEqual(records.map(({ inputShare }) => inputShare));
      expect(comparison.arm(name).matrix('embedding')).toEqual(trainer.matrix('embedding'));
      expect(frames[0]!.measured![name]).toEqual(before);
      expect(frames.at(-1)!.measured![name]).toEqual(trainer.evaluate());
      trainer.dispose();
    }
    expect(frames.filter(({ measured }) => measured).map(({ step }) => step)).toEqual([0, 10, 20, 30]);
    comparison.dispose();
  });

  test('yields the requested frames, and stops each at a step to be measured', () => {
    const { tied } = ARMS;
    const comparison = core.compare(corpus, { arms: { tied }, measure: { every: 8, tokens: 5 } });
    const steps = [3, 5, 5, 5].map((some) => comparison.next({ steps: some }).step);
    expect(steps).toEqual([0, 5, 8, 13]);
    expect(comparison.next({ steps: 1 }).columns.tied!.step).toEqual(Float64Array.of(14));
    comparison.dispose();
  });

  test('measures at the planned end too, even between measured steps', () => {
    const { tied } = ARMS;
    const comparison = core.compare(corpus, { arms: { tied }, steps: 10, measure: { every: 4 } });
    const measured = [...comparison].filter((frame) => frame.measured).map(({ step }) => step);
    expect(measured).toEqual([0, 4, 8, 10]);
    comparison.dispose();
  });

  test('ends a frame at the requested step, even if the pace would allow more', () => {
    const { tied } = ARMS;
    const comparison = core.compare(corpus, { arms: { tied } });
    const steps = [{ steps: 8, until: 5 }, { steps: 8, until: 5 }, { until: 6 }].map(
      (options) => comparison.next(options).step,
    );
    expect(steps).toEqual([5, 5, 6]);
    expect(errorOf(() => comparison.next({ until: -1 })).message).toMatch(/^options\.until is -1/);
    comparison.dispose();
  });

  test('plays to its end, to another step, or until it is paused', () => {
    const { tied, untied } = ARMS;
    const frames: ComparisonFrame[] = [];
    const onFrame = (frame: ComparisonFrame): void => {
      frames.push(frame);
      if (frame.step === 64) comparison.pause();
    };
    const comparison = core.compare(corpus, { arms: { tied, untied }, steps: 50, measure: { every: 64 } }, { onFrame });
    comparison.play();
    expect(comparison.step).toBe(50);
    comparison.play({ until: 60 });
    expect(comparison.step).toBe(60);
    comparison.play({ until: 100 });
    expect(comparison.step).toBe(64);
    expect(losses(frames, 'tied')).toHaveLength(64);
    comparison.dispose();
  });

  test('rewinds to weights that continue identically, and looks back without losing its position', () => {
    const { untied, transformer } = ARMS;
    const comparison = core.compare(corpus, { arms: { untied, transformer }, seed: 1 });
    comparison.next({ steps: 10 });
    const early = comparison.arm('untied').matrix('embedding');
    const second = comparison.next({ steps: 15 });
    const late = comparison.arm('untied').matrix('embedding');
    comparison.lookBack(10);
    expect(comparison.step).toBe(10);
    expect(comparison.arm('untied').matrix('embedding')).toEqual(early);
    expect(comparison.next({ steps: 1 }).columns.untied!.step).toEqual(Float64Array.of(26));
    comparison.lookBack(25);
    expect(comparison.arm('untied').matrix('embedding')).toEqual(late);
    comparison.rewind(10);
    const again = comparison.next({ steps: 15 });
    for (const name of comparison.names) expect(again.columns[name]!.loss).toEqual(second.columns[name]!.loss);
    comparison.dispose();
  });

  test('changes the tying of each arm at its own step', () => {
    const condition = (over: number) => ({ untieWhen: { inputShare: { above: 0 }, over } });
    const { tied } = ARMS;
    const arms = {
      early: { ...tied, model: { ...tied.model, tying: condition(4) } },
      late: { ...tied, model: { ...tied.model, tying: condition(9) } },
      tied,
    };
    const comparison = core.compare(corpus, { arms });
    const early = comparison.arm('early');
    const changes = () => comparison.names.map((name) => comparison.arm(name).tyingChangedAt);
    expect(changes()).toEqual([null, null, null]);
    const frame = comparison.next({ steps: 6 });
    expect(Object.keys(frame)).toEqual(['step', 'columns', 'measured']);
    expect(changes()).toEqual([4, null, null]);
    comparison.next({ steps: 6 });
    expect(changes()).toEqual([4, 9, null]);
    comparison.lookBack(8);
    expect(changes()).toEqual([4, null, null]);
    comparison.rewind(3);
    expect([early.tyingChangedAt, ...changes()]).toEqual([null, null, null, null]);
    comparison.next({ steps: 6 });
    expect([early.tyingChangedAt, ...changes()]).toEqual([4, 4, 9, null]);
    comparison.dispose();
  });

  test('exposes its arms, but nothing that would let them drift apart', () => {
    const comparison = core.compare(corpus, { arms: { transformer: ARMS.transformer }, seed: 3 });
    const arm = comparison.arm('transformer');
    comparison.next({ steps: 2 });
    expect(arm.step).toBe(2);
    expect(arm.model.vocabSize).toBe(corpus.vocabSize);
    expect(arm.training.seed).toBe(3);
    expect(arm.generate({ prompt: 'the', tokens: 4 }).text).toHaveLength(4);
    expect(arm.gradient().total.rows).toBe(corpus.vocabSize);
    for (const verb of ['run', 'rewind', 'setMatrix', 'dispose']) expect(arm).not.toHaveProperty(verb);
    comparison.dispose();
    expect(errorOf(() => arm.matrix('embedding')).code).toBe('disposed');
    expect(errorOf(() => comparison.next()).message).toMatch(/^the comparison has been disposed of/);
  });

  test('outlives its corpus', () => {
    const own = core.openCorpus(TEXT);
    const comparison = core.compare(own, { arms: { tied: ARMS.tied }, steps: 5 });
    own.dispose();
    expect([...comparison].at(-1)!.step).toBe(5);
    comparison.dispose();
  });

  test('ends when its signal is aborted', () => {
    const controller = new AbortController();
    const comparison = core.compare(corpus, { arms: { tied: ARMS.tied } }, { signal: controller.signal });
    comparison.next({ steps: 1 });
    controller.abort('gone');
    for (const verb of [() => comparison.next(), () => comparison.play({ until: 5 }), () => comparison.rewind()]) {
      const error = errorOf(verb);
      expect([error.code, error.cause]).toEqual(['cancelled', 'gone']);
    }
    expect([...comparison]).toEqual([]);
    comparison.dispose();
  });

  test('keeps its models when its signal is aborted, until it is disposed of', () => {
    const controller = new AbortController();
    const comparison = core.compare(corpus, { arms: ARMS, steps: 50 }, { signal: controller.signal });
    for (const { step } of comparison) if (step >= 3) controller.abort();
    const { step } = comparison;
    expect(step).toBeLessThan(50);
    const twin = core.compare(corpus, { arms: ARMS, steps: 50 });
    twin.play({ until: step });
    for (const name of comparison.names) expect(comparison.arm(name).save()).toEqual(twin.arm(name).save());
    twin.dispose();
    const arm = comparison.arm('tied');
    comparison.dispose();
    expect(errorOf(() => arm.save()).code).toBe('disposed');
    expect(errorOf(() => comparison.arm('tied')).code).toBe('disposed');
  });

  test('names the arm whose loss is not finite, and can be rewound', () => {
    const wild = { model: { ...PATH, tying: 'untied' }, training: { optimizer: 'sgd', learningRate: 1e30 } } as const;
    const comparison = core.compare(corpus, { arms: { tied: ARMS.tied, wild }, steps: 50 });
    const error = errorOf(() => comparison.play());
    expect([error.code, error.message.slice(0, 11)]).toEqual(['not-finite', "arm 'wild':"]);
    expect(errorOf(() => comparison.next())).toBe(error);
    comparison.rewind();
    expect(comparison.next({ steps: 1 }).step).toBe(1);
    comparison.dispose();
  });
});

describe('a comparison is refused', () => {
  const { tied } = ARMS;
  test.each<[what: string, options: unknown, message: RegExp]>([
    ['no arms', { arms: {} }, /^options\.arms has 0 models; expected 1 to 16/],
    ['a list of arms', { arms: [tied] }, /^options\.arms is an array of 1; expected an object of models by name/],
    ['an arm without training', { arms: { a: { model: tied.model } } }, /^options\.arms\.a\.training is undefined/],
    [
      'a model that is wrong',
      { arms: { a: { ...tied, model: { ...tied.model, dModel: 0 } } } },
      /^arm 'a': .*dModel is 0/,
    ],
    [
      'another vocabulary',
      { arms: { a: { ...tied, model: { ...tied.model, vocabSize: 3 } } } },
      /^options\.arms\.a\.model\.vocabSize is 3; expected that of the corpus/,
    ],
    ['a wrong seed', { arms: { tied }, seed: -1 }, /^options\.seed is -1/],
    ['no steps', { arms: { tied }, steps: 0 }, /^options\.steps is 0/],
    ['a cadence of nothing', { arms: { tied }, measure: {} }, /^options\.measure\.every is undefined/],
    ['an unknown option', { arms: { tied }, step: 5 }, /^options\.step is not an option; expected 'steps'/],
  ])('for %s, by name', (_, options, message) => {
    expectError(() => core.compare(corpus, options as CompareOptions), 'invalid-argument', message);
  });

  test('for anything but a core’s corpus', () => {
    expectError(
      () => core.compare({} as Corpus, { arms: { tied } }),
      'invalid-argument',
      /^corpus is an object; expected/,
    );
  });

  test('for invalid frames, ends and steps', () => {
    const comparison = core.compare(corpus, { arms: { tied } });
    expectError(() => comparison.next({ steps: 5000 }), 'invalid-argument', /^options\.steps is 5000/);
    expectError(() => comparison.play(), 'invalid-argument', /^options\.until is undefined; expected a step/);
    expectError(() => comparison.play({ until: -1 }), 'invalid-argument', /^options\.until is -1/);
    expectError(() => comparison.rewind(1), 'invalid-argument', /^step is 1; expected an integer from 0 to 0/);
    expectError(() => comparison.arm('teid' as never), 'invalid-argument', /^name is 'teid'; expected 'tied'/);
    comparison.dispose();
  });
});

test('for a revoked proxy in place of a corpus', () => {
  const { proxy, revoke } = Proxy.revocable(corpus, {});
  revoke();
  expectError(
    () => core.compare(proxy, { arms: ARMS }),
    'invalid-argument',
    /^corpus is .*; expected a corpus of this core$/,
  );
});

test('with shortened names of arms in messages', () => {
  const error = errorOf(() => core.compare(corpus, { arms: { ['x'.repeat(10_000)]: 5 as never } }));
  expect(error.message.length).toBeLessThan(200);
});
