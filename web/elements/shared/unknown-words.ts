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
};

export const unknownWordsText = (
  { unknownWords }: typeof unknownWordsStrings,
  error: Pick<UnknownWordsError, 'words' | 'offered'>,
): string => unknownWords(quoted(error.words.slice(0, mostNamed)), error.offered.join(', '));

/** Reading it would mean reading something else: the model has one token for all words that it does not know. */
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

/** Encodes a text of known words. @throws {UnknownWordsError} if it has others; errors of `encode` */
export async function encodeKnown(
  tokenizer: Pick<LabTokenizer, 'kind' | 'tokens' | 'encode'>,
  text: string,
): Promise<Uint32Array> {
  const { kind, tokens } = tokenizer;
  const ids = await tokenizer.encode(text);
  if (kind !== 'word' || !ids.includes(tokens.indexOf('<unk>'))) return ids;
  const known = new Set(tokens);
  const unknown = [...new Set(text.match(pieces))].filter((piece) => !known.has(piece));
  throw new UnknownWordsError(unknown.length > 0 ? unknown : [text.trim()], offeredFor(unknown[0] ?? '', tokens));
}
