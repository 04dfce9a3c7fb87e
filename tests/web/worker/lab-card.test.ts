// The identity card of tables that are worth two workers, which a reader stops on the way: every number is that of a core alone.
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

/** In workers, these tables are large; those that are worth two of them take half a minute. */
const [V, D] = [8192, 128];
const worth = vi.hoisted(() => ({ asked: [] as object[] }));
vi.mock(import('../../../web/worker/worth-two-workers.js'), () => ({
  isWorthTwoWorkers: (tables) => worth.asked.push(tables) > 0,
}));
const draw = new Draw(7);
/** Even bytes: those of no number are odd. */
const table = (): Uint8Array => Uint8Array.from({ length: V * D }, () => 2 * Math.floor(127 * draw.share()));
const file = safetensors({
  'wte.weight': { dtype: 'F8_E4M3', shape: [V, D], data: table() },
  'lm_head.weight': { dtype: 'F8_E4M3', shape: [V, D], data: table() },
});

test('in two workers, cancelled and gone on with, has the numbers of a core', async () => {
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
  // One more, which has ended.
  expect(Workers.made.length).toBe(before + 1);
  await vi.waitUntil(() => Workers.made.at(-1)!.thread.threadId === -1);
  const core = await loadCore({ modules: ['checkpoint'] });
  expect(card).toEqual(await (await core.openCheckpoint(file)).identityCard(options));
  lab.dispose();
});

test('two workers share what takes one a second, if their products are not too large to hand over', async () => {
  const { isWorthTwoWorkers } = await vi.importActual<typeof Worth>('../../../web/worker/worth-two-workers.js');
  const shared = (rows: number, cols: number, tied: boolean): boolean => isWorthTwoWorkers({ rows, cols, tied });
  // 2 V D^2 multiply-adds, or a quarter of them: 2^34 are enough.
  expect([shared(8192, 1024, false), shared(8191, 1024, false)]).toEqual([true, false]);
  expect([shared(32768, 1024, true), shared(32767, 1024, true)]).toEqual([true, false]);
  // Three products of D^2 numbers, or one: 2^24 are few enough.
  expect([shared(1e6, 2364, false), shared(1e6, 2365, false)]).toEqual([true, false]);
  expect([shared(1e6, 4096, true), shared(1e6, 4097, true)]).toEqual([true, false]);
});
