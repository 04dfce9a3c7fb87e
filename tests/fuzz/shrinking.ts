/** A failing case, made as simple as it can be and written as a script. */
import { OPTIONAL_MODULES } from '../../web/core/runtime/modules.js';
import { loadCore, type Core } from '../../web/index.js';
import { Recorder, shrink, type Choices } from './choices.js';
import { Draw } from './draw.js';
import type { Report } from './session.js';
import { Script } from './source.js';

interface Failing {
  seed: number;
  episode: number;
  number: number;
  verb: string;
  message: string;
}

export interface Fuzzer {
  /** Whether a case depends on those before it in its episode. */
  readonly inOrder: boolean;
  episode(seed: number, episode: number, to: number, from: number): Promise<void>;
}

/** What a fault says, without what differs from case to case: names, numbers, and all after its second clause. */
export function gistOf(verb: string, message: string): string {
  const clauses = message
    .split('\n')[0]!
    .replaceAll(/'[^']*'|\d+/g, '_')
    .split(/[:;,(]/);
  return [verb, ...clauses.slice(0, 2)].join(': ');
}

/** Calls of a lab depend on which of them ends first. */
const TRIES = 3;

function isAlive(core: Core | null): boolean {
  try {
    core?.knownModels();
    return core !== null;
  } catch {
    return false;
  }
}

/**
 * The script of the simplest case found with the same fault; null if the fault does not come back. `make`: a fuzzer that gives its faults
 * to the report; `load`: an expression that makes a core or a lab.
 */
export async function shrunkScript(
  { seed, episode, number, verb, message }: Failing,
  make: (report: Report) => Fuzzer,
  { load, limitMs }: { load: string; limitMs?: number },
): Promise<string | null> {
  const gist = gistOf(verb, message);
  let recorder = new Recorder();
  let found: string[] = [];
  let core: Core | null = null;
  let mayBeDamaged = false;
  const report: Report & { script: Script | null } = {
    draw: (...numbers) => recorder.begin(new Draw(...numbers)),
    onFault: (where, _, fault) => {
      mayBeDamaged = true;
      if (gistOf(where, fault.message) === gist) found.push(fault.message);
    },
    script: null,
  };
  // Loading takes longer than most cases.
  const usual = async (): Promise<Core> => {
    if (mayBeDamaged || !isAlive(core)) {
      core?.dispose();
      core = await loadCore({ modules: OPTIONAL_MODULES });
    }
    mayBeDamaged = false;
    return core!;
  };
  if (verb !== 'known computations') report.loadCore = usual;
  const fuzzer = make(report);
  const { inOrder } = fuzzer;
  const attempt = async (given: Choices | null): Promise<Choices | null> => {
    recorder = new Recorder(given);
    found = [];
    // The first part of an episode in order has no call.
    const to = given && inOrder ? Math.max(0, given.length - 1) : number + 1;
    await fuzzer.episode(seed, episode, to, inOrder ? 0 : number);
    return found.length > 0 ? recorder.made : null;
  };
  let first: Choices | null = null;
  for (let i = 0; i < TRIES && first === null; i++) first = await attempt(null);
  if (first === null) return null;
  const best = await shrink(first, attempt, limitMs);
  report.script = new Script(load);
  mayBeDamaged = true;
  await attempt(best);
  (core as Core | null)?.dispose();
  if (found.length === 0) return null;
  const text = await report.script.text(verb);
  return `${text}\n// ${verb}: ${found[0]!.split('\n')[0]}`;
}
