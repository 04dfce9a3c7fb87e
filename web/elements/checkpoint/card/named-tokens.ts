import { visibleToken } from '../visible-token.js';

/** How tokenizers spell a space before a word. */
const spaces = ['', 'Ġ', '▁', ' '];

export interface NamedTokens {
  /** Each id once, in the reader's order. */
  readonly ids: Uint32Array;
  readonly unknown: readonly string[];
}

/**
 * The tokens that a reader names, separated by spaces: spelled as in the file, with or without its sign for a space
 * before the token, as the figure shows them, or by id. `rows`: the number of rows of the table.
 */
export function namedTokens(words: string, tokens: readonly string[] | null, rows: number): NamedTokens {
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const word of words.split(/\s+/).filter(Boolean)) {
    // The spelling that the figure shows.
    const whole = tokens?.findIndex((token) => visibleToken(token) === word) ?? -1;
    const found =
      whole >= 0 && whole < rows
        ? whole
        : spaces.map((space) => tokens?.indexOf(space + word) ?? -1).find((id) => id >= 0 && id < rows);
    const id = found ?? (/^\d{1,9}$/.test(word) ? Number(word) : -1);
    if (id >= 0 && id < rows) ids.add(id);
    else unknown.push(word);
  }
  return { ids: Uint32Array.from(ids), unknown };
}
