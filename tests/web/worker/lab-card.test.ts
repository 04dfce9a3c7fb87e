// The identity card of tables that are worth two workers, which a reader stops on the way: every number is that of a core alone.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

/** 2^34 multiply-adds: the fewest that are shared. */
const [V, D] = [8192, 1024];
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
  // One more, which has ended.
  expect(Workers.made.length).toBe(before + 1);
  await vi.waitUntil(() => Workers.made.at(-1)!.thread.threadId === -1);
  const core = await loadCore({ modules: ['checkpoint'] });
  expect(card).toEqual(await (await core.openCheckpoint(file)).identityCard(options));
  lab.dispose();
}, 60_000);
