// One model in several workers of engines other than Chromium's: the bits of one thread of the same engine, which are those of all others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript, bundleWorker } from '../browser/fixture-bundles.js';
import { kindsOf } from '../web/worker/team/kinds.js';
import { otherBrowsers } from './browsers.js';
import { reportOf, type Reported } from './report.js';

const SCRIPT = `
  import { createLab, loadCore } from './web/index.ts';
  import { hashOf } from './tests/web/seed-bits.ts';
  import { everyKind } from './tests/web/worker/team/every-kind.ts';
  await fetch('/begun', { method: 'POST' });
  const options = {
    model: { kind: 'transformer', vocabSize: 61, dModel: 16, nLayers: 2, nHeads: 2, contextLength: 16, dropout: 0.1, tying: 'tied' },
    training: { learningRate: 0.01, batchSize: 8, seed: 3, shards: 4 },
    tokenIds: Uint32Array.from({ length: 3000 }, (_, at) => (at * at + (at >> 3)) % 61),
  } as const;
  async function trained(threads: number) {
    const lab = await createLab({ threads });
    const trainer = await lab.createTrainer(options);
    while (trainer.threads < threads) {
      await trainer.run(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await trainer.run(20);
    const found = { mode: lab.mode, threads: trainer.threads, step: trainer.step, hash: hashOf([await trainer.save()]) };
    lab.dispose();
    return found;
  }
  async function report() {
    const core = await loadCore();
    const found = [];
    for (const threads of [1, 2, 3]) {
      const { step, hash, ...others } = await trained(threads);
      const twin = core.createTrainer(options);
      twin.run(step);
      found.push({ ...others, same: hash === hashOf([twin.save()]) });
    }
    return { found, kinds: await everyKind([2, 3, 4]) };
  }
  const body = await report().catch((error: unknown) => ({ error: String(error) }));
  await fetch('/report', { method: 'POST', body: JSON.stringify(body) });`;

for (const browser of otherBrowsers) {
  const { name, here } = browser;
  describe.skipIf(!here)(name, () => {
    let reported: Reported<{ found?: unknown; kinds?: unknown; error?: string }>;
    beforeAll(async () => {
      const [folder, worker] = await Promise.all([bundleScript(SCRIPT), bundleWorker(true)]);
      reported = await reportOf(browser, '/fixture.js', { folders: { '/worker.js': worker, '/': folder } });
    });
    afterAll(() => reported.close());

    test('two and three workers train a model to the bits of one', ({ skip }) => {
      const { found: runs, error } = reported.found ?? skip(`${name} does not run here`);
      expect(error).toBeUndefined();
      expect(runs).toEqual([1, 2, 3].map((threads) => ({ mode: 'worker', threads, same: true })));
    });

    test('every kind of model, head and optimizer has the bits of one in two, three and four', ({ skip }) => {
      const { kinds } = reported.found ?? skip(`${name} does not run here`);
      expect(kinds).toEqual({ compared: 3 * kindsOf(() => expect.fail('no core')).length, different: [] });
    });
  });
}
