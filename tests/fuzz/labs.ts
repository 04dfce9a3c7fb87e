/**
 * The same calls on a lab, many at a time: cancelled, or interrupted by the end of their handle or of the lab, with
 * listeners that throw. Every promise must settle, and concurrent computations must match a core's.
 */
import { BigramTable } from '../../web/core/text/bigram-table.js';
import { createLab, loadCore, TiedError, type Core, type Lab } from '../../web/index.js';
import type { Draw } from './draw.js';
import { isTypedArray } from './hostile/arrays.js';
import { isPlain } from './hostile/spoil.js';
import {
  argumentsOf,
  chooseVerb,
  drawFor,
  invoke,
  prepare,
  VERB_NAMES,
  type Prepared,
  type Report,
  type Table,
} from './session.js';
import { Fault, judgeError, judgeValue, type Outcome } from './verdict.js';
import { World } from './world.js';

export const LAB_CALLS_PER_EPISODE = 400;
/** Concurrent calls. */
const MAX_PENDING = 12;
const DEEPEST = 2;
/**
 * The lab is disposed of at the end, not by a random verb. Two verbs of comparisons answer without the worker, as in a
 * core.
 */
const AT_ONCE = ['core.dispose', 'comparison.arm', 'comparison.pause'];
export const LAB_VERB_NAMES = VERB_NAMES.filter((name) => !AT_ONCE.includes(name));

const MODEL = { kind: 'transformer', vocabSize: 5, dModel: 4, nLayers: 1, nHeads: 2, contextLength: 4, tying: 'tied' } as const; // prettier-ignore
const OPTIONS = {
  model: MODEL,
  training: { learningRate: 0.05, batchSize: 2, seed: 9 },
  tokenIds: Uint32Array.from({ length: 40 }, (_, i) => (i * i) % 5),
};
const STEPS = 12;

function trainedAlone(core: Core): string {
  const trainer = core.createTrainer(OPTIONS);
  trainer.run(STEPS);
  return trainer.save().join();
}

export class LabFuzzer {
  readonly #report: Report;
  readonly #table: Table;
  readonly #verbs: readonly string[];
  readonly #open: () => Promise<Lab>;
  #expected: string | null = null;

  constructor(report: Report, table: Table, verbs: readonly string[] = LAB_VERB_NAMES, open = () => createLab()) {
    this.#report = report;
    this.#table = table;
    this.#verbs = verbs.filter((name) => LAB_VERB_NAMES.includes(name));
    this.#open = open;
  }

  async episode(seed: number, episode: number, calls = LAB_CALLS_PER_EPISODE): Promise<void> {
    this.#expected ??= trainedAlone(await loadCore());
    const draw = drawFor(this.#report, seed, episode);
    const lab = await this.#open();
    const session = new LabSession(draw, new World(lab as unknown as Core), this.#table, this.#report);
    const beside = this.#trainBeside(lab);
    for (let number = 0; number < calls; number++) {
      session.number = number;
      draw.next();
      const chosen = chooseVerb(draw, this.#verbs);
      if (!chosen) continue;
      this.#report.onCall?.(number);
      session.call(chosen.name, 0, chosen.spoiled);
      while (session.pending.size >= draw.whole(0, MAX_PENDING)) {
        if (session.pending.size === 0) break;
        await Promise.race(session.pending);
      }
    }
    const found = await beside;
    if (found !== this.#expected) {
      this.#report.onFault(
        'known computations',
        calls,
        new Fault(`a trainer beside the calls came out as ${found.slice(0, 200)}`),
      );
    }
    // Disposal interrupts pending calls.
    for (let i = draw.whole(0, 5); i > 0; i--) session.call(draw.of(LAB_VERB_NAMES), 0);
    lab.dispose();
    await Promise.all(session.pending);
    await this.#refuses(lab, calls);
  }

  /** Runs one step after the other while the calls are made. */
  async #trainBeside(lab: Lab): Promise<string> {
    try {
      const trainer = await lab.createTrainer(OPTIONS);
      for (let step = 0; step < STEPS; step++) await trainer.run(1);
      return (await trainer.save()).join();
    } catch (error) {
      return String(error);
    }
  }

  async #refuses(lab: Lab, number: number): Promise<void> {
    const answer = await lab.knownModels().catch((error: unknown) => error);
    if (answer instanceof TiedError && answer.code === 'disposed') return;
    this.#report.onFault('core.knownModels', number, new Fault('answers after the lab has been disposed of'));
  }
}

class LabSession {
  number = 0;
  readonly pending = new Set<Promise<void>>();
  readonly #draw: Draw;
  readonly #world: World;
  readonly #table: Table;
  readonly #report: Report;
  readonly #own = new Set<unknown>();

  constructor(draw: Draw, world: World, table: Table, report: Report) {
    this.#draw = draw;
    this.#world = world;
    this.#table = table;
    this.#report = report;
  }

  call(name: string, depth: number, spoiled = true): void {
    const prepared = prepare(this.#draw, this.#world, name);
    if (!prepared) return;
    const { number } = this;
    const { script } = this.#report;
    const counts = this.#table[name]!;
    counts.calls++;
    const reenter = (): void => {
      if (depth < DEEPEST && this.pending.size < 2 * MAX_PENDING) this.call(this.#draw.of(LAB_VERB_NAMES), depth + 1);
    };
    const cancel = new AbortController();
    const settled = (async (): Promise<void> => {
      try {
        const args = argumentsOf(this.#draw, this.#world, prepared, spoiled, { own: this.#own, reenter, script });
        if (this.#draw.odds(0.1)) addSignal(args, cancel.signal);
        const returned = script?.call(number, name.split('.')[0]!, prepared.on, prepared.method, args);
        counts[await this.#settle(prepared, args, returned)]++;
      } catch (error) {
        // From making the arguments: a disposed handle has no step.
        try {
          counts[judgeError(error, this.#own)]++;
        } catch (fault) {
          this.#report.onFault(name, number, fault as Fault);
        }
      }
    })();
    this.pending.add(settled);
    void settled.then(() => this.pending.delete(settled));
    if (this.#draw.odds(0.1)) cancel.abort(new Error('cancelled by the fuzzer'));
    else setTimeout(() => cancel.abort(), this.#draw.whole(0, 3)).unref();
  }

  async #settle(prepared: Prepared, args: unknown[], returned?: (result: unknown) => void): Promise<Outcome> {
    const { verb, on, method } = prepared;
    // A table of pairs belongs to the caller, and is returned at once.
    if (on instanceof BigramTable || method === 'dispose')
      return judgeValue(verb.gives, invoke(this.#draw, prepared, args));
    let promise: unknown;
    try {
      promise = invoke(this.#draw, prepared, args);
    } catch (error) {
      throw new Fault(`threw at once, where a promise is rejected: ${String(error)}`);
    }
    if (!(promise instanceof Promise)) throw new Fault('returned something else than a promise');
    // Later changes of the arguments do not matter.
    if (this.#draw.odds(0.3)) for (const argument of args) overwrite(argument);
    try {
      const result: unknown = await promise;
      const outcome = judgeValue(verb.gives, result);
      returned?.(result);
      verb.keep?.(this.#world, result as never, on);
      return outcome;
    } catch (error) {
      return judgeError(error, this.#own);
    }
  }
}

function addSignal(args: unknown[], signal: AbortSignal): void {
  const last = args.at(-1);
  if (isPlain(last) && !Array.isArray(last)) {
    Object.defineProperty(last, 'signal', { value: signal, enumerable: true, configurable: true });
  }
}

function overwrite(argument: unknown): void {
  if (!isTypedArray(argument)) return;
  try {
    argument.fill(7);
  } catch {
    // Detached, or not what it seems.
  }
}
