import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core } from '../../../web/index.js';
import { expectError, rowsOf, TOY_CHAIN } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const TEXT = 'New York is a new city. The City of New York never sleeps.\nNéw Yørk 🗽 🗽\r\n';

describe('tokenizers', () => {
  test('by characters have the characters of the text as tokens, and decode to the text', () => {
    const tokenizer = core.trainTokenizer('banana', { kind: 'character' });
    expect(tokenizer).toMatchObject({ kind: 'character', vocabSize: 3, tokens: ['a', 'b', 'n'] });
    expect([...tokenizer.encode('banana')]).toEqual([1, 0, 2, 0, 2, 0]);
    expect(tokenizer.decode(tokenizer.encode('nab'))).toBe('nab');
  });

  test('of every kind decode to the original text', () => {
    for (const kind of ['character', 'word', 'bpe'] as const) {
      const tokenizer = core.trainTokenizer(TEXT, { kind, vocabSize: kind === 'bpe' ? 300 : 200 });
      expect(tokenizer.decode(tokenizer.encode(TEXT))).toBe(TEXT);
      expect(tokenizer.tokens).toHaveLength(tokenizer.vocabSize);
    }
  });

  test('by bytes accept any text', () => {
    const tokenizer = core.trainTokenizer(TEXT, { kind: 'bpe', vocabSize: 260 });
    for (const text of ['', '日本語', '\u0000\u0001', '\ufeffmarked', '👩‍👩‍👧'])
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  });

  test('with only the bytes of the text learn more merges, and accept only those bytes', () => {
    const options = { kind: 'bpe', vocabSize: 60 } as const;
    const tokenizer = core.trainTokenizer(TEXT, { ...options, alphabet: 'text' });
    expect(tokenizer.decode(tokenizer.encode(TEXT))).toBe(TEXT);
    expect(tokenizer.vocabSize).toBeLessThanOrEqual(60);
    const bytes = new Set(new TextEncoder().encode(TEXT)).size;
    expect(tokenizer.vocabSize).toBeGreaterThan(bytes);
    const loaded = core.loadTokenizer(tokenizer.save(), { format: 'tied-embeddings' });
    expect(loaded.tokens).toEqual(tokenizer.tokens);
    expect(loaded.encode(TEXT)).toEqual(tokenizer.encode(TEXT));
    expectError(() => tokenizer.encode('New Yorq'), 'invalid-argument', /^text is q \(U\+0071\) at byte 7; expected/);
  });

  test('by words have an unknown token', () => {
    const tokenizer = core.trainTokenizer('red green red blue red green', { kind: 'word', vocabSize: 3 });
    expect(tokenizer.vocabSize).toBe(3);
    expect(tokenizer.decode(tokenizer.encode('red violet green'))).toBe('red <unk> green');
  });

  test('can be restored from their saved bytes', () => {
    for (const kind of ['character', 'word', 'bpe'] as const) {
      const tokenizer = core.trainTokenizer(TEXT, { kind });
      const loaded = core.loadTokenizer(tokenizer.save(), { format: 'tied-embeddings' });
      expect(loaded).toMatchObject({ kind, vocabSize: tokenizer.vocabSize, tokens: tokenizer.tokens });
      expect(loaded.encode(TEXT)).toEqual(tokenizer.encode(TEXT));
    }
  });
});

describe('bigrams', () => {
  test('count which token follows which', () => {
    const bigrams = core.bigrams(Uint32Array.of(0, 1, 0, 1, 2), 3);
    expect(rowsOf(bigrams.counts)).toEqual([
      [0, 2, 0],
      [1, 0, 1],
      [0, 0, 0],
    ]);
    expect(bigrams.total).toBe(4);
    expect([...bigrams.conditional(1)]).toEqual([0.5, 0, 0.5]);
    expect([...bigrams.conditional(2)]).toEqual([0, 0, 0]);
    expect(bigrams.top(2)).toEqual([
      { from: 0, to: 1, count: 2 },
      { from: 1, to: 0, count: 1 },
    ]);
    expect(bigrams.top(100)).toHaveLength(3);
    // Skew part: half of 2 - 1 between 0 and 1, half of 1 between 1 and 2, twice each; norm^2 = 4 + 1 + 1.
    expect(bigrams.asymmetry).toBeCloseTo(Math.sqrt((2 * 0.25 + 2 * 0.25) / 6), 12);
    expect(bigrams.asymmetry).toBeCloseTo(core.symmetry(bigrams.counts).asymmetry, 12);
  });
});

describe('top', () => {
  test('ranks the same as sorting everything, for any n', () => {
    const transition = core.randomMarkovChain({ states: 30, seed: 8 });
    const ids = core.sampleMarkovChain({ transition, length: 3000, seed: 9 });
    const bigrams = core.bigrams(ids, 30);
    const ranked = Array.from(bigrams.counts.data, (count, k) => ({ from: Math.floor(k / 30), to: k % 30, count }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || a.from - b.from || a.to - b.to);
    for (const n of [0, 1, 2, 7, 100, 10_000]) expect(bigrams.top(n)).toEqual(ranked.slice(0, n));
  });
});

describe('texts from a seed', () => {
  test('stories have at least the requested length and end complete, and a longer one continues a shorter one', () => {
    const short = core.writeStories({ seed: 3, length: 2000 });
    const long = core.writeStories({ seed: 3, length: 9000 });
    expect(short.length).toBeGreaterThanOrEqual(2000);
    expect(short.endsWith('\n')).toBe(true);
    expect(long.startsWith(short)).toBe(true);
    expect(core.writeStories({ seed: 4, length: 2000 })).not.toBe(short);
  });

  test('a random chain is valid, and its sample follows it', () => {
    const transition = core.randomMarkovChain({ states: 5, seed: 1 });
    for (const row of rowsOf(transition)) expect(row.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 5);
    expect(core.randomMarkovChain({ states: 5, seed: 1 })).toEqual(transition);

    const length = 200_000;
    const sample = core.sampleMarkovChain({ transition: TOY_CHAIN, length, seed: 2 });
    expect(sample).toHaveLength(length);
    const { counts } = core.bigrams(sample, 3);
    const bounds = core.bigramBounds(counts);
    // The entropy of a sample of 200,000 is within 0.005 of the chain's: its standard error is about 0.002.
    expect(Math.abs(bounds.bigram - 0.777221739)).toBeLessThan(0.005);
  });
});
