// One model in several workers of engines other than Chromium's: the bits of one thread of the same engine, which are those of all others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../tools/serve/server.mjs';
import { bundleScript, bundleWorker } from '../browser/fixture-bundles.js';
import { kindsOf } from '../web/worker/team/kinds.js';
import { otherBrowsers, type OpenedBrowser } from './browsers.js';

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

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An engine</title>
<link rel="icon" href="data:,"><script type="module" src="/fixture.js"></script></head><body></body></html>`;

/** How long a browser may take to open the page before it counts as unavailable here. */
const BEGIN_LIMIT_MS = 60_000;

for (const { name, here, open } of otherBrowsers) {
  describe.skipIf(!here)(name, () => {
    let server: Awaited<ReturnType<typeof serve>>;
    let browser: OpenedBrowser;
    let found: { found?: unknown; kinds?: unknown; error?: string } | undefined;
    beforeAll(async () => {
      const [folder, worker] = await Promise.all([bundleScript(SCRIPT), bundleWorker(true)]);
      const posts: Record<string, (text: string) => void> = {};
      const [begun, reported] = ['/begun', '/report'].map(
        (path) => new Promise<string>((resolve) => (posts[path] = resolve)),
      );
      server = await serve({ folders: { '/worker.js': worker, '/': folder }, pages: { '/': HTML }, posts });
      browser = await open(server.url);
      const limit = new Promise((resolve) => setTimeout(resolve, BEGIN_LIMIT_MS).unref());
      if ((await Promise.race([begun!.then(() => true), browser.ended, limit])) !== true) return;
      const ended = browser.ended.then(() => Promise.reject(new Error(`${name} ended before its page had reported`)));
      found = JSON.parse(await Promise.race([reported!, ended])) as typeof found;
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    test('two and three workers train a model to the bits of one', ({ skip }) => {
      const { found: runs, error } = found ?? skip(`${name} does not run here`);
      expect(error).toBeUndefined();
      expect(runs).toEqual([1, 2, 3].map((threads) => ({ mode: 'worker', threads, same: true })));
    });

    test('every kind of model, head and optimizer has the bits of one in two, three and four', ({ skip }) => {
      const { kinds } = found ?? skip(`${name} does not run here`);
      expect(kinds).toEqual({ compared: 3 * kindsOf(() => expect.fail('no core')).length, different: [] });
    });
  });
}
