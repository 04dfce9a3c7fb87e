/** Trainers of one lab that train at the same time: they are distributed over the lab's own worker and those of the pool. */
import { copyData } from '../core/runtime/copy-data.js';
import { invalidArgument, TiedError } from '../core/runtime/errors.js';
import { pause } from '../core/runtime/pause.js';
import type { LabTokenizer, LabTrainer } from '../core/types.js';
import { isRecord, readRecord } from '../core/runtime/validate.js';
import type { LabClient } from './lab-client.js';
import { CORE_TARGET, type TrainerValue } from './protocol.js';
import type { PoolMember, WorkerPool } from './worker-pool.js';

/** One trainer's options: what is copied, and its tokenizer, which is a handle of this lab. */
interface Asked {
  readonly options: unknown;
  readonly tokenizer: LabTokenizer | undefined;
}

export async function trainersInLab(own: LabClient, pool: WorkerPool, list: unknown): Promise<LabTrainer[]> {
  if (!Array.isArray(list) || list.length === 0)
    throw invalidArgument('options', list, 'a list of the options of at least one trainer');
  const asked = askedOf(list);
  const members = [null, ...(await pool.take(asked.length - 1))];
  const seats = members.map((member) => (member ? new OtherWorker(own, member, pool) : new OwnWorker(own)));
  const making: Promise<LabTrainer>[] = [];
  for (const [i, one] of asked.entries()) {
    // Thousands of pairs are copied and sent in tasks of their own: together they would block the page.
    await pause();
    const made = seats[i % seats.length]!.make(one);
    made.catch(() => undefined);
    making.push(made);
  }
  const results = await Promise.allSettled(making);
  for (const seat of seats) seat.leaveIfEmpty();
  const failed = results.findIndex(({ status }) => status === 'rejected');
  if (failed === -1) return Promise.all(making);
  for (const result of results) if (result.status === 'fulfilled') result.value.dispose();
  throw ofTrainer(failed, (results[failed] as PromiseRejectedResult).reason);
}

function askedOf(list: readonly unknown[]): Asked[] {
  // One copy of all, so that data that several trainers share is copied once.
  const tokenizers = list.map(() => undefined as unknown);
  const plain = list.map((given, i) => {
    if (!isRecord(given)) return given;
    const { tokenizer, ...others } = readRecord(`options[${String(i)}]`, given);
    tokenizers[i] = tokenizer;
    return others;
  });
  const copied = copyData(plain) as unknown[];
  return copied.map((options, i) => ({ options, tokenizer: tokenizers[i] as LabTokenizer | undefined }));
}

/** The error of one trainer, with the place of its options in the list. */
function ofTrainer(index: number, error: unknown): unknown {
  if (!(error instanceof TiedError)) return error;
  const place = `options[${String(index)}]`;
  const message = /^options\b/.test(error.message)
    ? error.message.replace('options', place)
    : `${place}: ${error.message}`;
  return new TiedError(error.code, message, { cause: error });
}

async function createTrainer(client: LabClient, { options, tokenizer }: Asked): Promise<TrainerValue> {
  const given = tokenizer === undefined ? options : { ...(options as object), tokenizer };
  return (await client.callRaw(CORE_TARGET, 'createTrainer', [given])) as TrainerValue;
}

/** The lab's own worker, which outlives its trainers. */
class OwnWorker {
  readonly #client: LabClient;

  constructor(client: LabClient) {
    this.#client = client;
  }

  async make(asked: Asked): Promise<LabTrainer> {
    return this.#client.trainer(await createTrainer(this.#client, asked));
  }

  leaveIfEmpty(): void {}
}

/** A worker of the pool, which goes back with its last trainer. */
class OtherWorker {
  readonly #own: LabClient;
  readonly #member: PoolMember;
  readonly #pool: WorkerPool;
  #trainers = 0;
  #left = false;

  constructor(own: LabClient, member: PoolMember, pool: WorkerPool) {
    this.#own = own;
    this.#member = member;
    this.#pool = pool;
  }

  async make(asked: Asked): Promise<LabTrainer> {
    const { client } = this.#member;
    const tokenizer = await this.#copyOf(asked.tokenizer);
    try {
      const value = await createTrainer(client, { ...asked, tokenizer });
      ++this.#trainers;
      client.whenReleased(value.id, () => {
        --this.#trainers;
        this.leaveIfEmpty();
      });
      return client.trainer(value);
    } finally {
      // The trainer has a copy of its own.
      tokenizer?.dispose();
    }
  }

  async #copyOf(tokenizer: LabTokenizer | undefined): Promise<LabTokenizer | undefined> {
    if (tokenizer === undefined) return undefined;
    const { handle } = this.#own.referenceTo('options.tokenizer', tokenizer, 'a tokenizer of this lab');
    const bytes = await this.#own.call(handle, 'save', []);
    return (await this.#member.client.call(CORE_TARGET, 'loadTokenizer', [
      bytes,
      { format: 'tied-embeddings' },
    ])) as LabTokenizer;
  }

  leaveIfEmpty(): void {
    if (this.#trainers > 0 || this.#left) return;
    this.#left = true;
    void this.#pool.release(this.#member);
  }
}
