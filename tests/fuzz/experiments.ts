/**
 * Experiments spoiled anywhere in their tree, as values and as JSON files; and command-line arguments. Each is run or refused with a message,
 * and afterwards the core computes the same as a new one.
 */
import { readArguments } from '../../command/declare.mjs';
import { Refusal } from '../../command/exit-codes.mjs';
import { collectVerb, expandVerb, runVerb } from '../../command/experiment-verbs.mjs';
import { OPTIONAL_MODULES } from '../../web/core/runtime/modules.js';
import { loadCore, type Core, type ExperimentSpec } from '../../web/index.js';
import { compareReferences } from './calls.js';
import type { Draw } from './draw.js';
import { records, spec, words } from './grammar/experiments.js';
import { spoil } from './hostile/spoil.js';
import { HOSTILE_STRINGS } from './hostile/values.js';
import { references } from './references.js';
import { coreFor, drawFor, type Report, type Table } from './session.js';
import { Fault, judgeError, judgeValue, ownError, type Outcome } from './verdict.js';

export const EXPERIMENTS_PER_EPISODE = 200;
const VERBS = [runVerb, expandVerb, collectVerb];
export const EXPERIMENT_NAMES = ['runExperiment', ...VERBS.map(({ name }) => name)] as const;

export class ExperimentFuzzer {
  readonly #report: Report;
  readonly #table: Table;
  readonly #names: readonly string[];
  #expected: Record<string, string> | null = null;

  constructor(report: Report, table: Table, names: readonly string[] = EXPERIMENT_NAMES) {
    this.#report = report;
    this.#table = table;
    this.#names = names;
  }

  async episode(seed: number, episode: number, to = EXPERIMENTS_PER_EPISODE, from = 0): Promise<void> {
    const core = await coreFor(this.#report);
    this.#expected ??= references(await loadCore({ modules: OPTIONAL_MODULES }));
    for (let number = from; number < to; number++) {
      const draw = drawFor(this.#report, seed, episode, number);
      const name = draw.of(this.#names);
      this.#report.onCall?.(number);
      const counts = this.#table[name]!;
      counts.calls++;
      try {
        const verb = VERBS.find((one) => one.name === name);
        counts[verb === undefined ? await this.#run(core, draw, number) : this.#read(verb, draw, number)]++;
      } catch (fault) {
        this.#report.onFault(name, number, fault as Fault);
      }
    }
    if (this.#report.loadCore) return;
    compareReferences(core, this.#expected, to, this.#report);
    core.dispose();
  }

  async #run(core: Core, draw: Draw, number: number): Promise<Outcome> {
    const own = new Set<unknown>();
    const tricks = {
      throw: (): never => {
        throw ownError(own);
      },
      reenter: () => void core.version,
    };
    const given: unknown[] = [spec(draw)];
    const spoiled = draw.of([0, 1, 1, 1, 2]);
    for (let i = spoiled; i > 0; i--) spoil(draw, given, ['spec'], tricks);
    let [one] = given;
    try {
      // As in a file. Values that no file can contain are passed directly.
      if (draw.odds(0.5)) one = JSON.parse(JSON.stringify(one));
    } catch {
      [one] = given;
    }
    this.#report.script?.call(number, 'core', core, 'runExperiment', [one]);
    try {
      return judgeValue(records, await core.runExperiment(one as ExperimentSpec));
    } catch (error) {
      const outcome = judgeError(error, own);
      if (spoiled === 0) throw new Fault(`refused a valid experiment: ${String(error)}`);
      return outcome;
    }
  }

  #read(verb: (typeof VERBS)[number], draw: Draw, number: number): Outcome {
    const list = words(draw, verb);
    const spoiled = draw.of([0, 1, 1, 2]);
    for (let i = spoiled; i > 0; i--) {
      const strange = draw.of([
        ...HOSTILE_STRINGS,
        '--',
        '-',
        '--jobs',
        '--jobs=',
        '--jobs=-1',
        '-x',
        '--index=1e3',
        '--no-json',
      ]);
      list.splice(draw.whole(0, list.length), draw.whole(0, 1), strange);
    }
    this.#report.script?.command(number, ['tied-embeddings', ...verb.name.split(' '), ...list]);
    try {
      const { flags, operands } = readArguments(verb, list);
      const unknown = Object.keys(flags).filter((name) => !Object.hasOwn(verb.flags, name));
      if (unknown.length > 0 || operands.length !== verb.operands.length)
        throw new Fault(`accepted ${JSON.stringify({ unknown, operands })}`);
      return 'returned';
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (!(error instanceof Refusal)) throw new Fault(`threw what is no refusal: ${String(error)}`, { cause: error });
      if (!/expected|did you mean|see tied-embeddings|was given twice/.test(error.message))
        throw new Fault(`has a message that expects nothing: ${error.message}`);
      if (spoiled === 0) throw new Fault(`refused valid words: ${error.message}`);
      return 'refused';
    }
  }
}
