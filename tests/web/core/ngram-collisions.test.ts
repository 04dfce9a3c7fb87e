// Which n-grams of a text share rows of hashed tables, beside counts by plain sets with hashes in whole 64-bit numbers.
import { beforeAll, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type NgramConfig, type Trainer } from '../../../web/index.js';
import { ngramRow } from './head-reference.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['models'] });
});

const VOCAB = 40;
/** Repeats some n-grams and lets others occur once. */
const IDS = Uint32Array.from({ length: 400 }, (_, i) => (i % 7 === 0 ? i * i + (i >> 4) : 5 * (i % 11)) % VOCAB);
const options = (ngrams: NgramConfig, tokenIds = IDS, vocabSize = VOCAB) => ({
  model: {
    kind: 'transformer',
    vocabSize,
    dModel: 8,
    nLayers: 1,
    nHeads: 1,
    contextLength: 16,
    tying: 'tied',
    ngrams,
  } as const,
  training: { learningRate: 0.01, batchSize: 4, seed: 3 },
  tokenIds,
});
const trainerOf = (ngrams: NgramConfig): Trainer => core.createTrainer(options(ngrams));

/** The same counts from the definition: every n-gram as a text, with the text of its rows. */
function counted(n: number, { rows, heads = 1 }: NgramConfig) {
  const found = Array.from({ length: IDS.length - n + 1 }, (_, i) => [...IDS.slice(i, i + n)]);
  const rowsOf = new Map<string, number[]>();
  for (const ngram of found)
    rowsOf.set(
      ngram.join(),
      Array.from({ length: heads }, (_, head) => ngramRow(ngram, rows, head)),
    );
  const all = [...rowsOf.values()];
  const share = (keyOf: (read: number[]) => string | number): number =>
    all.filter((read) => all.filter((other) => keyOf(other) === keyOf(read)).length > 1).length / all.length;
  const heads_ = Array.from({ length: heads }, (_, head) => head);
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const isShared = (read: number[]): boolean => all.filter((other) => other.join() === read.join()).length > 1;
  return {
    ngrams: all.length,
    rows: mean(heads_.map((head) => new Set(all.map((read) => read[head])).size)),
    shared: share((read) => read.join()),
    oneHead: mean(heads_.map((head) => share((read) => read[head]!))),
    tokens: found.filter((ngram) => isShared(rowsOf.get(ngram.join())!)).length / found.length,
  };
}

test.each<NgramConfig>([
  { order: 2, rows: 60 },
  { order: 4, rows: 251 },
  { order: 3, rows: 9, heads: 2 },
  { order: 2, rows: 3, heads: 8 },
  { order: 2, rows: 1 },
  { order: 2, rows: 4096 },
])('counts n-grams, rows and what is shared with %j', (ngrams) => {
  const { lengths } = trainerOf(ngrams).ngramCollisions(IDS);
  expect(lengths.map(({ n }) => n)).toEqual(Array.from({ length: ngrams.order - 1 }, (_, i) => i + 2));
  for (const { n, chance, oneHeadChance, ...found } of lengths) {
    const expected = counted(n, ngrams);
    expect(found.ngrams).toBe(expected.ngrams);
    for (const name of ['rows', 'shared', 'oneHead', 'tokens'] as const)
      expect(found[name], `${n} ${name}`).toBeCloseTo(expected[name], 12);
    const others = found.ngrams - 1;
    expect(chance).toBeCloseTo(1 - (1 - ngrams.rows ** -(ngrams.heads ?? 1)) ** others, 9);
    expect(oneHeadChance).toBeCloseTo(1 - (1 - 1 / ngrams.rows) ** others, 9);
  }
});

test.each([
  [1, 3600],
  [1, 4096],
  [2, 60],
  [2, 64],
  [3, 15],
  [4, 8],
])(
  'with %i heads of %i rows, pairs share all rows as often as if every head drew its rows by itself',
  (heads, rows) => {
    const vocabSize = 60;
    // Every pair of tokens occurs.
    const ids = Uint32Array.from({ length: 2 * vocabSize ** 2 }, (_, i) =>
      i % 2 === 0 ? Math.floor(i / 2 / vocabSize) : (i >> 1) % vocabSize,
    );
    const given = options({ order: 2, rows, heads }, ids, vocabSize);
    const trainer = core.createTrainer({ ...given, model: { ...given.model, dModel: 12 } });
    const { ngrams, shared, chance } = trainer.ngramCollisions(ids).lengths[0]!;
    expect(ngrams).toBe(vocabSize ** 2);
    // Neither nearly all nor nearly none, as with heads that know of each other. Five standard deviations of independent draws.
    expect(Math.min(chance, 1 - chance)).toBeGreaterThan(0.3);
    expect(Math.abs(shared - chance)).toBeLessThan(5 * Math.sqrt((chance * (1 - chance)) / ngrams));
  },
);

test('rows are those that a step changes, for tokens with large numbers too', () => {
  const vocabSize = 70_000;
  const ids = IDS.map((id) => vocabSize - 1 - id);
  const trainer = core.createTrainer(options({ order: 2, rows: 5000, heads: 2 }, ids, vocabSize));
  const before = trainer.matrix('ngrams.2').data;
  trainer.run(40);
  const after = trainer.matrix('ngrams.2').data;
  const changed = new Set([...after.keys()].filter((i) => after[i] !== before[i]).map((i) => Math.floor(i / 4)));
  // Also the tokens that begin a sequence, which are read alone.
  const alone = new Set([...ids].flatMap((id) => [0, 1].map((head) => ngramRow([id], 5000, head))));
  const pairs = [...changed].filter((row) => !alone.has(row)).length;
  const { rows } = trainer.ngramCollisions(ids).lengths[0]!;
  expect(pairs).toBeGreaterThan(1.9 * rows * 0.95);
  expect(pairs).toBeLessThanOrEqual(2 * rows);
});

test('is the same in a lab, and refuses models without n-grams and texts that are too short', async () => {
  const trainer = trainerOf({ order: 3, rows: 60, heads: 4 });
  using lab = await createLab();
  const other = await lab.createTrainer(options({ order: 3, rows: 60, heads: 4 }));
  expect(await other.ngramCollisions(IDS)).toEqual(trainer.ngramCollisions(IDS));
  expectError(() => trainer.ngramCollisions(IDS.slice(0, 2)), 'invalid-argument', /^tokenIds/);
  expectError(() => trainer.ngramCollisions(Uint32Array.of(1, 2, VOCAB)), 'invalid-argument', /^tokenIds\[2\] is 40/);
  const { ngrams, ...without } = options({ order: 2, rows: 5 }).model;
  expect(ngrams.order).toBe(2);
  const plain = core.createTrainer({ ...options({ order: 2, rows: 5 }), model: without });
  expectError(
    () => plain.ngramCollisions(IDS),
    'unsupported',
    /^model\.ngrams is undefined; expected a model that reads n-grams$/,
  );
});
