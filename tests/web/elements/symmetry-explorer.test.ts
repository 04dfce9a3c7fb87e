import { describe, expect, it } from 'vitest';
import type { Lab, Matrix } from '../../../web/core/types.js';
import {
  directPathOf,
  entry,
  pairsOf,
  selfPredicting,
} from '../../../web/elements/symmetry-explorer/direct-path-of.js';
import {
  completeRows,
  formatRows,
  freeName,
  nameProblem,
  parseNames,
  parseRows,
  randomRows,
  startingTokens,
  withName,
  withoutToken,
  withRow,
  withToken,
} from '../../../web/elements/symmetry-explorer/explorer-state.js';
import { drawMore, noDraws } from '../../../web/elements/symmetry-explorer/random-draws.js';
import { pairNumbers } from '../../../web/elements/symmetry-explorer/pair-numbers.js';
import { readOut, type ReadOutOptions } from '../../../web/elements/symmetry-explorer/summary.js';
import { commonStrings } from '../../../web/elements/shared/strings.js';
import { symmetryExplorerStrings } from '../../../web/elements/symmetry-explorer/symmetry-explorer.strings.js';

const texts = { ...commonStrings, ...symmetryExplorerStrings };

/** The two verbs that the explorer uses, written as plain loops; the browser tests use the real ones. */
const plainLab = {
  directPath: ({ embedding, unembedding = embedding }: { embedding: Matrix; unembedding?: Matrix }) => {
    const count = embedding.rows;
    const data = new Float32Array(count * count);
    for (let row = 0; row < count; row++) {
      for (let col = 0; col < count; col++) {
        data[row * count + col] =
          entry(embedding, row, 0) * entry(unembedding, col, 0) + entry(embedding, row, 1) * entry(unembedding, col, 1);
      }
    }
    return Promise.resolve({ rows: count, cols: count, data });
  },
  symmetry: (square: Matrix) =>
    Promise.resolve({ symmetric: pairsOf(square).every(({ forward, backward }) => forward === backward) }),
} as unknown as Lab;

const { names, embedding, unembedding } = startingTokens;

describe('the starting tables', () => {
  it('give the values of the example if tied, and every token is its own most probable successor', async () => {
    const path = await directPathOf(plainLab, embedding, null);
    const shown = [...path.logits.data].map((logit) => logit.toFixed(2));
    expect(shown).toEqual(['1.25', '1.25', '0.90', '1.25', '1.45', '1.32', '0.90', '1.32', '1.53']);
    expect(path.symmetric).toBe(true);
    expect(selfPredicting(path.probabilities)).toBe(3);
  });

  it('send each token to the next one around the circle if untied', async () => {
    const { logits, symmetric } = await directPathOf(plainLab, embedding, unembedding);
    expect(symmetric).toBe(false);
    const best = names.map((_, row) => {
      const logitsOfRow = [...logits.data.subarray(3 * row, 3 * row + 3)];
      return names[logitsOfRow.indexOf(Math.max(...logitsOfRow))];
    });
    expect(best).toEqual(['York', 'City', 'New']);
    expect(selfPredicting(logits)).toBe(0);
  });
});

describe('changing tokens', () => {
  it('adds a row to both tables, renames one, and removes it', () => {
    const added = withToken(startingTokens, freeName(names, 'token'));
    expect(added.names).toEqual(['New', 'York', 'City', 'token 4']);
    expect(added.embedding).toHaveLength(4);
    expect(added.unembedding).toHaveLength(4);
    expect(withName(added, 3, 'Hall').names[3]).toBe('Hall');
    expect(withoutToken(added, 3)).toEqual(startingTokens);
  });

  it('gives added tokens well-separated vectors', () => {
    const rows = completeRows([], 12, 1);
    for (const [at, [x, y]] of rows.entries()) {
      for (const [u, v] of rows.slice(at + 1)) expect(Math.hypot(x - u, y - v)).toBeGreaterThan(0.2);
    }
  });

  it('picks a free name for a new token', () => {
    expect(freeName(['a', 'token 3'], 'token')).toBe('token 4');
  });

  it('rounds entries to the digits shown, and limits them to the drawing', () => {
    expect(withRow(startingTokens, 'embedding', 1, [0.12345, 1e6]).embedding[1]).toEqual([0.123, 99]);
    expect(withRow(startingTokens, 'unembedding', 0, [-0.0001, -1e6]).unembedding[0]).toEqual([0, -99]);
    expect(withRow(startingTokens, 'unembedding', 0, [1, 1]).embedding).toBe(embedding);
  });

  it.each([
    ['', 'empty'],
    ['York', 'taken'],
    ['a, b', 'comma'],
    ['x'.repeat(25), 'long'],
    ['New', null],
    ['Jersey', null],
  ])('calls the name "%s" %s', (name, problem) => {
    expect(nameProblem(names, 0, name)).toBe(problem);
  });
});

describe('attributes', () => {
  it('hold tables as rows of two numbers', () => {
    expect(parseRows('1 0.5; 0.8 0.9; 0.3 1.2')).toEqual(embedding);
    expect(parseRows(formatRows(unembedding))).toEqual(unembedding);
    expect(parseRows('1,2\n3,4')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(parseNames(' New,York , City')).toEqual(names);
  });

  it.each(['', '1', '1 2 3', '1 x', '1 2; 3', '1 NaN', '1 Infinity', '1 1000'])('refuse "%s"', (text) => {
    expect(parseRows(text)).toBeNull();
  });
});

describe('random draws', () => {
  it('are the same for the same seed, differ for another, and spread over [-2, 2]', () => {
    expect(randomRows(12, 7, 3, 0)).toEqual(randomRows(12, 7, 3, 0));
    expect(randomRows(12, 7, 3, 0)).not.toEqual(randomRows(12, 8, 3, 0));
    expect(randomRows(12, 7, 3, 0)).not.toEqual(randomRows(12, 7, 3, 1));
    const entries = Array.from({ length: 500 }, (_, draw) => randomRows(4, 1, draw, 0).flat()).flat();
    expect(Math.min(...entries)).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...entries)).toBeLessThanOrEqual(2);
    // Uniform on [-2, 2]: mean 0, variance 4/3. 4,000 entries put five standard errors at 0.09 and 0.09.
    const mean = entries.reduce((sum, value) => sum + value, 0) / entries.length;
    const variance = entries.reduce((sum, value) => sum + value * value, 0) / entries.length;
    expect(Math.abs(mean)).toBeLessThan(0.09);
    expect(Math.abs(variance - 4 / 3)).toBeLessThan(0.1);
    expect(new Set(entries).size).toBeGreaterThan(2000);
  });

  it('count the lab’s results draw by draw', async () => {
    const first = await drawMore(plainLab, noDraws, { tokens: 3, seed: 1, count: 20 });
    expect(first).toEqual({ drawn: 20, tiedSymmetric: 20, untiedSymmetric: 0 });
    const doubtful = { ...plainLab, symmetry: () => Promise.resolve({ symmetric: false }) } as unknown as Lab;
    const after = await drawMore(doubtful, first, { tokens: 3, seed: 1, count: 5 });
    expect(after).toEqual({ drawn: 25, tiedSymmetric: 20, untiedSymmetric: 0 });
  });
});

describe('the read-out', () => {
  const options = async (changes: Partial<ReadOutOptions> = {}): Promise<ReadOutOptions> => {
    const mode = changes.mode ?? 'tied';
    const writing = mode === 'untied' ? unembedding : embedding;
    const path = await directPathOf(plainLab, embedding, mode === 'untied' ? unembedding : null);
    return { texts, mode, view: 'logits', names, embedding, writing, path, cell: null, counts: noDraws, ...changes };
  };

  it('says that tied pairs are equal, and why', async () => {
    const said = readOut(await options());
    expect(said.claim).toBe('All 3 pairs are equal both ways.');
    expect(said.tone).toBe('equal');
  });

  it('says how many untied pairs differ, with the widest', async () => {
    const said = readOut(await options({ mode: 'untied' }));
    expect(said.claim).toBe('3 of 3 pairs differ.');
    expect(said.tone).toBe('unequal');
  });

  it('colors only pairs that one table makes equal and two tables make different', async () => {
    const agree = await directPathOf(plainLab, embedding, embedding);
    const differ = await directPathOf(plainLab, embedding, unembedding);
    const tone = async (mode: 'tied' | 'untied', path: typeof agree) => readOut(await options({ mode, path })).tone;
    expect([await tone('tied', agree), await tone('untied', differ)]).toEqual(['equal', 'unequal']);
    expect([await tone('tied', differ), await tone('untied', agree)]).toEqual(['plain', 'plain']);
    const counts = { drawn: 3, tiedSymmetric: 2, untiedSymmetric: 0 };
    expect(readOut(await options({ mode: 'random', counts })).tone).toBe('plain');
  });

  it('writes out the sum for a cell', async () => {
    const said = readOut(await options({ cell: { row: 0, col: 1 } }));
    expect(said.claim).toBe('New\u00a0→\u00a0York: 1.000 × 0.800 + 0.500 × 0.900 = 1.250.');
    const untied = readOut(await options({ mode: 'untied', cell: { row: 0, col: 1 } }));
    expect(untied.claim).toBe('New\u00a0→\u00a0York: 1.000 × 2.000 + 0.500 × (−1.000) = 1.500.');
  });

  it('does not mistake symmetric logits for symmetric probabilities', async () => {
    const said = readOut(await options({ view: 'probabilities' }));
    expect(said.claim).toBe('Symmetric logits, unequal probabilities.');
    expect(said.rest).toContain('0.370');
    expect(said.rest).toContain('0.304');
    expect(said.rest).toContain('Every token here gives itself its highest probability');
  });

  it.each([
    [0, 'Of 3 tokens, 0 give themselves their highest probability.'],
    [1, 'Of 3 tokens, 1 gives itself its highest probability.'],
    [2, 'Of 3 tokens, 2 give themselves their highest probability.'],
  ])('counts the tokens that predict themselves: %i', (self, sentence) => {
    expect(texts.selfPredicting(self, 3)).toBe(sentence);
  });

  it('reports the actual count of random draws', async () => {
    const counts = { drawn: 40, tiedSymmetric: 40, untiedSymmetric: 1 };
    const said = readOut(await options({ mode: 'random', counts }));
    expect(said.claim).toBe('40 of 40 random matrices gave a symmetric result.');
    expect(said.rest).toContain('1 of 40');
  });
});

describe('the numbers of a pair', () => {
  it.each([
    [1.25, 1.25, '1.250', '1.250'],
    [0.9, -0.9, '0.900', '\u22120.900'],
    [0.16789, 0.16811, '0.1679', '0.1681'],
    [0.1680001, 0.1680009, '0.168000', '0.168001'],
    [Math.fround(1 / 3), Math.fround(1 / 3 + 3e-8), '0.3333333', '0.3333334'],
  ])('%s and %s are written differently if they differ', (one, other, first, second) => {
    expect(pairNumbers(one, other)).toEqual([first, second]);
  });

  it.each([
    [0.0003, 0.002, '0.0003', '0.002'],
    [5.1e-12, 1.3e-24, '5.1 × 10⁻¹²', '1.3 × 10⁻²⁴'],
    [0, 1, '0.000', '1.000'],
    [-0.0002, 0, '\u22120.0002', '0.000'],
  ])('%s and %s are written as 0 only if they are 0', (one, other, first, second) => {
    expect(pairNumbers(one, other)).toEqual([first, second]);
  });
});
