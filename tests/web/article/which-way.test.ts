// The game with lines that run forward or backward: where its lines come from, and what its scores are worth.
import { describe, expect, test } from 'vitest';
import {
  bothWays,
  lineFrom,
  logProbability,
  pairsOf,
  type Pairs,
} from '../../../web/article/figures/which-way/chains.js';
import {
  linesInRound,
  shownWords,
  sources,
  wordsInLine,
  Writers,
  type Line,
} from '../../../web/article/figures/which-way/round.js';
import { coinReaches } from '../../../web/article/figures/which-way/score.js';
import { onceIn, scoreInWords, verdict } from '../../../web/article/figures/which-way/sentences.js';
import { wordsOf } from '../../../web/article/figures/which-way/words.js';
import { randomNumbers } from '../../../web/elements/shared/shuffled.js';
import { builtInTexts } from '../../../web/texts/index.js';

const story = await builtInTexts[0]!.load();
const words = wordsOf(story);
const pairs = pairsOf(words.all, words.names.length);
const writers = new Writers(words);
const seeds = Array.from({ length: 30 }, (_, seed) => seed + 1);
const linesOf = (source: (typeof sources)[number]): Line[] => seeds.flatMap((seed) => writers.round(source, seed));
const idOf = (word: string): number => words.names.indexOf(word);

const total = (row: ReadonlyMap<number, number>): number => [...row.values()].reduce((sum, count) => sum + count, 0);
const count = (table: Pairs, from: number, to: number): number => table[from]!.get(to) ?? 0;

describe('the words', () => {
  test('are those of the text, without marks, and without the capital of a sentence’s first word', () => {
    const { names, stretches, all } = wordsOf('The cat saw New York. New cats saw the cat, a new one: a new York.');
    const read = (ids: readonly number[]): string => ids.map((id) => names[id]).join(' ');
    expect(stretches.map(read)).toEqual(['the cat saw New York', 'new cats saw the cat', 'a new one', 'a new York']);
    expect(read(all)).toBe('the cat saw New York new cats saw the cat a new one a new York');
    expect(new Set(names).size).toBe(names.length);
  });

  test('every word of the story is kept', () => {
    expect(words.all).toHaveLength(story.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu)!.length);
  });
});

describe('the chains', () => {
  test('a text closed to a circle leaves each word as often as it enters it', () => {
    const entered = new Array<number>(words.names.length).fill(0);
    for (const row of pairs) for (const [to, times] of row) entered[to]! += times;
    expect(pairs.map(total)).toEqual(entered);
    expect(count(pairs, idOf('New'), idOf('York'))).toBeGreaterThan(40);
    expect(count(pairs, idOf('York'), idOf('New'))).toBe(0);
  });

  test('the symmetric one is in detailed balance, and each word has the share that it has in the text', () => {
    const symmetric = bothWays(pairs);
    const all = symmetric.map(total).reduce((sum, one) => sum + one, 0);
    for (const [from, row] of symmetric.entries()) {
      expect(total(row) / all).toBeCloseTo(total(pairs[from]!) / words.all.length, 12);
      for (const [to, times] of row) expect(count(symmetric, to, from)).toBe(times);
    }
  });

  test('a probability is that of a start times those of the steps', () => {
    // a a b, a circle: a → a, a → b, b → a.
    const small = pairsOf([0, 0, 1], 2);
    expect(10 ** logProbability(small, [0, 1, 0])).toBeCloseTo((2 / 3) * (1 / 2) * 1, 12);
    expect(10 ** logProbability(small, [0])).toBeCloseTo(2 / 3, 12);
    expect(logProbability(small, [1, 1])).toBe(-Infinity);
    // a → b, b → a once and a → a twice of four pairs that are counted in both orders.
    expect(10 ** logProbability(bothWays(small), [0, 0, 1])).toBeCloseTo((4 / 6) * (2 / 4) * (2 / 4), 12);
  });

  test('lines come as often as their probability says', () => {
    const small = pairsOf([0, 0, 1, 2], 3);
    const random = randomNumbers(1);
    const drawn = Array.from({ length: 20_000 }, () => lineFrom(small, 3, random).join());
    for (const line of [
      [0, 1, 2],
      [0, 0, 0],
      [2, 0, 1],
    ]) {
      const share = drawn.filter((one) => one === line.join()).length / drawn.length;
      // Five standard deviations of a share.
      expect(Math.abs(share - 10 ** logProbability(small, line))).toBeLessThan(5 * Math.sqrt(0.25 / drawn.length));
    }
  });
});

describe('the lines', () => {
  test('of the story occur in it', () => {
    const plain = ` ${words.all.map((id) => words.names[id]).join(' ')} `;
    const spoken = story.toLowerCase().replace(/\s+/g, ' ');
    for (const { written, chances } of linesOf('story')) {
      expect(written).toHaveLength(wordsInLine);
      expect(plain).toContain(` ${written.join(' ')} `);
      expect(spoken).toContain(written.join(' ').toLowerCase());
      expect(chances).toBe(null);
    }
  });

  test('of the pairs are made of pairs of the story; of the symmetric chain, in either order', () => {
    for (const { written } of linesOf('pairs')) {
      for (const [at, word] of written.slice(1).entries()) {
        expect(count(pairs, idOf(written[at]!), idOf(word))).toBeGreaterThan(0);
      }
    }
    const reversed = linesOf('symmetric').flatMap(({ written }) =>
      written.slice(1).map((word, at) => {
        const [from, to] = [idOf(written[at]!), idOf(word)];
        expect(count(pairs, from, to) + count(pairs, to, from)).toBeGreaterThan(0);
        return count(pairs, from, to) < count(pairs, to, from);
      }),
    );
    expect(reversed.filter(Boolean).length / reversed.length).toBeGreaterThan(0.4);
  });

  test('have the same probability both ways in the symmetric chain, and hardly ever in the other', () => {
    for (const { chances } of linesOf('symmetric')) expect(chances!.backward).toBeCloseTo(chances!.forward, 9);
    const told = linesOf('pairs').filter(({ chances }) => chances!.forward > chances!.backward + 1);
    expect(told.length / (seeds.length * linesInRound)).toBeGreaterThan(0.95);
  });

  test('run one way or the other as a coin decides, and a seed decides the coin', () => {
    for (const source of sources) {
      const lines = linesOf(source);
      const forward = lines.filter(({ direction }) => direction === 'forward').length;
      // Four standard deviations.
      expect(Math.abs(forward - lines.length / 2)).toBeLessThan(4 * Math.sqrt(lines.length / 4));
      expect(writers.round(source, 7)).toEqual(writers.round(source, 7));
      expect(writers.round(source, 7)).not.toEqual(writers.round(source, 8));
    }
  });

  test('are shown in reverse if they run backward', () => {
    const line: Line = { written: ['to', 'New', 'York'], direction: 'backward', chances: null };
    expect(shownWords(line)).toEqual(['York', 'New', 'to']);
    expect(shownWords({ ...line, direction: 'forward' })).toEqual(line.written);
  });
});

describe('what the figure says', () => {
  test('a score is compared with the coin’s, from binomial coefficients', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    for (let right = 0; right <= linesInRound; right++) {
      let ways = 0;
      for (let hits = right; hits <= linesInRound; hits++) ways += choose(linesInRound, hits);
      expect(coinReaches(right, linesInRound)).toBe(ways / 1024);
    }
    expect(scoreInWords(8)).toBe('8 of 10 right. A coin does as well in 5.5% of such rounds.');
    expect(scoreInWords(5)).toContain('62%');
  });

  test('each guess is answered in at most 25 words, with how often a model writes the line either way', () => {
    expect(onceIn(-Infinity)).toBe('never');
    expect(onceIn(Math.log10(1 / 1.23e10))).toBe('once in 12 billion lines');
    const line: Line = { written: ['to', 'New', 'York'], direction: 'backward', chances: null };
    expect(verdict(line, 'forward')).toBe('Wrong: it ran backward. Story says “to New York”.');
    const equal = { ...line, chances: { forward: -9, backward: -9 } };
    expect(verdict(equal, 'backward')).toBe(
      'Right: it ran backward. The model writes it once in 1 billion lines, and its reverse equally often.',
    );
    for (const source of sources) {
      for (const one of linesOf(source)) {
        for (const guess of ['forward', 'backward'] as const) {
          expect(verdict(one, guess).split(' ').length).toBeLessThanOrEqual(25);
          if (source === 'symmetric') expect(verdict(one, guess)).toContain('equally often');
        }
      }
    }
  });
});
