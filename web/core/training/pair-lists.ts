/** Pairs of token ids: their checks, and the form in which the core reads them. */
import { invalidArgument, TiedError } from '../runtime/errors.js';
import { checkIdsBelow } from '../model/options.js';
import { allocateResult } from '../runtime/runtime.js';
import type { ModelConfig } from '../types.js';
import { checkOptions, checkTokenIds, readList } from '../runtime/validate.js';

/** Maximum pairs per list, and ids per list; lengths and sums then fit in 32 bits. */
const MAX_PAIRS = 2 ** 24;
const MAX_IDS = 2 ** 30;

/** A copy of checked pairs. */
export class PairLists {
  readonly size: number;
  readonly #argument: string;
  readonly #source: readonly Uint32Array[];
  readonly #target: readonly Uint32Array[];

  constructor(argument: string, value: unknown) {
    this.#argument = argument;
    const given = checkOptions(argument, value as { source?: unknown; target?: unknown }, ['source', 'target']);
    this.#source = checkSequences(`${argument}.source`, given.source);
    this.#target = checkSequences(`${argument}.target`, given.target);
    this.size = this.#source.length;
    const targets = this.#target.length;
    if (targets === this.size) return;
    const expected = `as many targets as sources, ${this.size}`;
    throw new TiedError('shape-mismatch', `${argument}.target is an array of ${targets}; expected ${expected}`);
  }

  /** Checks that the model can read them. The core checks the same for all pairs that it gets at once. */
  checkFor({ vocabSize, sourceLength, contextLength, startToken, endToken }: Readonly<ModelConfig>): void {
    const check = (name: string, ids: Uint32Array, most: number, ofModel: string): void => {
      if (ids.length > most) throw invalidArgument(`${name}.length`, ids.length, `at most ${ofModel}, ${most}`);
      checkIdsBelow(name, ids, vocabSize);
    };
    this.#source.forEach((ids, i) =>
      check(`${this.#argument}.source[${i}]`, ids, sourceLength!, 'the sourceLength of the model'),
    );
    this.#target.forEach((ids, i) => {
      const name = `${this.#argument}.target[${i}]`;
      check(name, ids, contextLength! - 1, 'the contextLength of the model minus 1');
      const reserved = ids.find((id) => id === startToken || id === endToken);
      if (reserved === undefined) return;
      throw invalidArgument(name, reserved, "tokens other than the model's start and end token");
    });
  }

  /** Some pairs as bind_pairs.cpp reads them: lengths of sources, lengths of targets, ids of sources, ids of targets. */
  packed(first = 0, count = this.size): Uint32Array {
    const lists = [this.#source, this.#target].map((list) => list.slice(first, first + count));
    const ids = lists.reduce((sum, list) => sum + lengthOfAll(list), 0);
    const packed = allocateResult(() => new Uint32Array(2 * count + ids));
    let at = 0;
    for (const list of lists) for (const { length } of list) packed[at++] = length;
    for (const list of lists) {
      for (const sequence of list) {
        packed.set(sequence, at);
        at += sequence.length;
      }
    }
    return packed;
  }
}

const lengthOfAll = (list: readonly Uint32Array[]): number => list.reduce((sum, { length }) => sum + length, 0);

function checkSequences(argument: string, value: unknown): Uint32Array[] {
  const list = readList(value, 1, MAX_PAIRS);
  if (!list) throw invalidArgument(argument, value, `an array of 1 to ${MAX_PAIRS} Uint32Arrays of token ids`);
  const sequences = list.map((ids, i) => checkTokenIds(`${argument}[${i}]`, ids, 1).slice());
  if (lengthOfAll(sequences) > MAX_IDS) throw invalidArgument(argument, value, `at most ${MAX_IDS} token ids`);
  return sequences;
}
