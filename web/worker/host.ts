/**
 * Owns a core and answers calls to it, in a worker or on the page's own thread. Verbs are single calls, but for `run`:
 * it advances in slices of time with a pause after each, so that other calls and cancels are heard, several runs take
 * turns, and on the page's own thread drawing goes on.
 */
import { BigramTable } from '../core/bigram-table.js';
import { TiedError } from '../core/errors.js';
import { CoreTokenizer } from '../core/tokenizer.js';
import { CoreTrainer } from '../core/trainer.js';
import type { Core, RunOptions, StepRecord } from '../core/types.js';
import { pause } from './pause.js';
import {
  buffersOf,
  CORE_TARGET,
  CORE_VERBS,
  errorReply,
  TOKENIZER_VERBS,
  TRAINER_VERBS,
  type Call,
  type LabBackend,
  type OnProgress,
  type Reply,
  type Value,
} from './protocol.js';

/** About 30 progress messages a second. */
const PROGRESS_INTERVAL_MS = 33;

/** Verbs that change a trainer wait for those that were asked for before; the others answer between two slices. */
const CHANGING_VERBS: readonly string[] = ['run', 'rewind', 'setMatrix'];

type Target = Core | CoreTrainer | CoreTokenizer;

export class LabHost implements LabBackend {
  readonly #core: Core;
  readonly #sliceMs: number;
  readonly #onProgress: OnProgress;
  readonly #handles = new Map<number, CoreTrainer | CoreTokenizer>();
  /** Ends of the queues of changing verbs, by trainer. */
  readonly #queues = new Map<number, Promise<unknown>>();
  readonly #cancelled = new Set<number>();
  readonly #pending = new Set<number>();
  #lastHandle = CORE_TARGET;

  /** `sliceMs`: how long a run may hold the thread at a time, where single steps are shorter. */
  constructor(core: Core, sliceMs: number, onProgress: OnProgress) {
    this.#core = core;
    this.#sliceMs = sliceMs;
    this.#onProgress = onProgress;
  }

  /** Never rejects: what goes wrong is in the reply. Verbs other than `run` are done before this returns. */
  call(call: Call): Promise<Reply> {
    if (!CHANGING_VERBS.includes(call.verb) || call.target === CORE_TARGET) return this.#answer(call);
    this.#pending.add(call.ticket);
    const before = this.#queues.get(call.target);
    const answer = before ? before.then(() => this.#answer(call)) : this.#answer(call);
    this.#queues.set(call.target, answer);
    return answer.finally(() => {
      this.#pending.delete(call.ticket);
      this.#cancelled.delete(call.ticket);
      if (this.#queues.get(call.target) === answer) this.#queues.delete(call.target);
    });
  }

  cancel(ticket: number): void {
    if (this.#pending.has(ticket)) this.#cancelled.add(ticket);
  }

  release(target: number): void {
    this.#handles.get(target)?.dispose();
    this.#handles.delete(target);
  }

  dispose(): void {
    for (const target of [...this.#handles.keys()]) this.release(target);
    this.#core.dispose();
  }

  async #answer(call: Call): Promise<Reply> {
    try {
      const target = this.#target(call.target);
      const result =
        target instanceof CoreTrainer && call.verb === 'run' ? this.#run(target, call) : invoke(target, call);
      // No pause where there is nothing to wait for: a verb is then done when its call returns.
      const value = this.#valueOf(result instanceof Promise ? await result : result);
      return target instanceof CoreTrainer ? { ok: true, value, step: target.step } : { ok: true, value };
    } catch (error) {
      return errorReply(error, this.#stepOf(call.target));
    }
  }

  async #run(trainer: CoreTrainer, { args, ticket, progress }: Call): Promise<StepRecord[]> {
    const run = trainer.startRun(...(args as [number, RunOptions?]));
    let reported = performance.now();
    while (!run.finished) {
      if (this.#cancelled.has(ticket)) throw run.cancelled();
      run.takeFor(this.#sliceMs, progress);
      const now = performance.now();
      if (progress && run.newest && (run.finished || now - reported >= PROGRESS_INTERVAL_MS)) {
        reported = now;
        this.#onProgress(ticket, run.fraction, run.newest);
      }
      if (!run.finished) await pause();
    }
    return run.records;
  }

  #target(id: number): Target {
    const target = id === CORE_TARGET ? this.#core : this.#handles.get(id);
    if (!target) throw new TiedError('disposed', 'the handle has been disposed of; expected a live one');
    return target;
  }

  #stepOf(id: number): number | undefined {
    const handle = this.#handles.get(id);
    try {
      return handle instanceof CoreTrainer ? handle.step : undefined;
    } catch {
      return undefined;
    }
  }

  #valueOf(value: unknown): Value {
    if (value instanceof BigramTable) {
      const { counts, total, asymmetry } = value;
      return { kind: 'bigrams', data: { counts, total, asymmetry } };
    }
    if (value instanceof CoreTrainer) {
      const { model, training, step } = value;
      return { kind: 'trainer', id: this.#keep(value), model, training, step };
    }
    if (value instanceof CoreTokenizer) {
      const { kind, tokens } = value;
      return { kind: 'tokenizer', id: this.#keep(value), tokenizerKind: kind, tokens };
    }
    return { kind: 'plain', value };
  }

  #keep(handle: CoreTrainer | CoreTokenizer): number {
    this.#handles.set(++this.#lastHandle, handle);
    return this.#lastHandle;
  }
}

/** Only verbs that are listed can be called: a message is no way to reach anything else. */
function invoke(target: Target, { verb, args }: Call): unknown {
  const listed: readonly string[] =
    target instanceof CoreTrainer ? TRAINER_VERBS : target instanceof CoreTokenizer ? TOKENIZER_VERBS : CORE_VERBS;
  if (!listed.includes(verb))
    throw new TiedError('unsupported', `verb is '${verb}'; expected one of ${listed.join(', ')}`);
  return (target as unknown as Record<string, (...args: unknown[]) => unknown>)[verb]!(...args);
}

/** What of a reply may move to the other thread. */
export function transferablesOf(reply: Reply): Transferable[] {
  return reply.ok ? buffersOf(reply.value) : [];
}
