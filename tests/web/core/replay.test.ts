/** Rewinding, and recovering from a failed step: in parts, and never beyond the requested step. */
import { describe, expect, test } from 'vitest';
import { RunningWork } from '../../../web/core/runtime/work.js';
import { replay } from '../../../web/core/training/replay.js';
import { runInParts } from '../../../web/core/training/training-run.js';
import { createLab, loadCore, TiedError, type StepRecord, type TrainerOptions } from '../../../web/index.js';
import { errorOf, expectError } from './support.js';
import { withProgress } from './trainer-file-bytes.js';

const OPTIONS: TrainerOptions = {
  model: { kind: 'direct-path', vocabSize: 5, dModel: 2, tying: 'untied' },
  training: { optimizer: 'sgd', learningRate: 0.1, seed: 1 },
  bigramCounts: { rows: 5, cols: 5, data: new Float32Array(25).fill(1) },
};
/** Weights and initial weights; plain SGD has no other state. */
const NUMBERS = { parameters: 20, copies: 2 };
/** More steps than anyone could wait for. */
const MAX = 2 ** 50;

const core = await loadCore();

function savedAfter(steps: number): Uint8Array {
  const trainer = core.createTrainer(OPTIONS);
  trainer.run(steps);
  const file = trainer.save();
  trainer.dispose();
  return file;
}

describe('a file that declares more steps than can be replayed', () => {
  test('is not replayed if the first step after loading is not finite', () => {
    const trainer = core.loadTrainer(withProgress(savedAfter(3), { ...NUMBERS, steps: MAX, weight: 1e30 }));
    expectError(() => trainer.run(1), 'not-finite', /^loss is /);
    expect(trainer.step).toBe(MAX);
    expect(trainer.matrix('embedding').data[0]).toBe(Math.fround(1e30));
    trainer.dispose();
  });

  test('is rewound with progress until the listener cancels', () => {
    const trainer = core.loadTrainer(withProgress(savedAfter(3), { ...NUMBERS, steps: MAX }));
    const expected = core.createTrainer(OPTIONS);
    const controller = new AbortController();
    const fractions: number[] = [];
    const error = errorOf(() =>
      trainer.rewind(MAX - 1, {
        signal: controller.signal,
        onProgress(fraction) {
          fractions.push(fraction);
          if (fractions.length === 3) controller.abort();
        },
      }),
    );
    expect(error.code).toBe('cancelled');
    expect(error.message).toMatch(new RegExp(`^the rewind was cancelled at step \\d+ on the way to ${MAX - 1}$`));
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(trainer.step).toBeGreaterThan(0);
    // Where it stopped is a step of the same run.
    expected.run(trainer.step, { recordEvery: trainer.step });
    expect(trainer.matrix('embedding')).toEqual(expected.matrix('embedding'));
    trainer.rewind(2);
    expected.rewind(2);
    expect(trainer.matrix('embedding')).toEqual(expected.matrix('embedding'));
    trainer.dispose();
    expected.dispose();
  });

  test('is rewound by a lab in slices, and can be cancelled between other calls', async () => {
    const lab = await createLab();
    const trainer = await lab.loadTrainer(withProgress(savedAfter(3), { ...NUMBERS, steps: MAX }));
    const controller = new AbortController();
    const rewound = trainer.rewind(MAX - 1, {
      signal: controller.signal,
      onProgress: (fraction) => fraction > 0 && controller.abort(),
    });
    // Answered during the replay.
    expect((await trainer.parameters()).length).toBe(2);
    const error = await rewound.then(
      () => null,
      (thrown: unknown) => thrown as TiedError,
    );
    expect(error?.code).toBe('cancelled');
    await trainer.rewind(1);
    expect(trainer.step).toBe(1);
    lab.dispose();
  });
});

test('a listener is called at the end of a rewind', () => {
  const trainer = core.createTrainer(OPTIONS);
  trainer.run(30);
  const fractions: number[] = [];
  trainer.rewind(7, { onProgress: (fraction) => fractions.push(fraction) });
  expect(trainer.step).toBe(7);
  expect(fractions.at(-1)).toBe(1);
  trainer.dispose();
});

test.each([
  ['a listener that is none', { onProgress: 3 }, /^options\.onProgress is 3; expected a function/],
  ['a signal that is none', { signal: true }, /^options\.signal is true; expected /],
  ['an unknown option', { every: 3 }, /^options\.every is not an option; expected /],
])('a rewind refuses %s', (_, options, message) => {
  const trainer = core.createTrainer(OPTIONS);
  expectError(() => trainer.rewind(0, options as never), 'invalid-argument', message);
  trainer.dispose();
});

test('a rewind whose signal was aborted before it began changes nothing', () => {
  const trainer = core.createTrainer(OPTIONS);
  trainer.run(3);
  expectError(() => trainer.rewind(0, { signal: AbortSignal.abort() }), 'cancelled', /before it began/);
  expect(trainer.step).toBe(3);
  trainer.dispose();
});

describe('a run whose step fails', () => {
  const notFinite = new TiedError('not-finite', 'loss is NaN; expected a finite loss');
  const failing = (advance: (most: number) => number) => {
    const fails = (): never => {
      throw notFinite;
    };
    const records: StepRecord[] = [];
    return new RunningWork(
      'run',
      runInParts(
        { steps: 10, recordEvery: 1 },
        false,
        { runSteps: fails, wayBack: () => replay(20, advance), partners: null },
        records,
      ),
    );
  };

  test('returns to the last good step in parts, and then throws', () => {
    let step = 16;
    const run = failing((most) => (step = Math.min(20, step + most)));
    run.take(10);
    expect(run.finished).toBe(false);
    run.take(3);
    expect(step).toBe(19);
    expect(run.finished).toBe(false);
    expect(errorOf(() => run.take(3))).toBe(notFinite);
    expect(step).toBe(20);
  });

  test('throws the original error if the replay fails too', () => {
    const run = failing(() => {
      throw new TiedError('not-finite', 'another');
    });
    run.take(10);
    expect(errorOf(() => run.take(3))).toBe(notFinite);
  });

  test('leaves the trainer at the last step whose loss was finite', () => {
    const wild: TrainerOptions = { ...OPTIONS, training: { ...OPTIONS.training, learningRate: 1e6 } };
    const trainer = core.createTrainer(wild);
    expectError(() => trainer.run(1000), 'not-finite', /^(loss|gradientNorm|weight) is /);
    const { step } = trainer;
    expect(step).toBeGreaterThan(0);
    const expected = core.createTrainer(wild);
    expected.run(step);
    expect(trainer.matrix('embedding')).toEqual(expected.matrix('embedding'));
    trainer.dispose();
    expected.dispose();
  });
});
