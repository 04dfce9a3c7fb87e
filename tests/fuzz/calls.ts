/**
 * Calls of every verb, valid and invalid, in random order, on live and disposed handles; getters and listeners make calls
 * too. Each episode starts with a new core, so any call can be replayed from its episode alone.
 */
import { OPTIONAL_MODULES } from '../../web/core/runtime/modules.js';
import { loadCore, type Core, type ErrorCode, type TiedError, type Trainer } from '../../web/index.js';
import type { Draw } from './draw.js';
import { differences, references } from './references.js';
import {
  argumentsOf,
  chooseVerb,
  coreFor,
  drawFor,
  invoke,
  prepare,
  VERB_NAMES,
  type Report,
  type Table,
} from './session.js';
import { Fault, judgeError, judgeValue, type Outcome } from './verdict.js';
import { World } from './world.js';

export const CALLS_PER_EPISODE = 2000;
/** Depth of nested calls. */
const DEEPEST = 2;
/** Calls on a disposed core before it is replaced. */
const CALLS_AFTER_THE_END = 4;
/** The fraction of refused calls after which the handle is compared with its earlier state. */
const SHARE_OF_COMPARED = 0.1;
/** Calls that end with these codes have completed part of their work. */
const PARTLY_DONE: readonly ErrorCode[] = ['cancelled', 'not-finite'];

export class CallFuzzer {
  readonly #report: Report;
  readonly #verbs: readonly string[];
  readonly #table: Table;
  #expected: Record<string, string> | null = null;

  /** `verbs`: which to call, in addition to those that create their targets. */
  constructor(report: Report, table: Table, verbs: readonly string[] = VERB_NAMES) {
    this.#report = report;
    this.#table = table;
    this.#verbs = verbs;
  }

  /** Calls 0 to `calls` - 1 of an episode, then the known computations on the same core. */
  async episode(seed: number, episode: number, calls = CALLS_PER_EPISODE): Promise<void> {
    this.#expected ??= references(await loadCore({ modules: OPTIONAL_MODULES }));
    const draw = drawFor(this.#report, seed, episode);
    const world = new World(await coreFor(this.#report));
    const session = new Session(draw, world, this.#table, this.#report);
    for (let number = 0; number < calls; number++) {
      session.number = number;
      draw.next();
      const chosen = chooseVerb(draw, this.#verbs);
      if (!chosen) continue;
      this.#report.onCall?.(number);
      session.call(chosen.name, 0, chosen.spoiled);
      if (session.ended > CALLS_AFTER_THE_END) session.begin(await loadCore({ modules: OPTIONAL_MODULES }));
    }
    if (this.#report.loadCore) return world.clear();
    const core = session.ended > 0 ? await loadCore({ modules: OPTIONAL_MODULES }) : world.core;
    compareReferences(core, this.#expected, calls, this.#report);
    core.dispose();
  }
}

/** Saves a live handle. */
function savedOf(on: object): Uint8Array | null {
  try {
    return 'save' in on ? (on as Trainer).save() : null;
  } catch {
    return null;
  }
}

function checkUnchanged(before: Uint8Array, after: Uint8Array | null): void {
  if (!after || Buffer.compare(before, after) !== 0)
    throw new Fault('was refused, and has changed what it was called on');
}

/** Reports known computations that differ from those of a new core. */
export function compareReferences(core: Core, expected: Record<string, string>, number: number, report: Report): void {
  let wrong: string;
  try {
    wrong = differences(references(core), expected).join(', ');
  } catch (error) {
    wrong = String(error);
  }
  if (wrong !== '') report.onFault('known computations', number, new Fault(`came out differently: ${wrong}`));
}

class Session {
  number = 0;
  /** Calls since the core was disposed of. */
  ended = 0;
  readonly #draw: Draw;
  readonly #world: World;
  readonly #table: Table;
  readonly #report: Report;
  readonly #own = new Set<unknown>();
  /** Includes nested calls. */
  #calls = 0;

  constructor(draw: Draw, world: World, table: Table, report: Report) {
    this.#draw = draw;
    this.#world = world;
    this.#table = table;
    this.#report = report;
  }

  begin(core: Core): void {
    this.#world.core = core;
    this.ended = 0;
  }

  call(name: string, depth: number, spoiled = true): void {
    const prepared = prepare(this.#draw, this.#world, name);
    if (!prepared) return;
    const { verb, on, method } = prepared;
    const { script } = this.#report;
    const counts = this.#table[name]!;
    counts.calls++;
    this.#calls++;
    if (name === 'core.dispose' || this.ended > 0) this.ended++;
    // Nested calls are judged separately and do not affect the outer call.
    const within = this.#calls;
    const reenter = (): void => {
      if (depth >= DEEPEST) return;
      // A nested call may dispose of the outer call's target.
      if (this.#draw.odds(0.1) && on !== this.#world.core && 'dispose' in on) (on as Trainer).dispose();
      for (let i = this.#draw.whole(1, 2); i > 0; i--) this.call(this.#draw.of(VERB_NAMES), depth + 1);
    };
    const before = this.#draw.odds(SHARE_OF_COMPARED) ? savedOf(on) : null;
    const attempt = (): Outcome => {
      try {
        const args = argumentsOf(this.#draw, this.#world, prepared, spoiled, { own: this.#own, reenter, script });
        const returned = script?.call(this.number, name.split('.')[0]!, on, method, args);
        const result = invoke(this.#draw, prepared, args);
        const outcome = judgeValue(verb.gives, result);
        returned?.(result);
        verb.keep?.(this.#world, result as never, on);
        return outcome;
      } catch (error) {
        const outcome = judgeError(error, this.#own);
        const isWhole = outcome === 'refused' && !PARTLY_DONE.includes((error as TiedError).code);
        if (before && isWhole && this.#calls === within) checkUnchanged(before, savedOf(on));
        return outcome;
      }
    };
    try {
      counts[attempt()]++;
    } catch (fault) {
      this.#report.onFault(name, this.number, fault as Fault);
    }
  }
}
