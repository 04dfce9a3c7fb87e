// Stored runs in engines other than Chromium's: written on the page and, as where only workers may write, in a worker.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript } from '../browser/fixture-bundles.js';
import { otherBrowsers } from './browsers.js';
import { reportOf, type Reported } from './report.js';

const SCRIPT = `
  import { RunStore } from './web/elements/training-lab/kept/run-store.ts';
  await fetch('/begun', { method: 'POST' });
  const model = Uint8Array.from({ length: 9_000_001 }, (_, at) => (at * 31) % 251);
  const facts = (id: string) => ({
    id, page: '/', model: 'transformer', step: 7, time: Date.now(), shown: null,
    settings: { arms: ['tied'], tokenizer: 'word', vocabSize: 9, seed: 1, steps: 9 },
    source: { kind: 'stories', length: 1000 },
  }) as const;
  async function* parts() {
    yield { name: 'tied.model', pieces: [model] };
    yield { name: 'empty', pieces: [new Uint8Array()] };
  }
  async function stored(id: string) {
    try {
      await (await RunStore.open()).keep(facts(id), model.length, parts);
      const store = await RunStore.open();
      const run = (await store.list()).find((one) => one.facts.id === id)!;
      const read = await store.read(run, 'tied.model');
      const same = read.length === model.length && read.every((byte, at) => byte === model[at]);
      await store.forget(id);
      return { step: run.facts.step, same, left: (await store.list()).length };
    } catch (error) {
      const { name, kind } = error as { name: string; kind?: string };
      return { refused: [name, kind] };
    }
  }
  async function report() {
    const page = await stored('page');
    delete (globalThis as { FileSystemFileHandle?: { prototype: { createWritable?: unknown } } }).FileSystemFileHandle?.prototype.createWritable;
    return { storage: typeof navigator.storage?.getDirectory, page, worker: await stored('worker') };
  }
  const body = await report().catch((error: unknown) => ({ error: String(error) }));
  await fetch('/report', { method: 'POST', body: JSON.stringify(body) });`;

for (const browser of otherBrowsers) {
  const { name, here } = browser;
  describe.skipIf(!here)(name, () => {
    let reported: Reported<{ storage?: string; page?: object; worker?: object; error?: string }>;
    beforeAll(async () => {
      // Without the strict policy, which allows no worker from a blob.
      reported = await reportOf(browser, '/fixture.js', { folders: { '/': await bundleScript(SCRIPT) }, policy: '' });
    });
    afterAll(() => reported.close());

    test('a run is found again with its bytes, or the engine says that it has no storage', ({ skip }) => {
      const { error, storage, page, worker } = reported.found ?? skip(`${name} does not run here`);
      expect(error).toBeUndefined();
      const kept = { step: 7, same: true, left: 0 };
      const refused = { refused: ['StorageError', 'none'] };
      expect({ page, worker }).toEqual(
        storage === 'function' ? { page: kept, worker: kept } : { page: refused, worker: refused },
      );
    });
  });
}
