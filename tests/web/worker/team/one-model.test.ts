// One model in several workers, with the real core in Node threads: the bits of one worker, whatever happens to the others.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLab, loadCore } from '../../../../web/index.js';
import type { Core, Lab, LabTrainer, LabTrainerOptions, TrainerOptions } from '../../../../web/core/types.js';
import { rejection } from '../lab-tests.js';
import { eagerWorkerScript, fakeWorkerClass, type FakeWorkerClass } from '../node-worker.js';

let Workers: FakeWorkerClass;
let core: Core;
beforeAll(async () => {
  [Workers, core] = [fakeWorkerClass(await eagerWorkerScript()), await loadCore()];
  vi.stubGlobal('Worker', Workers);
});
afterAll(() => vi.unstubAllGlobals());

const tokenIds = Uint32Array.from({ length: 300 }, (_, at) => (at * at + (at >> 3)) % 11);
const SHAPE = {
  kind: 'transformer',
  dModel: 8,
  nLayers: 1,
  nHeads: 2,
  contextLength: 6,
  dropout: 0.1,
  tying: 'tied',
} as const;
type Options = TrainerOptions & LabTrainerOptions;
const SHARDS = 5;
const training = { learningRate: 0.01, batchSize: 7, seed: 3, shards: SHARDS } as const;
const options: Options = { model: { ...SHAPE, vocabSize: 11 }, training, tokenIds };

/** The trainer's file after these acts on one thread. */
async function alone(act: (trainer: ReturnType<Core['createTrainer']>) => void, of = options): Promise<Uint8Array> {
  const trainer = core.createTrainer(of);
  act(trainer);
  const file = trainer.save();
  trainer.dispose();
  return Promise.resolve(file);
}

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Runs single steps until so many workers are at work. */
async function together(trainer: LabTrainer, threads: number): Promise<number> {
  let steps = 0;
  for (; trainer.threads < threads; steps++) {
    await trainer.run(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return steps;
}

async function withLab(threads: number, act: (lab: Lab, trainer: LabTrainer) => Promise<void>, of = options) {
  const lab = await createLab({ threads });
  try {
    await act(lab, await lab.createTrainer(of));
  } finally {
    lab.dispose();
  }
}

describe('a model that several workers train', () => {
  test.each([2, 3, 5])('has the bits of one worker: %i', async (threads) => {
    await withLab(threads, async (_, trainer) => {
      expect(trainer.threads).toBe(1);
      const before = await together(trainer, threads);
      const records = await trainer.run(20, { recordEvery: 5 });
      expect(trainer.threads).toBe(threads);
      const twin = core.createTrainer(options);
      twin.run(before);
      const expected = twin.run(20, { recordEvery: 5 });
      expect(records.map((record) => ({ ...record, tokensPerSecond: 0 }))).toEqual(
        expected.map((record) => ({ ...record, tokensPerSecond: 0 })),
      );
      expect(same(await trainer.save(), twin.save())).toBe(true);
      twin.dispose();
    });
  });

  test('has no more workers than shards, and one where the lab allows one', async () => {
    await withLab(8, async (_, trainer) => void (await together(trainer, SHARDS)));
    const before = Workers.made.length;
    await withLab(1, async (_, trainer) => {
      await trainer.run(20);
      expect(trainer.threads).toBe(1);
    });
    expect(Workers.made.length).toBe(before + 1);
    await withLab(
      4,
      async (_, trainer) => {
        await trainer.run(20);
        expect(trainer.threads).toBe(1);
      },
      { ...options, training: { ...training, shards: 1 } },
    );
    expect(Workers.made.length).toBe(before + 2);
  });

  test('can be rewound, changed, saved and loaded between its runs', async () => {
    await withLab(3, async (lab, trainer) => {
      const before = await together(trainer, 3);
      await trainer.run(8);
      await trainer.rewind(4);
      await trainer.run(3);
      const table = await trainer.matrix('embedding');
      const changed = { ...table, data: table.data.map((value) => value / 2) };
      await trainer.setMatrix('embedding', changed);
      await trainer.run(3);
      const file = await trainer.save();
      await trainer.run(5);
      const loaded = await lab.loadTrainer(file);
      await together(loaded, 1);
      await loaded.run(5);
      expect(same(await loaded.save(), await trainer.save())).toBe(true);
      const expected = await alone((twin) => {
        twin.run(before + 8);
        twin.rewind(4);
        twin.run(3);
        twin.setMatrix('embedding', changed);
        twin.run(8);
      });
      expect(same(await trainer.save(), expected)).toBe(true);
    });
  });

  test('can be read while it trains', async () => {
    await withLab(2, async (_, trainer) => {
      const before = await together(trainer, 2);
      const running = trainer.run(30);
      const [{ loss }] = await Promise.all([trainer.evaluate(), trainer.gradient(), trainer.matrix('embedding')]);
      expect(loss).toBeGreaterThan(0);
      await running;
      expect(same(await trainer.save(), await alone((twin) => twin.run(before + 30)))).toBe(true);
    });
  });

  test('does no more steps once its run is cancelled, and goes on from there', async () => {
    await withLab(3, async (_, trainer) => {
      await together(trainer, 3);
      const controller = new AbortController();
      const steps: number[] = [];
      const error = await rejection(
        trainer.run(1_000_000, {
          signal: controller.signal,
          recordEvery: 1000,
          onProgress: (_, { step }) => {
            steps.push(step);
            if (steps.length === 2) controller.abort();
          },
        }),
      );
      expect(error.code).toBe('cancelled');
      const { step } = trainer;
      await new Promise((resolve) => setTimeout(resolve, 50));
      const file = await trainer.save();
      expect(trainer.step).toBe(step);
      expect(same(file, await alone((twin) => twin.run(step)))).toBe(true);
      await trainer.run(10);
      expect(same(await trainer.save(), await alone((twin) => twin.run(step + 10)))).toBe(true);
    });
  });

  test('keeps its bits when workers die in the middle of a run, and finds others', async () => {
    await withLab(3, async (_, trainer) => {
      const first = Workers.made.length;
      let steps = await together(trainer, 3);
      for (const which of [0, 1]) {
        let crashed = false;
        await trainer.run(60, {
          recordEvery: 1,
          onProgress: () => {
            if (!crashed) Workers.made[first + which]!.crash();
            crashed = true;
          },
        });
        steps += 60;
      }
      steps += await together(trainer, 3);
      await trainer.run(5);
      expect(same(await trainer.save(), await alone((twin) => twin.run(steps + 5)))).toBe(true);
    });
  });

  test.each([2, 3])('of %i goes on without one that neither answers nor ends', async (threads) => {
    const Impatient = fakeWorkerClass(await eagerWorkerScript({ hungMs: 500, pauseMs: 1_000_000 }));
    vi.stubGlobal('Worker', Impatient);
    await withLab(threads, async (lab, trainer) => {
      const before = await together(trainer, threads);
      const { hang, thread } = Impatient.made.at(-1)!;
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      hang();
      let steps = before;
      for (; trainer.threads === threads; steps += 20) await trainer.run(20);
      await ended;
      expect(trainer.threads).toBe(threads - 1);
      expect(lab.threads).toBe(threads - 1);
      expect(same(await trainer.save(), await alone((twin) => twin.run(steps)))).toBe(true);
    });
    vi.stubGlobal('Worker', Workers);
  });

  test('frees its workers with the trainer', async () => {
    await withLab(2, async (_, trainer) => {
      await together(trainer, 2);
      const { thread } = Workers.made.at(-1)!;
      const exited = new Promise((resolve) => thread.once('exit', resolve));
      trainer.dispose();
      await exited;
    });
  });

  test('that fails stays where it was, and trains on', async () => {
    await withLab(3, async (_, trainer) => {
      const before = await together(trainer, 3);
      const name = 'final_norm.weight';
      const table = await trainer.matrix(name);
      const huge = { ...table, data: table.data.map(() => 3e38) };
      await trainer.setMatrix(name, huge);
      const error = await rejection(trainer.run(4));
      expect(error.code).toBe('not-finite');
      await trainer.setMatrix(name, table);
      await trainer.run(6);
      expect(trainer.threads).toBe(3);
      const expected = await alone((twin) => {
        twin.run(before);
        twin.setMatrix(name, huge);
        expect(() => twin.run(4)).toThrow(error.message);
        twin.setMatrix(name, table);
        twin.run(6);
      });
      expect(same(await trainer.save(), expected)).toBe(true);
    });
  });

  test('may need a module that only its kind needs', async () => {
    const sampled: Options = {
      ...options,
      model: {
        ...SHAPE,
        vocabSize: 11,
        head: { kind: 'sampled' as const, samples: 3, proposal: 'log-uniform' as const },
      },
    };
    const expected = await loadCore({ modules: ['models'] });
    await withLab(
      2,
      async (_, trainer) => {
        const before = await together(trainer, 2);
        await trainer.run(6);
        const twin = expected.createTrainer(sampled);
        twin.run(before + 6);
        expect(trainer.threads).toBe(2);
        expect(same(await trainer.save(), twin.save())).toBe(true);
      },
      sampled,
    );
    expected.dispose();
  });

  test('is an arm of a comparison, whose workers come first', async () => {
    const lab = await createLab({ threads: 3 });
    const corpus = await lab.openCorpus(tokenIds, { vocabSize: 11 });
    const { learningRate, batchSize, shards } = training;
    const arm = { model: SHAPE, training: { learningRate, batchSize, shards } };
    const comparison = await lab.compare(corpus, {
      arms: { one: arm, other: { ...arm, model: { ...SHAPE, tying: 'untied' } } },
      seed: 3,
    });
    for (let frame = 0; frame < 10; frame++) await comparison.next({ steps: 5 });
    const saved = await comparison.arm('one').save();
    const twin = core.compare(core.openCorpus(tokenIds, { vocabSize: 11 }), { arms: { one: arm }, seed: 3 });
    for (let frame = 0; frame < 10; frame++) twin.next({ steps: 5 });
    expect(same(saved, twin.arm('one').save())).toBe(true);
    twin.dispose();
    comparison.dispose();
    lab.dispose();
  });
});

test.each([0, 9, 1.5, '2', null])('threads of a lab are a whole number from 1 to 8: %o', async (threads) => {
  const error = await rejection(createLab({ threads: threads as number }));
  expect(error.code).toBe('invalid-argument');
  expect(error.message).toMatch(/^options\.threads is /);
});
