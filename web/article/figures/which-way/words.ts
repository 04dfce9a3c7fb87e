/** The words of a text, without its punctuation: stretches between two marks, and all words in a row. */

export interface Words {
  /** Each different word once; other lists are of positions in this one. */
  readonly names: readonly string[];
  /** Words with no mark between them, in the order of the text. */
  readonly stretches: readonly (readonly number[])[];
  /** All words in a row. */
  readonly all: readonly number[];
}

const marks = /([^\p{L}\p{N}' -]+)/u;
const isWord = (piece: string): boolean => /[\p{L}\p{N}]/u.test(piece);
const lowered = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1);

/** Stretches of words, each with whether a sentence may begin with it. */
function stretchesOf(text: string): { words: string[]; begins: boolean }[] {
  const pieces = text.split(marks);
  return pieces.flatMap((piece, at) => {
    const words = piece.split(' ').filter(isWord);
    return at % 2 === 1 || words.length === 0 ? [] : [{ words, begins: at === 0 || !/^[,;:]$/.test(pieces[at - 1]!) }];
  });
}

/** The capital of a sentence's first word would give a line's direction away, so it is kept only where the word has one elsewhere. */
export function wordsOf(text: string): Words {
  const stretches = stretchesOf(text);
  const within = new Map<string, number>();
  for (const { words, begins } of stretches) {
    for (const word of words.slice(Number(begins))) within.set(word, (within.get(word) ?? 0) + 1);
  }
  const times = (word: string): number => within.get(word) ?? 0;
  const ids = new Map<string, number>();
  const idOf = (name: string): number => {
    if (!ids.has(name)) ids.set(name, ids.size);
    return ids.get(name)!;
  };
  const numbered = stretches.map(({ words, begins }) =>
    words.map((word, at) => idOf(begins && at === 0 && times(lowered(word)) > times(word) ? lowered(word) : word)),
  );
  return { names: [...ids.keys()], stretches: numbered, all: numbered.flat() };
}
