// Sums of a card in two workers: the same as in one, and the second worker is released.
import { beforeAll, describe, expect, test } from 'vitest';
import { CoreTableSums, type TableSums, type TableSumsOptions } from '../../../web/core/checkpoint/card/table-sums.js';
import { copyData } from '../../../web/core/runtime/copy-data.js';
import type { Runtime } from '../../../web/core/runtime/runtime.js';
import type { CheckpointModule } from '../../../web/core/runtime/wasm-module.js';
import { sumsInLab } from '../../../web/worker/lab-sums.js';
import type { LabClient } from '../../../web/worker/lab-client.js';
import { WorkerPool, type PoolMember } from '../../../web/worker/worker-pool.js';
import { startCheckpoint } from '../checkpoint/module.js';

let runtime: Runtime<CheckpointModule>;
beforeAll(async () => {
  runtime = await startCheckpoint();
});

const [ROWS, COLS] = [300, 140];
const stored = (seed: number): { type: 'F32'; bytes: Uint8Array } => {
  const data = Float32Array.from({ length: ROWS * COLS }, (_, k) => Math.sin(seed + k * k) - 0.2);
  return { type: 'F32', bytes: new Uint8Array(data.buffer) };
};
const [input, output] = [stored(1), stored(2)];

/** A stand-in for a worker that starts sums in this thread and records their shares. */
class Worker {
  readonly started: TableSumsOptions[] = [];
  readonly sums: CoreTableSums[] = [];
  failure: Error | null = null;
  live = 0;

  async call(_target: number, _verb: string, [options]: [TableSumsOptions]): Promise<TableSums> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    this.started.push(options);
    const sums = new CoreTableSums(runtime, options);
    this.live++;
    const [dispose, join] = [sums.dispose.bind(sums), sums.join.bind(sums)];
    // A copy, as when it is sent to a worker.
    sums.join = (which, product) => join(which, copyData(product) as Uint8Array);
    sums.dispose = () => {
      dispose();
      this.live--;
    };
    this.sums.push(sums);
    return sums;
  }

  get client(): LabClient {
    return this as unknown as LabClient;
  }
}

function lab(most = 1) {
  const [own, other] = [new Worker(), new Worker()];
  const opened: PoolMember[] = [];
  let closed = 0;
  const open = (): Promise<PoolMember> => {
    const member = { client: other.client, closed: new Promise<never>(() => undefined), close: () => void closed++ };
    opened.push(member);
    return Promise.resolve(member);
  };
  return { own, other, pool: new WorkerPool(open, most), opened, closed: () => closed };
}

/** Enough rows to be worth a second worker. */
const optionsOf = (tied: boolean, rows = 2 ** 24, narrow = false): TableSumsOptions => {
  const ids = Uint32Array.of(3, 140);
  const of = ({ bytes }: { bytes: Uint8Array }): Float32Array =>
    Float32Array.from([...ids].flatMap((id) => [...new Float32Array(bytes.buffer, 4 * id * COLS, COLS)]));
  const sampled = { ids, input: of(input), ...(tied ? {} : { output: of(output) }), nearest: 3, pairs: 2 };
  return { rows, cols: COLS, tied, narrow, sampled, text: of(input), norm: new Float32Array(COLS).fill(2) };
};
const fill = async (sums: TableSums, tied: boolean): Promise<unknown> =>
  sums.add(ROWS, input, tied ? undefined : output);
const found = async (sums: TableSums, tied: boolean): Promise<unknown[]> => [
  ...[await sums.asymmetry(false), await sums.asymmetry(true), await sums.drift(), await sums.findings()],
  ...[await sums.table('input'), await sums.table('output'), tied || (await sums.alignment(5))],
];

describe('two workers', () => {
  test.each([
    [true, false],
    [true, true],
    [false, false],
    [false, true],
  ])('find the same bits as one worker (tied: %s, narrow: %s)', async (tied, narrow) => {
    const { own, other, pool, closed } = lab();
    const options = optionsOf(tied, undefined, narrow);
    const sums = await sumsInLab(own.client, pool, options);
    const alone = new CoreTableSums(runtime, options);
    expect(await fill(sums, tied)).toEqual(await fill(alone, tied));
    expect(await found(sums, tied)).toEqual(await found(alone, tied));
    // Each has a share; one of them has the sample.
    expect(own.started[0]).toMatchObject({ share: { first: 0, end: 3, of: 8 }, sampled: { nearest: 3 } });
    expect(other.started[0]).toEqual({ cols: COLS, tied, narrow, share: { first: 3, end: 8, of: 8 } });
    // The second worker is released before the last result is read.
    await Promise.resolve();
    expect([other.live, closed(), own.live]).toEqual([0, 1, 1]);
    sums.dispose();
    expect([own.live, closed()]).toEqual([0, 1]);
  });

  test('are both freed if no result is read', async () => {
    const { own, other, pool, closed } = lab();
    const sums = await sumsInLab(own.client, pool, optionsOf(true));
    await fill(sums, true);
    sums.dispose();
    sums.dispose();
    await new Promise(setImmediate);
    expect([other.live, closed()]).toEqual([0, 1]);
  });

  test('name a non-finite row once', async () => {
    const { own, pool } = lab();
    const sums = await sumsInLab(own.client, pool, optionsOf(true));
    const bytes = input.bytes.slice();
    new Float32Array(bytes.buffer)[COLS + 1] = Infinity;
    await expect(sums.add(ROWS, { type: 'F32', bytes })).rejects.toThrow(/^input\[1, 1\] is Infinity/);
    sums.dispose();
  });
});

describe('one worker does everything', () => {
  test('for a small table', async () => {
    const { own, pool, opened } = lab();
    await sumsInLab(own.client, pool, optionsOf(true, ROWS));
    expect(opened).toEqual([]);
    expect(own.started).toMatchObject([{ sampled: { nearest: 3 }, tied: true }]);
    expect(own.started[0]!.share).toBeUndefined();
  });

  test('for a table whose products would fill memory twice', async () => {
    const { own, pool, opened } = lab();
    await sumsInLab(own.client, pool, { rows: 2 ** 20, cols: 4104, tied: true });
    expect(opened).toEqual([]);
    own.sums[0]!.dispose();
  });

  test('on a machine with one core', async () => {
    const { own, pool } = lab(0);
    await sumsInLab(own.client, pool, optionsOf(true));
    expect(own.started[0]!.share).toBeUndefined();
  });

  test('if the other worker cannot begin', async () => {
    const { own, other, pool, closed } = lab();
    other.failure = new Error('out of memory');
    await sumsInLab(own.client, pool, optionsOf(true));
    await new Promise(setImmediate);
    expect(own.started.map(({ share }) => share?.end)).toEqual([3, undefined]);
    expect([own.live, closed()]).toEqual([1, 1]);
  });

  test('and throws its own error if it fails too', async () => {
    const { own, other, pool, closed } = lab();
    own.failure = new Error('not enough');
    await expect(sumsInLab(own.client, pool, optionsOf(true))).rejects.toThrow('not enough');
    await new Promise(setImmediate);
    expect([other.live, closed()]).toEqual([0, 1]);
  });
});
