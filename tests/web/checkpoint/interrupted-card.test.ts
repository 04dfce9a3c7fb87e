/** Identity cards after a server fault or a reader's cancellation: the next call resumes with the same result. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { IdentityCard } from '../../../web/core/checkpoint/card/identity-card-types.js';
import { createLab, loadCore, type Checkpoint } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { floats, safetensors } from './checkpoint-files.js';
import { rangeOf, sendRange, startServer, type FileServer } from './file-server.js';

const core = await loadCore({ modules: ['checkpoint'] });
const lab = await createLab();
afterAll(() => lab.dispose());

const [V, D] = [3000, 512];
const draw = new Draw(3);
const table = (): Float32Array => Float32Array.from({ length: V * D }, () => draw.share() - 0.5);
/** Pieces of 4 MiB: two per table. */
const file = safetensors({
  'wte.weight': { shape: [V, D], data: floats(table()) },
  'lm_head.weight': { shape: [V, D], data: floats(table()) },
});
const TABLE = 4 * V * D;
const SAMPLE = 8;

let server: FileServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** A server that fails beyond this many bytes, as long as there are faults left. */
async function serve(state: { faultFrom: number; etag?: string }): Promise<string> {
  server = await startServer((request, response, number) => {
    if (rangeOf(request, file.length)[1] > state.faultFrom) response.writeHead(503).end();
    else sendRange(file, { etag: state.etag ?? '"1"' })(request, response, number);
  });
  return server.url;
}

const whole = await (await core.openCheckpoint(file)).identityCard({ sample: SAMPLE });
const isSame = (card: IdentityCard): void => {
  expect(card.data).toEqual(whole.data);
  expect(card.norms).toEqual(whole.norms);
};

describe.each([
  ['core', core],
  ['lab', lab],
] as const)('a card by a %s', (_, by) => {
  test('resumes after a server fault, and fetches no row of a pass twice', async () => {
    const state = { faultFrom: Infinity };
    const checkpoint = await by.openCheckpoint(await serve(state));
    const header = checkpoint.bytesRead;
    const reports: number[] = [];
    const onProgress = (share: number): void => void reports.push(share);
    // In the second piece of the output table.
    state.faultFrom = file.length - 1_000_000;
    await expect(checkpoint.identityCard({ sample: SAMPLE, onProgress })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('status 503') as string,
    });
    // The first tokens were sampled, and the first pieces added.
    const stopped = Math.max(...reports);
    expect(stopped).toBeGreaterThan(0.5);
    expect(stopped).toBeLessThan(1);
    state.faultFrom = Infinity;
    reports.length = 0;
    isSame(await checkpoint.identityCard({ sample: SAMPLE, onProgress }));
    expect(Math.min(...reports)).toBeGreaterThan(stopped);
    // A piece of the input table was read at the same time as the failed one; it is the only piece that was fetched again.
    const again = 4 * D * (V - Math.floor(2 ** 22 / (4 * D)));
    const sampled = 2 * SAMPLE * 4 * D;
    expect(checkpoint.bytesRead - header).toBeLessThanOrEqual(2 * TABLE + again + sampled);
  });

  test('resumes after a cancel, starts over with other options, and is refused for a disposed checkpoint', async () => {
    const checkpoint = await by.openCheckpoint(file);
    const cancelled = async (options: { seed?: number } = {}): Promise<number> => {
      const controller = new AbortController();
      let reached = 0;
      const onProgress = (share: number): void => {
        reached = share;
        if (share > 0.3) controller.abort();
      };
      const call = checkpoint.identityCard({ ...options, sample: SAMPLE, onProgress, signal: controller.signal });
      await expect(call).rejects.toMatchObject({ code: 'cancelled' });
      return reached;
    };
    const reached = await cancelled();
    const first = async (options: { seed?: number } = {}): Promise<[number, IdentityCard]> => {
      let least = 1;
      const onProgress = (share: number): void => void (least = Math.min(least, share));
      const card = await checkpoint.identityCard({ ...options, sample: SAMPLE, onProgress });
      return [least, card];
    };
    const [least, card] = await first();
    expect(least).toBeGreaterThanOrEqual(reached);
    isSame(card);
    await cancelled();
    expect((await first({ seed: 5 }))[0]).toBeLessThan(reached);
    await cancelled({ seed: 5 });
    checkpoint.dispose();
    await expect(checkpoint.identityCard()).rejects.toMatchObject({ code: 'disposed' });
  });
});

test('a file that changes on its server ends a card, so two versions are never combined', async () => {
  const state: { faultFrom: number; etag?: string } = { faultFrom: Infinity };
  const checkpoint: Checkpoint = await core.openCheckpoint(await serve(state));
  const onProgress = (): void => void (state.etag = '"2"');
  await expect(checkpoint.identityCard({ sample: SAMPLE, onProgress })).rejects.toMatchObject({
    code: 'bad-file',
    message: expect.stringContaining('has changed since it was opened') as string,
  });
});
