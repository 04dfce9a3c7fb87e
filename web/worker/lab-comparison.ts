/** A lab's comparison: each of several workers trains and measures some of the arms. */
import {
  checkCompare,
  checkControls,
  checkFrame,
  checkPlay,
  commonStep,
  FramePlan,
  type CheckedCompare,
  type CheckedFrame,
} from '../core/training/compare-options.js';
import type { PartFrame } from '../core/training/comparison.js';
import type { SharedCorpus } from '../core/text/corpus.js';
import { copyData } from '../core/runtime/copy-data.js';
import type {
  CompareControls,
  CompareOptions,
  ComparisonFrame,
  FrameOptions,
  PlayOptions,
} from '../core/training/comparison-types.js';
import type { LabArm, LabComparison, LabCorpus } from '../core/api/lab-types.js';
import { shortened, TiedError } from '../core/runtime/errors.js';
import { disposeSymbol } from '../core/runtime/symbols.js';
import type { LabTrainer } from '../core/types.js';
import { bindMethods } from '../core/runtime/bind-methods.js';
import { checkChoice, checkInteger } from '../core/runtime/validate.js';
import { onAbort } from './abort-listeners.js';
import type { LabClient } from './lab-client.js';
import { CORE_TARGET, type ComparisonValue } from './protocol.js';
import { Turns } from './turns.js';
import { ARM_VERBS } from './verb-facts.values.js';
import type { PoolMember, WorkerPool } from './worker-pool.js';

/** The arms of one worker. */
interface Part {
  readonly client: LabClient;
  /** Null for the lab's own worker. */
  readonly member: PoolMember | null;
  readonly id: number;
  readonly names: readonly string[];
  /** Its part of the current frame, while other workers are still busy. */
  frame: PartFrame | null;
}

/** Distributes the arms among the lab's own worker and those of the pool, and starts them. */
export async function compareInLab(
  own: LabClient,
  pool: WorkerPool,
  corpus: LabCorpus,
  options: CompareOptions,
  controls: CompareControls = {},
): Promise<LabComparison> {
  const reference = own.referenceTo('corpus', corpus, 'a corpus of this lab');
  const given = copyData(options) as CompareOptions;
  const checked = checkCompare(given, corpus.vocabSize);
  const listened = checkControls(controls);
  const { signal } = listened;
  const cancelled = (): TiedError =>
    new TiedError('cancelled', 'the comparison was cancelled', { cause: signal?.reason });
  if (signal?.aborted) throw cancelled();
  const names = checked.arms.map(({ name }) => name);
  const members: (PoolMember | null)[] = [null, ...(await pool.take(names.length - 1))];
  const turns = new Turns();
  const made = new Map<string, LabTrainer>();
  const started = await Promise.allSettled(
    members.map(async (member, place): Promise<Part> => {
      const client = member?.client ?? own;
      const mine = names.filter((_, i) => i % members.length === place);
      const dealt = { ...given, arms: Object.fromEntries(mine.map((name) => [name, given.arms[name]!])) };
      const value = await startPart(client, member ? await adopted(own, client, reference.handle) : reference, dealt);
      for (const { name, trainer } of value.arms)
        made.set(
          name,
          client.trainer(trainer, (read) => turns.read(read)),
        );
      return { client, member, id: value.id, names: mine, frame: null };
    }),
  );
  const parts = started.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []));
  const failed = started.find((part) => part.status === 'rejected');
  // In the order in which they were asked for, whichever worker was first.
  const arms = new Map(names.flatMap((name) => (made.has(name) ? [[name, made.get(name)!] as const] : [])));
  // Saved arms of two workers may be at different steps.
  let begun: { error: unknown } | null = null;
  let from = 0;
  try {
    from = commonStep([...arms].map(([name, { step }]) => ({ name, step })));
  } catch (error) {
    begun = { error };
  }
  const comparison = new PooledComparison(parts, arms, turns, pool, checked, listened, from);
  if (!failed && !begun && !signal?.aborted) return comparison;
  comparison.dispose();
  // Workers whose arms could not be created belong to no part.
  for (const [i, member] of members.entries()) {
    if (member && started[i]!.status === 'rejected') void pool.release(member);
  }
  if (signal?.aborted) throw cancelled();
  throw failed ? (failed.reason as unknown) : begun!.error;
}

/** Copies the corpus to another worker; released there once the arms have what they need. */
async function adopted(own: LabClient, client: LabClient, corpus: number): Promise<{ handle: number; once: true }> {
  const shared = (await own.call(corpus, 'share', [])) as SharedCorpus;
  const handle = await client.adopt(shared);
  return { handle, once: true };
}

async function startPart(
  client: LabClient,
  corpus: { handle: number; once?: true },
  options: CompareOptions,
): Promise<ComparisonValue> {
  try {
    for (const { saved } of Object.values(options.arms))
      if (saved !== undefined) await client.prepare('loadTrainer', CORE_TARGET, [saved]);
    return (await client.callRaw(CORE_TARGET, 'compare', [{ handle: corpus.handle }, options])) as ComparisonValue;
  } finally {
    if (corpus.once) client.release(corpus.handle);
  }
}

class PooledComparison implements LabComparison {
  #parts: Part[];
  readonly #arms: ReadonlyMap<string, LabTrainer>;
  /** Errors of the arms whose workers ended. */
  readonly #ended = new Map<string, TiedError>();
  readonly #order: readonly string[];
  readonly #turns: Turns;
  readonly #pool: WorkerPool;
  readonly #plan: FramePlan;
  readonly #controls: CompareControls;
  readonly #cancel = new AbortController();
  readonly #stopListening: (() => void) | undefined;
  /** By arm, the steps at which its tying changed, as of its newest step: the same on every replay. */
  readonly #changes = new Map<string, readonly number[]>();
  #newest = 0;
  #shown = 0;
  /** The end of the current frame, until all parts have reached it. */
  #target: number | null = null;
  /** The error that stopped an arm; cleared by a rewind. */
  #failure: unknown = null;
  #paused = false;
  #disposed = false;

  constructor(
    parts: Part[],
    arms: ReadonlyMap<string, LabTrainer>,
    turns: Turns,
    pool: WorkerPool,
    options: CheckedCompare,
    controls: CompareControls,
    from: number,
  ) {
    this.#parts = parts;
    this.#arms = arms;
    this.#order = options.arms.map(({ name }) => name);
    this.#turns = turns;
    this.#pool = pool;
    this.#newest = this.#shown = from;
    for (const [name, { tyingChanges }] of arms) this.#changes.set(name, tyingChanges);
    this.#plan = new FramePlan(options, from);
    this.#controls = controls;
    this.#stopListening = controls.signal && onAbort(controls.signal, () => this.#stop());
    bindMethods(this);
  }

  get names(): readonly string[] {
    return this.#order.filter((name) => !this.#ended.has(name));
  }

  get step(): number {
    return this.#shown;
  }

  get workers(): number {
    return this.#parts.length;
  }

  async next(options?: FrameOptions): Promise<ComparisonFrame> {
    const wanted = checkFrame(options);
    return this.#turns.change(() => this.#frame(wanted));
  }

  async #frame(wanted: CheckedFrame): Promise<ComparisonFrame> {
    this.#checkRuns();
    if (this.#failure !== null) throw this.#failure;
    const from = this.#newest;
    const target = (this.#target ??= this.#plan.target(from, wanted));
    const measures = this.#plan.isDue(target);
    const begin = performance.now();
    await this.#inAllParts(async (part) => {
      const options = { signal: this.#cancel.signal };
      part.frame ??= (await part.client.call(part.id, 'advance', [from, target, measures, options])) as PartFrame;
    });
    this.#plan.took(target - from, performance.now() - begin, target);
    this.#newest = this.#shown = target;
    this.#target = null;
    const frame = { step: target, ...this.#merged(measures) };
    this.#controls.onFrame?.(frame);
    return frame;
  }

  #merged(measures: boolean): Omit<PartFrame, 'tyingChanges'> {
    const frames = this.#parts.map((part) => part.frame!);
    for (const { tyingChanges } of frames) {
      for (const [name, steps] of Object.entries(tyingChanges)) this.#changes.set(name, steps);
    }
    for (const part of this.#parts) part.frame = null;
    const columns = Object.assign({}, ...frames.map((frame) => frame.columns)) as PartFrame['columns'];
    const measured = Object.assign({}, ...frames.map((frame) => frame.measured)) as NonNullable<PartFrame['measured']>;
    const inOrder = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(this.names.map((name) => [name, values[name]!]));
    return { columns: inOrder(columns), measured: measures ? inOrder(measured) : null };
  }

  /** Waits for all parts and removes the arms of workers that stopped. Rejects with the first error. */
  async #inAllParts(work: (part: Part) => Promise<void>): Promise<void> {
    const parts = this.#parts;
    const results = await Promise.allSettled(parts.map(work));
    this.#checkRuns();
    let failure: { error: unknown } | null = null;
    for (const [i, result] of results.entries()) {
      if (result.status === 'fulfilled') continue;
      const error = result.reason as unknown;
      const stopped = parts[i]!.member !== null && error instanceof TiedError && error.code === 'stopped';
      const ended = stopped ? this.#end(parts[i]!, error) : null;
      if (!ended) this.#failure ??= error;
      failure ??= { error: ended ?? error };
    }
    if (failure) throw failure.error;
  }

  #end(part: Part, cause: TiedError): TiedError {
    const named = part.names.map((name) => `'${shortened(name)}'`).join(' and ');
    const error = new TiedError(
      'stopped',
      `the worker of the arms ${named} stopped and its arms are gone; expected it to keep running, as the other arms do`,
      { cause },
    );
    for (const name of part.names) this.#ended.set(name, error);
    this.#parts = this.#parts.filter((other) => other !== part);
    return error;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ComparisonFrame, undefined> {
    this.#paused = false;
    while (!this.#paused && this.#newest < this.#plan.steps) {
      try {
        yield await this.next();
      } catch (error) {
        // The loop ends in the same way whether the signal is aborted in its body or in a frame.
        if (this.#disposed || !this.#isCancelled()) throw error;
      }
    }
    return undefined;
  }

  async play(options?: PlayOptions): Promise<void> {
    const end = checkPlay(options, this.#plan.steps, true);
    this.#checkRuns();
    this.#paused = false;
    while (!this.#paused && this.#newest < end)
      await this.#turns.change(() => this.#frame({ steps: undefined, until: end }));
  }

  pause(): void {
    this.#paused = true;
  }

  async rewind(step = 0): Promise<void> {
    await this.#goTo(step, true);
  }

  async lookBack(step: number): Promise<void> {
    await this.#goTo(step, false);
  }

  async #goTo(step: number, forgets: boolean): Promise<void> {
    checkInteger('step', step, 0);
    await this.#turns.change(async () => {
      this.#checkRuns();
      checkInteger('step', step, 0, this.#newest);
      const options = { signal: this.#cancel.signal };
      await this.#inAllParts(async (part) => {
        await part.client.call(part.id, 'goTo', [step, forgets, options]);
      });
      this.#shown = step;
      if (!forgets) return;
      this.#failure = null;
      this.#newest = step;
      this.#target = null;
      for (const part of this.#parts) part.frame = null;
      this.#plan.wentTo(step);
    });
  }

  arm(name: string): LabArm {
    this.#check();
    const known = checkChoice('name', name, this.#order);
    const ended = this.#ended.get(known);
    if (ended) throw ended;
    const trainer = this.#arms.get(known)!;
    const { model, training } = trainer;
    const arm = Object.fromEntries(ARM_VERBS.map((verb) => [verb, trainer[verb]]));
    return Object.defineProperties(
      { ...arm, model, training },
      {
        step: { get: () => this.#shown },
        tyingChangedAt: { get: () => this.#changesOf(known).at(-1) ?? null },
        tyingChanges: { get: () => this.#changesOf(known) },
      },
    ) as unknown as LabArm;
  }

  /** The step in view may be earlier than a change. */
  #changesOf(name: string): readonly number[] {
    return (this.#changes.get(name) ?? []).filter((step) => step <= this.#shown);
  }

  #isCancelled(): boolean {
    return this.#controls.signal?.aborted === true;
  }

  /** After its signal, only what changes the models is refused. */
  #checkRuns(): void {
    this.#check();
    if (this.#isCancelled())
      throw new TiedError('cancelled', 'the comparison was cancelled', { cause: this.#controls.signal!.reason });
  }

  #check(): void {
    if (this.#disposed) throw new TiedError('disposed', 'the comparison has been disposed of; expected a live one');
  }

  /** Ends the training. Arms that are ahead of the newest frame return to it, before anything is read from them. */
  #stop(): void {
    this.#paused = true;
    this.#stopListening?.();
    this.#cancel.abort();
    void this.#turns.change(async () => {
      if (this.#disposed) return;
      await Promise.allSettled(this.#parts.map(({ client, id }) => client.call(id, 'goTo', [this.#shown, true, {}])));
    });
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#paused = true;
    this.#stopListening?.();
    this.#cancel.abort();
    for (const trainer of this.#arms.values()) trainer.dispose();
    for (const { client, member, id } of this.#parts) {
      client.release(id);
      if (member) void this.#pool.release(member);
    }
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
