/** A worker as the page calls it: sends calls, and makes objects of the handles that it answers with. */
import { BigramTable } from '../core/text/bigram-table.js';
import { isBlob } from '../core/runtime/blob.js';
import { copyData } from '../core/runtime/copy-data.js';
import type { SharedCorpus } from '../core/text/corpus.js';
import { invalidArgument, TiedError } from '../core/runtime/errors.js';
import { disposeSymbol } from '../core/runtime/symbols.js';
import type { LabCorpus, LabTokenizer, LabTrainer } from '../core/types.js';
import { isRecord, readRecord } from '../core/runtime/validate.js';
import {
  CORE_TARGET,
  CORPUS_VERBS,
  TABLE_SUMS_VERBS,
  TOKENIZER_ARGUMENT_INDEX,
  TOKENIZER_VERBS,
  type Call,
  type HandleReference,
  type Reply,
  type TeamOrder,
  type TokenizerValue,
  type TrainerState,
  type TrainerValue,
  type Value,
} from './protocol.js';
import { onAbort } from './abort-listeners.js';
import type { LabModules } from './lab-modules.js';
import { takeOptions, type Listener } from '../core/runtime/verb-options.js';
import { partsTo } from './to-stream.js';
import { LONG_VERBS, TRAINER_VERBS, type LongVerb } from './verb-facts.values.js';
import type { StartedBackend } from './worker-backend.js';

/** Makes one method per verb. */
export function verbs(names: readonly string[], call: (verb: string, args: unknown[]) => Promise<unknown>): object {
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => call(name, args)]));
}

/** Their files are sent as they are; everything else is copied. */
const READ_FILES = ['openCorpus', 'loadTrainer'];

function copyArguments(verb: string, args: readonly unknown[]): unknown[] {
  const [source, ...others] = args;
  if (!READ_FILES.includes(verb) || !isBlob(source)) return copyData(args) as unknown[];
  return [source, ...(copyData(others) as unknown[])];
}

/** The answer of a verb that has written a file to a stream: its bytes are counted, unless it has more to say. */
const streamed = (value: Value, bytes: number): unknown =>
  value.kind !== 'plain' || value.value instanceof Uint8Array ? bytes : value.value;

/** Undefined if the verb is a single call. By name alone for handles: what the page needs of verbs of one name is the same. */
function longVerb(target: number, name: string): LongVerb | undefined {
  const verbs = LONG_VERBS[target === CORE_TARGET ? 'core' : 'handles'];
  return Object.hasOwn(verbs, name) ? verbs[name] : undefined;
}

/** Decides when a call is sent: at once, or after others. */
type InTurn = (send: () => Promise<Reply>) => Promise<Reply>;

interface MoreOfCall {
  onReply?: (reply: Reply) => void;
  inTurn?: InTurn;
}

/** The client of each handle, and its reference while the handle is alive. */
const owners = new WeakMap<object, { client: LabClient; reference: () => HandleReference }>();

/** One worker, as the page calls it. */
export class LabClient {
  readonly #backend: StartedBackend;
  readonly #modules: LabModules;
  readonly #listeners: Map<number, Listener>;
  readonly #closed: () => TiedError | null;
  /** Last resort for handles that were never disposed of. */
  readonly #forgotten = new FinalizationRegistry<number>((target) => this.release(target));
  /** Handles with a pending call, which must not be collected even if only the answer is awaited. */
  readonly #busy = new Set<{ handle: object }>();
  /** For handles with a call that waits for a module: later calls and the release are sent after it. */
  readonly #waiting = new Map<number, Promise<void>>();
  readonly #afterRelease = new Map<number, (() => void)[]>();
  #lastTicket = 0;

  constructor(
    backend: StartedBackend,
    modules: LabModules,
    listeners: Map<number, Listener>,
    closed: () => TiedError | null,
  ) {
    this.#backend = backend;
    this.#modules = modules;
    this.#listeners = listeners;
    this.#closed = closed;
  }

  /** Copies the arguments before it returns, so that later changes have no effect. */
  async call(target: number, verb: string, args: unknown[], more?: MoreOfCall): Promise<unknown> {
    return this.#revive(await this.#value(target, verb, args, more));
  }

  /** The other side's value, not converted. */
  async callRaw(target: number, verb: string, args: unknown[]): Promise<Value> {
    return this.#value(target, verb, args);
  }

  async #value(target: number, verb: string, args: unknown[], more: MoreOfCall = {}): Promise<Value> {
    const { onReply, inTurn } = more;
    const closed = this.#closed();
    if (closed) throw closed;
    const ticket = ++this.#lastTicket;
    const long = longVerb(target, verb);
    const taken = long ? takeOptions(long, args) : { args: this.#withReference(verb, args) };
    const { args: sent, onNews, signal, to } = taken;
    const plain = copyArguments(verb, sent);
    const checkWanted = (): void => {
      if (!signal?.aborted) return;
      throw new TiedError('cancelled', `the ${long!.what} was cancelled before it began`, { cause: signal.reason });
    };
    checkWanted();
    const cancel = (): void => this.#backend.cancel(ticket);
    // An error of the caller's listener ends the verb and reaches the caller unchanged, as without a lab.
    const thrown: { error: unknown }[] = [];
    const failed = (error: unknown): void => {
      thrown.push({ error });
      cancel();
    };
    if (onNews) {
      this.#listeners.set(ticket, (...news) => {
        if (thrown.length > 0) return;
        try {
          onNews(...news);
        } catch (error) {
          failed(error);
        }
      });
    }
    const parts = to === undefined ? null : partsTo(to, failed);
    if (parts) plain[long!.optionsAt] = { ...(plain[long!.optionsAt] as object), to: parts.port };
    const stopListening = signal && onAbort(signal, cancel);
    try {
      const call: Call = { target, verb, args: plain, ticket, listens: onNews !== undefined };
      const send = (): Promise<Reply> => this.#send(call, checkWanted);
      const reply = await (inTurn ? inTurn(send) : send());
      onReply?.(reply);
      if (thrown[0]) throw thrown[0].error;
      if (!reply.ok) throw new TiedError(reply.code, reply.message, { cause: signal?.reason });
      return parts ? { kind: 'plain', value: streamed(reply.value, parts.bytes) } : reply.value;
    } finally {
      parts?.end();
      stopListening?.();
      this.#listeners.delete(ticket);
    }
  }

  /** Starts the modules that a call would need. */
  async prepare(verb: string, target: number, args: readonly unknown[] = []): Promise<void> {
    await this.#modules.neededBy(verb, target, args);
  }

  order(order: TeamOrder): void {
    if (!this.#closed()) this.#backend.team?.(order);
  }

  /** Replaces a tokenizer of this lab in the options by its reference. */
  #withReference(verb: string, args: unknown[]): unknown[] {
    const index = TOKENIZER_ARGUMENT_INDEX[verb];
    const given = index === undefined ? undefined : args[index];
    if (!isRecord(given)) return args;
    const options = readRecord('options', given);
    const { tokenizer } = options;
    if (tokenizer === undefined) return args.map((argument, i) => (i === index ? options : argument));
    const owner = owners.get(tokenizer as object);
    if (!owner) throw invalidArgument('options.tokenizer', tokenizer, 'a tokenizer of this lab');
    if (owner.client !== this) {
      throw new TiedError(
        'invalid-argument',
        'options.tokenizer belongs to another lab; expected one of this lab: load the bytes of its save()',
      );
    }
    return args.map((argument, i) => (i === index ? { ...options, tokenizer: owner.reference() } : argument));
  }

  async #send(call: Call, checkWanted: () => void): Promise<Reply> {
    try {
      const module = this.#modules.neededBy(call.verb, call.target, call.args);
      const before = this.#waiting.get(call.target);
      if (!module && !before) return await this.#backend.call(call);
      return await (
        await this.#sendAfter(Promise.all([module, before]), call, checkWanted)
      ).reply;
    } catch (cause) {
      if (cause instanceof TiedError) throw cause;
      const closed = this.#closed();
      if (closed) throw closed;
      // Plain data cannot be sent only if it is too large; the worker has not received anything.
      if (cause instanceof DOMException) {
        throw new TiedError('out-of-memory', `the arguments of ${call.verb} cannot be sent to the worker`, { cause });
      }
      throw new TiedError('stopped', 'the worker has stopped; create a new lab', { cause });
    }
  }

  /** The object keeps the reply from being awaited before the call counts as sent. */
  async #sendAfter(wait: Promise<unknown>, call: Call, checkWanted: () => void): Promise<{ reply: Promise<Reply> }> {
    const { target } = call;
    let sent!: () => void;
    const turn = new Promise<void>((resolve) => (sent = resolve));
    if (target !== CORE_TARGET) this.#waiting.set(target, turn);
    try {
      // Closing the lab ends the wait.
      await Promise.race([wait, this.#backend.closed]);
      const closed = this.#closed();
      if (closed) throw closed;
      checkWanted();
      return { reply: this.#backend.call(call) };
    } finally {
      sent();
      if (this.#waiting.get(target) === turn) this.#waiting.delete(target);
    }
  }

  #revive(value: Value): unknown {
    switch (value.kind) {
      case 'plain':
        return value.value;
      case 'bigrams':
        return new BigramTable(value.data);
      case 'trainer':
        return this.trainer(value);
      case 'tokenizer':
        return this.#tokenizer(value);
      case 'corpus':
        return this.#corpus(value);
      case 'table-sums':
        return this.#handle(value.id, 'identity card', TABLE_SUMS_VERBS, {}, {});
      case 'comparison':
        throw new TypeError('Comparisons are put together by compareInLab.');
    }
  }

  /** `inTurn`: decides when its verbs are sent. */
  trainer({ id, model, training, step, threads, tyingChanges }: TrainerValue, inTurn?: InTurn): LabTrainer {
    this.#modules.keep(id, { model });
    const state = { step, threads, tyingChanges };
    const properties = {
      model,
      training,
      get step() {
        return state.step;
      },
      get threads() {
        return state.threads;
      },
      get tyingChangedAt() {
        return state.tyingChanges.at(-1) ?? null;
      },
      get tyingChanges() {
        return state.tyingChanges;
      },
    };
    return this.#handle(id, 'trainer', TRAINER_VERBS, state, properties, inTurn) as unknown as LabTrainer;
  }

  #corpus({ id, facts, tokenizer }: Extract<Value, { kind: 'corpus' }>): LabCorpus {
    const properties = { ...facts, tokenizer: tokenizer && this.#tokenizer(tokenizer) };
    return this.#handle(id, 'corpus', CORPUS_VERBS, {}, properties) as unknown as LabCorpus;
  }

  #tokenizer({ id, tokenizerKind, tokens }: TokenizerValue): LabTokenizer {
    const properties = { kind: tokenizerKind, vocabSize: tokens.length, tokens };
    return this.#handle(id, 'tokenizer', TOKENIZER_VERBS, {}, properties) as unknown as LabTokenizer;
  }

  /** `state` follows the replies. Nothing here references the handle itself, so it can be collected. */
  #handle(
    id: number,
    what: string,
    names: readonly string[],
    state: Partial<TrainerState>,
    properties: object,
    inTurn?: InTurn,
  ): object {
    let live = true;
    const token = {};
    const check = (): void => {
      if (!live) throw new TiedError('disposed', `the ${what} has been disposed of; expected a live one`);
    };
    const dispose = (): void => {
      if (!live) return;
      live = false;
      this.#forgotten.unregister(token);
      this.release(id);
    };
    const methods = verbs(names, async (verb, args) => {
      check();
      const held = { handle };
      this.#busy.add(held);
      const onReply = ({ step, threads, tyingChanges = [] }: Reply): void => {
        if (step !== undefined) Object.assign(state, { step, threads, tyingChanges });
      };
      return this.call(id, verb, args, { onReply, ...(inTurn ? { inTurn } : {}) }).finally(() => {
        this.#busy.delete(held);
      });
    });
    // Copies descriptors rather than values, because a trainer's are getters.
    const handle: object = Object.defineProperties(
      { ...methods, dispose, [disposeSymbol]: dispose },
      Object.getOwnPropertyDescriptors(properties),
    );
    this.#forgotten.register(handle, id, token);
    const reference = (): HandleReference => {
      check();
      return { handle: id };
    };
    owners.set(handle, { client: this, reference });
    return handle;
  }

  /** The reference of a handle of this lab; `expected` completes the error for anything else. */
  referenceTo(argument: string, handle: unknown, expected: string): HandleReference {
    const owner = owners.get(handle as object);
    if (owner?.client !== this) throw invalidArgument(argument, handle, expected);
    return owner.reference();
  }

  /** Adopts a copy of another worker's corpus; the caller releases it. */
  async adopt(corpus: SharedCorpus): Promise<number> {
    const value = await this.callRaw(CORE_TARGET, 'adoptCorpus', [corpus]);
    return (value as Extract<Value, { kind: 'corpus' }>).id;
  }

  release(target: number): void {
    const turn = this.#waiting.get(target);
    if (turn) {
      void turn.then(() => this.release(target));
      return;
    }
    this.#modules.forget(target);
    if (!this.#closed()) this.#backend.release(target);
    const after = this.#afterRelease.get(target) ?? [];
    this.#afterRelease.delete(target);
    for (const then of after) then();
  }

  /** Calls `then` once this handle has been released, by its holder or because it was collected. */
  whenReleased(target: number, then: () => void): void {
    this.#afterRelease.set(target, [...(this.#afterRelease.get(target) ?? []), then]);
  }
}
