// Saved arms in two workers: the same bits as without the pause, and refused if their steps differ.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLab, type ComparedArm, type LabComparison } from '../../../web/index.js';
import { rejection } from './lab-tests.js';
import { fakeWorkerClass, workerScript } from './node-worker.js';

beforeAll(async () => {
  vi.stubGlobal('Worker', fakeWorkerClass(await workerScript()));
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
});
afterAll(() => vi.unstubAllGlobals());

const model = { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 } as const;
const training = { learningRate: 0.01, batchSize: 2, decay: 'cosine', totalSteps: 20 } as const;
const arms: Record<'tied' | 'later', ComparedArm> = {
  tied: { model: { ...model, tying: 'tied' }, training },
  later: { model: { ...model, tying: { untieAtStep: 3 } }, training },
};
const ids = Uint32Array.from({ length: 400 }, (_, at) => (at * at) % 13);

/** The arms with what they have saved. */
async function saved(comparison: LabComparison): Promise<typeof arms> {
  const files = await Promise.all((['tied', 'later'] as const).map((name) => comparison.arm(name).save()));
  return { tied: { ...arms.tied, saved: files[0]! }, later: { ...arms.later, saved: files[1]! } };
}

test('a comparison of a lab continues from saved arms with the same bits', async () => {
  const lab = await createLab();
  const corpus = await lab.openCorpus(ids, { vocabSize: 13 });
  const whole = await lab.compare(corpus, { arms, steps: 20, seed: 5 });
  await whole.play({ until: 8 });
  const at8 = await saved(whole);
  await whole.play();

  const resumed = await lab.compare(corpus, { arms: at8, steps: 20, seed: 5 });
  expect([resumed.step, resumed.workers]).toEqual([8, 2]);
  expect(resumed.arm('later').tyingChanges).toEqual([3]);
  await resumed.play();
  const [one, other] = [await saved(resumed), await saved(whole)];
  expect(one.tied.saved).toEqual(other.tied.saved);
  expect(one.later.saved).toEqual(other.later.saved);

  const refused = lab.compare(corpus, { arms: { tied: at8.tied, later: one.later }, steps: 20, seed: 5 });
  expect(await rejection(refused)).toMatchObject({
    code: 'invalid-argument',
    message: "options.arms.later is at step 20; expected step 8, which the arm 'tied' is at",
  });
  lab.dispose();
});
