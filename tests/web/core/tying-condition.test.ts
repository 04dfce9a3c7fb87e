/** Tying that changes once a measured condition holds. */
import { describe, expect, test } from 'vitest';
import { loadCore, type TextModelConfig, type Trainer, type TyingCondition } from '../../../web/index.js';
import { bitsOf, smallTrainer, stream } from './small-transformers.js';

const core = await loadCore({ modules: ['diagnostics', 'readout'] });
const tokenIds = stream(core);
const make = (tying: TextModelConfig['tying']): Trainer =>
  smallTrainer(core, tokenIds, tying, { training: { seed: 5 } });

const OVER = 4;
const STEPS = 40;

/** A condition that first holds at the end of a block after the first, and that step, from the records of a run without it. */
function decidedBy(shares: readonly number[]): { condition: TyingCondition; at: number } {
  const means = Array.from({ length: STEPS / OVER / 2 }, (_, i) => {
    const block = shares.slice(i * OVER, (i + 1) * OVER);
    return block.reduce((sum, share) => sum + share, 0) / OVER;
  });
  for (const [i, mean] of means.entries()) {
    const before = means.slice(0, i);
    const [least, most] = [Math.min(...before), Math.max(...before)];
    const at = (i + 1) * OVER;
    if (i > 0 && mean < least) return { condition: { inputShare: { below: (mean + least) / 2 }, over: OVER }, at };
    if (i > 0 && mean > most) return { condition: { inputShare: { above: (mean + most) / 2 }, over: OVER }, at };
  }
  throw new Error('No block differs from those before it.');
}

const sharesOf = (tying: 'tied' | 'untied'): number[] =>
  make(tying)
    .run(STEPS)
    .map(({ inputShare }) => inputShare);

const CASES = (['tied', 'untied'] as const).map((first) => {
  const { condition, at } = decidedBy(sharesOf(first));
  const [tying, scheduled]: TextModelConfig['tying'][] =
    first === 'tied' ? [{ untieWhen: condition }, { untieAtStep: at }] : [{ tieWhen: condition }, { tieAtStep: at }];
  return { first, tying: tying!, scheduled: scheduled!, at, condition };
});

describe.each(CASES)('a $first model', ({ tying, scheduled, at, condition, first }) => {
  test('changes at the end of the block, with the same bits as a model that changes at this step', () => {
    const trainer = make(tying);
    const other = make(scheduled);
    for (let step = 1; step <= at + 3; step++) {
      trainer.run(1);
      other.run(1);
      expect(bitsOf(trainer)).toBe(bitsOf(other));
      expect(trainer.tyingChangedAt).toBe(step < at ? null : at);
      expect(other.tyingChangedAt).toBe(trainer.tyingChangedAt);
    }
  });

  test('has the same bits with and without records', () => {
    const [recorded, silent] = [make(tying), make(tying)];
    expect(recorded.run(STEPS)).toHaveLength(STEPS);
    expect(silent.run(STEPS, { recordEvery: STEPS })).toHaveLength(1);
    expect(bitsOf(silent)).toBe(bitsOf(recorded));
    expect([silent.tyingChangedAt, recorded.tyingChangedAt]).toEqual([at, at]);
  });

  test('can be rewound to before, inside and after the block, and repeats the same bits', () => {
    const trainer = make(tying);
    const bits = [bitsOf(trainer)];
    for (let step = 1; step <= STEPS; step++) {
      trainer.run(1);
      bits.push(bitsOf(trainer));
    }
    for (const step of [at - OVER - 1, at - 1, at, at + 5, 0, at - 2, STEPS]) {
      trainer.rewind(step);
      expect(bitsOf(trainer)).toBe(bits[step]);
      expect(trainer.tyingChangedAt).toBe(step < at ? null : at);
    }
  });

  test('continues from a file that was saved inside the block', () => {
    const whole = make(tying);
    whole.run(STEPS);
    const trainer = make(tying);
    trainer.run(at - 2);
    const loaded = core.loadTrainer(trainer.save());
    expect(loaded.tyingChangedAt).toBeNull();
    expect(loaded.model.tying).toEqual(trainer.model.tying);
    loaded.run(STEPS - at + 2);
    expect(bitsOf(loaded)).toBe(bitsOf(whole));
    expect(loaded.tyingChangedAt).toBe(at);
    expect(core.loadTrainer(loaded.save()).tyingChangedAt).toBe(at);
  });

  test('has the complete, read-only condition in its options', () => {
    const { tying: found } = make(tying).model;
    const name = first === 'tied' ? 'untieWhen' : 'tieWhen';
    expect(found).toEqual({ [name]: { ...condition, from: 0 } });
    const inner = (found as Record<string, TyingCondition>)[name]!;
    expect([found, inner, inner.inputShare].every(Object.isFrozen)).toBe(true);
  });

  test('is described by its card before and after the change', () => {
    const trainer = make(tying);
    const ids = tokenIds.slice(0, 200);
    const before = trainer.modelCard({ tokenIds: ids });
    expect(before.data.coupling.tyingChangedAt).toBeNull();
    expect(before.data.coupling.tying).toEqual(trainer.model.tying);
    const [side, share] = Object.entries(condition.inputShare)[0]! as [string, number];
    const limit = Number(share.toPrecision(4));
    const [one, other] = first === 'tied' ? ['tied', 'untied'] : ['untied', 'tied'];
    const text =
      `Coupling of the tables: ${one} until the mean share of the input part in a block of 4 steps is ${side} ${limit} ` +
      `(blocks begin after step 0), then ${other}`;
    expect(before.markdown).toContain(`${text}: not yet\n`);
    trainer.run(at);
    const after = trainer.modelCard({ tokenIds: ids });
    expect(after.data.coupling.tyingChangedAt).toBe(at);
    expect(after.markdown).toContain(`${text}: at step ${at}\n`);
  });
});

test('blocks begin after the first `from` steps', () => {
  const trainer = make({ untieWhen: { inputShare: { above: 0 }, over: 3, from: 5 } });
  trainer.run(20);
  expect(trainer.tyingChangedAt).toBe(8);
});

test('a condition that never holds changes nothing', () => {
  const trainer = make({ untieWhen: { inputShare: { above: 1 }, over: 2 } });
  const tied = make('tied');
  trainer.run(30);
  tied.run(30);
  expect(bitsOf(trainer)).toBe(bitsOf(tied));
  expect([trainer.tyingChangedAt, tied.tyingChangedAt]).toEqual([null, null]);
});

test('setting a matrix starts a new block', () => {
  const trainer = make({ untieWhen: { inputShare: { above: 0 }, over: 6 } });
  trainer.run(4);
  trainer.setMatrix('embedding', trainer.matrix('embedding'));
  trainer.run(5);
  expect(trainer.tyingChangedAt).toBeNull();
  trainer.run(1);
  expect(trainer.tyingChangedAt).toBe(10);
  trainer.rewind(3);
  trainer.run(3);
  expect(trainer.tyingChangedAt).toBe(6);
});
