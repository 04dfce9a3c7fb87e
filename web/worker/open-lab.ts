/** The lab: the core's verbs, each a promise, kept in a worker where the page may have one. */
import { BigramTable } from '../core/bigram-table.js';
import { TiedError } from '../core/errors.js';
import type { CompiledCore } from '../core/instantiate.js';
import { disposeSymbol } from '../core/symbols.js';
import { checkRun } from '../core/training-run.js';
import type { Lab, LabOptions, LabTokenizer, LabTrainer, RunOptions, StepRecord } from '../core/types.js';
import { checkOptions, checkUrl } from '../core/validate.js';
import {
  CORE_TARGET,
  CORE_VERBS,
  TOKENIZER_VERBS,
  TRAINER_VERBS,
  type Call,
  type LabBackend,
  type Reply,
  type Value,
} from './protocol.js';
import { startOnSameThread } from './same-thread-backend.js';
import { startWorker } from './worker-backend.js';

type Compile = (options: LabOptions) => Promise<CompiledCore>;
type Listener = NonNullable<RunOptions['onProgress']>;

/** Opens a lab on what `compile` gives: the two entries of the package differ in nothing else. */
export async function openLab(compile: Compile, options: LabOptions = {}): Promise<Lab> {
  checkOptions('options', options, ['workerUrl', 'wasmUrl', 'wasmBytes', 'analysisUrl', 'analysisBytes']);
  if (options.workerUrl !== undefined) checkUrl('options.workerUrl', options.workerUrl);
  const compiled = await compile(options);
  const listeners = new Map<number, Listener>();
  const onProgress = (ticket: number, fraction: number, record: StepRecord): void =>
    listeners.get(ticket)?.(fraction, record);
  const inWorker = await startWorker(options.workerUrl, compiled, onProgress);
  const backend = inWorker ?? (await startOnSameThread(compiled, onProgress));

  let closed: TiedError | null = null;
  const client = new LabClient(backend, listeners, () => closed);
  const dispose = (): void => {
    if (closed) return;
    closed = new TiedError('disposed', 'the lab has been disposed of; create a new one');
    backend.close(closed);
  };
  return {
    ...verbs(CORE_VERBS, (verb, args) => client.call(CORE_TARGET, verb, args)),
    version: backend.version,
    simd: backend.simd,
    mode: inWorker ? 'worker' : 'same-thread',
    dispose,
    [disposeSymbol]: dispose,
  } as Lab;
}

/** One method a verb. */
function verbs(names: readonly string[], call: (verb: string, args: unknown[]) => Promise<unknown>): object {
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => call(name, args)]));
}

class LabClient {
  readonly #backend: LabBackend;
  readonly #listeners: Map<number, Listener>;
  readonly #closed: () => TiedError | null;
  /** The last resort for handles that nobody disposed of. */
  readonly #forgotten = new FinalizationRegistry<number>((target) => this.#release(target));
  /** Handles with a call under way: those are not forgotten, even where only the answer is waited for. */
  readonly #busy = new Set<{ handle: object }>();
  #lastTicket = 0;

  constructor(backend: LabBackend, listeners: Map<number, Listener>, closed: () => TiedError | null) {
    this.#backend = backend;
    this.#listeners = listeners;
    this.#closed = closed;
  }

  /** Sends the call at once: what the arguments hold later is of no matter. */
  async call(target: number, verb: string, args: unknown[], onReply?: (reply: Reply) => void): Promise<unknown> {
    const closed = this.#closed();
    if (closed) throw closed;
    const ticket = ++this.#lastTicket;
    const run = verb === 'run' && target !== CORE_TARGET ? runOptions(args) : null;
    const { onProgress, signal } = run ?? {};
    if (signal?.aborted)
      throw new TiedError('cancelled', 'the run was cancelled before it began', { cause: signal.reason });
    const cancel = (): void => this.#backend.cancel(ticket);
    // What the caller's own listener throws ends the run, as it does without a lab, and reaches the caller as it is.
    const thrown: { error: unknown }[] = [];
    if (onProgress) {
      this.#listeners.set(ticket, (fraction, record) => {
        if (thrown.length > 0) return;
        try {
          onProgress(fraction, record);
        } catch (error) {
          thrown.push({ error });
          cancel();
        }
      });
    }
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const call: Call = { target, verb, args: run?.args ?? args, ticket, progress: onProgress !== undefined };
      const reply = await this.#send(call);
      onReply?.(reply);
      if (thrown[0]) throw thrown[0].error;
      if (!reply.ok) throw new TiedError(reply.code, reply.message, { cause: signal?.reason });
      return this.#revive(reply.value);
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#listeners.delete(ticket);
    }
  }

  async #send(call: Call): Promise<Reply> {
    try {
      return await this.#backend.call(call);
    } catch (cause) {
      if (cause instanceof TiedError) throw cause;
      const closed = this.#closed();
      if (closed) throw closed;
      if (cause instanceof DOMException && cause.name === 'DataCloneError') {
        throw new TiedError(
          'invalid-argument',
          `an argument of ${call.verb} is not plain data; expected values that can be copied`,
          { cause },
        );
      }
      throw new TiedError('disposed', 'the worker has stopped; create a new lab', { cause });
    }
  }

  #revive(value: Value): unknown {
    switch (value.kind) {
      case 'plain':
        return value.value;
      case 'bigrams':
        return new BigramTable(value.data);
      case 'trainer':
        return this.#trainer(value);
      case 'tokenizer':
        return this.#tokenizer(value);
    }
  }

  #trainer({ id, model, training, step }: Extract<Value, { kind: 'trainer' }>): LabTrainer {
    const state = { step };
    return this.#handle(id, 'trainer', TRAINER_VERBS, state, {
      model,
      training,
      get step() {
        return state.step;
      },
    }) as unknown as LabTrainer;
  }

  #tokenizer({ id, tokenizerKind, tokens }: Extract<Value, { kind: 'tokenizer' }>): LabTokenizer {
    const properties = { kind: tokenizerKind, vocabSize: tokens.length, tokens };
    return this.#handle(id, 'tokenizer', TOKENIZER_VERBS, {}, properties) as unknown as LabTokenizer;
  }

  /** `state.step` follows the replies. Nothing that is kept here holds the handle itself, so that it can be collected. */
  #handle(id: number, what: string, names: readonly string[], state: { step?: number }, properties: object): object {
    let live = true;
    const token = {};
    const dispose = (): void => {
      if (!live) return;
      live = false;
      this.#forgotten.unregister(token);
      this.#release(id);
    };
    const methods = verbs(names, async (verb, args) => {
      if (!live) throw new TiedError('disposed', `the ${what} has been disposed of; expected a live one`);
      const held = { handle };
      this.#busy.add(held);
      return this.call(id, verb, args, ({ step }) => (state.step = step ?? state.step)).finally(() => {
        this.#busy.delete(held);
      });
    });
    // Descriptors, not values: `step` is a getter.
    const handle: object = Object.defineProperties(
      { ...methods, dispose, [disposeSymbol]: dispose },
      Object.getOwnPropertyDescriptors(properties),
    );
    this.#forgotten.register(handle, id, token);
    return handle;
  }

  #release(target: number): void {
    if (!this.#closed()) this.#backend.release(target);
  }
}

/** The parts of `run`'s options that stay on this side, and the arguments without them. */
function runOptions(args: unknown[]): { args: unknown[]; onProgress?: Listener; signal?: AbortSignal } {
  const [steps, options] = args as [number, RunOptions?];
  const { recordEvery } = checkRun(steps, options);
  return { args: [steps, { recordEvery }], onProgress: options?.onProgress, signal: options?.signal };
}
