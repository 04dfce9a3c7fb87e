// How a lab starts its worker when the worker's file is missing, in the order in which the ways are tried.
import { resolveObjectURL } from 'node:buffer';
import { Worker as Thread } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { packedText } from '../../../tools/lib/packed-text.mjs';
import { createLab } from '../../../web/index.js';
import { TOY_CHAIN } from '../core/support.js';
import { rejection, testLab, toyTrainer } from './lab-tests.js';
import { testStreams } from './lab-stream-tests.js';
import { testWriting } from './lab-writing-tests.js';
import { bundledWorker, fakeWorkerClass, workerScript } from './node-worker.js';

vi.mock(import('../../../web/worker/worker-source.js'), async () => ({
  workerSource: packedText(await (await import('./node-worker.js')).bundledWorker()),
}));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a lab in a thread of Node', () => testLab('worker'));

describe('a lab in a Node thread that writes', () => testWriting());

describe('a lab in a Node thread that writes to streams', () => testStreams());

describe('a lab in a thread of Node', () => {
  test('leaves the event loop of its caller free while it trains', async () => {
    const lab = await createLab();
    const trainer = await toyTrainer(lab);
    const controller = new AbortController();
    const run = rejection(trainer.run(1e9, { recordEvery: 1e9, signal: controller.signal }));
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    await vi.waitUntil(() => turns >= 5);
    clearInterval(count);
    controller.abort();
    expect((await run).code).toBe('cancelled');
    lab.dispose();
  });

  test('ends its thread when it is disposed of', async () => {
    const threads = threadsMade();
    const lab = await createLab();
    const [thread] = threads;
    const ended = new Promise((resolve) => thread!.once('exit', resolve));
    lab.dispose();
    await ended;
    expect((await rejection(lab.symmetry(TOY_CHAIN))).code).toBe('disposed');
  });

  test('rejects pending and later calls if its thread ends by itself', async () => {
    const threads = threadsMade();
    const lab = await createLab();
    const trainer = await toyTrainer(lab);
    const run = rejection(trainer.run(1e9, { recordEvery: 1e9 }));
    await threads[0]!.terminate();
    expect((await run).message).toBe('the worker stopped: its thread ended; create a new lab');
    expect((await rejection(lab.symmetry(TOY_CHAIN))).code).toBe('stopped');
    lab.dispose();
  });

  test.each([
    ['is not there', new URL('./absent-worker.js', import.meta.url)],
    ['is not a file', 'https://localhost/worker.js'],
    ['is not a URL', 'worker.js'],
  ])('starts from the bundled text if the given script %s', async (_, workerUrl) => {
    const lab = await createLab({ workerUrl });
    expect(lab.mode).toBe('worker');
    expect((await lab.symmetry(TOY_CHAIN)).symmetric).toBe(false);
    lab.dispose();
  });

  test('starts the given script if it is valid', async () => {
    const script = `data:text/javascript,${encodeURIComponent(await bundledWorker())}`;
    const threads = threadsMade();
    for (const workerUrl of [script, new URL(script)]) {
      const lab = await createLab({ workerUrl });
      expect(lab.mode).toBe('worker');
      lab.dispose();
    }
    expect(threads).toHaveLength(2);
  });

  test('runs on the same thread if Node allows no threads', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
      return {
        Worker: class {
          constructor() {
            throw new Error('Access to this API has been restricted');
          }
        },
      };
    });
    const lab = await createLab();
    expect(lab.mode).toBe('same-thread');
    lab.dispose();
  });
});

/** The Node threads that labs start from now on. */
function threadsMade(): Thread[] {
  const made: Thread[] = [];
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => ({
    Worker: class extends Thread {
      constructor(script: string, options: object) {
        super(script, options);
        made.push(this);
      }
    },
  }));
  return made;
}

describe('a lab in a browser', () => {
  /** A browser where `refuses(url)` decides how a script fails to start: at once, later, or not ('no'). */
  async function browser(refuses: (url: string) => 'at once' | 'later' | 'no') {
    const urls: string[] = [];
    const Real = fakeWorkerClass(await workerScript());
    class FakeWorker extends EventTarget {
      constructor(url: string | URL) {
        super();
        urls.push(String(url));
        const how = refuses(String(url));
        if (how === 'at once') throw new DOMException('blocked', 'SecurityError');
        if (how === 'later') setTimeout(() => this.dispatchEvent(new Event('error')));
        else return new Real(url, {}) as unknown as FakeWorker;
      }
      postMessage(): void {}
      terminate(): void {}
    }
    vi.stubGlobal('Worker', FakeWorker);
    return { urls };
  }
  const isBlob = (url: string) => url.startsWith('blob:');

  test('makes no blob if the file starts', async () => {
    const { urls } = await browser(() => 'no');
    const made = vi.spyOn(URL, 'createObjectURL');
    const lab = await createLab();
    expect(lab.mode).toBe('worker');
    expect(urls).toEqual([expect.stringMatching(/\/worker\.js$/)]);
    expect(made).not.toHaveBeenCalled();
    lab.dispose();
  });

  test.each(['at once', 'later'] as const)(
    'starts its worker from a blob if the file is refused %s, and revokes the URL',
    async (how) => {
      const texts: Promise<string>[] = [];
      const { urls } = await browser((url) => {
        if (!isBlob(url)) return how;
        texts.push(resolveObjectURL(url)!.text());
        return 'no';
      });
      const lab = await createLab();
      expect(lab.mode).toBe('worker');
      expect((await lab.symmetry(TOY_CHAIN)).symmetric).toBe(false);
      expect(await Promise.all(texts)).toEqual([await bundledWorker()]);
      expect(urls).toHaveLength(2);
      expect(resolveObjectURL(urls[1]!)).toBeUndefined();
      lab.dispose();
    },
  );

  test.each(['at once', 'later'] as const)('works in time slices if the blob is refused %s', async (how) => {
    const { urls } = await browser((url) => (isBlob(url) ? how : 'later'));
    const lab = await createLab({ workerUrl: '/elsewhere/worker.js' });
    expect(lab.mode).toBe('same-thread');
    expect((await lab.symmetry(TOY_CHAIN)).symmetric).toBe(false);
    expect(urls).toEqual(['/elsewhere/worker.js', expect.stringMatching(/^blob:/)]);
    expect(resolveObjectURL(urls[1]!)).toBeUndefined();
    lab.dispose();
  });

  test('reports a core that cannot be loaded, and does not blame the worker', async () => {
    await browser((url) => (isBlob(url) ? 'no' : 'later'));
    expect((await rejection(createLab({ wasmBytes: Uint8Array.of(1, 2, 3) }))).code).toBe('bad-file');
  });
});
