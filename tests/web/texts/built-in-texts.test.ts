import { describe, expect, it } from 'vitest';
import { builtInTexts } from '../../../web/texts/index.js';

/** Names of two words with a fixed order in English. */
const orderedNames = [
  'New York',
  'Fifth Avenue',
  'high school',
  'Central Park',
  'Grand Central',
  'Brooklyn Bridge',
  'ice cream',
  'Staten Island',
  'fire escape',
  'living room',
  'Ninth Street',
];

/** Lower-case words without punctuation: stricter than any tokenizer of the lab, which would see punctuation between two words. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];

const countPairs = (words: readonly string[], first: string, second: string): number =>
  words.filter((word, index) => word === first && words[index + 1] === second).length;

describe.each(builtInTexts.map((text) => [text.id, text] as const))('built-in text %s', (_id, entry) => {
  it('is at least 40 KB of plain ASCII, with the length in its entry to within 2 KB', async () => {
    const text = await entry.load();
    expect(text.length).toBeGreaterThanOrEqual(40_000);
    expect(Math.abs(text.length - entry.approximateLength)).toBeLessThan(2_000);
    expect([...text].filter((character) => character !== '\n' && (character < ' ' || character > '~'))).toEqual([]);
  });

  it('has New York at least 40 times and every ordered name at least 5 times', async () => {
    const words = wordsOf(await entry.load());
    expect(countPairs(words, 'new', 'york')).toBeGreaterThanOrEqual(40);
    for (const name of orderedNames) {
      const [first, second] = name.toLowerCase().split(' ') as [string, string];
      expect(countPairs(words, first, second), name).toBeGreaterThanOrEqual(5);
    }
  });

  it('never reverses an ordered name, not even across a full stop', async () => {
    const words = wordsOf(await entry.load());
    for (const name of orderedNames) {
      const [first, second] = name.toLowerCase().split(' ') as [string, string];
      expect(countPairs(words, second, first), `${second} ${first}`).toBe(0);
    }
  });

  it('is prose and not a loop: no paragraph and no sentence of at least eight words occurs twice', async () => {
    const text = await entry.load();
    const paragraphs = text.split('\n\n').filter((paragraph) => paragraph.length > 12);
    expect(new Set(paragraphs).size).toBe(paragraphs.length);
    const sentences = text.split(/[.?!]["']?\s+/).filter((sentence) => sentence.split(' ').length >= 8);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('has a varied vocabulary: over a thousand different words', async () => {
    expect(new Set(wordsOf(await entry.load())).size).toBeGreaterThan(1_000);
  });
});

describe('the list of built-in texts', () => {
  it('has different ids, made of lower-case words and hyphens', () => {
    const ids = builtInTexts.map((text) => text.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});
