// Heads through the public verbs. Their computation is tested in tests/cpp and against PyTorch.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLab,
  loadCore,
  type Core,
  type HeadConfig,
  type TextModelConfig,
  type Trainer,
} from '../../../web/index.js';
import { checkContinues, stream } from './small-transformers.js';
import { expectError } from './support.js';

let core: Core;
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'readout', 'accounting'] });
  tokenIds = stream(core);
});

const HEADS: HeadConfig[] = [
  { kind: 'sampled', samples: 6, proposal: 'log-uniform' },
  { kind: 'sampled', samples: 6, proposal: 'counts' },
  { kind: 'adaptive', cutoffs: [2], divisor: 4 },
  { kind: 'adaptive', cutoffs: [2, 4], divisor: 2 },
  { kind: 'clustered', clusters: 3 },
  { kind: 'culled', kept: 5 },
  { kind: 'culled', kept: Uint32Array.of(0, 1, 2, 4) },
];

const modelOf = (
  head: HeadConfig,
  kind: TextModelConfig['kind'],
  tying: 'tied' | 'untied' = 'tied',
): TextModelConfig => {
  const vocabSize = Math.max(...tokenIds) + 1;
  const common = { vocabSize, dModel: 8, tying, head, initStd: 0.1 };
  return kind === 'transformer' ? { kind, ...common, nLayers: 1, nHeads: 2, contextLength: 8 } : { kind, ...common };
};
const trainerOf = (model: TextModelConfig, options: object = {}): Trainer =>
  core.createTrainer({ model, training: { learningRate: 0.02, seed: 3, batchSize: 8, ...options }, tokenIds });

describe.each(['direct-path', 'transformer'] as const)('a head of a %s', (kind) => {
  test.each(HEADS)('%j learns, generates, rewinds and continues from its file', (head) => {
    for (const tying of ['tied', 'untied'] as const) {
      const trainer = trainerOf(modelOf(head, kind, tying));
      expect(trainer.model.head).toEqual(head);
      checkContinues(core, trainer, 40);
      const { tokens, lostTokens } = trainer.evaluate();
      expect(tokens + (lostTokens ?? 0)).toBe(tokenIds.length - 1);
      expect(lostTokens !== undefined).toBe(head.kind === 'culled');

      // Probabilities come from the head, and generation follows them.
      const { vocabSize } = trainer.model;
      const { data } = trainer.nextTokenProbabilities({ from: Uint32Array.of(1) });
      expect(data.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 5);
      if (head.kind === 'culled') {
        const kept = typeof head.kept === 'number' ? head.kept : head.kept.length;
        expect(data.filter((p) => p > 0).length).toBeLessThanOrEqual(kept);
        const said = new Set(trainer.generate({ prompt: Uint32Array.of(1), tokens: 200, seed: 1 }).tokenIds);
        expect([...said].every((id) => data[id]! > 0 || kind === 'transformer')).toBe(true);
      }
      expect(trainer.logits(Uint32Array.of(1, 2)).data).toHaveLength(2 * vocabSize);
      const counted = trainer.parameters().reduce((sum, { count }) => sum + count, 0);
      const { parts } = core.estimateMemory(trainer.model, trainer.training);
      expect(parts.find(({ name }) => name === 'weights')!.bytes).toBeGreaterThanOrEqual(4 * counted);
    }
  });
});

test('an adaptive head has narrow tables if untied, and the first columns of the one table if tied', () => {
  const head: HeadConfig = { kind: 'adaptive', cutoffs: [2, 4], divisor: 2 };
  const { vocabSize } = modelOf(head, 'transformer');
  const shapesOf = (trainer: Trainer): Record<string, unknown> =>
    Object.fromEntries(
      trainer
        .parameters()
        .filter(({ name }) => /unembedding|clusters|tails/.test(name))
        .map(({ name, shape, tiedTo }) => [name, tiedTo ?? shape]),
    );
  const untied = trainerOf(modelOf(head, 'transformer', 'untied'));
  const maps = { clusters: [2, 8], 'tails.0.map': [4, 8], 'tails.1.map': [2, 8] };
  const tables = { unembedding: [2, 8], 'tails.0.table': [2, 4], 'tails.1.table': [vocabSize - 4, 2] };
  expect(shapesOf(untied)).toEqual({ ...maps, ...tables });
  const tied = trainerOf(modelOf(head, 'transformer', 'tied'));
  expect(shapesOf(tied)).toEqual({ ...maps, unembedding: 'embedding' });
  for (const trainer of [untied, tied]) {
    const { input, output, total } = trainer.gradient();
    for (const part of [input, output, total]) expect(part.data).toHaveLength(part.rows * part.cols);
    expect(output.rows).toBe(trainer === tied ? vocabSize : 2);
    const [record] = trainer.run(1);
    expect(record!.outputGradientNorm).toBeGreaterThan(0);
    expect(record!.unembeddingDrift).toBeGreaterThan(0);
    expect(record!.gradientCosine !== 0).toBe(trainer === tied);
  }
});

test('a model is written as a GPT-2 only if it predicts like one', () => {
  const gpt2 = {
    norm: 'layer-norm',
    biases: 'all',
    positions: 'learned',
    feedForward: 'gelu',
    finalNorm: true,
  } as const;
  const text = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
  for (const head of HEADS) {
    const trainer = trainerOf({ ...modelOf(head, 'transformer'), ...gpt2 } as TextModelConfig);
    const safetensors = text(trainer.toSafetensors());
    expect(safetensors.includes('transformer.wte.weight')).toBe(head.kind === 'sampled');
    expect(safetensors).toContain(`\\"kind\\":\\"${head.kind}\\"`);
    expect(text(trainer.toGguf()).includes('gpt2')).toBe(head.kind === 'sampled');
  }
});

test('a full head is the default: with or without naming it, the model and module are the same', () => {
  const [named, absent] = [{ kind: 'full' } as const, undefined].map((head) => {
    const trainer = trainerOf({ ...modelOf({ kind: 'full' }, 'transformer'), ...(head ? { head } : {}) });
    expect(trainer.model).not.toHaveProperty('head');
    trainer.run(5);
    return trainer.save();
  });
  expect(named).toEqual(absent);
});

test('a culled head keeps the most frequent tokens, and its loss is over them', () => {
  const counts = new Map<number, number>();
  for (const id of tokenIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const order = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([id]) => id);
  const trainer = trainerOf(modelOf({ kind: 'culled', kept: 4 }, 'direct-path'));
  const kept = order.slice(0, 4);
  const { data } = trainer.nextTokenProbabilities({ from: Uint32Array.of(0) });
  expect([...data.keys()].filter((id) => data[id]! > 0).sort((a, b) => a - b)).toEqual(kept.sort((a, b) => a - b));
  const { lostTokens } = trainer.evaluate();
  expect(lostTokens).toBe(tokenIds.slice(1).filter((id) => !kept.includes(id)).length);
  // A text without any kept token.
  const other = order[4]!;
  expect(trainer.evaluate(Uint32Array.of(0, other, other))).toMatchObject({ loss: 0, tokens: 0, lostTokens: 2 });
});

test('evaluation in parts adds up the tokens without a loss, and reports no bits per byte for the rest', () => {
  const trainer = trainerOf(modelOf({ kind: 'culled', kept: 3 }, 'transformer'));
  const long = Uint32Array.from({ length: 5000 }, (_, i) => tokenIds[i % tokenIds.length]!);
  const whole = trainer.evaluate(long);
  expect(whole.tokens + whole.lostTokens!).toBe(4999);
  expect(whole.lostTokens).toBeGreaterThan(0);
  expect(whole.bitsPerByte).toBeNull();
});

test('label smoothing raises the loss of steps but not of evaluations; a temperature divides logits', () => {
  const model = modelOf({ kind: 'full' }, 'transformer');
  const plain = trainerOf(model);
  const smooth = trainerOf(model, { labelSmoothing: 0.2 });
  const warm = trainerOf(model, { temperature: 2 });
  expect(smooth.training.labelSmoothing).toBe(0.2);
  expect(warm.training.temperature).toBe(2);
  expect(smooth.evaluate()).toEqual(plain.evaluate());
  const ids = Uint32Array.of(1, 2, 3);
  const logits = plain.logits(ids).data;
  warm.logits(ids).data.forEach((z, i) => expect(z).toBeCloseTo(logits[i]! / 2, 6));
  for (const trainer of [smooth, warm]) {
    trainer.run(10);
    const copy = core.loadTrainer(trainer.save());
    expect(copy.training).toEqual(trainer.training);
    expect(copy.evaluate()).toEqual(trainer.evaluate());
  }
  // Explicitly given defaults are left out.
  expect(trainerOf(model, { labelSmoothing: 0, temperature: 1 }).training).toEqual(plain.training);
});

test('invalid heads and options of heads are refused by name', () => {
  const refused = (head: unknown, message: RegExp, more: object = {}): void => {
    const model = { ...modelOf(head as HeadConfig, 'transformer'), ...more } as TextModelConfig;
    expectError(() => trainerOf(model), 'invalid-argument', message);
  };
  refused(
    { kind: 'soft' },
    /^model\.head\.kind is 'soft'; expected one of 'full', 'sampled', 'adaptive', 'clustered', 'culled'/,
  );
  refused({ kind: 'sampled' }, /^model\.head\.samples is undefined/);
  refused({ kind: 'sampled', samples: 0 }, /^model\.head\.samples is 0/);
  refused({ kind: 'sampled', samples: 4, proposal: 'uniform' }, /^model\.head\.proposal is 'uniform'/);
  refused({ kind: 'adaptive' }, /^model\.head\.cutoffs is undefined; expected an array of 1 to 4 ranks$/);
  refused({ kind: 'adaptive', cutoffs: [] }, /^model\.head\.cutoffs is .*; expected an array of 1 to 4 ranks$/);
  refused({ kind: 'adaptive', cutoffs: [3, 3] }, /^model\.head\.cutoffs\[1\] is 3; expected an integer from 4 to/);
  refused({ kind: 'adaptive', cutoffs: [1000] }, /^model\.head\.cutoffs\[0\] is 1000/);
  refused({ kind: 'adaptive', cutoffs: [2], divisor: 1.5 }, /^model\.head\.divisor is 1\.5/);
  refused({ kind: 'adaptive', cutoffs: [2], divisor: 9 }, /^model\.head\.divisor is 9; expected at most 8, so that/);
  refused({ kind: 'adaptive', cutoffs: [2, 3] }, /^model\.head\.divisor is 4; expected at most 2, so that/);
  refused({ kind: 'adaptive', cutoffs: [2] }, /^model\.tying is .*; expected one that does not change/, {
    tying: { untieAtStep: 5 },
  });
  refused({ kind: 'clustered', clusters: 1 }, /^model\.head\.clusters is 1; expected an integer from 2 to/);
  refused({ kind: 'clustered', clusters: 3, samples: 2 }, /^model\.head\.samples is 2; expected it to be absent/);
  refused({ kind: 'culled', kept: 1000 }, /^model\.head\.kept is 1000/);
  for (const [kept, given] of [
    [[1, 2], 'an array of 2'],
    [undefined, 'undefined'],
    ['3', "'3'"],
    [Float32Array.of(1), 'a Float32Array of 1'],
  ]) {
    const wanted = `expected an integer from 1 to \\d+, or a Uint32Array of token ids$`;
    refused({ kind: 'culled', kept }, new RegExp(`^model\\.head\\.kept is ${given as string}; ${wanted}`));
  }
  refused({ kind: 'culled', kept: Uint32Array.of(3, 3) }, /^model\.head\.kept is 3; expected each id once/);
  refused({ kind: 'culled', kept: Uint32Array.of(999) }, /^model\.head\.kept is 999; expected token ids below/);
  refused({ kind: 'culled', kept: 3 }, /^model\.tying is 'tied-low-rank'/, { tying: 'tied-low-rank' });
  const counts = core.bigrams(tokenIds, Math.max(...tokenIds) + 1).counts;
  expectError(
    () =>
      core.createTrainer({
        model: modelOf({ kind: 'culled', kept: 3 }, 'direct-path'),
        training: { learningRate: 0.1, seed: 1 },
        bigramCounts: counts,
      }),
    'invalid-argument',
    /^options\.bigramCounts is .*; expected it to be absent; only a full head has it$/,
  );
  for (const [name, value] of [
    ['labelSmoothing', 1],
    ['temperature', 0],
  ] as const) {
    expectError(
      () => trainerOf(modelOf({ kind: 'full' }, 'transformer'), { [name]: value }),
      'invalid-argument',
      new RegExp(`^training\\.${name} is ${value}`),
    );
  }
});

test('a sampled head is read as a full head with the same weights', () => {
  for (const tying of ['tied', 'untied'] as const) {
    const sampled = trainerOf(modelOf({ kind: 'sampled', samples: 3 }, 'transformer', tying));
    sampled.run(30);
    const full = trainerOf(modelOf({ kind: 'full' }, 'transformer', tying));
    for (const { name, tiedTo } of sampled.parameters()) {
      if (tiedTo === null) full.setMatrix(name, sampled.matrix(name));
    }
    const ids = tokenIds.slice(0, 40);
    const tunedLens = { tokenIds, steps: 5 };
    for (const read of [
      (trainer: Trainer) => trainer.logitLens(ids),
      (trainer: Trainer) => trainer.trainTunedLens(tunedLens),
      (trainer: Trainer) => trainer.lossByFrequency(ids),
      (trainer: Trainer) => trainer.ablateLayers(ids),
      (trainer: Trainer) => trainer.directPath(),
      (trainer: Trainer) => trainer.directPathReport(ids),
      (trainer: Trainer) => trainer.hiddenStates(ids.slice(0, 8)),
    ]) {
      expect(read(sampled)).toEqual(read(full));
    }
    for (const read of [() => sampled.gradientReport(ids), () => sampled.modelCard({ tokenIds: ids })]) {
      const why =
        /^model\.head\.kind is 'sampled'; expected 'full': the gradient of a sampled softmax pushes only drawn/;
      expectError(read, 'unsupported', why);
    }
  }
});

test('losses of two-level heads come from the exact distribution, and tokens without a probability have no loss', () => {
  const ids = tokenIds.slice(0, 40);
  for (const head of HEADS.filter(({ kind }) => kind === 'adaptive' || kind === 'clustered')) {
    const trainer = trainerOf(modelOf(head, 'transformer'));
    trainer.run(20);
    const { loss } = trainer.lossByFrequency(ids);
    // Sequences as long as the context, as in `evaluate`.
    expect(loss).toBeCloseTo(trainer.evaluate(ids).loss, 5);
    expect(trainer.ablateLayers(ids).loss).toBeCloseTo(loss, 6);
    expect(trainer.hiddenStates(ids.slice(0, 8))).toHaveLength(2);
    for (const read of [
      () => trainer.logitLens(ids),
      () => trainer.trainTunedLens({ tokenIds, steps: 5 }),
      () => trainer.directPath(),
      () => trainer.directPathReport(ids),
    ]) {
      const why = `^model\\.head\\.kind is '${head.kind}'; expected 'full' or 'sampled': a two-level logit is not the product`;
      expectError(read, 'unsupported', new RegExp(why));
    }
    expectError(() => trainer.gradientReport(ids), 'unsupported', /expected 'full': a two-level logit/);
  }
  const culled = trainerOf(modelOf({ kind: 'culled', kept: 4 }, 'transformer'));
  expectError(() => culled.logitLens(ids), 'unsupported', /expected 'full' or 'sampled': tokens that are not kept/);
  expectError(
    () => culled.lossByFrequency(ids),
    'unsupported',
    /^model\.head\.kind is 'culled'; expected 'full' or 'sampled' or 'adaptive' or 'clustered': tokens that are not kept have no loss$/,
  );
});

test('a core without the module says so, and a lab fetches it', async () => {
  const without = await loadCore({ modules: [] });
  const model = modelOf({ kind: 'clustered', clusters: 3 }, 'transformer');
  const training = { learningRate: 0.02, seed: 3, batchSize: 8 };
  const file = trainerOf(model).save();
  for (const call of [
    () => without.createTrainer({ model, training, tokenIds }),
    () => without.estimateMemory(model, training),
    () => without.loadTrainer(file),
  ]) {
    expectError(call, 'unsupported', /module 'models'.*pass modules: \['models'\] to loadCore$/);
  }
  const lab = await createLab();
  const here = trainerOf(model);
  const there = await lab.createTrainer({ model, training, tokenIds });
  await there.run(10);
  here.run(10);
  expect(await there.save()).toEqual(here.save());
  expect((await lab.loadTrainer(file)).model.head).toEqual(model.head);
  const corpus = await lab.openCorpus(tokenIds, { vocabSize: model.vocabSize });
  const arm = { ...model, vocabSize: undefined };
  const comparison = await lab.compare(corpus, { arms: { clustered: { model: arm, training } }, steps: 5 } as never);
  let last = 0;
  for await (const { step } of comparison) last = step;
  expect(last).toBe(5);
  lab.dispose();
});
