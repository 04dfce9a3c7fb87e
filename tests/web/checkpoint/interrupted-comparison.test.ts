/** Comparisons after a server fault or a reader's cancellation: the next call resumes with the same result. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { CheckpointComparison } from '../../../web/core/checkpoint/comparison/comparison-types.js';
import { createLab, loadCore, type Checkpoint, type CompareCheckpointsOptions } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { floats, safetensors } from './checkpoint-files.js';
import { rangeOf, sendRange, startServer, type FileServer } from './file-server.js';

const core = await loadCore({ modules: ['checkpoint'] });
const lab = await createLab();
afterAll(() => lab.dispose());

const [V, D] = [6000, 256];
const TABLE = 4 * V * D;
const draw = new Draw(3);
/** Pieces of 4 MiB: two per table. Tied, so a pass over two files reads two tables. */
const steps = Array.from({ length: 3 }, () =>
  safetensors({
    'wte.weight': { shape: [V, D], data: floats(Float32Array.from({ length: V * D }, () => draw.share() - 0.5)) },
  }),
);

const servers: FileServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server that fails beyond this many bytes, as long as there are faults left. */
async function serve(file: Uint8Array, state: { faultFrom: number; etag?: string }): Promise<string> {
  const server = await startServer((request, response, number) => {
    if (rangeOf(request, file.length)[1] > state.faultFrom) response.writeHead(503).end();
    else sendRange(file, { etag: state.etag ?? '"1"' })(request, response, number);
  });
  servers.push(server);
  return server.url;
}

const opened = await Promise.all(steps.map((file) => core.openCheckpoint(file)));
const whole = await opened[0]!.compareWith(opened.slice(1));
const isSame = (found: CheckpointComparison): void => {
  expect(found.data).toEqual(whole.data);
  expect(found.cosines).toEqual(whole.cosines);
};

describe.each([
  ['core', core],
  ['lab', lab],
] as const)('a comparison by a %s', (_, by) => {
  test('resumes after a server fault, and fetches no row of a pass twice', async () => {
    const states = steps.map((): { faultFrom: number } => ({ faultFrom: Infinity }));
    const checkpoints: Checkpoint[] = [];
    for (const [at, file] of steps.entries()) checkpoints.push(await by.openCheckpoint(await serve(file, states[at]!)));
    const bytes = (): number[] => checkpoints.map(({ bytesRead }) => bytesRead);
    const headers = bytes();
    const [first, ...others] = checkpoints;
    const reports: number[] = [];
    const compare = (): Promise<CheckpointComparison> =>
      first!.compareWith(others, { onProgress: (share) => void reports.push(share) });
    // In the second piece of the last file, in the second pass.
    states[2]!.faultFrom = steps[2]!.length - 1_000_000;
    await expect(compare()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('status 503') as string,
    });
    const stopped = Math.max(...reports);
    expect(stopped).toBeGreaterThan(0.5);
    expect(stopped).toBeLessThan(1);
    states[2]!.faultFrom = Infinity;
    reports.length = 0;
    isSame(await compare());
    expect(Math.min(...reports)).toBeGreaterThan(stopped);
    const read = bytes().map((now, at) => now - headers[at]!);
    // The first file is read in both passes; its piece that was read together with the failed one was fetched again.
    const again = 4 * D * (V - Math.floor(2 ** 22 / (4 * D)));
    expect(read[0]).toBeLessThanOrEqual(2 * TABLE + again);
    // Minus the bytes that came with the headers.
    for (const count of read.slice(1)) expect(count).toBeLessThanOrEqual(TABLE);
  });

  test('resumes after a cancel, starts over with other options or checkpoints, and is refused for a disposed checkpoint', async () => {
    const [first, ...others] = await Promise.all(steps.map((file) => by.openCheckpoint(file)));
    const cancelled = async (options: CompareCheckpointsOptions = {}): Promise<number> => {
      const controller = new AbortController();
      let reached = 0;
      const onProgress = (share: number): void => {
        reached = share;
        if (share > 0.6) controller.abort();
      };
      const call = first!.compareWith(others, { ...options, onProgress, signal: controller.signal });
      await expect(call).rejects.toMatchObject({ code: 'cancelled' });
      return reached;
    };
    const next = async (
      compared = others,
      options: CompareCheckpointsOptions = {},
    ): Promise<{ least: number; found: CheckpointComparison }> => {
      let least = 1;
      const onProgress = (share: number): void => void (least = Math.min(least, share));
      const found = await first!.compareWith(compared, { ...options, onProgress });
      return { least, found };
    };
    const reached = await cancelled();
    const { least, found } = await next();
    expect(least).toBeGreaterThanOrEqual(reached);
    isSame(found);
    await cancelled();
    expect((await next(others, { against: 'previous' })).least).toBeLessThan(0.5);
    await cancelled();
    expect((await next([...others].reverse())).least).toBeLessThan(0.5);
    await cancelled();
    first!.dispose();
    await expect(first!.compareWith(others)).rejects.toMatchObject({ code: 'disposed' });
  });
});

test('a file that changes on its server ends a comparison, so two versions are never combined', async () => {
  const state: { faultFrom: number; etag?: string } = { faultFrom: Infinity };
  const first = await core.openCheckpoint(await serve(steps[0]!, state));
  const onProgress = (): void => void (state.etag = '"2"');
  const options = { onProgress };
  await expect(first.compareWith(opened.slice(1), options)).rejects.toMatchObject({
    code: 'bad-file',
    message: expect.stringContaining('has changed since it was opened') as string,
  });
});
