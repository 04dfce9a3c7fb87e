// The page's part in a team: opening workers, connecting them, and telling who is gone. Workers are stand-ins that record their orders.
import { describe, expect, test } from 'vitest';
import { TiedError } from '../../../../web/index.js';
import type { LabClient } from '../../../../web/worker/lab-client.js';
import { LabTeams } from '../../../../web/worker/lab-teams.js';
import type { TeamNews, TeamOrder } from '../../../../web/worker/protocol.js';
import { WorkerPool, type PoolMember } from '../../../../web/worker/worker-pool.js';

class Worker implements PoolMember {
  readonly orders: TeamOrder[] = [];
  readonly prepared: string[] = [];
  readonly released: (() => void)[] = [];
  readonly closed: Promise<TiedError>;
  ended = false;
  refuses = false;
  #end!: (reason: TiedError) => void;
  readonly client: LabClient;

  constructor() {
    this.closed = new Promise((resolve) => (this.#end = resolve));
    this.client = {
      order: (order: TeamOrder) => void this.orders.push(order),
      prepare: async (verb: string) => {
        this.prepared.push(verb);
        if (this.refuses) throw new TiedError('unreachable', 'no such file');
        await Promise.resolve();
      },
      whenReleased: (_: number, then: () => void) => void this.released.push(then),
    } as unknown as LabClient;
  }

  close(): void {
    this.ended = true;
    this.#end(new TiedError('stopped', 'closed'));
  }

  /** What it was told, without ports. */
  get told(): unknown[] {
    return this.orders.map(({ kind, ...order }) => [
      kind,
      'places' in order ? order.places : Object.values(order).at(-1),
    ]);
  }
}

const model = {
  kind: 'transformer',
  vocabSize: 4,
  dModel: 8,
  nLayers: 1,
  nHeads: 1,
  contextLength: 4,
  tying: 'tied',
} as const;
const wants = (count: number): TeamNews => ({ wants: count, model });
const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5));

const portsIn = ([order]: readonly TeamOrder[]): readonly MessagePort[] =>
  (order as Extract<TeamOrder, { kind: 'lead' }>).ports;

function lab(threads: number, shared = 0) {
  const opened: Worker[] = [];
  const pool = new WorkerPool(
    () => {
      opened.push(new Worker());
      return Promise.resolve(opened.at(-1)!);
    },
    shared,
    threads - 1,
  );
  return { opened, pool, lead: new Worker(), teams: new LabTeams(pool, threads) };
}

describe('a trainer that asks for partners', () => {
  test.each([
    [2, 7, 1],
    [4, 7, 3],
    [4, 1, 1],
  ])('in a lab of %i threads, for %i, gets %i, connected to each other', async (threads, count, got) => {
    const { opened, lead, teams } = lab(threads);
    await teams.hear(lead, 5, wants(count));
    expect(opened).toHaveLength(got);
    expect(lead.prepared).toEqual(['save']);
    const places = Array.from({ length: got + 1 }, (_, place) => place);
    expect(lead.told).toEqual([['lead', places.slice(1)]]);
    for (const [i, worker] of opened.entries()) {
      expect(worker.prepared).toEqual(['createTrainer', 'loadTrainer']);
      expect(worker.told).toEqual([['follow', places.filter((place) => place !== i + 1)]]);
    }
    // A message of each reaches the other.
    const [one, other] = [lead, opened[0]!].map(({ orders }) => portsIn(orders)[0]!);
    const arrived = new Promise((resolve) => (other!.onmessage = ({ data }) => resolve(data as unknown)));
    one!.postMessage('here');
    expect(await arrived).toBe('here');
    for (const { orders } of [lead, ...opened]) for (const port of portsIn(orders)) port.close();
  });

  test('gets nobody where all workers are in use, and can ask again', async () => {
    const { opened, pool, lead, teams } = lab(2, 1);
    const [member] = await pool.take(1);
    await teams.hear(lead, 5, wants(1));
    expect([opened.length, lead.told]).toEqual([1, []]);
    await pool.release(member!);
    await teams.hear(lead, 5, wants(1));
    expect(opened.length).toBe(2);
    expect(lead.told).toEqual([['lead', [1]]]);
  });

  test('shares the workers with those who train in workers that are taken', async () => {
    const { opened, pool, lead, teams } = lab(8, 3);
    await pool.take(1);
    await teams.hear(lead, 5, wants(7));
    expect(lead.told).toEqual([['lead', [1, 2, 3]]]);
    const other = new Worker();
    await teams.hear(other, 1, wants(7));
    expect(other.told).toEqual([['lead', [1, 2, 3]]]);
    expect(opened).toHaveLength(7);
  });

  test('is answered once, however often it asks', async () => {
    const { opened, lead, teams } = lab(3);
    await Promise.all([teams.hear(lead, 5, wants(2)), teams.hear(lead, 5, wants(2))]);
    await teams.hear(lead, 5, wants(2));
    expect([opened.length, lead.orders.length]).toEqual([2, 1]);
    // Another trainer of the same worker finds nobody.
    await teams.hear(lead, 6, wants(2));
    expect(lead.orders.length).toBe(1);
  });

  test('gets nobody if a module cannot be loaded', async () => {
    const { opened, lead, teams } = lab(2);
    lead.refuses = true;
    await teams.hear(lead, 5, wants(1));
    await settled();
    expect(lead.told).toEqual([]);
    expect(opened.map(({ ended }) => ended)).toEqual([true]);
  });
});

describe('a team', () => {
  test('hears of a worker that stopped, and goes on with the others', async () => {
    const { opened, lead, teams } = lab(3);
    await teams.hear(lead, 5, wants(2));
    opened[0]!.close();
    await settled();
    expect(lead.told).toEqual([
      ['lead', [1, 2]],
      ['lost', 1],
    ]);
    expect(opened[1]!.ended).toBe(false);
  });

  test('ends workers that the lead no longer needs', async () => {
    const { opened, lead, teams } = lab(3);
    await teams.hear(lead, 5, wants(2));
    await teams.hear(lead, 5, { left: [2] });
    await settled();
    expect(opened.map(({ ended }) => ended)).toEqual([false, true]);
    await teams.hear(lead, 5, { left: [1] });
    await settled();
    expect(opened.map(({ ended }) => ended)).toEqual([true, true]);
    // They were not lost.
    expect(lead.orders.filter(({ kind }) => kind === 'lost')).toEqual([]);
    await teams.hear(lead, 5, wants(2));
    expect(lead.told.at(-1)).toEqual(['lead', [1, 2]]);
  });

  test.each<[string, (lead: Worker) => void]>([
    ['its trainer', (lead) => lead.released.forEach((then) => then())],
    ['the worker of its trainer', (lead) => lead.close()],
  ])('ends with %s', async (_, end) => {
    const { opened, lead, teams } = lab(3);
    await teams.hear(lead, 5, wants(2));
    end(lead);
    await settled();
    expect(opened.map(({ ended }) => ended)).toEqual([true, true]);
  });

  test('whose trainer is gone before its workers are open ends at once', async () => {
    const { opened, lead, teams } = lab(3);
    const forming = teams.hear(lead, 5, wants(2));
    lead.released.forEach((then) => then());
    await forming;
    await settled();
    expect(lead.told).toEqual([]);
    expect(opened.map(({ ended }) => ended)).toEqual([true, true]);
  });

  test('gives its workers back to comparisons and trainers, which take precedence', async () => {
    const { opened, pool, lead, teams } = lab(4, 1);
    await teams.hear(lead, 5, wants(3));
    const [taken] = await pool.take(3);
    await settled();
    expect(taken).toBe(opened[0]);
    expect(opened[0]!.told).toEqual([
      ['follow', [0, 2, 3]],
      ['leave', expect.any(Number)],
    ]);
    expect(lead.told.at(-1)).toEqual(['lost', 1]);
    expect(opened.map(({ ended }) => ended)).toEqual([false, false, false]);
    await pool.release(taken!);
    expect(opened[0]!.ended).toBe(true);
  });

  test('whose workers are recalled while they open does not keep them', async () => {
    const { opened, pool, lead, teams } = lab(2, 1);
    const forming = teams.hear(lead, 5, wants(1));
    const [taken] = await pool.take(1);
    await forming;
    await settled();
    expect(taken).toBe(opened[0]);
    expect(lead.told).toEqual([]);
    expect(taken && opened[0]!.ended).toBe(false);
    await pool.release(taken!);
    expect(opened[0]!.ended).toBe(true);
  });
});
