// Comparisons over several workers: their number and end, and the arms of a worker that dies.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLab } from '../../../web/index.js';
import { ARMS, testCorpora, TEXT } from './lab-corpus-tests.js';
import { rejection } from './lab-tests.js';
import { fakeWorkerClass, workerScript, type FakeWorkerClass } from './node-worker.js';

let Workers: FakeWorkerClass;
beforeAll(async () => {
  Workers = fakeWorkerClass(await workerScript());
  vi.stubGlobal('Worker', Workers);
  vi.stubGlobal('navigator', { hardwareConcurrency: 3 });
});
afterAll(() => vi.unstubAllGlobals());

describe('a lab with three cores', () => testCorpora(3));

describe('a comparison', () => {
  const { tied, untied } = ARMS;

  test.each([
    [{ hardwareConcurrency: 1 }, 1],
    [{ hardwareConcurrency: 2 }, 2],
    [{ hardwareConcurrency: 64 }, 3],
    [{ hardwareConcurrency: 64, deviceMemory: 0.5 }, 1],
    [{ hardwareConcurrency: 64, deviceMemory: 2 }, 2],
  ])('of three arms on %o uses %i workers', async (machine, workers) => {
    vi.stubGlobal('navigator', machine);
    const lab = await createLab();
    vi.stubGlobal('navigator', { hardwareConcurrency: 3 });
    const corpus = await lab.openCorpus(TEXT);
    const comparison = await lab.compare(corpus, { arms: ARMS, steps: 2 });
    expect(comparison.workers).toBe(workers);
    expect(lab.threads).toBe(workers);
    expect((await comparison.next()).columns).toHaveProperty('transformer');
    lab.dispose();
    expect((await rejection(comparison.next())).code).toBe('disposed');
  });

  test('shares its workers with others, and the last one ends them', async () => {
    const lab = await createLab();
    const corpus = await lab.openCorpus(TEXT);
    const before = Workers.made.length;
    expect(lab.threads).toBe(1);
    const first = await lab.compare(corpus, { arms: { tied, untied } });
    const second = await lab.compare(corpus, { arms: { tied, untied } });
    expect(Workers.made.length).toBe(before + 1);
    const exited = new Promise((resolve) => Workers.made.at(-1)!.thread.once('exit', resolve));
    first.dispose();
    expect((await second.next()).step).toBe(1);
    expect(lab.threads).toBe(2);
    second.dispose();
    await exited;
    expect(lab.threads).toBe(1);
    const third = await lab.compare(corpus, { arms: { tied, untied } });
    expect(Workers.made.length).toBe(before + 2);
    third.dispose();
    lab.dispose();
  });

  test('names the arms that end with their worker, continues with the others, and replaces the worker', async () => {
    const lab = await createLab();
    const corpus = await lab.openCorpus(TEXT);
    const comparison = await lab.compare(corpus, { arms: ARMS, seed: 2 });
    const alone = await lab.compare(corpus, { arms: { tied, untied }, seed: 2 });
    await comparison.next({ steps: 3 });
    const exited = new Promise((resolve) => Workers.made.at(-2)!.thread.once('exit', resolve));
    Workers.made.at(-2)!.crash();
    await exited;
    const error = await rejection(comparison.next({ steps: 4 }));
    expect([error.code, error.message]).toEqual([
      'stopped',
      "the worker of the arms 'untied' stopped and its arms are gone; expected it to keep running, as the other arms do",
    ]);
    expect(comparison.names).toEqual(['tied', 'transformer']);
    expect(() => comparison.arm('untied')).toThrow(error);
    const frame = await comparison.next({ steps: 4 });
    expect(frame.columns.tied!.step).toEqual(Float64Array.of(4, 5, 6, 7));
    expect(Object.keys(frame.columns)).toEqual(['tied', 'transformer']);
    expect((await rejection(alone.next())).code).toBe('stopped');
    const replaced = await lab.compare(corpus, { arms: ARMS });
    expect(replaced.workers).toBe(3);
    expect(Object.keys((await replaced.next()).columns)).toEqual(Object.keys(ARMS));
    lab.dispose();
  });
});
