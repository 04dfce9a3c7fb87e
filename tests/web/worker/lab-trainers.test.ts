// Trainers that are distributed over several workers: their number, bits and end, and what happens when a worker dies.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLab } from '../../../web/index.js';
import type { Lab, LabTrainer, LabTrainerOptions } from '../../../web/core/types.js';
import { rejection } from './lab-tests.js';
import { fakeWorkerClass, workerScript, type FakeWorkerClass } from './node-worker.js';

let Workers: FakeWorkerClass;
beforeAll(async () => {
  Workers = fakeWorkerClass(await workerScript());
  vi.stubGlobal('Worker', Workers);
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
});
afterAll(() => vi.unstubAllGlobals());

const training = { learningRate: 0.01, batchSize: 4, seed: 3 } as const;
const tokenIds = Uint32Array.from({ length: 60 }, (_, at) => (at * at) % 5);
const paths = (['tied', 'untied', 'tied'] as const).map((tying): LabTrainerOptions => ({
  model: { kind: 'direct-path', vocabSize: 5, dModel: 3, tying },
  training,
  tokenIds,
}));

/** Encoder-decoders on the same pairs, with the tokenizer of the lab. */
async function translators(lab: Lab): Promise<LabTrainerOptions[]> {
  const texts = await lab.writePairs({ task: 'reversal', seed: 1, count: 40, length: 3 });
  const tokenizer = await lab.pairTokenizer(texts);
  const { pairs, sourceLength, contextLength } = await lab.encodePairs({ pairs: texts, tokenizer });
  const shape = { kind: 'encoder-decoder', dModel: 8, nEncoderLayers: 1, nDecoderLayers: 1, nHeads: 2 } as const;
  const { vocabSize } = tokenizer;
  return (['all', 'decoder', 'none'] as const).map((tying) => ({
    model: { ...shape, vocabSize, tying, sourceLength, contextLength },
    ...{ training, pairs, tokenizer },
  }));
}

describe('createTrainers', () => {
  test.each([
    ['direct paths', () => Promise.resolve(paths)],
    ['encoder-decoders with a tokenizer', translators],
  ])('makes %s in two workers with the same bits as in one', async (_, optionsOf) => {
    const lab = await createLab();
    const options = await optionsOf(lab);
    const before = Workers.made.length;
    const trainers = await lab.createTrainers(options);
    expect(Workers.made.length).toBe(before + 1);
    const runs = await Promise.all(trainers.map((trainer) => trainer.run(6, { columns: true })));
    for (const [i, one] of options.entries()) {
      const alone = await lab.createTrainer(one);
      expect((await alone.run(6, { columns: true })).loss).toEqual(runs[i]!.loss);
      expect(await alone.save()).toEqual(await trainers[i]!.save());
      alone.dispose();
    }
    lab.dispose();
    expect((await rejection(trainers[1]!.run(1))).code).toBe('disposed');
  });

  test('keeps the text of a tokenizer in the other worker, after the lab’s own was disposed of', async () => {
    const lab = await createLab();
    const options = await translators(lab);
    const trainers = await lab.createTrainers(options);
    options[0]!.tokenizer!.dispose();
    for (const trainer of trainers)
      expect((await trainer.translate({ source: 'abc' })).text).toEqual(expect.any(String));
    lab.dispose();
  });

  test('ends the other worker with its last trainer, and opens one for the next', async () => {
    const lab = await createLab();
    const [one, , three] = paths as [LabTrainerOptions, LabTrainerOptions, LabTrainerOptions];
    const trainers = await lab.createTrainers([one, three, one, three]);
    const { thread } = Workers.made.at(-1)!;
    const exited = new Promise((resolve) => thread.once('exit', resolve));
    trainers[1]!.dispose();
    expect(await trainers[3]!.run(2)).toHaveLength(2);
    trainers[3]!.dispose();
    await exited;
    expect(await trainers[0]!.run(2)).toHaveLength(2);
    const before = Workers.made.length;
    await lab.createTrainers([one, three]);
    expect(Workers.made.length).toBe(before + 1);
    lab.dispose();
  });

  test('reports that the trainers of a dead worker are gone, and continues with the others', async () => {
    const lab = await createLab();
    const trainers = await lab.createTrainers(paths);
    const { thread, crash } = Workers.made.at(-1)!;
    const exited = new Promise((resolve) => thread.once('exit', resolve));
    crash();
    await exited;
    const error = await rejection(trainers[1]!.run(1));
    expect(error.code).toBe('stopped');
    expect(error.message).toMatch(/create what it trained again$/);
    expect(await trainers[0]!.run(1)).toHaveLength(1);
    expect(await trainers[2]!.run(1)).toHaveLength(1);
    const again = await lab.createTrainers(paths);
    expect(await again[1]!.run(1)).toHaveLength(1);
    lab.dispose();
  });

  test('copies its options before it waits for anything', async () => {
    const lab = await createLab();
    const mine = Uint32Array.from(tokenIds);
    const creating = lab.createTrainers(paths.map((one) => ({ ...one, tokenIds: mine }) as LabTrainerOptions));
    mine.fill(0);
    const [changed] = await creating;
    const [unchanged] = await lab.createTrainers(paths);
    const losses = async (of: LabTrainer): Promise<number[]> => (await of.run(3)).map(({ loss }) => loss);
    expect(await losses(changed!)).toEqual(await losses(unchanged!));
    lab.dispose();
  });

  test('refuses invalid options with their index in the list, makes no trainer, and the lab continues', async () => {
    const lab = await createLab();
    const bad = {
      ...paths[0]!,
      model: { kind: 'direct-path', vocabSize: 5, dModel: 0, tying: 'tied' },
    } as LabTrainerOptions;
    for (const place of [0, 1, 2]) {
      const error = await rejection(lab.createTrainers(paths.map((one, i) => (i === place ? bad : one))));
      expect(error.code).toBe('invalid-argument');
      expect(error.message).toMatch(new RegExp(`^options\\[${String(place)}\\]: model\\.dModel is 0; expected`));
    }
    for (const value of [undefined, null, 5, {}, [], 'abc']) {
      const error = await rejection(lab.createTrainers(value as never));
      expect(error.message).toMatch(/^options is .*; expected a list of the options of at least one trainer$/);
    }
    for (const value of [undefined, null, 5, [], () => 1])
      expect((await rejection(lab.createTrainers([paths[0]!, value as never]))).message).toMatch(/^options\[1\] is /);
    const foreign = await createLab();
    const tokenizer = await foreign.trainTokenizer('abcd', { kind: 'character' });
    for (const place of [0, 1]) {
      const list = paths.map((one, i) => (i === place ? { ...one, tokenizer } : one)) as LabTrainerOptions[];
      expect((await rejection(lab.createTrainers(list))).message).toMatch(
        new RegExp(`^options\\[${String(place)}\\]\\.tokenizer `),
      );
    }
    expect(await lab.createTrainers(paths)).toHaveLength(3);
    foreign.dispose();
    lab.dispose();
  });

  test('uses one worker on a machine with one core', async () => {
    vi.stubGlobal('navigator', { hardwareConcurrency: 1 });
    const lab = await createLab();
    vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
    const before = Workers.made.length;
    const trainers = await lab.createTrainers(paths);
    expect(Workers.made.length).toBe(before);
    expect(await Promise.all(trainers.map((trainer) => trainer.run(2)))).toHaveLength(3);
    lab.dispose();
  });
});
