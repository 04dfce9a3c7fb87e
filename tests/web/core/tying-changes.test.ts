/** Tying that changes more than once in a run. */
import { describe, expect, test } from 'vitest';
import { createLab, loadCore, type Trainer, type TransformerConfig, type TyingChange } from '../../../web/index.js';
import { bitsOf, SMALL, smallTrainer, SMALL_TRAINING, stream } from './small-transformers.js';

const core = await loadCore({ modules: ['diagnostics', 'readout'] });
const tokenIds = stream(core);
const make = (tying: TransformerConfig['tying']): Trainer =>
  smallTrainer(core, tokenIds, tying, { training: { seed: 5 } });

const STEPS = 40;
const ALWAYS = { above: 0 };
const NEVER = { above: 1 };

const PLANS: readonly (readonly [TyingChange, TyingChange, ...TyingChange[]])[] = [
  [{ untieAtStep: 8 }, { tieAtStep: 20 }],
  [{ tieAtStep: 8 }, { untieAtStep: 20 }, { tieAtStep: 21 }],
  [{ untieWhen: { inputShare: ALWAYS, over: 5, from: 0 } }, { tieWhen: { inputShare: ALWAYS, over: 4, from: 3 } }],
  [{ untieAtStep: 6 }, { tieWhen: { inputShare: ALWAYS, over: 4, from: 2 } }, { untieAtStep: 30 }],
];
const STEPS_OF = [
  [8, 20],
  [8, 20, 21],
  [5, 12],
  [6, 12, 30],
];

describe.each(PLANS.map((tying, i) => ({ tying, at: STEPS_OF[i]! })))('$tying', ({ tying, at }) => {
  const begins = 'untieAtStep' in tying[0] || 'untieWhen' in tying[0];

  test('unties and ties at these steps, and reports them', () => {
    const trainer = make(tying);
    expect(trainer.model.tying).toEqual(tying);
    for (let step = 0; step <= STEPS; step++) {
      const made = at.filter((one) => one <= step);
      expect(trainer.tyingChanges).toEqual(made);
      expect(trainer.tyingChangedAt).toBe(made.at(-1) ?? null);
      expect(trainer.parameters()[1]!.tiedTo === 'embedding').toBe(begins === (made.length % 2 === 0));
      trainer.run(1);
    }
  });

  test('has the same bits as with the first change alone up to the second, and others after it', () => {
    const [trainer, alone] = [make(tying), make(tying[0])];
    trainer.run(at[1]! - 1);
    alone.run(at[1]! - 1);
    expect(bitsOf(trainer)).toBe(bitsOf(alone));
    trainer.run(2);
    alone.run(2);
    expect(bitsOf(trainer)).not.toBe(bitsOf(alone));
  });

  test('can be rewound over all changes, and continues from a file between them, with the same bits', () => {
    const trainer = make(tying);
    const bits = [bitsOf(trainer)];
    for (let step = 1; step <= STEPS; step++) {
      trainer.run(1);
      bits.push(bitsOf(trainer));
    }
    for (const step of [at[0]! - 1, at[1]!, at[0]! + 1, 0, at[1]! - 1, STEPS, 2]) {
      trainer.rewind(step);
      expect(bitsOf(trainer)).toBe(bits[step]);
      expect(trainer.tyingChanges).toEqual(at.filter((one) => one <= step));
    }
    for (const step of [1, at[1]! - 1, at[1]!]) {
      trainer.rewind(step);
      const file = trainer.save();
      const loaded = core.loadTrainer(file);
      expect(loaded.model).toEqual(trainer.model);
      loaded.run(STEPS - step);
      expect(bitsOf(loaded)).toBe(bits[STEPS]);
      expect(loaded.tyingChanges).toEqual(at);
      loaded.dispose();
    }
    trainer.dispose();
  });

  test('is reported by the model card', () => {
    const trainer = make(tying);
    const ids = tokenIds.slice(0, 200);
    expect(trainer.modelCard({ tokenIds: ids }).data.coupling).toMatchObject({ tying, tyingChanges: [] });
    trainer.run(STEPS);
    const { data, markdown } = trainer.modelCard({ tokenIds: ids });
    expect(data.coupling).toMatchObject({ tying, tyingChangedAt: at.at(-1), tyingChanges: at });
    expect(markdown).toMatch(new RegExp(`Coupling of the tables: .*, then .*: at steps ${at.join(', ')}\n`));
  });

  test('is a plain, read-only list', () => {
    const found = make(tying).model.tying as readonly TyingChange[];
    expect([found, ...found].every(Object.isFrozen)).toBe(true);
  });
});

test('a change whose condition does not hold before the next given step is skipped', () => {
  const trainer = make([
    { untieWhen: { inputShare: NEVER, over: 3 } },
    { tieAtStep: 10 },
    { untieWhen: { inputShare: ALWAYS, over: 4 } },
  ]);
  trainer.run(STEPS);
  expect(trainer.tyingChanges).toEqual([14]);
});

test('a list of one change equals that change', () => {
  const without = smallTrainer(core, tokenIds, [{ untieAtStep: 10 }]);
  expect(without.model.tying).toMatchObject({ untieAtStep: 10 });
  expect(without.save()).toEqual(smallTrainer(core, tokenIds, { untieAtStep: 10 }).save());
});

test('an untied trainer with several changes needs as much memory as with one', () => {
  const estimate = (tying: TransformerConfig['tying']) => core.estimateMemory({ ...SMALL, tying }, SMALL_TRAINING);
  expect(estimate([{ tieAtStep: 8 }, { untieAtStep: 20 }])).toEqual(estimate({ tieAtStep: 8 }));
});

test('works for direct paths, also on a table of pairs', () => {
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: 3, dModel: 3, tying: [{ untieAtStep: 2 }, { tieAtStep: 4 }] },
    training: { learningRate: 0.1, seed: 1 },
    bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), 3).counts,
  });
  trainer.run(9);
  expect(trainer.tyingChanges).toEqual([2, 4]);
});

test('several changes work with another head', async () => {
  const core = await loadCore({ modules: ['models'] });
  const trainer = smallTrainer(core, tokenIds, PLANS[0]!, { model: { head: { kind: 'sampled', samples: 4 } } });
  trainer.run(30);
  const loaded = core.loadTrainer(trainer.save());
  expect([loaded.tyingChanges, loaded.model]).toEqual([[8, 20], trainer.model]);
  expect(bitsOf(loaded)).toBe(bitsOf(trainer));
});

test('a lab has the same bits as the core', async () => {
  const file = make(PLANS[0]!).save();
  const lab = await createLab();
  const options = { model: { ...SMALL, tying: PLANS[0]! }, training: SMALL_TRAINING, tokenIds };
  const [there, here] = [await lab.createTrainer(options), core.createTrainer(options)];
  await there.run(25);
  here.run(25);
  expect(await there.save()).toEqual(here.save());
  expect([there.tyingChanges, there.tyingChangedAt]).toEqual([[8, 20], 20]);
  await there.rewind(9);
  expect([there.tyingChanges, there.tyingChangedAt]).toEqual([[8], 8]);
  expect((await lab.loadTrainer(file)).model.tying).toEqual(PLANS[0]);
  const corpus = await lab.openCorpus(tokenIds, { vocabSize: SMALL.vocabSize });
  const model = { ...options.model, vocabSize: undefined };
  const arms = {
    twice: { model, training: SMALL_TRAINING },
    tied: { model: { ...model, tying: 'tied' as const }, training: SMALL_TRAINING },
  };
  const comparison = await lab.compare(corpus, { arms, steps: 24 });
  await comparison.play();
  const changes = () => comparison.names.map((name) => comparison.arm(name).tyingChanges);
  expect(changes()).toEqual([[8, 20], []]);
  expect(comparison.arm('twice').tyingChangedAt).toBe(20);
  await comparison.lookBack(12);
  expect(changes()).toEqual([[8], []]);
  lab.dispose();
});
