// How often a model lets tokens follow themselves.
import { beforeAll, describe, expect, test } from 'vitest';
import { builtInTexts } from '../../../web/texts/index.js';
import { createLab, loadCore, type Core, type HeadConfig, type ModelConfig, type Trainer } from '../../../web/index.js';
import { Chance } from './chance.js';
import { expectError, rowsOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'readout'] });
});

const VOCAB = 12;
const IDS = Uint32Array.from({ length: 90 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);
const DIRECT = { kind: 'direct-path', vocabSize: VOCAB, dModel: 4, tying: 'tied' } as const;
const TRANSFORMER = { ...DIRECT, kind: 'transformer', nLayers: 2, nHeads: 2, contextLength: 16, initStd: 0.3 } as const;
const made = (model: ModelConfig, tokenIds: Uint32Array = IDS): Trainer =>
  core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 4, seed: 3 }, tokenIds });

/** Sets the table of a tied direct path, and its output bias. */
function pathOf(rows: number[][], bias?: number[]): Trainer {
  const [vocabSize, dModel] = [rows.length, rows[0]!.length];
  const trainer = made({ ...DIRECT, vocabSize, dModel, outputBias: bias !== undefined }, Uint32Array.of(0, 1));
  trainer.setMatrix('embedding', { rows: vocabSize, cols: dModel, data: Float32Array.from(rows.flat()) });
  if (bias) trainer.setMatrix('output_bias', { rows: 1, cols: vocabSize, data: Float32Array.from(bias) });
  return trainer;
}

/** A tied path's own table of pairs, e^(e_i · e_j + b_i + b_j) up to a factor: P(i|i), and the shares of a long text of the model. */
function pairsOf(rows: number[][], bias: number[]) {
  const pairs = rows.map((a, i) =>
    rows.map((b, j) => Math.exp(a.reduce((sum, x, k) => sum + x * b[k]!, 0) + bias[i]! + bias[j]!)),
  );
  const sums = pairs.map((row) => row.reduce((sum, x) => sum + x));
  const all = sums.reduce((sum, x) => sum + x);
  return { repeats: pairs.map((row, i) => row[i]! / sums[i]!), shares: sums.map((sum) => sum / all) };
}

// Logits ln 2 · [[0, 0, 0], [0, 1, 1], [0, 1, 4]]: P(i|i) = 1/3, 2/5, 16/19.
const THREE = [
  [0, 0],
  [1, 0],
  [1, Math.sqrt(3)],
].map((row) => row.map((x) => x * Math.sqrt(Math.LN2)));

test('three tokens of a tied direct path, in closed form', () => {
  // Of the first ten tokens, six are 0, three are 1 and one is 2; two of six and one of three are followed by themselves.
  const text = Uint32Array.of(0, 0, 1, 1, 0, 2, 0, 0, 1, 0, 1);
  const { perToken, ...found } = pathOf(THREE).selfTransitions(text);
  expect(perToken.count).toEqual(Uint32Array.of(6, 3, 1));
  expect(perToken.share).toEqual(Float32Array.of(0.6, 0.3, 0.1));
  expect(perToken.observed).toEqual(Float32Array.of(2 / 6, 1 / 3, 0));
  [1 / 3, 2 / 5, 16 / 19].forEach((p, i) => expect(perToken.predicted[i]).toBeCloseTo(p, 6));
  expect(found).toEqual({
    observed: 0.3,
    predicted: expect.closeTo(0.6 / 3 + (0.3 * 2) / 5 + (0.1 * 16) / 19, 6),
    chance: expect.closeTo(0.36 + 0.09 + 0.01, 12),
    occurring: 3,
    // In the text 0 and 2; of the model only 0, with 1/3 against 0.6.
    below: { observed: 2, predicted: 1 },
    ...{ tokens: 10, leftOut: 1 },
  });
});

test('every token of a tied direct path follows itself at least as often as it occurs in a text of the model', () => {
  const chance = new Chance(31);
  for (let round = 0; round < 200; round++) {
    const [vocabSize, width, scale] = [chance.whole(2, 12), chance.whole(1, 5), chance.of([0.1, 1, 2])];
    const list = (length: number) => Array.from({ length }, () => (scale * chance.whole(-1000, 1000)) / 1000);
    const rows = Array.from({ length: vocabSize }, () => list(width));
    const bias = round % 2 === 0 ? list(vocabSize) : undefined;
    const { repeats, shares } = pairsOf(rows, bias ?? rows.map(() => 0));
    const everyToken = Uint32Array.from({ length: vocabSize + 1 }, (_, i) => i % vocabSize);
    const { predicted } = pathOf(rows, bias).selfTransitions(everyToken).perToken;
    predicted.forEach((p, i) => {
      // Single precision: logits of up to 20 + 4 and their losses.
      expect(p / repeats[i]!).toBeCloseTo(1, 4);
      expect(p, `token ${i} of ${JSON.stringify({ rows, bias })}`).toBeGreaterThanOrEqual(shares[i]! * (1 - 1e-4));
    });
  }
});

test('the law is about texts of the model: of other texts, and of untied models, tokens may be below their share', () => {
  // All rows are equal, so each token has probability 1/4, with rounding on either side.
  const path = pathOf([[0], [0], [0], [0]]);
  expect(path.selfTransitions(Uint32Array.of(0, 1, 2, 3, 0)).below.predicted).toBe(0);
  expect(path.selfTransitions(Uint32Array.of(0, 0, 0, 1, 0)).below.predicted).toBe(1);
  const untied = made({ ...DIRECT, vocabSize: 2, dModel: 1, tying: 'untied' }, Uint32Array.of(0, 1));
  untied.setMatrix('embedding', { rows: 2, cols: 1, data: Float32Array.of(1, -1) });
  untied.setMatrix('unembedding', { rows: 2, cols: 1, data: Float32Array.of(-1, 1) });
  // It alternates: both tokens are half of its text, and follow themselves with probability 1 / (1 + e²).
  const { below, predicted } = untied.selfTransitions(Uint32Array.of(0, 1, 0, 1, 0));
  expect(below).toEqual({ observed: 2, predicted: 2 });
  expect(predicted).toBeCloseTo(1 / (1 + Math.E ** 2), 6);
});

/** The same in plain TypeScript, from the logits of each sequence. */
function reference(trainer: Trainer, ids: Uint32Array) {
  const { contextLength = 7, vocabSize } = trainer.model;
  const sums = new Float64Array(vocabSize);
  const count = new Uint32Array(vocabSize);
  const repeats = new Uint32Array(vocabSize);
  for (let first = 0; first < ids.length - 1; first += contextLength) {
    const inputs = ids.slice(first, Math.min(first + contextLength, ids.length - 1));
    rowsOf(trainer.logits(inputs)).forEach((row, i) => {
      const id = inputs[i]!;
      const most = Math.max(...row);
      const exponentials = row.map((z) => Math.exp(z - most));
      sums[id]! += exponentials[id]! / exponentials.reduce((sum, x) => sum + x);
      count[id]!++;
      if (ids[first + i + 1] === id) repeats[id]!++;
    });
  }
  const share = Array.from(count, (times) => times / (ids.length - 1));
  const predicted = Array.from(count, (times, id) => sums[id]! / times);
  return { count, share, predicted, observed: Array.from(count, (times, id) => repeats[id]! / times) };
}

// Some ids of the vocabulary do not occur, and some tokens repeat.
const TEXT = IDS.map((id, i) => (i % 5 === 1 ? IDS[i - 1]! : id));
const heads: (HeadConfig | undefined)[] = [
  undefined,
  { kind: 'sampled', samples: 3 },
  { kind: 'adaptive', cutoffs: [4] },
  { kind: 'clustered', clusters: 3 },
];

describe.each<ModelConfig>([
  DIRECT,
  { ...DIRECT, tying: 'tied-mlp' },
  ...heads.map((head) => ({ ...TRANSFORMER, ...(head && { head }) })),
  { ...TRANSFORMER, tying: 'untied', contextLength: 5 },
])('of $kind $tying, head $head.kind', (model) => {
  test('it is what the logits say', () => {
    const trainer = made(model);
    trainer.run(20);
    const { perToken, ...found } = trainer.selfTransitions(TEXT);
    const { count, share, predicted, observed } = reference(trainer, TEXT);
    expect(perToken.count).toEqual(count);
    for (const [name, values] of Object.entries({ share, predicted, observed })) {
      const given = perToken[name as 'share'];
      expect([...given].map(Number.isNaN)).toEqual(values.map(Number.isNaN));
      values.forEach((value, i) => Number.isNaN(value) || expect(given[i], name).toBeCloseTo(value, 5));
    }
    const occurring = [...count.keys()].filter((id) => count[id]! > 0);
    const over = (values: number[]) => occurring.reduce((sum, id) => sum + share[id]! * values[id]!, 0);
    expect(found.predicted).toBeCloseTo(over(predicted), 5);
    expect(found.observed).toBeCloseTo(over(observed), 12);
    expect(found.chance).toBeCloseTo(over(share), 12);
    expect(found.occurring).toBe(occurring.length);
    expect(occurring.length).toBeLessThan(VOCAB);
    expect(found.observed).toBeGreaterThan(0);
    const below = (values: number[]) => occurring.filter((id) => values[id]! < share[id]!).length;
    expect(found.below).toEqual({ observed: below(observed), predicted: below(predicted) });
    expect([found.tokens, found.leftOut]).toEqual([TEXT.length - 1, 1]);
  });
});

test('the words of the built-in story hardly repeat', async () => {
  const story = await builtInTexts[0]!.load();
  const ids = core.trainTokenizer(story, { kind: 'word', vocabSize: 500 }).encode(story);
  const found = made({ ...DIRECT, vocabSize: 500 }, ids).selfTransitions(ids);
  // As in docs/science.md, where the law is.
  expect([found.observed, found.chance].map((x) => x.toFixed(4))).toEqual(['0.0230', '0.0298']);
  expect([found.occurring, found.below.observed]).toEqual([500, 499]);
});

test('it is the same in a lab, and a run that was cancelled leaves both usable', async () => {
  const trainer = made(TRANSFORMER);
  using lab = await createLab();
  const other = await lab.createTrainer({
    ...{ model: TRANSFORMER, tokenIds: IDS },
    training: { learningRate: 0.01, batchSize: 4, seed: 3 },
  });
  const shares: number[] = [];
  const found = await other.selfTransitions(IDS, { onProgress: (share) => shares.push(share) });
  expect(found).toEqual(trainer.selfTransitions(IDS));
  expect(shares.at(-1)).toBe(1);
  const stop = new AbortController();
  stop.abort();
  await expect(other.selfTransitions(IDS, { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
  expect(await other.selfTransitions(IDS)).toEqual(found);
});

test('what it cannot read is refused by name', () => {
  const trainer = made(TRANSFORMER);
  expectError(() => trainer.selfTransitions(IDS.slice(0, 1)), 'invalid-argument', /^tokenIds/);
  expectError(() => trainer.selfTransitions(Uint32Array.of(1, VOCAB)), 'invalid-argument', /^tokenIds\[1\] is 12/);
  const culled = made({ ...TRANSFORMER, head: { kind: 'culled', kept: 4 } });
  expectError(() => culled.selfTransitions(IDS), 'unsupported', /^model\.head\.kind is 'culled'; expected 'full'/);
  const broken = made(DIRECT);
  broken.setMatrix('embedding', { rows: VOCAB, cols: 4, data: new Float32Array(VOCAB * 4).fill(3e38) });
  expectError(() => broken.selfTransitions(IDS), 'not-finite', /^logit is Infinity; expected a finite number/);
});
