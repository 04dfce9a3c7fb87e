/**
 * Sums over the rows of large tables: two workers add the same rows, and each computes a share of the products, which are most of
 * the work. The result has the same bits as with one worker.
 */
import type { SharedTableSums, TableSums, TableSumsOptions } from '../core/checkpoint/card/table-sums.js';
import { PRODUCTS } from '../core/checkpoint/card/products.js';
import type { PanelShare } from '../core/checkpoint/card/table-moments.js';
import type { LabClient } from './lab-client.js';
import { CORE_TARGET } from './protocol.js';
import type { WorkerPool } from './worker-pool.js';
import { isWorthTwoWorkers } from './worth-two-workers.js';

/** The worker that also measures the sampled tokens has the smaller share. */
const SHARES: Readonly<Record<'own' | 'other', PanelShare>> = {
  own: { first: 0, end: 3, of: 8 },
  other: { first: 3, end: 8, of: 8 },
};

/** If there is no other worker, or not enough work for one, the lab's own does everything. */
export async function sumsInLab(client: LabClient, pool: WorkerPool, options: TableSumsOptions): Promise<TableSums> {
  const start = async (of: LabClient, given: TableSumsOptions): Promise<SharedTableSums> =>
    (await of.call(CORE_TARGET, 'startTableSums', [given])) as SharedTableSums;
  const { cols, tied, narrow } = options;
  const [member] = isWorthTwoWorkers(options) ? await pool.take(1) : [];
  if (!member) return start(client, options);
  const [own, other] = await Promise.allSettled([
    start(client, { ...options, share: SHARES.own }),
    start(member.client, { cols, tied, narrow, share: SHARES.other }),
  ]);
  if (own.status === 'fulfilled' && other.status === 'fulfilled')
    return new SumsOfTwo(own.value, other.value, PRODUCTS[tied ? 'tied' : 'untied'], () => pool.release(member));
  for (const sums of [own, other]) if (sums.status === 'fulfilled') sums.value.dispose();
  void pool.release(member);
  if (own.status === 'rejected') throw own.reason;
  return start(client, options);
}

class SumsOfTwo implements TableSums {
  readonly #own: SharedTableSums;
  readonly #products: readonly number[];
  #other: SharedTableSums | null;
  #release: () => unknown;
  #joining: Promise<void> | null = null;

  constructor(own: SharedTableSums, other: SharedTableSums, products: readonly number[], release: () => unknown) {
    this.#own = own;
    this.#other = other;
    this.#products = products;
    this.#release = release;
  }

  async add(...rows: Parameters<TableSums['add']>): Promise<Awaited<ReturnType<TableSums['add']>>> {
    if (this.#other === null) throw new TypeError('Rows are added before results are read.');
    // Both are sent before either is awaited.
    const [lengths] = await Promise.all([this.#own.add(...rows), this.#other.add(...rows)]);
    return lengths;
  }

  /** One matrix at a time, so at most one is in transit between the two workers. */
  async #join(): Promise<void> {
    for (const which of this.#products) await this.#own.join(which, await this.#other!.product(which));
    this.#end();
  }

  async #joined(): Promise<SharedTableSums> {
    await (this.#joining ??= this.#join());
    return this.#own;
  }

  async asymmetry(folded: boolean): Promise<Awaited<ReturnType<TableSums['asymmetry']>>> {
    return (await this.#joined()).asymmetry(folded);
  }

  async table(role: 'input' | 'output'): Promise<Awaited<ReturnType<TableSums['table']>>> {
    return (await this.#joined()).table(role);
  }

  async alignment(seed: number): Promise<Awaited<ReturnType<TableSums['alignment']>>> {
    return (await this.#joined()).alignment(seed);
  }

  async drift(): Promise<Awaited<ReturnType<TableSums['drift']>>> {
    return (await this.#joined()).drift();
  }

  async findings(): Promise<Awaited<ReturnType<TableSums['findings']>>> {
    return (await this.#joined()).findings();
  }

  dispose(): void {
    this.#own.dispose();
    this.#end();
  }

  #end(): void {
    if (this.#other === null) return;
    this.#other.dispose();
    this.#other = null;
    this.#release();
  }
}
