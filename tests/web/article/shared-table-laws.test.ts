// What the article derives about shared tables, tried on the library itself and on small problems with known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { bigramTable } from '../../../web/article/build/bigram-table.mjs';
import { alphabetFacts, oddsExample, repeatingFacts } from '../../../web/article/build/repeating-facts.mjs';
import { priceFacts } from '../../../web/article/build/price-facts.mjs';
import {
  certifiedFloor,
  circleOf,
  conditionalEntropy,
  isPositiveDefinite,
  lawAbidingLoss,
} from '../../../web/article/build/semidefinite-facts.mjs';
import { parseRows, startingTokens } from '../../../web/elements/symmetry-explorer/explorer-state.js';
import { loadCore, type Core } from '../../../web/index.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** Seeded uniform numbers (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function softmaxRows(logits: number[][]): { rows: number[][]; logTotals: number[] } {
  const logTotals = logits.map((row) => {
    const largest = Math.max(...row);
    return largest + Math.log(row.reduce((sum, one) => sum + Math.exp(one - largest), 0));
  });
  return { rows: logits.map((row, i) => row.map((one) => Math.exp(one - logTotals[i]!))), logTotals };
}
const gram = (rows: number[][]): number[][] =>
  rows.map((one) => rows.map((other) => one.reduce((sum, value, k) => sum + value * other[k]!, 0)));

describe('20,000 random shared tables, with and without an output bias', () => {
  const random = uniform(33);
  let leastMargin = Infinity;
  let leastOdds = Infinity;
  for (let table = 0; table < 20_000; table++) {
    const size = 2 + Math.floor(random() * 6);
    const width = 1 + Math.floor(random() * 5);
    const scale = 3 * random();
    const rows = Array.from({ length: size }, () => Array.from({ length: width }, () => scale * normal(random)));
    const bias = rows.map(() => (table % 2 === 0 ? 0 : 2 * normal(random)));
    const logits = gram(rows).map((row) => row.map((one, j) => one + bias[j]!));
    const { rows: next, logTotals } = softmaxRows(logits);
    // The stationary distribution of a reversible chain: π_i ∝ e^(b_i) Z_i.
    const weights = logTotals.map((total, i) => total + bias[i]!);
    const largest = Math.max(...weights);
    const sum = weights.reduce((all, one) => all + Math.exp(one - largest), 0);
    for (let i = 0; i < size; i++) {
      leastMargin = Math.min(leastMargin, next[i]![i]! - Math.exp(weights[i]! - largest) / sum);
      for (let j = 0; j < size; j++) {
        // ln of the odds of j against i, after j minus after i.
        leastOdds = Math.min(leastOdds, logits[j]![j]! - logits[j]![i]! - (logits[i]![j]! - logits[i]![i]!));
      }
    }
  }
  // Rounding of sums of exponentials in double precision.
  it('every token follows itself at least as often as it occurs', () => expect(leastMargin).toBeGreaterThan(-1e-13));
  it('the odds of one token against another are never higher after the other', () =>
    expect(leastOdds).toBeGreaterThan(-1e-12));
});

it('a root-mean-square norm with equal gains keeps the law for pairs, unequal ones can break it', () => {
  const random = uniform(7);
  const worst = (gains: () => number[]): number => {
    let least = Infinity;
    for (let table = 0; table < 5000; table++) {
      const rows = Array.from({ length: 4 }, () => [normal(random), normal(random), normal(random)]);
      const g = gains();
      const score = (i: number, j: number): number => {
        const rms = Math.sqrt(rows[i]!.reduce((sum, value) => sum + value * value, 0) / 3);
        return rows[i]!.reduce((sum, value, k) => sum + (value / rms) * g[k]! * rows[j]![k]!, 0);
      };
      for (let i = 0; i < 4; i++)
        for (let j = 0; j < i; j++) least = Math.min(least, score(i, i) + score(j, j) - score(i, j) - score(j, i));
    }
    return least;
  };
  expect(worst(() => [1.7, 1.7, 1.7])).toBeGreaterThan(-1e-12);
  expect(worst(() => [random(), 3 * random(), 9 * random()])).toBeLessThan(-0.1);
});

it('York can follow New although neither is likely to repeat', () => {
  const { yorkAfterNew, newAfterNew, newAfterYork, yorkAfterYork } = oddsExample(
    core,
    ({ data }: { data: Float32Array }) =>
      softmaxRows([0, 1, 2].map((row) => [...data.slice(3 * row, 3 * row + 3)])).rows,
  );
  expect(yorkAfterNew).toBeCloseTo(0.976, 3);
  expect(newAfterNew).toBeCloseTo(0.018, 3);
  expect(yorkAfterYork).toBeLessThan(1e-10);
  expect(newAfterYork).toBeLessThan(yorkAfterYork);
});

it('one shared table recites the alphabet, but only forwards', () => {
  const { probability, loss, backwards } = alphabetFacts(core);
  expect(probability).toBeGreaterThan(0.999);
  expect(loss).toBeLessThan(5e-4);
  expect(backwards).toBeGreaterThan(1e10);
});

it('two tables of width 2 represent a cycle of twelve tokens, whose table has rank 12', () => {
  const size = 12;
  const ring = (turn: number): Float32Array =>
    Float32Array.from({ length: 2 * size }, (_, at) => {
      const angle = (2 * Math.PI * (Math.floor(at / 2) + turn)) / size;
      return 12 * (at % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
  const ids = Uint32Array.from({ length: size + 1 }, (_, i) => i % size);
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: size, dModel: 2, tying: 'untied' },
    training: { learningRate: 0.1, batchSize: 4, seed: 1 },
    tokenIds: ids,
  });
  trainer.setMatrix('embedding', { rows: size, cols: 2, data: ring(1) });
  trainer.setMatrix('unembedding', { rows: size, cols: 2, data: ring(0) });
  expect(trainer.evaluate(ids).loss).toBeLessThan(1e-6);
  trainer.dispose();
});

describe('how a text repeats', () => {
  it('is counted beside what a tied path with its frequencies must repeat', () => {
    // a b a b a b b: pairs ab ba ab ba ab bb.
    const table = bigramTable({ rows: 2, data: Float32Array.of(0, 3, 2, 1) });
    const facts = repeatingFacts({ tokens: ['a', 'b'], table });
    expect(facts).toMatchObject({
      tokens: 2,
      below: 2,
      never: 1,
      word: 'a',
      wordRepeats: 0,
      wordNeeded: 0.5,
      others: ['b'],
    });
    expect(facts.repeats).toBeCloseTo(1 / 6, 12);
    expect(facts.needed).toBeCloseTo(0.5, 12);
  });
});

describe('the price of symmetry', () => {
  it('is all chance if tokens are in random order, and none of it if a long text runs one way', () => {
    const random = uniform(5);
    const measure = (ids: Uint32Array, size: number) => {
      const tokens = Array.from({ length: size }, (_, id) => String(id));
      const { counts } = core.bigrams(ids, size);
      const { symmetricLogits, bigram } = core.bigramBounds(counts);
      return { price: symmetricLogits - bigram, ...priceFacts(core, { ids, tokens, counts }) };
    };
    const noise = measure(
      Uint32Array.from({ length: 500 }, () => Math.floor(random() * 30)),
      30,
    );
    expect(noise.shuffled / noise.price).toBeCloseTo(1, 1);
    expect(noise.heldOut).toBeLessThan(0.1 * noise.price);
    const ring = measure(
      Uint32Array.from({ length: 3000 }, (_, at) => at % 5),
      5,
    );
    expect(ring.price).toBeCloseTo(Math.LN2, 2);
    expect(ring.heldOut).toBeCloseTo(Math.LN2, 2);
    expect(ring.shuffled).toBeLessThan(0.02);
  });
});

describe('what symmetry, the law for pairs and the sign of the eigenvalues cost', () => {
  /** The roundabout 0 → 1 → 2 → 0, with some steps back. */
  const random = uniform(3);
  let at = 0;
  const ids = Uint32Array.from({ length: 4000 }, () => (at = random() < 0.9 ? (at + 1) % 3 : (at + 2) % 3));
  const circle = circleOf({ ids, size: 3 });
  const symmetric = conditionalEntropy(circle.symmetric, circle.sums);
  const unigram = -circle.sums.reduce((sum: number, p: number) => sum + p * Math.log(p), 0);

  it('a text that never repeats costs a shared table everything: the floors meet the unigram entropy', () => {
    // J - ππᵀ has no positive eigenvalue here, so the best shared table ignores the current token: A = 0.
    const certified = certifiedFloor(circle, new Float64Array(9));
    expect(certified).toBeGreaterThan(unigram - 1e-3);
    expect(certified).toBeLessThan(unigram + 1e-9);
    // With three tokens that are equally often neighbors, the law for pairs already says so.
    expect(lawAbidingLoss(circle, 400)).toBeGreaterThan(symmetric);
    expect(lawAbidingLoss(circle, 400)).toBeGreaterThan(unigram - 1e-3);
  });

  it('a text that sticks costs nothing beyond symmetry', () => {
    // Runs of 0 and of 1: a reversible chain without a negative eigenvalue.
    let state = 0;
    const sticky = Uint32Array.from({ length: 4000 }, () => (state = random() < 0.8 ? state : 1 - state));
    const runs = circleOf({ ids: sticky, size: 2 });
    const floor = conditionalEntropy(runs.symmetric, runs.sums);
    const best = runs.symmetric.map((share: number) => Math.log(share));
    expect(certifiedFloor(runs, best)).toBeCloseTo(floor, 2);
    expect(lawAbidingLoss(runs, 400)).toBeCloseTo(floor, 3);
  });

  it('the factorization tells definite matrices from others', () => {
    expect(isPositiveDefinite([2, 1, 1, 2], 2)).toBe(true);
    expect(isPositiveDefinite([1, 2, 2, 1], 2)).toBe(false);
  });
});

describe('the second table of the explorer', () => {
  it('is the one that comes nearest to the way round, so no other in its neighborhood comes nearer', () => {
    const html = readFileSync(join(root, 'web/article/sections/symmetry.html'), 'utf8');
    const solved = parseRows(/<tied-symmetry-explorer[^>]* unembedding="([^"]+)"/.exec(html)![1]!)!;
    const target = (from: number, to: number): number => (to === (from + 1) % 3 ? 2 : 0);
    const missed = (table: readonly (readonly [number, number])[]): number =>
      startingTokens.embedding.reduce(
        (sum, [a, b], from) =>
          sum + table.reduce((part, [c, d], to) => part + (a * c + b * d - target(from, to)) ** 2, 0),
        0,
      );
    const least = missed(solved);
    // Entries have two decimals, so a step of a hundredth in any of them is no improvement.
    for (const row of [0, 1, 2]) {
      for (const column of [0, 1] as const) {
        for (const step of [-0.01, 0.01]) {
          const other = solved.map(([c, d], at): [number, number] =>
            at !== row ? [c, d] : column === 0 ? [c + step, d] : [c, d + step],
          );
          expect(missed(other)).toBeGreaterThanOrEqual(least);
        }
      }
    }
    expect(least).toBeLessThan(missed(startingTokens.embedding));
  });
});
