/** How one-way the letters of a text are: what symmetric scores cost a direct path that reads them, with the part that is chance taken off. */
import { log } from '../../../core/runtime/elementary.js';
import { summarise } from '../../../core/experiment/statistics.js';
import type { Irreversibility, IrreversibilityOptions, Matrix } from '../../../core/types.js';
import { characterPairs, type PairCounts } from '../direction/floors.js';

/** A core, or a lab with its promises. */
export interface Measures {
  irreversibility(counts: Matrix, options: IrreversibilityOptions): Irreversibility | Promise<Irreversibility>;
}

export const estimate = { blocks: 10, nullRuns: 20, seed: 1 } as const;

/** Of the reader's text: fewer letters say little, more take long, and a table of more symbols is nearly empty. */
export const leastLetters = 500;
export const mostLetters = 200_000;
export const mostSymbols = 75;

/** A text as it is measured: its letters and marks in lower case, with one space for whatever else stands between them. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

export interface OneWay {
  /** Characters, counted with the space that closes the text to a circle, and different ones. */
  readonly characters: number;
  readonly symbols: number;
  /** In nats per character, without what chance alone would give; and half the width of its 95% interval. */
  readonly price: number;
  readonly halfWidth: number;
  /** Mean and standard deviation of texts that run neither way, of the same pairs and length. */
  readonly chance: number;
  readonly deviation: number;
  /** The price as a fraction of what a letter tells of the next. */
  readonly share: number;
}

/** JS(J, Jᵀ) of a table of pairs, in nats. */
export function divergenceOf({ size, counts }: PairCounts): number {
  let [sum, total] = [0, 0];
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      const there = counts[from * size + to]!;
      total += there;
      if (there > 0) sum += there * log((2 * there) / (there + counts[to * size + from]!));
    }
  }
  return sum / total;
}

/** The text without one of so many stretches of equal length, for each of them. */
export function withoutBlocks(characters: readonly string[], blocks: number): string[] {
  return Array.from({ length: blocks }, (_, block) => {
    const [from, to] = [block, block + 1].map((edge) => Math.round((edge * characters.length) / blocks));
    return [...characters.slice(0, from), ...characters.slice(to)].join('');
  });
}

/**
 * Of letters as `lettersOf` gives them. The text is closed to a circle, so the cost of symmetry is exactly JS. The interval is that of a
 * jackknife, which leaves out one tenth of the text after the other; what chance gives falls with the length of what is left.
 */
export async function oneWayOf(letters: string, host: Measures): Promise<OneWay> {
  const text = `${letters} `;
  const characters = [...text];
  const { size, counts } = characterPairs(text);
  const found = await host.irreversibility(
    { rows: size, cols: size, data: Float32Array.from(counts) },
    { nullRuns: estimate.nullRuns, seed: estimate.seed },
  );
  const chance = found.null.mean;
  const price = found.js - chance;
  const pseudo = withoutBlocks(characters, estimate.blocks).map((rest) => {
    const chanceOfRest = (chance * characters.length) / [...rest].length;
    return estimate.blocks * price - (estimate.blocks - 1) * (divergenceOf(characterPairs(rest)) - chanceOfRest);
  });
  return {
    characters: characters.length,
    symbols: size,
    price,
    halfWidth: summarise(pseudo).halfWidth!,
    chance,
    deviation: found.null.standardDeviation,
    share: found.mutualInformation > 0 ? price / found.mutualInformation : 0,
  };
}
