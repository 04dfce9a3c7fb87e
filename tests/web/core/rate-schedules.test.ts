// Factors of the learning rate per role that change with the step.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type TextModelConfig, type Trainer, type TrainingConfig } from '../../../web/index.js';
import { smallTrainer, stream } from './small-transformers.js';
import { expectError } from './support.js';

type Multipliers = TrainingConfig['learningRateMultipliers'];

let core: Core;
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore();
  tokenIds = stream(core);
});

const make = (tying: TextModelConfig['tying'], learningRateMultipliers: Multipliers): Trainer =>
  smallTrainer(core, tokenIds, tying, { training: { learningRateMultipliers } });

test('each role moves at the factor of the current step, also after a rewind and from a file', () => {
  const multipliers: Multipliers = {
    // No movement up to and including the fourth step; movement up to the fifth; a constant.
    embedding: [
      [3, 0],
      [4, 1],
    ],
    unembedding: [
      [4, 1],
      [5, 0],
    ],
    inner: 0.5,
  };
  const trainer = make('untied', multipliers);
  expect(trainer.training.learningRateMultipliers).toEqual(multipliers);
  const movedBy = (steps: number): boolean[] => {
    const names = ['embedding', 'unembedding', 'positions'];
    const starts = names.map((name) => trainer.matrix(name).data.slice());
    trainer.run(steps);
    return names.map((name, i) => trainer.matrix(name).data.some((x, at) => x !== starts[i]![at]));
  };
  expect(movedBy(4)).toEqual([false, true, true]);
  const file = trainer.save();
  expect(movedBy(1)).toEqual([true, true, true]);
  expect(movedBy(3)).toEqual([true, false, true]);
  const end = trainer.save();
  trainer.rewind(4);
  expect(trainer.save()).toEqual(file);
  trainer.run(4);
  expect(trainer.save()).toEqual(end);
  const copy = core.loadTrainer(file);
  expect(copy.training).toEqual(trainer.training);
  copy.run(4);
  expect(copy.save()).toEqual(end);
  // The options of one trainer can be passed to another.
  expect(make('untied', copy.training.learningRateMultipliers).training).toEqual(trainer.training);
});

test('a schedule with one value has the same bits as the constant, and a single pair is a schedule', () => {
  const constant = make('tied', { embedding: 0.5 });
  const one = make('tied', { embedding: [[7, 0.5]] });
  const two = make('tied', {
    embedding: [
      [0, 0.5],
      [7, 0.5],
    ],
  });
  for (const trainer of [constant, one, two]) trainer.run(10);
  expect(one.training.learningRateMultipliers).toEqual({ embedding: 0.5, unembedding: 1, inner: 1 });
  for (const trainer of [one, two]) expect(trainer.toSafetensors()).toEqual(constant.toSafetensors());
});

test('completed options are frozen', () => {
  const { learningRateMultipliers } = make('tied', {
    inner: [
      [0, 1],
      [5, 2],
    ],
  }).training;
  const { inner } = learningRateMultipliers!;
  expect([learningRateMultipliers, inner, (inner as unknown[])[0]].every(Object.isFrozen)).toBe(true);
});

describe('an invalid schedule is refused by name', () => {
  const inner = 'training\\.learningRateMultipliers\\.inner';
  const cases: [what: string, schedule: unknown, message: string][] = [
    ['no pairs', [], `^${inner} is an array of 0; expected a number, or 1 to 16 pairs \\[step, value\\]$`],
    ['too many', Array.from({ length: 17 }, (_, i) => [i, 1]), `^${inner} is an array of 17; expected a number, or 1`],
    ['a number among pairs', [[0, 1], 5], `^${inner}\\[1\\] is 5; expected a pair \\[step, value\\]$`],
    ['a hole', Object.assign([[0, 1]], { length: 2 }), `^${inner}\\[1\\] is undefined; expected a pair`],
    ['no step', [[-1, 1]], `^${inner}\\[0\\]\\[0\\] is -1; expected an integer`],
    ['a negative factor', [[0, -1]], `^${inner}\\[0\\]\\[1\\] is -1; expected a number from 0`],
    ['steps out of order', [[5, 1], [4, 1]], `^${inner}\\[1\\]\\[0\\] is 4; expected a step after the one before it, 5$`], // prettier-ignore
    ['text', '1', `^${inner} is '1'; expected a number`],
  ];
  test.each(cases)('%s', (_, schedule, message) => {
    expectError(() => make('tied', { inner: schedule as number }), 'invalid-argument', new RegExp(message));
  });
});

test('a factor that is not finite is refused by its index', () => {
  const call = () => make('tied', { unembedding: [[0, Infinity]] });
  expectError(call, 'not-finite', /^training\.learningRateMultipliers\.unembedding\[0\]\[1\] is Infinity; expected a/);
});

test('a card reports changing factors, with the current value and the values at their steps', async () => {
  const trainer = make('untied', {
    unembedding: [
      [0, 2],
      [10, 1],
    ],
  });
  trainer.run(5);
  const whole = await loadCore({ modules: ['readout', 'diagnostics'] });
  const { data, markdown } = whole.loadTrainer(trainer.save()).modelCard({ tokenIds: tokenIds.slice(0, 20) });
  const { training } = data.coupling;
  if ('notMeasured' in training) throw new Error(training.notMeasured);
  expect(training.learningRateMultipliers.unembedding.now).toBe(1.5);
  expect(markdown).toContain('- Factor of the learning rate, unembedding: 1.5 now (2 at step 0, 1 at step 10)\n');
  expect(markdown).not.toContain('learning rate, all else');
});
