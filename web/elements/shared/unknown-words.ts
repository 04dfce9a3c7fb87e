/** Words of a prompt that the vocabulary of a word tokenizer lacks. */
import { nearest } from '../../core/runtime/validate.js';
import type { LabTokenizer } from '../../core/types.js';

/** A word, a number or a mark. */
const pieces = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*|\S/gu;
const capital = /^\p{Lu}/u;
/** Shorter words, such as "I" and "with", help nobody to write a prompt. */
const leastLetters = { name: 3, other: 5 };
/** Shorter words are near to many that they have nothing to do with. */
const leastSpelled = 5;
const mostOffered = 4;
const mostNamed = 3;

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');

/** `known` may be ''. */
export const unknownWordsStrings = {
  unknownWords: (words: string, known: string) =>
    `The models do not know ${words}.${known === '' ? '' : ` They know ${known} and others.`}`,
  leftOut: (words: string) => `Read without ${words}, which the models do not know.`,
};

export const unknownWordsText = (
  { unknownWords }: Pick<typeof unknownWordsStrings, 'unknownWords'>,
  error: Pick<UnknownWordsError, 'words' | 'offered'>,
): string => unknownWords(quoted(error.words.slice(0, mostNamed)), error.offered.join(', '));

/** Says which words of a prompt were not read; null if all were. */
export const leftOutText = (
  texts: Pick<typeof unknownWordsStrings, 'leftOut'>,
  words: readonly string[] | undefined,
): string | null => (words === undefined || words.length === 0 ? null : texts.leftOut(quoted(words)));

/** Nothing of the text can be read. */
export class UnknownWordsError extends Error {
  constructor(
    readonly words: readonly string[],
    /** Known words, the nearest in spelling first. */
    readonly offered: readonly string[],
  ) {
    super(unknownWordsText(unknownWordsStrings, { words, offered }));
    this.name = 'UnknownWordsError';
  }
}

/** Of `tokens`, the most frequent first: names for a name, other words for another word. */
function offeredFor(word: string, tokens: readonly string[]): string[] {
  const all = new Set(tokens);
  const isName = (token: string): boolean =>
    token.length >= leastLetters.name && capital.test(token) && !all.has(token.toLowerCase());
  const isOther = (token: string): boolean => token.length >= leastLetters.other && /^\p{Ll}+$/u.test(token);
  const alike = tokens.filter(capital.test(word) ? isName : isOther);
  const near = word.length < leastSpelled ? null : nearest(word, alike);
  return [...new Set([...(near === null ? [] : [near]), ...alike])].slice(0, mostOffered);
}

export interface KnownText {
  readonly ids: Uint32Array;
  /** The words that are not read, each once; absent if all are. */
  readonly leftOut?: readonly string[];
}

/** The words of a text and what is between them. */
export function piecesOf(text: string, leftOut: readonly string[] = []): { piece: string; isLeftOut: boolean }[] {
  const found = [...text.matchAll(pieces)].filter(([word]) => leftOut.includes(word));
  let from = 0;
  const parts = found.flatMap(({ 0: piece, index }) => {
    const between = { piece: text.slice(from, index), isLeftOut: false };
    from = index + piece.length;
    return [between, { piece, isLeftOut: true }];
  });
  return [...parts, { piece: text.slice(from), isLeftOut: false }].filter(({ piece }) => piece !== '');
}

/**
 * Encodes the known words of a text and leaves out the others: the model has one token for all of them, which it has
 * never read. @throws {UnknownWordsError} if no word is known; errors of `encode`
 */
export async function encodeKnown(
  tokenizer: Pick<LabTokenizer, 'kind' | 'tokens' | 'encode'>,
  text: string,
): Promise<KnownText> {
  const { kind, tokens } = tokenizer;
  const ids = await tokenizer.encode(text);
  const none = tokens.indexOf('<unk>');
  if (kind !== 'word' || !ids.includes(none)) return { ids };
  const known = new Set(tokens);
  const unknown = [...new Set(text.match(pieces))].filter((piece) => !known.has(piece));
  const read = ids.filter((id) => id !== none);
  if (unknown.length > 0 && read.length > 0) return { ids: read, leftOut: unknown };
  throw new UnknownWordsError(unknown.length > 0 ? unknown : [text.trim()], offeredFor(unknown[0] ?? '', tokens));
}
