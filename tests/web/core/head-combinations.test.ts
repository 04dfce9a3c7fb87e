// Every head, tied and untied, with label smoothing, a temperature, factorized tables and n-grams. Each combination either works, with
// the loss of a reference in double precision and the gradients of its central differences, or is refused by name.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadCore,
  type Core,
  type HeadConfig,
  type Matrix,
  type TextModelConfig,
  type Trainer,
  type TrainingConfig,
} from '../../../web/index.js';
import { evaluation, predictions, trainingLoss, type Reference, type Weights } from './head-reference.js';
import { stream, VOCAB_SIZE } from './small-transformers.js';
import { errorOf, expectError } from './support.js';

const LENGTH = 10;
let core: Core;
/** A single sequence, so every step reads it. */
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'readout', 'accounting', 'checkpoint'] });
  tokenIds = stream(core).slice(100, 100 + LENGTH + 1);
});

const HEADS: readonly HeadConfig[] = [
  { kind: 'full' },
  { kind: 'sampled', samples: 5, proposal: 'log-uniform' },
  { kind: 'sampled', samples: 7, proposal: 'counts' },
  { kind: 'adaptive', cutoffs: [4, 8], divisor: 2 },
  { kind: 'clustered', clusters: 3 },
  { kind: 'culled', kept: 4 },
];

interface Combination {
  readonly model: TextModelConfig;
  readonly training: TrainingConfig;
}

/** All combinations for one kind of model. */
function combinations(kind: 'transformer' | 'direct-path'): Combination[] {
  const all: Combination[] = [];
  for (const head of HEADS) {
    for (const tying of ['tied', 'untied'] as const) {
      for (const tableRank of [undefined, 3]) {
        const reading = { order: 3, rows: 17, ...(tying === 'untied' ? { heads: 4 } : {}) };
        for (const ngrams of kind === 'transformer' ? [undefined, reading] : [undefined]) {
          for (const labelSmoothing of [undefined, 0.15]) {
            for (const temperature of [undefined, 1.7]) {
              const layers = kind === 'transformer' ? { nLayers: 1, nHeads: 1, contextLength: LENGTH } : {};
              all.push({
                model: {
                  ...{ kind, vocabSize: VOCAB_SIZE, dModel: 8, initStd: 0.3, tying, ...layers },
                  ...(head.kind === 'full' ? {} : { head }),
                  ...(tableRank === undefined ? {} : { tableRank }),
                  ...(ngrams === undefined ? {} : { ngrams }),
                } as TextModelConfig,
                training: {
                  ...{ optimizer: 'sgd', learningRate: 1, batchSize: kind === 'transformer' ? 1 : LENGTH, seed: 5 },
                  ...(labelSmoothing === undefined ? {} : { labelSmoothing }),
                  ...(temperature === undefined ? {} : { temperature }),
                },
              });
            }
          }
        }
      }
    }
  }
  return all;
}

const nameOf = ({ model, training: { labelSmoothing = 0, temperature = 1 } }: Combination): string =>
  [
    ...[model.head?.kind ?? 'full', 'proposal' in (model.head ?? {}) ? JSON.stringify(model.head) : '', model.tying],
    ...[`smoothing ${labelSmoothing}`, `temperature ${temperature}`],
    ...[`rank ${String(model.tableRank ?? 'none')}`, `n-grams ${String(model.ngrams?.order ?? 'none')}`],
  ].join(', ');

const trainerOf = ({ model, training }: Combination): Trainer => core.createTrainer({ model, training, tokenIds });

/** The parameters of a head and its tables, and of the last layer below them. */
const ofTables = /embedding|ngrams|clusters|tails|final_norm/;

/** Tied names share one array. */
function weightsOf(trainer: Trainer): Weights {
  const found: Record<string, Weights[string]> = {};
  for (const { name, tiedTo } of trainer.parameters()) {
    const { cols, data } = trainer.matrix(name);
    found[name] = tiedTo === null ? { cols, data: Float64Array.from(data) } : found[tiedTo]!;
  }
  return found;
}

/** Some indices of an array, the same in every run. */
const places = (length: number): number[] => [...new Set(Array.from({ length: 3 }, (_, i) => (i * 7919 + 3) % length))];

async function expectToBeRight(combination: Combination): Promise<void> {
  const trainer = trainerOf(combination);
  const given: Reference = { ...combination, tokenIds };
  const before = weightsOf(trainer);
  const start = trainer.save();
  const gradient = trainer.gradient();

  // Valid for any weights, here before the first step: all predictions, by the full softmax or the exact one.
  const ids = tokenIds.slice(0, LENGTH);
  const predicted = predictions(given, before, [...ids]);
  const { data } = trainer.logits(ids);
  predicted.forEach((p, at) => {
    const z = [...data.subarray(at * VOCAB_SIZE, (at + 1) * VOCAB_SIZE)];
    const most = Math.max(...z);
    const whole = most + Math.log(z.reduce((sum, one) => sum + Math.exp(one - most), 0));
    p.forEach((one, id) => {
      if (one === -Infinity) expect(z[id]! - whole).toBeLessThan(-1e3);
      else expect(z[id]! - whole).toBeCloseTo(one, 4);
    });
  });
  const { loss, tokens, lost } = evaluation(given, before);
  const evaluated = trainer.evaluate(tokenIds);
  expect(evaluated.loss).toBeCloseTo(loss, 5);
  expect([evaluated.tokens, evaluated.lostTokens ?? 0]).toEqual([tokens, lost]);
  expect(lost > 0).toBe(combination.model.head?.kind === 'culled');

  // A step of SGD at rate 1 subtracts the gradient.
  const expectedLoss = trainingLoss(given, before);
  const [record] = trainer.run(1);
  if (combination.model.kind === 'transformer') {
    expect(record!.loss).toBeCloseTo(expectedLoss, 5);
    const after = weightsOf(trainer);
    for (const { name, tiedTo } of trainer.parameters()) {
      if (tiedTo !== null || !ofTables.test(name)) continue;
      const values = before[name]!.data;
      for (const at of places(values.length)) {
        const kept = values[at]!;
        const [above, below] = [1e-4, -1e-4].map((h) => {
          values[at] = kept + h;
          return trainingLoss(given, before);
        });
        values[at] = kept;
        const slope = (above! - below!) / 2e-4;
        expect(kept - after[name]!.data[at]!, `${name} at ${at}`).toBeCloseTo(slope, 4);
        if (name === 'embedding') expect(gradient.total.data[at]).toBeCloseTo(slope, 4);
        if (name === 'embedding.factor') expect(gradient.factor!.total.data[at]).toBeCloseTo(slope, 4);
        if (name === 'unembedding') expect(gradient.output.data[at]).toBeCloseTo(slope, 4);
      }
    }
  }

  // Rewinding, and continuing from its file, give the same bits.
  trainer.run(2);
  const end = trainer.save();
  trainer.rewind(0);
  expect(trainer.save()).toEqual(start);
  trainer.run(3);
  expect(trainer.save()).toEqual(end);
  const loaded = core.loadTrainer(end);
  expect([loaded.model, loaded.training]).toEqual([trainer.model, trainer.training]);
  const logits = trainer.logits(ids);
  expect(loaded.logits(ids)).toEqual(logits);

  // Greedy: the most probable token, which a culled head always keeps.
  const [next] = trainer.generate({ prompt: ids, tokens: 1, seed: 1, temperature: 0 }).tokenIds;
  const last = [...logits.data.subarray(-VOCAB_SIZE)];
  expect(next).toBe(last.indexOf(Math.max(...last)));

  // The memory estimate agrees with the allocated parameters.
  const stored = trainer.parameters().filter(({ tiedTo }) => tiedTo === null);
  const count = stored.reduce((sum, one) => sum + one.count, 0);
  const { parts } = core.estimateMemory(trainer.model, trainer.training);
  const { bytes } = parts.find(({ name }) => name === 'weights')!;
  expect(bytes).toBeGreaterThanOrEqual(4 * count);
  expect(bytes).toBeLessThan(4 * count + 64 * (stored.length + 1));

  readLosses(combination, trainer);
  if (combination.model.kind === 'transformer') await readFiles(combination, trainer);
}

/** `lossByFrequency` and `ablateLayers` report the loss of `evaluate`, or are refused by name. */
function readLosses({ model }: Combination, trainer: Trainer): void {
  const reads = [() => trainer.lossByFrequency(tokenIds).loss, () => trainer.ablateLayers(tokenIds).loss];
  const why = model.head?.kind === 'culled' ? /^model\.head\.kind is 'culled'; expected/ : null;
  for (const read of model.kind === 'transformer' ? reads : reads.slice(0, 1)) {
    if (why === null) expect(read()).toBeCloseTo(trainer.evaluate(tokenIds).loss, 5);
    else expectError(read, 'unsupported', why);
  }
}

/** Weights files open again with the same bits, or are refused by name. */
async function readFiles({ model, training }: Combination, trainer: Trainer): Promise<void> {
  const ids = tokenIds.slice(0, LENGTH);
  for (const file of [trainer.toSafetensors(), trainer.toGguf()]) {
    const checkpoint = await core.openCheckpoint(file);
    const again = checkpoint.toTrainer({ training, tokenIds });
    if (model.head === undefined) expect((await again).logits(ids)).toEqual(trainer.logits(ids));
    else {
      await expect(again).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringMatching(`^model\\.head\\.kind is '${model.head.kind}'; expected 'full': a weight file`),
      });
    }
    checkpoint.dispose();
  }
}

describe.each(['transformer', 'direct-path'] as const)('a %s', (kind) => {
  const all = combinations(kind);
  test(`has ${kind === 'transformer' ? 192 : 96} combinations`, () => {
    expect(all).toHaveLength(kind === 'transformer' ? 192 : 96);
    expect(new Set(all.map(nameOf)).size).toBe(all.length);
  });

  test.each(all.map((one) => [nameOf(one), one] as const))('%s', async (_, combination) => {
    const { head, tableRank } = combination.model;
    if (head?.kind !== 'adaptive' || tableRank === undefined) await expectToBeRight(combination);
    else {
      const { code, message } = errorOf(() => trainerOf(combination));
      expect(code).toBe('invalid-argument');
      expect(message).toMatch(/^model\.tableRank is 3; expected it to be absent with a head/);
    }
  });
});

describe('an encoder-decoder', () => {
  const shape = {
    kind: 'encoder-decoder',
    vocabSize: 9,
    dModel: 8,
    nHeads: 2,
    nEncoderLayers: 1,
    nDecoderLayers: 1,
  } as const;
  const model = { ...shape, sourceLength: 3, contextLength: 5, initStd: 0.3 } as const;
  const pairs = { source: [Uint32Array.of(2, 3, 4)], target: [Uint32Array.of(5, 6, 2, 8)] };
  const training = { optimizer: 'sgd', learningRate: 0.1, batchSize: 1, seed: 5 } as const;
  const [source, target] = [pairs.source[0]!, pairs.target[0]!];
  const written = [...target, 1];

  /** The loss from the model's own logits, in double precision. */
  function lossOf({ cols, data }: Matrix, smoothing: number): number {
    const losses = written.map((id, at) => {
      const z = [...data.subarray(at * cols, (at + 1) * cols)];
      const whole = Math.log(z.reduce((sum, one) => sum + Math.exp(one), 0));
      return whole - (1 - smoothing) * z[id]! - (smoothing * z.reduce((sum, one) => sum + one, 0)) / cols;
    });
    return losses.reduce((sum, one) => sum + one, 0) / losses.length;
  }

  test.each(['all', 'decoder', 'none'] as const)(
    'supports label smoothing and a temperature with tying %s',
    (tying) => {
      const plain = core.createTrainer({ model: { ...model, tying }, training, pairs }).pairLogits({ source, target });
      for (const labelSmoothing of [0, 0.15]) {
        for (const temperature of [1, 1.7]) {
          const options = { ...training, labelSmoothing, temperature };
          const trainer = core.createTrainer({ model: { ...model, tying }, training: options, pairs });
          const logits = trainer.pairLogits({ source, target });
          logits.data.forEach((z, i) => expect(z).toBeCloseTo(plain.data[i]! / temperature, 5));
          expect(trainer.evaluatePairs(pairs).loss).toBeCloseTo(lossOf(logits, 0), 5);
          const start = trainer.save();
          const [record] = trainer.run(1);
          expect(record!.loss).toBeCloseTo(lossOf(logits, labelSmoothing), 5);
          const end = trainer.save();
          const loaded = core.loadTrainer(end);
          expect(loaded.pairLogits({ source, target })).toEqual(trainer.pairLogits({ source, target }));
          trainer.rewind(0);
          expect(trainer.save()).toEqual(start);
        }
      }
    },
  );

  test.each([
    ['head', { kind: 'sampled', samples: 3 }],
    ['tableRank', 3],
    ['ngrams', { order: 2, rows: 9 }],
  ])('refuses %s by name', (name, value) => {
    expectError(
      () => core.createTrainer({ model: { ...model, tying: 'all', [name]: value } as never, training, pairs }),
      'invalid-argument',
      new RegExp(`^model\\.${name} is .*; expected it to be absent`),
    );
  });
});
