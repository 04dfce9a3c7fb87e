/**
 * Owns a core and answers calls to it, in a worker or on the page's thread. Verbs are single calls, except those that are
 * declared with their work, which run in time slices with a pause after each.
 */
import { BigramTable } from '../core/text/bigram-table.js';
import { CoreTableSums } from '../core/checkpoint/card/table-sums.js';
import { CoreComparison } from '../core/training/comparison.js';
import { TiedCore } from '../core/core.js';
import { CoreCorpus } from '../core/text/corpus.js';
import { TiedError } from '../core/runtime/errors.js';
import type { ModuleName } from '../core/runtime/modules.js';
import type { RunningModules } from '../core/runtime/running-modules.js';
import { CoreTokenizer } from '../core/text/tokenizer.js';
import { CoreTrainer } from '../core/training/trainer.js';
import { TRAINER_VERBS, TRAINER_WORK } from '../core/training/trainer-verbs.js';
import type { Core } from '../core/types.js';
import { HostTeams } from './team/host-teams.js';
import { pause } from '../core/runtime/pause.js';
import {
  buffersOf,
  CORE_TARGET,
  CORPUS_VERBS,
  errorReply,
  INTERNAL_CORPUS_VERBS,
  INTERNAL_TRAINER_VERBS,
  TABLE_SUMS_VERBS,
  TOKENIZER_ARGUMENT_INDEX,
  TOKENIZER_VERBS,
  type Added,
  type Call,
  type ErrorReply,
  type HandleReference,
  type LabBackend,
  type OnNews,
  type OnTeamNews,
  type Reply,
  type TeamOrder,
  type TokenizerValue,
  type TrainerState,
  type TrainerValue,
  type Value,
} from './protocol.js';
import { CORE_VERBS, CORE_WORK, INTERNAL_CORE_VERBS } from '../core/api/core-verbs.js';
import { startChecked, type AnyVerb, type Verbs } from '../core/runtime/verb.js';
import { CORPUS_WORK } from '../core/text/corpus.js';
import { TOKENIZER_WORK } from '../core/text/tokenizer.js';
import { COMPARISON_WORK } from '../core/training/comparison.js';

/** About 30 progress messages a second. */
const NEWS_INTERVAL_MS = 33;

/** Single calls that change a trainer. They wait for earlier changes; what only reads can run between two slices. */
const CHANGING_CALLS: readonly string[] = ['setMatrix', 'fill', 'begin'];

type HeldTarget = CoreTrainer | CoreTokenizer | CoreCorpus | CoreComparison | CoreTableSums;
type Target = Core | HeldTarget;

export class LabHost implements LabBackend {
  readonly core: Core;
  readonly #modules: RunningModules;
  readonly #sliceMs: number;
  readonly #onNews: OnNews;
  readonly #handles = new Map<number, HeldTarget>();
  /** Last call in the queue of changing verbs, by trainer. */
  readonly #queues = new Map<number, Promise<unknown>>();
  /** Running sliced verbs that only read, by trainer: changing verbs wait for them. */
  readonly #readers = new Map<number, Set<Promise<unknown>>>();
  /** Cancellations of sliced verbs that have not answered, by ticket. */
  readonly #cancellations = new Map<number, Cancellation>();
  readonly #teams: HostTeams | null;
  #lastHandle = CORE_TARGET;

  /**
   * `sliceMs`: how long a sliced verb may block the thread, unless a single step takes longer. `onTeam`: where there are other workers,
   * which trainers can ask for.
   */
  constructor(modules: RunningModules, sliceMs: number, onNews: OnNews, onTeam?: OnTeamNews) {
    const core = new TiedCore(modules);
    this.core = core;
    this.#modules = modules;
    this.#sliceMs = sliceMs;
    this.#onNews = onNews;
    this.#teams = onTeam ? new HostTeams((file) => core.loadCopy(file), onTeam) : null;
  }

  /** Never rejects: errors are in the reply. */
  async add(name: ModuleName, compiled: WebAssembly.Module): Promise<Added | ErrorReply> {
    try {
      await this.#modules.add(name, compiled);
      return { ok: true };
    } catch (error) {
      return errorReply(error);
    }
  }

  /** Never rejects: errors are in the reply. Verbs that are not sliced finish before this returns. */
  call(call: Call): Promise<Reply> {
    const { target, verb, ticket } = call;
    const long = this.#longVerb(call);
    let checked: unknown;
    try {
      // Whatever it would wait for.
      checked = long?.check(...(call.args as never[]));
    } catch (error) {
      return Promise.resolve(errorReply(error, this.#stateOf(target)));
    }
    if (long) this.#cancellations.set(ticket, new Cancellation());
    const changes = target !== CORE_TARGET && (long ? long.changes === true : CHANGING_CALLS.includes(verb));
    const answer = changes ? this.#inTurn(call, checked) : this.#answer(call, checked);
    if (!long) return answer;
    if (!changes) this.#hold(target, answer);
    // Not `finally`: its promise settles later, and a reply must be sent before the next change begins.
    void answer.then(() => this.#cancellations.delete(ticket));
    return answer;
  }

  /** Runs after earlier changing verbs, unless cancelled first. */
  #inTurn(call: Call, checked: unknown): Promise<Reply> {
    const before = this.#queues.get(call.target);
    const answer = before
      ? this.#unlessCancelled(call.ticket, before).then(() => this.#answer(call, checked))
      : this.#answer(call, checked);
    // A cancelled call answers early, but later calls still wait for the earlier ones.
    const end = before ? Promise.all([before, answer]) : answer;
    this.#queues.set(call.target, end);
    void end.then(() => {
      if (this.#queues.get(call.target) === end) this.#queues.delete(call.target);
    });
    return answer;
  }

  /** Waits for `others`, or until the call with this ticket is cancelled. */
  async #unlessCancelled(ticket: number, others: Promise<unknown>): Promise<void> {
    await Promise.race([others, this.#cancellations.get(ticket)?.promise ?? others]);
  }

  /** Blocks changes of the trainer until `answer` settles, so all generated tokens come from the same weights. */
  #hold(target: number, answer: Promise<unknown>): void {
    const readers = this.#readers.get(target) ?? new Set();
    this.#readers.set(target, readers.add(answer));
    void answer.then(() => {
      readers.delete(answer);
      if (readers.size === 0) this.#readers.delete(target);
    });
  }

  /** Null if nothing reads the trainer. */
  #readersOf(target: number): Promise<unknown> | null {
    const readers = this.#readers.get(target);
    return readers ? Promise.all(readers) : null;
  }

  cancel(ticket: number): void {
    this.#cancellations.get(ticket)?.cancel();
  }

  team(order: TeamOrder): void {
    this.#teams?.obey(order);
  }

  release(target: number): void {
    const handle = this.#handles.get(target);
    handle?.dispose();
    this.#handles.delete(target);
    this.#teams?.remove(target);
    if (!(handle instanceof CoreComparison)) return;
    for (const { trainer } of handle.trainers) {
      for (const [id, held] of this.#handles) if (held === trainer) this.release(id);
    }
  }

  dispose(): void {
    for (const target of [...this.#handles.keys()]) this.release(target);
    this.core.dispose();
  }

  async #answer(call: Call, checked: unknown): Promise<Reply> {
    try {
      const target = this.#target(call.target);
      checkListed(target, call.verb);
      const long = this.#longVerb(call);
      let result: unknown;
      // No pause if there is nothing to wait for: such a verb finishes within its call.
      if (long) {
        result = await this.#advance(target, long, call, checked);
      } else {
        if (CHANGING_CALLS.includes(call.verb)) {
          for (let readers; (readers = this.#readersOf(call.target));) await readers;
        }
        result = invoke(target, call.verb, this.#withHandle(call));
      }
      const value = this.#valueOf(result);
      // No state if the handle was disposed of in the meantime.
      return { ok: true, value, ...this.#stateOf(call.target) };
    } catch (error) {
      return errorReply(error, this.#stateOf(call.target));
    }
  }

  async #advance(on: Target, long: AnyVerb, call: Call, checked: unknown): Promise<unknown> {
    const { target, ticket, listens } = call;
    const { changes } = long;
    const work = startChecked(long, on, checked, listens);
    let reported = performance.now();
    let paused = reported;
    try {
      while (!work.finished) {
        const cancelled = (): boolean => this.#cancellations.get(ticket)?.cancelled === true;
        for (let readers; changes && !cancelled() && (readers = this.#readersOf(target));) {
          await this.#unlessCancelled(ticket, readers);
        }
        if (cancelled()) throw work.cancelled();
        work.takeFor(this.#sliceMs);
        const now = performance.now();
        if (listens && (work.finished || now - reported >= NEWS_INTERVAL_MS)) {
          reported = now;
          const news = work.news();
          if (news) this.#onNews(ticket, news);
        }
        if (work.waitsFor) await this.#unlessCancelled(ticket, work.waitsFor);
        // Messages of other workers may be delivered one after the other, within one task, and keep a cancel from being heard.
        if (!work.finished && (!work.waitsFor || now - paused >= NEWS_INTERVAL_MS)) {
          await pause();
          paused = performance.now();
        }
      }
      return work.result();
    } finally {
      work.end();
    }
  }

  /** The options, with the tokenizer that they refer to. */
  #withHandle({ target, verb, args }: Call): unknown[] {
    if (target === CORE_TARGET && verb === 'compare') {
      return [this.#target((args[0] as HandleReference).handle), ...args.slice(1)];
    }
    const index = target === CORE_TARGET ? TOKENIZER_ARGUMENT_INDEX[verb] : undefined;
    if (index === undefined) return args;
    const options = args[index] as { tokenizer?: HandleReference } | null | undefined;
    const reference = options?.tokenizer;
    if (reference === undefined) return args;
    return args.map((argument, i) =>
      i === index ? { ...options, tokenizer: this.#target(reference.handle) } : argument,
    );
  }

  #longVerb({ target: id, verb }: Call): AnyVerb | undefined {
    const target = this.#find(id);
    const verbs = target && kindOf(target).long;
    return verbs && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  }

  #find(id: number): Target | undefined {
    return id === CORE_TARGET ? this.core : this.#handles.get(id);
  }

  #target(id: number): Target {
    const target = this.#find(id);
    if (!target) throw new TiedError('disposed', 'the handle has been disposed of; expected a live one');
    return target;
  }

  #stateOf(id: number): Partial<TrainerState> {
    const handle = this.#handles.get(id);
    try {
      return handle instanceof CoreTrainer ? stateOf(handle) : {};
    } catch {
      return {};
    }
  }

  #valueOf(value: unknown): Value {
    if (value instanceof BigramTable) {
      const { counts, total, asymmetry } = value;
      return { kind: 'bigrams', data: { counts, total, asymmetry } };
    }
    if (value instanceof CoreTrainer) return this.#trainerValue(value);
    if (value instanceof CoreTokenizer) return this.#tokenizerValue(value);
    if (value instanceof CoreCorpus) {
      const { vocabSize, tokens, validationTokens, characters, bounds, tokenizer } = value;
      const facts = { vocabSize, tokens, validationTokens, characters, bounds };
      const id = this.#keep(value);
      return { kind: 'corpus', id, facts, tokenizer: tokenizer && this.#tokenizerValue(tokenizer) };
    }
    if (value instanceof CoreComparison) {
      const arms = value.trainers.map(({ name, trainer }) => ({ name, trainer: this.#trainerValue(trainer) }));
      return { kind: 'comparison', id: this.#keep(value), arms };
    }
    if (value instanceof CoreTableSums) return { kind: 'table-sums', id: this.#keep(value) };
    return { kind: 'plain', value };
  }

  #trainerValue(trainer: CoreTrainer): TrainerValue {
    const { model, training } = trainer;
    const id = this.#keep(trainer);
    this.#teams?.add(id, trainer);
    return { kind: 'trainer', id, model, training, ...stateOf(trainer) };
  }

  #tokenizerValue(tokenizer: CoreTokenizer): TokenizerValue {
    const { kind, tokens } = tokenizer;
    return { kind: 'tokenizer', id: this.#keep(tokenizer), tokenizerKind: kind, tokens };
  }

  #keep(handle: HeldTarget): number {
    this.#handles.set(++this.#lastHandle, handle);
    return this.#lastHandle;
  }
}

const stateOf = ({ step, threads, tyingChanges }: CoreTrainer): TrainerState => ({ step, threads, tyingChanges });

/** Tracks whether one call was cancelled, and resolves a promise when it is. */
class Cancellation {
  cancelled = false;
  readonly promise: Promise<void>;
  #resolve!: () => void;

  constructor() {
    this.promise = new Promise((resolve) => (this.#resolve = resolve));
  }

  cancel(): void {
    this.cancelled = true;
    this.#resolve();
  }
}

/** The verbs of each kind of target: those with their work, and the names of all that can be called. */
const KINDS: readonly { of: (target: Target) => boolean; long: Verbs; listed: readonly string[] }[] = [
  {
    of: (target) => target instanceof CoreTrainer,
    long: TRAINER_WORK,
    listed: [...TRAINER_VERBS, ...INTERNAL_TRAINER_VERBS],
  },
  { of: (target) => target instanceof CoreTokenizer, long: TOKENIZER_WORK, listed: TOKENIZER_VERBS },
  {
    of: (target) => target instanceof CoreCorpus,
    long: CORPUS_WORK,
    listed: [...CORPUS_VERBS, ...INTERNAL_CORPUS_VERBS],
  },
  { of: (target) => target instanceof CoreComparison, long: COMPARISON_WORK, listed: Object.keys(COMPARISON_WORK) },
  { of: (target) => target instanceof CoreTableSums, long: {}, listed: TABLE_SUMS_VERBS },
  { of: () => true, long: CORE_WORK, listed: [...CORE_VERBS, ...INTERNAL_CORE_VERBS] },
];
const kindOf = (target: Target) => KINDS.find(({ of }) => of(target))!;

/** Only listed verbs can be called, so messages cannot reach other methods. */
function checkListed(target: Target, verb: string): void {
  const { listed } = kindOf(target);
  if (!listed.includes(verb))
    throw new TiedError('unsupported', `verb is '${verb}'; expected one of ${listed.join(', ')}`);
}

function invoke(target: Target, verb: string, args: unknown[]): unknown {
  return (target as unknown as Record<string, (...args: unknown[]) => unknown>)[verb]!(...args);
}

/** The buffers of a reply that can be transferred to the other thread. */
export function transferablesOf(reply: Reply): Transferable[] {
  return reply.ok ? buffersOf(reply.value) : [];
}
