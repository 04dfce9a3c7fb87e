// One model in several workers of a page, plain or isolated: the bits of one worker, whatever happens to the others.
import type { Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { createLab, LabTrainer, LabTrainerOptions } from '../../web/index.js';
import type { everyKind } from '../web/worker/team/every-kind.js';
import { kindsOf } from '../web/worker/team/kinds.js';
import { ISOLATED, openFixture, openHtml, type OpenedPage } from './harness.js';

const fixture = {
  asksEarly: true,
  body: '',
  script: `
      import { createLab, loadCore } from './web/index.ts';
      import { everyKind } from './tests/web/worker/team/every-kind.ts';
      // Every worker that the page has opened.
      const made = [];
      globalThis.Worker = class extends Worker {
        constructor(...args) {
          super(...args);
          made.push(this);
        }
      };
      const tokenIds = Uint32Array.from({ length: 3000 }, (_, at) => (at * at + (at >> 3)) % 61);
      const options = {
        model: { kind: 'transformer', vocabSize: 61, dModel: 16, nLayers: 2, nHeads: 2, contextLength: 16, dropout: 0.1, tying: 'tied' },
        training: { learningRate: 0.01, batchSize: 8, seed: 3, shards: 4 },
        tokenIds,
      };
      const hash = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).join();
      async function alone(steps) {
        const core = await loadCore();
        const trainer = core.createTrainer(options);
        trainer.run(steps);
        const found = await hash(trainer.save());
        core.dispose();
        return found;
      }
      // Single steps until so many workers are at work.
      async function together(trainer, threads) {
        while (trainer.threads < threads) {
          await trainer.run(1);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
      const settled = () => new Promise((resolve) => setTimeout(resolve, 200));
      Object.assign(globalThis, { createLab, made, options, hash, alone, together, settled, everyKind });`,
};

/** What the page's script defines. */
interface Scope {
  createLab: typeof createLab;
  made: Worker[];
  options: LabTrainerOptions;
  hash(bytes: Uint8Array): Promise<string>;
  alone(steps: number): Promise<string>;
  together(trainer: LabTrainer, threads: number): Promise<void>;
  settled(): Promise<void>;
  everyKind: typeof everyKind;
}

/** Isolates a document alone, whatever page it is in. */
const ALONE = { 'Document-Isolation-Policy': 'isolate-and-require-corp' };

describe.each([
  { where: 'a plain page', headers: {}, isolated: false, framed: false },
  { where: 'an isolated page', headers: ISOLATED, isolated: true, framed: false },
  { where: 'a document that isolates itself', headers: ALONE, isolated: true, framed: false },
  { where: 'such a document in a frame of a plain page', headers: ALONE, isolated: true, framed: true },
])('a model in $where', ({ headers, isolated, framed }) => {
  let opened: OpenedPage;
  let document: Page | Frame;
  beforeAll(async () => {
    opened = await openFixture(fixture, { headers });
    document = opened.page;
    if (framed) {
      opened = await openHtml(`<iframe src="${opened.url}"></iframe>`, {}, { policy: '' });
      expect(await opened.page.evaluate(() => crossOriginIsolated)).toBe(false);
      document = opened.page.frames()[1]!;
    }
    await document.waitForFunction(() => 'together' in globalThis);
  });

  test.each([1, 2, 3])('has the bits of one thread in %i workers', async (threads) => {
    const found = await document.evaluate(async (threads) => {
      const { createLab, made, options, hash, alone, together } = globalThis as unknown as Scope;
      const before = made.length;
      const lab = await createLab({ threads });
      const trainer = await lab.createTrainer(options);
      await together(trainer, threads);
      await trainer.run(25);
      const { step } = trainer;
      const same = (await hash(await trainer.save())) === (await alone(step));
      lab.dispose();
      return { isolated: crossOriginIsolated, mode: lab.mode, same, at: trainer.threads, opened: made.length - before };
    }, threads);
    expect(found).toEqual({ isolated, mode: 'worker', same: true, at: threads, opened: threads });
    expect(opened.problems).toEqual([]);
  });

  if (headers !== ALONE)
    test('of every kind, with every head and optimizer, has them in two, three and four', async () => {
      const found = await document.evaluate(() => (globalThis as unknown as Scope).everyKind([2, 3, 4]));
      expect(found).toEqual({ compared: 3 * kindsOf(() => expect.fail('no core')).length, different: [] });
      expect(opened.problems).toEqual([]);
    });

  test('goes on with the same bits when a worker dies in the middle of a run', async () => {
    const found = await document.evaluate(async () => {
      const { createLab, made, options, hash, alone, together } = globalThis as unknown as Scope;
      const lab = await createLab({ threads: 3 });
      const trainer = await lab.createTrainer(options);
      await together(trainer, 3);
      const dying = made.at(-1)!;
      let dead = false;
      await trainer.run(200, {
        onProgress: () => {
          if (dead) return;
          dead = true;
          dying.terminate();
          dying.dispatchEvent(new ErrorEvent('error', { message: 'on purpose' }));
        },
      });
      const { step, threads } = trainer;
      const same = (await hash(await trainer.save())) === (await alone(step));
      lab.dispose();
      return { dead, threads, same };
    });
    expect(found).toEqual({ dead: true, threads: 2, same: true });
    expect(opened.problems).toEqual([]);
  });

  test('does no more steps once its run is cancelled, and goes on from there', async () => {
    const found = await document.evaluate(async () => {
      const { createLab, options, hash, alone, together, settled } = globalThis as unknown as Scope;
      const lab = await createLab({ threads: 2 });
      const trainer = await lab.createTrainer(options);
      await together(trainer, 2);
      const controller = new AbortController();
      const { code } = await trainer
        .run(10_000_000, { recordEvery: 10_000_000, signal: controller.signal, onProgress: () => controller.abort() })
        .then(
          () => ({ code: 'finished' }),
          (error: { code: string }) => error,
        );
      const { step } = trainer;
      await settled();
      const stopped = await hash(await trainer.save());
      const stays = trainer.step === step && stopped === (await alone(step));
      await trainer.run(5);
      const same = (await hash(await trainer.save())) === (await alone(step + 5));
      lab.dispose();
      return { code, stays, same };
    });
    expect(found).toEqual({ code: 'cancelled', stays: true, same: true });
    expect(opened.problems).toEqual([]);
  });
});
