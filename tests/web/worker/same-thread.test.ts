import { describe, expect, test, vi } from 'vitest';
import { createLab } from '../../../web/index.js';
import * as slim from '../../../web/slim.js';
import { TOY_CHAIN } from '../core/support.js';
import { testCorpora } from './lab-corpus-tests.js';
import { testSlices } from './lab-slices-tests.js';
import { rejection, testLab, toyTrainer } from './lab-tests.js';
import { testStreams } from './lab-stream-tests.js';
import { testWriting } from './lab-writing-tests.js';

describe('a lab on the same thread', () => testLab('same-thread'));

describe('a lab on the same thread that writes', () => testWriting());

describe('a lab on the same thread that writes to streams', () => testStreams());

describe('a lab on the same thread with corpora', () => testCorpora(1));

describe('a lab on the same thread with long verbs', () => testSlices());

describe('a lab on the same thread', () => {
  test('lets the event loop take turns while it trains', async () => {
    const lab = await createLab();
    const trainer = await toyTrainer(lab);
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    const controller = new AbortController();
    const run = rejection(trainer.run(1e9, { recordEvery: 1e9, signal: controller.signal }));
    await vi.waitUntil(() => turns >= 5);
    controller.abort();
    expect((await run).code).toBe('cancelled');
    clearInterval(count);
    lab.dispose();
  });

  test('is the fallback if the worker may not start', async () => {
    const refusals: (new () => unknown)[] = [
      // A policy that refuses at once,
      class {
        constructor() {
          throw new DOMException('blocked', 'SecurityError');
        }
      },
      // and a script that could not be loaded, which is reported later.
      class extends EventTarget {
        constructor() {
          super();
          setTimeout(() => this.dispatchEvent(new Event('error')), 1);
        }
        postMessage(): void {}
        terminate(): void {}
      },
    ];
    for (const Refused of refusals) {
      vi.stubGlobal('Worker', Refused);
      const lab = await createLab({ workerUrl: '/elsewhere/worker.js' });
      vi.unstubAllGlobals();
      expect(lab.mode).toBe('same-thread');
      expect(lab.threads).toBe(1);
      expect((await lab.symmetry(TOY_CHAIN)).symmetric).toBe(false);
      lab.dispose();
    }
  });

  test('is the fallback if the worker stays silent for 10 s', async () => {
    vi.stubGlobal(
      'Worker',
      class extends EventTarget {
        postMessage(): void {}
        terminate(): void {}
      },
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opened = createLab();
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(10_000);
    const lab = await opened;
    vi.useRealTimers();
    vi.unstubAllGlobals();
    expect(lab.mode).toBe('same-thread');
    expect(lab.threads).toBe(1);
    lab.dispose();
  });

  test('is also made by the slim entry', async () => {
    const lab = await slim.createLab({ wasmUrl: new URL('../../../web/wasm/core.wasm', import.meta.url) });
    expect((await lab.symmetry(TOY_CHAIN)).symmetric).toBe(false);
    lab.dispose();
  });

  test('refuses unknown options', async () => {
    const error = await rejection(createLab({ workerURL: 'x' } as never));
    expect(error.message).toMatch(/^options\.workerURL is not an option; expected 'workerUrl'/);
  });

  test.each([
    ['workerUrl', 5, '5'],
    ['workerUrl', null, 'null'],
    ['workerUrl', new ArrayBuffer(1), 'an ArrayBuffer'],
    ['wasmUrl', 5, '5'],
    ['analysisUrl', null, 'null'],
  ])('refuses a %s that is not a URL: %s', async (name, value, described) => {
    const error = await rejection(createLab({ [name]: value } as never));
    expect(error.code).toBe('invalid-argument');
    expect(error.message).toBe(`options.${name} is ${described}; expected a string or a URL`);
  });
});
