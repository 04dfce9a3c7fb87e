// `irreversibility` of tables and of corpora. Values from other programs are in tests/cpp/direct_path.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type IrreversibilityOptions } from '../../../web/index.js';
import { errorOf, expectError, matrixOf, rowsOf } from './support.js';

const DIRECTED = matrixOf([
  [2, 190, 8, 0],
  [0, 10, 150, 30],
  [180, 0, 5, 40],
  [20, 0, 60, 5],
]);
const BITS = [0.0024964296581707745, 0.0016814938861144783, 0.00196348864908157];
const TEXT = 'the cat sat on the mat, the dog sat on the log; '.repeat(8);

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('irreversibility', () => {
  test('matches another program', () => {
    const { js, null: chance, mutualInformation, share } = core.irreversibility(DIRECTED, { nullRuns: 1000 });
    expect(js).toBeCloseTo(0.527956140286233, 13);
    expect(mutualInformation).toBeCloseTo(0.80990907861424, 13);
    // Five standard errors of a mean of 1,000 samples.
    expect(Math.abs(chance.mean - 0.00216508885)).toBeLessThan((5 * 0.00175777748) / Math.sqrt(1000));
    expect(chance.standardDeviation / 0.00175777748).toBeCloseTo(1, 0);
    expect(share).toBeCloseTo((js - chance.mean) / mutualInformation, 15);
  });

  test('matches the held-out values of another program, which held out each pair', () => {
    const sparse = matrixOf([
      [0, 9, 0, 1, 0],
      [0, 2, 7, 0, 3],
      [5, 0, 0, 4, 0],
      [0, 1, 3, 0, 6],
      [4, 0, 0, 4, 1],
    ]);
    const reversible = matrixOf([
      [10, 40, 25, 5],
      [40, 0, 60, 15],
      [25, 60, 80, 30],
      [5, 15, 30, 20],
    ]);
    expect(core.irreversibility(DIRECTED).heldOut).toBeCloseTo(0.522192834399135, 13);
    expect(core.irreversibility(sparse).heldOut).toBeCloseTo(0.298055826001624, 13);
    expect(core.irreversibility(reversible).heldOut).toBeCloseTo(-0.0132602319754747, 13);
  });

  test('finds no order in held-out pairs of shuffled tokens, where most pairs occur once', () => {
    let state = 7;
    const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const ids = Uint32Array.from({ length: 400 }, () => Math.floor(40 * next() ** 2));
    const { js, heldOut, null: chance } = core.irreversibility(core.bigrams(ids, 40).counts);
    // Samples of the null repeat pairs more often than another text would.
    expect(js).toBeGreaterThan(chance.mean + 2 * chance.standardDeviation);
    expect(heldOut).toBeLessThan(0);
  });

  test('has a null distribution with the mean and standard deviation of its runs, and the same bits for the same seed', () => {
    const { null: chance } = core.irreversibility(DIRECTED, { nullRuns: 3, seed: 7 });
    // The values of the native build: tests/cpp/direct_path/test_irreversibility.cpp.
    expect(chance.runs).toEqual(BITS);
    const mean = (BITS[0]! + BITS[1]! + BITS[2]!) / 3;
    expect(chance.mean).toBeCloseTo(mean, 16);
    const squares = BITS.reduce((sum, js) => sum + (js - mean) ** 2, 0);
    expect(chance.standardDeviation).toBeCloseTo(Math.sqrt(squares / 2), 16);
    expect(core.irreversibility(DIRECTED, { nullRuns: 5, seed: 7 }).null.runs.slice(0, 3)).toEqual(BITS);
    expect(core.irreversibility(DIRECTED, { nullRuns: 3, seed: 8 }).null.runs).not.toEqual(BITS);
    expect(core.irreversibility(DIRECTED).null.runs).toHaveLength(20);
  });

  test('is ln 2 for a cycle in one direction, and 0 for symmetric counts', () => {
    const cycle = core.irreversibility(core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), 3).counts);
    expect(cycle.js).toBeCloseTo(Math.LN2, 14);
    expect(cycle.mutualInformation).toBeCloseTo(Math.log(3), 14);
    expect(rowsOf(cycle.netFlow)[0]).toEqual([0, Math.fround(1 / 3), -Math.fround(1 / 3)]);
    const symmetric = core.irreversibility(
      matrixOf([
        [10, 40, 25],
        [40, 0, 60],
        [25, 60, 80],
      ]),
    );
    expect(symmetric.js).toBe(0);
    expect([...symmetric.netFlow.data].every((flow) => flow === 0)).toBe(true);
    expect(symmetric.null.mean).toBeGreaterThan(0);
    expect(symmetric.share).toBeLessThan(0);
  });

  test('is below ln 2 if tokens repeat, though no pair of different tokens occurs in both orders', () => {
    const ids = Uint32Array.from('aabbccaabbcca', (letter) => letter.charCodeAt(0) - 97);
    // Six of twelve pairs are repetitions.
    expect(core.irreversibility(core.bigrams(ids, 3).counts).js).toBeCloseTo(Math.LN2 / 2, 14);
  });

  test('has a share that is no fraction of anything if the margins differ by much', () => {
    const counts = core.bigrams(Uint32Array.of(0, 1, 2), 3).counts;
    expect(core.irreversibility(counts, { nullRuns: 1000 }).share).toBeCloseTo(0.7, 1);
    expect(core.irreversibility(counts).mutualInformation).toBeCloseTo(Math.LN2, 14);
    expect(core.bigramBounds(counts)).toMatchObject({ symmetricLogits: 0, symmetricLogitsGap: 0 });
  });

  test('has a share that is too low by about a third in a short text of a one-way chain', () => {
    // Half of the steps go to the next of 60 tokens, the others anywhere: the true share is 0.226.
    const transition = matrixOf(
      Array.from({ length: 60 }, (_, i) =>
        Array.from({ length: 60 }, (__, j) => 0.5 / 60 + (j === (i + 1) % 60 ? 0.5 : 0)),
      ),
    );
    const of = (length: number): number =>
      core.irreversibility(core.bigrams(core.sampleMarkovChain({ transition, length, seed: 3 }), 60).counts).share;
    expect(of(300)).toBeLessThan(0.17);
    expect(of(100_000)).toBeCloseTo(0.226, 1);
    const { bigram, symmetricLogits, unigram } = core.markovBounds(transition);
    expect((symmetricLogits - bigram) / (unigram - bigram)).toBeCloseTo(0.226, 3);
  });

  test('has a share of 0 if the current token carries no information', () => {
    const { mutualInformation, share } = core.irreversibility(
      matrixOf([
        [4, 4],
        [4, 4],
      ]),
    );
    expect([mutualInformation, share]).toEqual([0, 0]);
  });

  test('is the same for a text and its reverse, and falls to the null if the tokens are shuffled', () => {
    const of = (ids: Uint32Array) => core.irreversibility(core.bigrams(ids, 5).counts, { nullRuns: 50 });
    const chain = matrixOf([
      [0.1, 0.6, 0.1, 0.1, 0.1],
      [0.1, 0.1, 0.6, 0.1, 0.1],
      [0.1, 0.1, 0.1, 0.6, 0.1],
      [0.1, 0.1, 0.1, 0.1, 0.6],
      [0.6, 0.1, 0.1, 0.1, 0.1],
    ]);
    const ids = core.sampleMarkovChain({ transition: chain, length: 4000, seed: 1 });
    const forward = of(ids);
    const backward = of(ids.slice().reverse());
    // Sums in another order.
    expect(backward.js).toBeCloseTo(forward.js, 13);
    expect(backward.null).toEqual(forward.null);
    expect(forward.js).toBeGreaterThan(forward.null.mean + 10 * forward.null.standardDeviation);
    // Each token is drawn independently: there is no order.
    const even = matrixOf(Array.from({ length: 5 }, () => [0.2, 0.2, 0.2, 0.2, 0.2]));
    const shuffled = of(core.sampleMarkovChain({ transition: even, length: 4000, seed: 2 }));
    expect(Math.abs(shuffled.js - shuffled.null.mean)).toBeLessThan(4 * shuffled.null.standardDeviation);
  });

  test('is the same for a corpus and for its pairs', () => {
    const corpus = core.openCorpus(TEXT, { tokenizer: { kind: 'character' } });
    const options = { nullRuns: 4, seed: 2 };
    expect(corpus.irreversibility(options)).toEqual(core.irreversibility(corpus.bigrams().counts, options));
    corpus.dispose();
    expectError(() => corpus.irreversibility(), 'disposed', /^the corpus has been disposed of/);
  });

  test('reports progress, and can be cancelled by its listener', () => {
    const told: number[] = [];
    core.irreversibility(DIRECTED, { onProgress: (fraction) => told.push(fraction) });
    expect(told.at(-1)).toBe(1);
    const many = { ...DIRECTED, data: DIRECTED.data.map((count) => count * 10_000) };
    const controller = new AbortController();
    const options: IrreversibilityOptions = {
      nullRuns: 1000,
      signal: controller.signal,
      onProgress: () => controller.abort('enough'),
    };
    const error = errorOf(() => core.irreversibility(many, options));
    expect([error.code, error.cause]).toEqual(['cancelled', 'enough']);
    expect(error.message).toMatch(/^the irreversibility was cancelled after \d+%$/);
    // The core continues with other work.
    expect(core.irreversibility(DIRECTED, { nullRuns: 2 }).js).toBeGreaterThan(0);
  });

  test.each<[what: string, options: unknown, message: RegExp]>([
    ['one run', { nullRuns: 1 }, /^options\.nullRuns is 1; expected an integer from 2 to 1000$/],
    ['too many runs', { nullRuns: 1001 }, /^options\.nullRuns is 1001; expected/],
    ['half a seed', { seed: 0.5 }, /^options\.seed is 0\.5; expected/],
    ['a listener that is no function', { onProgress: 1 }, /^options\.onProgress is 1; expected/],
    ['a signal that is none', { signal: {} }, /^options\.signal is .*; expected/],
    ['an unknown option', { runs: 5 }, /^options\.runs is not an option/],
  ])('refuses %s', (_, options, message) => {
    expectError(() => core.irreversibility(DIRECTED, options as IrreversibilityOptions), 'invalid-argument', message);
  });

  test('refuses invalid counts and too many', () => {
    const counts = (data: number[]) => ({ rows: 2, cols: 2, data: Float32Array.from(data) });
    const refusal = (data: number[]) => errorOf(() => core.irreversibility(counts(data))).message;
    expect(refusal([1, -2, 3, 4])).toMatch(/^counts\[0, 1\] is -2; expected/);
    expect(refusal([1, 0.5, 3, 4])).toMatch(/^counts\[0, 1\] is 0\.5; expected/);
    expect(refusal([0, 0, 0, 0])).toMatch(/^counts .* expected/);
    expect(refusal([2 ** 28, 1, 1, 1])).toMatch(/^sum of counts is 268435000; expected at most 250000000 pairs$/);
    expectError(() => core.irreversibility(matrixOf([[1, 2]])), 'shape-mismatch', /^counts/);
  });
});
