/** Verdicts on tying against an oracle: files of which it is known how they were made. Nothing false may be said, and what is proved must be. */
import { checkOpening } from '../../web/core/checkpoint/options.js';
import { openCheckpoint } from '../../web/core/checkpoint/open-checkpoint.js';
import type { CheckpointTying } from '../../web/core/checkpoint/types.js';
import { reference } from '../web/checkpoint/reference-decoder.js';
import { VERDICT_GRAMMAR, type VerdictKind, type VerdictSample } from './files/verdict-grammar.js';
import { drawFor, type Report, type Table } from './session.js';
import { Fault, judgeError, type Outcome } from './verdict.js';

export const VERDICTS_PER_EPISODE = 1000;
export const VERDICT_KINDS = Object.keys(VERDICT_GRAMMAR) as readonly VerdictKind[];

export class VerdictFuzzer {
  readonly #report: Report;
  readonly #table: Table;
  readonly #names: readonly string[];

  constructor(report: Report, table: Table, names: readonly string[] = VERDICT_KINDS) {
    this.#report = report;
    this.#table = table;
    this.#names = names;
  }

  async episode(seed: number, episode: number, to = VERDICTS_PER_EPISODE, from = 0): Promise<void> {
    for (let number = from; number < to; number++) {
      const draw = drawFor(this.#report, seed, episode, number);
      const kind = draw.of(this.#names) as VerdictKind;
      const sample = VERDICT_GRAMMAR[kind](draw);
      this.#report.onCall?.(number);
      this.#report.script?.call(number, 'core', this, 'openCheckpoint', [sample.files])({});
      const counts = this.#table[kind]!;
      counts.calls++;
      try {
        counts[await outcomeOf(sample)]++;
      } catch (fault) {
        this.#report.onFault(kind, number, fault as Fault);
      }
    }
  }
}

export async function outcomeOf({ files, truth, mustTell, looksTied, about }: VerdictSample): Promise<Outcome> {
  let tying: CheckpointTying;
  try {
    const checkpoint = await openCheckpoint(reference, checkOpening(files));
    tying = checkpoint.tying;
    checkpoint.dispose();
  } catch (error) {
    const outcome = judgeError(error, new Set());
    if (mustTell) throw new Fault(`refused a whole model (${about}): ${String(error)}`);
    return outcome;
  }
  const { tied, evidence, reason } = tying;
  const isFalse = tied !== null && tied !== truth && !(tied && looksTied === true);
  if (isFalse) throw new Fault(`said ${String(tied)}, by ${evidence} (${about}): ${reason}`);
  if (mustTell && tied === null) throw new Fault(`said that it is not known (${about}): ${reason}`);
  if (!/^[A-Z'].+\.$/.test(reason)) throw new Fault(`gave the reason '${reason}' (${about})`);
  return 'returned';
}
