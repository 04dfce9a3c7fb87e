// Whether a model's confidence is how often it is right.
import { beforeAll, describe, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type HeadConfig, type ModelConfig, type Trainer } from '../../../web/index.js';
import { Chance } from './chance.js';
import { expectError, rowsOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'readout'] });
});

const VOCAB = 12;
const IDS = Uint32Array.from({ length: 90 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);
const DIRECT = { kind: 'direct-path', vocabSize: VOCAB, dModel: 4, tying: 'tied', initStd: 0.8 } as const;
const TRANSFORMER = { ...DIRECT, kind: 'transformer', nLayers: 2, nHeads: 2, contextLength: 16 } as const;
const made = (model: ModelConfig, tokenIds: Uint32Array = IDS): Trainer =>
  core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 4, seed: 3 }, tokenIds });

/** An untied path whose next token has the same distribution after any token. */
function pathOf(probabilities: readonly number[]): Trainer {
  const vocabSize = probabilities.length;
  const trainer = made({ kind: 'direct-path', vocabSize, dModel: 1, tying: 'untied' }, Uint32Array.of(0, 1));
  const column = (of: (i: number) => number) => ({
    ...{ rows: vocabSize, cols: 1 },
    data: Float32Array.from(probabilities, (_, i) => of(i)),
  });
  trainer.setMatrix(
    'embedding',
    column(() => 1),
  );
  trainer.setMatrix(
    'unembedding',
    column((i) => Math.log(probabilities[i]!)),
  );
  return trainer;
}

describe('a model that always says the same', () => {
  // Of eight next tokens, six are 0.
  const text = Uint32Array.of(2, 0, 0, 1, 0, 0, 2, 0, 0);

  test('has the difference between its confidence and its accuracy as error, in closed form', () => {
    const { bins, ...found } = pathOf([0.5, 0.3, 0.2]).calibration(text);
    expect(found).toEqual({
      error: expect.closeTo(0.25, 6),
      chance: expect.closeTo(Math.sqrt(2 / Math.PI) * Math.sqrt(0.25 / 8), 6),
      chanceDeviation: expect.closeTo(Math.sqrt(((1 - 2 / Math.PI) * 0.25) / 8), 6),
      accuracy: 0.75,
      confidence: expect.closeTo(0.5, 6),
      tokens: 8,
      leftOut: 1,
    });
    expect(bins.map(({ tokens }) => tokens)).toEqual([...Array(7).fill(0), 8, ...Array(7).fill(0)]);
    expect(bins[7]).toEqual({ from: 7 / 15, tokens: 8, accuracy: 0.75, confidence: expect.closeTo(0.5, 6) });
    expect(bins[0]).toEqual({ from: 0, tokens: 0, accuracy: NaN, confidence: NaN });
  });

  test('has none if it is right as often as it says', () => {
    const { error, confidence } = pathOf([0.75, 0.15, 0.1]).calibration(text);
    expect(error).toBeCloseTo(0, 6);
    expect(confidence).toBeCloseTo(0.75, 6);
  });

  test('is in the last bin if it is certain', () => {
    const { bins, confidence, chance } = pathOf([1, 1e-30]).calibration(Uint32Array.of(0, 0, 1));
    expect(confidence).toBe(1);
    expect(chance).toBe(0);
    expect(bins.at(-1)!.tokens).toBe(2);
  });
});

/** The definition, from the model's own logits. */
function reference(trainer: Trainer, ids: Uint32Array, count: number) {
  const length = trainer.model.kind === 'transformer' ? trainer.model.contextLength! : ids.length;
  const found: { confidence: number; right: boolean }[] = [];
  for (let first = 0; first < ids.length - 1; first += length) {
    const inputs = ids.slice(first, Math.min(first + length, ids.length - 1));
    rowsOf(trainer.logits(inputs)).forEach((row, i) => {
      const most = Math.max(...row);
      const confidence = 1 / row.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
      found.push({ confidence, right: row.indexOf(most) === ids[first + i + 1] });
    });
  }
  const bins = Array.from({ length: count }, (_, m) =>
    found.filter(({ confidence }) => confidence > m / count && confidence <= (m + 1) / count),
  );
  const meanOf = (of: typeof found, value: (one: (typeof found)[0]) => number) =>
    of.reduce((sum, one) => sum + value(one), 0) / of.length;
  const right = ({ right }: (typeof found)[0]) => Number(right);
  const sure = ({ confidence }: (typeof found)[0]) => confidence;
  const error = bins
    .filter((bin) => bin.length > 0)
    .reduce((sum, bin) => sum + (bin.length / found.length) * Math.abs(meanOf(bin, right) - meanOf(bin, sure)), 0);
  return {
    error,
    accuracy: meanOf(found, right),
    confidence: meanOf(found, sure),
    sizes: bins.map((bin) => bin.length),
    found,
  };
}

const HEADS: Record<string, HeadConfig> = {
  full: { kind: 'full' },
  sampled: { kind: 'sampled', samples: 4 },
  adaptive: { kind: 'adaptive', cutoffs: [6] },
  clustered: { kind: 'clustered', clusters: 3 },
};

describe.each([
  ...Object.entries(HEADS).map(([name, head]) => [name, { ...TRANSFORMER, head }] as const),
  ['a direct path', DIRECT] as const,
])('%s: the error, its parts and the sizes of the bins are those of the definition', (_, model) => {
  test.each([1, 7, 15])('with %i bins', (bins) => {
    const trainer = made(model);
    const expected = reference(trainer, IDS, bins);
    const found = trainer.calibration(IDS, { bins });
    expect(found.error).toBeCloseTo(expected.error, 5);
    expect(found.accuracy).toBeCloseTo(expected.accuracy, 10);
    expect(found.confidence).toBeCloseTo(expected.confidence, 5);
    expect(found.bins.map(({ tokens }) => tokens)).toEqual(expected.sizes);
    expect([found.tokens, found.leftOut]).toEqual([IDS.length - 1, 1]);
  });
});

test('the chance level is the error of outcomes drawn with the model’s own confidence', () => {
  const chance = new Chance(5);
  const ids = Uint32Array.from({ length: 3001 }, () => chance.whole(0, VOCAB - 1));
  const trainer = made(TRANSFORMER, ids);
  const { found } = reference(trainer, ids, 15);
  const drawn = Array.from({ length: 200 }, () => {
    const differences = new Float64Array(15);
    for (const { confidence } of found)
      differences[Math.ceil(confidence * 15) - 1]! += Number(chance.whole(0, 999_999) < 1e6 * confidence) - confidence;
    return differences.reduce((sum, one) => sum + Math.abs(one), 0) / found.length;
  });
  const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length;
  const deviation = Math.sqrt(drawn.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (drawn.length - 1));
  const { chance: expected, chanceDeviation } = trainer.calibration(ids);
  // Within four standard errors of 200 draws.
  expect(Math.abs(mean - expected)).toBeLessThan((4 * chanceDeviation) / Math.sqrt(200));
  expect(deviation / chanceDeviation).toBeGreaterThan(0.8);
  expect(deviation / chanceDeviation).toBeLessThan(1.2);
});

test('it is the same in a lab, and a run that was cancelled leaves both usable', async () => {
  const trainer = made(TRANSFORMER);
  using lab = await createLab();
  const other = await lab.createTrainer({
    ...{ model: TRANSFORMER, tokenIds: IDS },
    training: { learningRate: 0.01, batchSize: 4, seed: 3 },
  });
  const shares: number[] = [];
  const found = await other.calibration(IDS, { onProgress: (share) => shares.push(share) });
  expect(found).toEqual(trainer.calibration(IDS));
  expect(shares.at(-1)).toBe(1);
  const stop = new AbortController();
  stop.abort();
  await expect(other.calibration(IDS, { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
  expect(await other.calibration(IDS)).toEqual(found);
});

test('what it cannot read is refused by name', () => {
  const trainer = made(TRANSFORMER);
  expectError(() => trainer.calibration(IDS.slice(0, 1)), 'invalid-argument', /^tokenIds/);
  expectError(() => trainer.calibration(Uint32Array.of(1, VOCAB)), 'invalid-argument', /^tokenIds\[1\] is 12/);
  for (const bins of [0, 1001, 2.5]) {
    expectError(() => trainer.calibration(IDS, { bins }), 'invalid-argument', /^options\.bins is/);
  }
  const culled = made({ ...TRANSFORMER, head: { kind: 'culled', kept: 4 } });
  expectError(() => culled.calibration(IDS), 'unsupported', /^model\.head\.kind is 'culled'; expected 'full'/);
  const broken = made(DIRECT);
  broken.setMatrix('embedding', { rows: VOCAB, cols: 4, data: new Float32Array(VOCAB * 4).fill(3e38) });
  expectError(() => broken.calibration(IDS), 'not-finite', /^logit is Infinity; expected a finite number/);
});
