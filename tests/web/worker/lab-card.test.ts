// The identity card of tables that are worth two workers, cancelled once and made again: every value equals that of a single core.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as Worth from '../../../web/worker/worth-two-workers.js';
import { createLab, loadCore } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { safetensors } from '../checkpoint/checkpoint-files.js';
import { fakeWorkerClass, workerScript, type FakeWorkerClass } from './node-worker.js';

let Workers: FakeWorkerClass;
beforeAll(async () => {
  Workers = fakeWorkerClass(await workerScript());
  vi.stubGlobal('Worker', Workers);
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
});
afterAll(() => vi.unstubAllGlobals());

/** Large tables for workers. Tables that are really worth two workers would take half a minute. */
const [V, D] = [8192, 128];
const worth = vi.hoisted(() => ({ asked: [] as object[] }));
vi.mock(import('../../../web/worker/worth-two-workers.js'), () => ({
  isWorthTwoWorkers: (tables) => worth.asked.push(tables) > 0,
}));
const draw = new Draw(7);
/** Even bytes only: the encodings of NaN are odd. */
const table = (): Uint8Array => Uint8Array.from({ length: V * D }, () => 2 * Math.floor(127 * draw.share()));
const file = safetensors({
  'wte.weight': { dtype: 'F8_E4M3', shape: [V, D], data: table() },
  'lm_head.weight': { dtype: 'F8_E4M3', shape: [V, D], data: table() },
});

test('an identity card from two workers, cancelled and requested again, equals that of a core', async () => {
  const lab = await createLab();
  const before = Workers.made.length;
  const checkpoint = await lab.openCheckpoint(file);
  const cancel = new AbortController();
  const onProgress = (share: number): void => {
    if (share > 0.4) cancel.abort();
  };
  const options = { sample: 8, seed: 4 };
  await expect(checkpoint.identityCard({ ...options, onProgress, signal: cancel.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
  const card = await checkpoint.identityCard(options);
  expect(worth.asked).toContainEqual(expect.objectContaining({ rows: V, cols: D, tied: false }));
  // One more worker, which has ended.
  expect(Workers.made.length).toBe(before + 1);
  await vi.waitUntil(() => Workers.made.at(-1)!.thread.threadId === -1);
  const core = await loadCore({ modules: ['checkpoint'] });
  expect(card).toEqual(await (await core.openCheckpoint(file)).identityCard(options));
  lab.dispose();
});

test('two workers share work that takes one worker a second, unless the products are too large to pass on', async () => {
  const { isWorthTwoWorkers } = await vi.importActual<typeof Worth>('../../../web/worker/worth-two-workers.js');
  const shared = (rows: number, cols: number, tied: boolean): boolean => isWorthTwoWorkers({ rows, cols, tied });
  // 2 V D^2 multiply-adds, or a quarter of that if tied: 2^34 are enough.
  expect([shared(8192, 1024, false), shared(8191, 1024, false)]).toEqual([true, false]);
  expect([shared(32768, 1024, true), shared(32767, 1024, true)]).toEqual([true, false]);
  // Three products of D^2 elements, or one if tied: 2^24 elements are few enough.
  expect([shared(1e6, 2364, false), shared(1e6, 2365, false)]).toEqual([true, false]);
  expect([shared(1e6, 4096, true), shared(1e6, 4097, true)]).toEqual([true, false]);
});
