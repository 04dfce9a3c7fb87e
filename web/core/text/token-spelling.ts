/** How files of other programs spell the tokens of ours, each with a text of its own. */
import { CHARACTERS } from './gpt2-tokenizer.js';
import type { SavedTokenizer } from './saved-tokenizer.js';

/** Of GPT-2, which begins and ends its texts with it. */
const END_OF_TEXT = '<|endoftext|>';
/** Of llama2.c, as SentencePiece names them. */
const MARKS = ['<unk>', '<s>', '</s>'];
const SPACE = '\u2581';

/** Null if the bytes are not UTF-8. A mark at the beginning, U+FEFF, is a character like others. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** One character per byte, as GPT-2 has them. */
export const byCharacters = (token: Uint8Array): string => Array.from(token, (byte) => CHARACTERS[byte]).join('');

/** Whether a reader that finds tokens by their texts finds all of these. */
export const areDistinct = (tokens: readonly (string | null)[]): tokens is readonly string[] =>
  tokens.every((token) => token !== null && token !== '') && new Set(tokens).size === tokens.length;

export interface SpelledTokens {
  /** Null for one that has no text. */
  readonly tokens: readonly (string | null)[];
  /** Which are not part of a text, such as <|endoftext|>. */
  readonly apart: readonly boolean[];
}

/** Of byte pairs: a byte or the result of a merge is spelled by characters, others literally. */
export function byteLevelTokens({ tokens, merges }: SavedTokenizer): SpelledTokens {
  const made = new Set(merges!.map(([left, right]) => `${tokens[left]!.join()},${tokens[right]!.join()}`));
  const literal = tokens.map((token) => (token.length === 1 || made.has(token.join()) ? null : textOf(token)));
  return {
    tokens: tokens.map((token, id) => literal[id] ?? byCharacters(token)),
    apart: literal.map((text) => text !== null),
  };
}

/** Of llama2.c: SentencePiece's spelling, with U+2581 for a space. */
export function scoredTokens({ tokens }: SavedTokenizer): SpelledTokens {
  return {
    tokens: tokens.map((token, id) => MARKS[id] ?? textOf(token)?.replaceAll(' ', SPACE) ?? null),
    apart: tokens.map((_, id) => id < MARKS.length),
  };
}

/** Whether token 0 of characters stands for all unknown ones. */
export const hasUnknownCharacter = ({ tokens }: SavedTokenizer): boolean => tokens[0]!.length === '<unk>'.length;

/** -1 if no token ends a text. */
export const endOfText = ({ tokens }: SavedTokenizer): number =>
  tokens.findIndex((token) => token.length === END_OF_TEXT.length && textOf(token) === END_OF_TEXT);
