import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLab } from '../../../web/index.js';
import { TOY_CHAIN } from '../core/support.js';
import { testSlices } from './lab-slices-tests.js';
import { rejection, testLab, toyTrainer } from './lab-tests.js';
import { testStreams } from './lab-stream-tests.js';
import { testWriting } from './lab-writing-tests.js';
import { bundledWorker, fakeWorkerClass, workerScript, type FakeWorkerClass } from './node-worker.js';

let Workers: FakeWorkerClass;
beforeAll(async () => {
  Workers = fakeWorkerClass(await workerScript());
  vi.stubGlobal('Worker', Workers);
});
afterAll(() => vi.unstubAllGlobals());

describe('a lab in a worker', () => testLab('worker'));

describe('a lab in a worker that writes', () => testWriting());

describe('a lab in a worker that writes to streams', () => testStreams());

describe('a lab in a worker with long verbs', () => testSlices());

describe('a lab in a worker', () => {
  test('starts the worker script beside its own script, or the given one', async () => {
    const usual = await createLab();
    expect(Workers.made.at(-1)!.url).toMatch(/\/web\/worker\/worker\.js$/);
    const given = await createLab({ workerUrl: '/assets/my-worker.js' });
    expect(Workers.made.at(-1)!.url).toBe('/assets/my-worker.js');
    usual.dispose();
    given.dispose();
  });

  test('has a script without kinds of models and known models, which are read where it was opened', async () => {
    const script = await bundledWorker();
    expect(script).toContain('adoptModels');
    for (const name of ['pythia-70m', 'hybrid_override_pattern', 'altup.router_norm'])
      expect(script).not.toContain(name);
  });

  test('ends the thread that it started if the core cannot start in it', async () => {
    const before = Workers.made.length;
    expect((await rejection(createLab({ wasmBytes: Uint8Array.of(1, 2, 3) }))).code).toBe('bad-file');
    const [begun] = Workers.made.slice(before);
    await vi.waitUntil(() => begun!.thread.threadId === -1);
  });

  test('rejects pending and later calls with a clear error if it crashes', async () => {
    const lab = await createLab();
    const trainer = await toyTrainer(lab);
    const run = rejection(trainer.run(1e9, { recordEvery: 1e9 }));
    Workers.made.at(-1)!.crash();
    const error = await run;
    expect(error.code).toBe('stopped');
    expect(error.message).toBe('the worker stopped: on purpose; create a new lab');
    expect(await lab.closed).toBe(error);
    expect((await rejection(lab.symmetry(TOY_CHAIN))).message).toMatch(/^the worker .*stopped.*; create a new lab$/);
    lab.dispose();
  });

  test('refuses values that cannot be sent', async () => {
    const lab = await createLab();
    const error = await rejection(lab.writeStories({ seed: 1, length: () => 5 } as never));
    expect(error.code).toBe('invalid-argument');
    expect((await lab.symmetry(TOY_CHAIN)).symmetric).toBe(false);
    lab.dispose();
  });

  test('ends its thread when it is disposed of', async () => {
    const lab = await createLab();
    const { thread } = Workers.made.at(-1)!;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    lab.dispose();
    await ended;
  });
});
