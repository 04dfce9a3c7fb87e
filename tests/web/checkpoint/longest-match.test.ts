// Converts a text to ids using only token strings, in the spellings of different vocabularies.
import { describe, expect, test } from 'vitest';
import { longestMatch } from '../../../web/core/checkpoint/card/longest-match.js';

const split = (tokens: readonly string[], text: string): string[] =>
  [...longestMatch(tokens, text).ids].map((id) => tokens[id]!);

describe('longestMatch', () => {
  test('takes the longest token at each position, and the first of equal strings', () => {
    expect(split(['a', 'ab', 'abc', 'b', 'c'], 'ababcc')).toEqual(['ab', 'abc', 'c']);
    expect([...longestMatch(['x', 'x'], 'x').ids]).toEqual([0]);
    expect(longestMatch([], '')).toEqual({ ids: new Uint32Array(0), unread: 0 });
  });

  test('skips spaces between words, and counts other characters that are in no token', () => {
    expect(longestMatch(['New', 'York'], 'New York 🙂!')).toEqual({ ids: Uint32Array.of(0, 1), unread: 2 });
  });

  test('spells bytes as GPT-2 does', () => {
    // é is the bytes C3 A9, spelled as the letters Ã and ©; a line break is Ċ.
    expect(split(['Ġthe', 'the', 'Ġ', 'Ã©', 'Ċ'], 'the the é\n')).toEqual(['the', 'Ġthe', 'Ġ', 'Ã©', 'Ċ']);
  });

  test('spells spaces as SentencePiece does, and unknown characters in bytes', () => {
    const tokens = ['▁once', '▁', '<0xC3>', '<0xA9>', '<0x0A>'];
    expect(split(tokens, 'once é\n')).toEqual(['▁once', '▁', '<0xC3>', '<0xA9>', '<0x0A>']);
    expect(longestMatch(['▁a', '<0xC3>'], 'aé').unread).toBe(1);
  });
});
