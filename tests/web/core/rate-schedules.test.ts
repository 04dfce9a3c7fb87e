// Factors of the learning rate per role that change with the step.
import { inflateRawSync } from 'node:zlib';
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
  expect(one.save()).toEqual(constant.save());
  expect(two.toSafetensors()).toEqual(constant.toSafetensors());
  // Its file has another version, and contains the points.
  expect(constant.save()[8]).toBe(3);
  expect(two.save()[8]).toBe(5);
});

describe('a file with constant factors, written before they could change,', () => {
  /** Direct paths of 5 tokens and width 1 after three steps, compressed: the second with a condition. */
  const files: [version: number, tying: TextModelConfig['tying'], file: string][] = [
    [
      3,
      'tied-linear',
      'K8lMTSkpyitiZmBgYGFgYmBkAAFGRkZWBghgZMAPWNDUEaueBU3cAU1/tcg694dVU+xnzQSBnfYEjGU4ewYE3thrt4vdPPf9vb1Vj8GjvkpXO4jsB/uP' +
        'GY87tv54AuF3HHZA1f3AHtUZF+yZUBV8sGdFdy8PuhMYWVgYoQRMiBlK/4eCQ4k1e5jTHu7Zr3R9z4XwtTb/ch7u1mBosM/ky9hjde/Bnj0Lbu+RvL3C' +
        'xu7o6d0MDA32zb4O2YtvRXgCAA==',
    ],
    [
      4,
      { untieWhen: { inputShare: { above: 0.9 }, over: 5, from: 0 } },
      'K8lMTSkpyitiYWBgAGFGBhBgZGRkZGWAAEYG/IAFTR2x6lnQxB3Q9LOiyVeLrHN/WDXFftZMENhpT8AahrNnQOCNvXa72M1z39/bW/UYPOqrdLWDyH6w' +
        '/5jxuGPrjycQfsdhB1TdD+xRnXXBHmYeE6rCD/as6P7gQXcKIwsLI5SACTFD6f9QoNwVpnPR5609M5rWg4k1e5jTHu45oHR9z/nwtTY/ch7uzuTL2GN1' +
        '78GePQtu75G8vcLG7ujp3SpvxbNvvMxdBgA=',
    ],
  ];
  test.each(files)('of version %i, opens and is saved again unchanged', (version, tying, base64) => {
    const file = new Uint8Array(inflateRawSync(Buffer.from(base64, 'base64')));
    expect(file[8]).toBe(version);
    const trainer = core.loadTrainer(file);
    expect([trainer.step, trainer.model.tying]).toEqual([3, tying]);
    expect(trainer.training.learningRateMultipliers).toEqual({ embedding: 0.5, unembedding: 2, inner: 0.25 });
    expect(trainer.training.inputGradientScale).toEqual([
      [0, 1],
      [5, 2],
    ]);
    expect(trainer.save()).toEqual(file);
    trainer.run(5);
    trainer.rewind(3);
    expect(trainer.save()).toEqual(file);
  });
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
