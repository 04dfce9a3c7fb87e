import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type CorpusOptions, type OneWayOptions } from '../../../web/index.js';
import { hashOf } from '../seed-bits.js';
import { errorOf, expectError, matrixOf, rowsOf, TOY_CHAIN } from './support.js';

const TEXT = 'the cat sat on the mat, the dog sat on the log; '.repeat(8);

const CHAIN = { transition: TOY_CHAIN, length: 400, seed: 3 };

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('a corpus', () => {
  test.each<CorpusOptions['tokenizer']>([
    { kind: 'character' },
    { kind: 'word', vocabSize: 9 },
    { kind: 'bpe', vocabSize: 270 },
    { kind: 'bpe', vocabSize: 40, alphabet: 'text' },
  ])('has the same tokens and floors as the single verbs: %o', (tokenizer) => {
    const corpus = core.openCorpus(TEXT, { tokenizer, validation: 0.25 });
    const apart = core.trainTokenizer(TEXT, tokenizer!);
    const ids = apart.encode(TEXT);
    expect(corpus.tokenizer!.save()).toEqual(apart.save());
    const held = Math.floor(ids.length / 4);
    expect(corpus.tokenIds()).toEqual(ids.slice(0, ids.length - held));
    expect(corpus.tokenIds('validation')).toEqual(ids.slice(ids.length - held));
    expect([corpus.tokens, corpus.validationTokens, corpus.vocabSize, corpus.characters]).toEqual([
      ids.length,
      held,
      apart.vocabSize,
      TEXT.length,
    ]);
    const bigrams = core.bigrams(corpus.tokenIds(), apart.vocabSize);
    expect(corpus.bigrams().counts).toEqual(bigrams.counts);
    expect(corpus.bounds).toEqual(core.bigramBounds(bigrams.counts));
    apart.dispose();
    corpus.dispose();
  });

  test('learns at most 512 byte pairs and holds out a tenth by default', () => {
    const corpus = core.openCorpus(TEXT);
    expect(corpus.tokenizer!.kind).toBe('bpe');
    expect(corpus.vocabSize).toBeLessThanOrEqual(512);
    expect(corpus.validationTokens).toBe(Math.floor(corpus.tokens / 10));
    corpus.dispose();
  });

  test('of token ids has no tokenizer and no characters', () => {
    const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 4, validation: 0 });
    expect([corpus.tokenizer, corpus.characters, corpus.tokens, corpus.validationTokens]).toEqual([null, null, 7, 0]);
    expect(corpus.frequencies()).toEqual(Uint32Array.of(3, 2, 2, 0));
    expect(rowsOf(corpus.nextTokenProbabilities({ from: Uint32Array.of(0, 3) }))).toEqual([
      [0, 1, 0, 0],
      [0, 0, 0, 0],
    ]);
    const some = corpus.nextTokenProbabilities({ from: Uint32Array.of(1), to: Uint32Array.of(2, 0) });
    expect(rowsOf(some)).toEqual([[1, 0]]);
    corpus.dispose();
  });

  test('of a chain has the states that the chain draws, readable in ranges', () => {
    const corpus = core.openCorpus(CHAIN, { validation: 0.5 });
    const states = core.sampleMarkovChain(CHAIN);
    expect([corpus.vocabSize, corpus.tokenizer, corpus.characters, corpus.tokens]).toEqual([3, null, null, 400]);
    expect(corpus.tokenIds()).toEqual(states.slice(0, 200));
    expect(corpus.tokenIds('validation')).toEqual(states.slice(200));
    // The bits of sampleMarkovChain before states were drawn piece by piece.
    expect(hashOf([states])).toBe('115535eafac35626');
    expect(corpus.tokenIds('training', { count: 1 })).toEqual(states.slice(0, 1));
    expect(corpus.tokenIds('validation', { first: 198, count: 9 })).toEqual(states.slice(398));
    expect(corpus.tokenIds('validation', { first: 999 })).toEqual(new Uint32Array());
    expectError(() => corpus.tokenIds('training', { first: -1 }), 'invalid-argument', /^range\.first is -1/);
    expectError(() => corpus.tokenIds('training', { count: 0.5 }), 'invalid-argument', /^range\.count is 0\.5/);
    corpus.dispose();
  });

  test('holds nothing out if that would be a single token', () => {
    expect(core.openCorpus(Uint32Array.of(0, 1, 0, 1, 0, 1, 0, 1, 0, 1), { vocabSize: 2 }).validationTokens).toBe(0);
  });

  test('has no floors if its table of pairs would be very large', () => {
    const corpus = core.openCorpus(Uint32Array.of(0, 1, 4096, 1), { vocabSize: 4097, validation: 0 });
    expect(corpus.bounds).toBeNull();
    expect(corpus.bigrams().total).toBe(3);
    corpus.dispose();
  });

  test('prefers a name in fixed order to a more frequent pair of words in any order', () => {
    const text = 'New York is of the of a the of the a of the in the New York the it New York';
    const corpus = core.openCorpus(text.repeat(4), { tokenizer: { kind: 'word', vocabSize: 30 }, validation: 0 });
    const { tokens } = corpus.tokenizer!;
    const named = (options: OneWayOptions) =>
      corpus.oneWayPairs(options).map(({ from, to }) => `${tokens[from]!} ${tokens[to]!}`);
    expect(named({ count: 1 })).toEqual(['New York']);
    const without = Uint32Array.of(tokens.indexOf('York'));
    expect(named({ count: 9, without }).join()).not.toContain('York');
    expect(named({ count: 0 })).toEqual([]);
    expectError(() => corpus.oneWayPairs({ count: 1.5 }), 'invalid-argument', /^options\.count is 1\.5/);
    expectError(
      () => corpus.oneWayPairs({ count: 1, without: Uint32Array.of(999) }),
      'invalid-argument',
      /^options\.without\[0\] is 999/,
    );
    corpus.dispose();
  });

  test('puts no token into two pairs, and chooses no pair that is as frequent as its mirror', () => {
    const chain = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 3), { vocabSize: 4, validation: 0 });
    const tokens = chain.oneWayPairs({ count: 9 }).flatMap(({ from, to }) => [from, to]);
    expect(new Set(tokens).size).toBe(tokens.length);
    const mirrored = core.openCorpus(Uint32Array.of(0, 1, 0, 1, 0), { vocabSize: 2, validation: 0 });
    expect(mirrored.oneWayPairs({ count: 9 })).toEqual([]);
    for (const corpus of [chain, mirrored]) corpus.dispose();
  });

  test('returns copies, which can be changed without effect on the corpus', () => {
    const corpus = core.openCorpus(TEXT, { tokenizer: { kind: 'character' } });
    const first = corpus.tokenIds();
    corpus.tokenIds().fill(0);
    corpus.bigrams().counts.data.fill(0);
    expect(corpus.tokenIds()).toEqual(first);
    expect(corpus.bigrams().counts).toEqual(core.bigrams(first, corpus.vocabSize).counts);
    corpus.dispose();
  });

  test('reports its progress: learning, encoding, counting', () => {
    const told: [number, string][] = [];
    core.openCorpus(TEXT, { onProgress: (...news) => told.push(news) });
    expect(told.at(-1)).toEqual([1, 'counting']);
    const fractions = told.map(([fraction]) => fraction);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  });

  test('is disposed of together with its tokenizer', () => {
    const corpus = core.openCorpus(TEXT);
    const { tokenizer } = corpus;
    corpus.dispose();
    corpus.dispose();
    expect(errorOf(() => corpus.tokenIds()).code).toBe('disposed');
    expect(errorOf(() => tokenizer!.encode('a')).code).toBe('disposed');
  });
});

describe('opening a corpus is refused', () => {
  test('with an aborted signal, and when a listener aborts it', () => {
    const signal = AbortSignal.abort('enough');
    const error = errorOf(() => core.openCorpus(TEXT, { signal }));
    expect([error.code, error.cause]).toEqual(['cancelled', 'enough']);
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    expectError(
      () => core.openCorpus(TEXT, { onProgress: stop, signal: controller.signal }),
      'cancelled',
      /^the opening of the corpus was cancelled after \d+%/,
    );
  });

  test.each<[what: string, source: unknown, options: unknown, message: RegExp]>([
    ['a text that is too short', 'a', {}, /^source is a single byte; expected at least two bytes/],
    ['an empty text', '', {}, /^source is empty; expected at least two tokens/],
    ['one and the same character', 'aaaa', { tokenizer: { kind: 'character' } }, /^source is one and the same/],
    [
      'a number',
      5,
      {},
      /^source is 5; expected a string, a Uint32Array of token ids, or \{ transition, length, seed \}/,
    ],
    ['an empty chain', {}, {}, /^source\.transition is undefined; expected a matrix/],
    ['a chain of one state', { ...CHAIN, transition: matrixOf([[1]]) }, {}, /^source\.transition\.rows is 1; expected/],
    ['a chain without a length', { ...CHAIN, length: 0 }, {}, /^source\.length is 0; expected an integer from 1/],
    ['a chain with a seed that is none', { ...CHAIN, seed: -1 }, {}, /^source\.seed is -1/],
    [
      'a chain with a tokenizer',
      CHAIN,
      { tokenizer: { kind: 'bpe' } },
      /^options\.tokenizer .* expected it to be absent/,
    ],
    ['a chain with a number of ids', CHAIN, { vocabSize: 3 }, /^options\.vocabSize is 3; expected it to be absent/],
    ['a file', new Blob(['ab']), {}, /^source is a Blob; expected .*lab/],
    ['ids without their number', Uint32Array.of(0, 1), {}, /^options\.vocabSize is undefined; expected an integer/],
    [
      'ids that are too large',
      Uint32Array.of(0, 2),
      { vocabSize: 2 },
      /^source\[1\] is 2; expected a token id below 2/,
    ],
    ['ids with a tokenizer', Uint32Array.of(0, 1), { vocabSize: 2, tokenizer: { kind: 'bpe' } }, /^options\.tokenizer/],
    ['a text with a number of ids', 'ab', { vocabSize: 2 }, /^options\.vocabSize is 2; expected it to be absent/],
    ['a share of all', 'ab', { validation: 1 }, /^options\.validation is 1; expected a number from 0 to 0\.9/],
    ['a wrong kind', 'ab', { tokenizer: { kind: 'wrod' } }, /^options\.tokenizer\.kind is 'wrod'.*did you mean 'word'/],
    ['a small vocabulary', 'ab', { tokenizer: { kind: 'bpe', vocabSize: 9 } }, /^options\.tokenizer\.vocabSize is 9/],
    [
      'a vocabulary below its alphabet',
      'abcdef',
      { tokenizer: { kind: 'bpe', vocabSize: 3, alphabet: 'text' } },
      /^options\.tokenizer\.vocabSize is 3; expected at least 6/,
    ],
    ['an unknown option', 'ab', { tokeniser: {} }, /^options\.tokeniser is not an option; expected 'tokenizer'/],
  ])('for %s, by name', (_, source, options, message) => {
    expectError(() => core.openCorpus(source as string, options as CorpusOptions), 'invalid-argument', message);
  });
});
