// Encoder-decoders through the public verbs. Their computation is tested in tests/cpp and against PyTorch.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLab,
  loadCore,
  type Core,
  type EncoderDecoderConfig,
  type PairTying,
  type TokenPairs,
  type Trainer,
} from '../../../web/index.js';
import { errorOf, expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['models', 'stories', 'accounting', 'diagnostics', 'readout', 'checkpoint'] });
});

/** Every way to share three tables, and the number of tables that remain. */
const TYINGS: [tying: PairTying, tables: number][] = [
  ['none', 3],
  ['decoder', 2],
  [{ tables: ['encoder-input', 'decoder-input'] }, 2],
  [{ tables: ['encoder-input', 'output'] }, 2],
  ['all', 1],
];

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const TRAINING = { learningRate: 0.01, batchSize: 16, seed: 4 };
const modelOf = (tying: PairTying, more: Partial<EncoderDecoderConfig> = {}): EncoderDecoderConfig => ({
  ...{ kind: 'encoder-decoder', vocabSize: 6, dModel: 16, tying, nEncoderLayers: 1, nDecoderLayers: 1, nHeads: 2 },
  ...{ sourceLength: 3, contextLength: 4, ...more },
});

/** All words of one to three letters from an alphabet of four, and the same words reversed. */
function reversals(): TokenPairs {
  const letters = [2, 3, 4, 5];
  const words = letters.flatMap((a) => [[a], ...letters.flatMap((b) => [[a, b], ...letters.map((c) => [a, b, c])])]);
  return {
    source: words.map((word) => Uint32Array.from(word)),
    target: words.map((word) => Uint32Array.from(word).reverse()),
  };
}

const trainerOf = (tying: PairTying, more: Partial<EncoderDecoderConfig> = {}, training: object = {}): Trainer =>
  core.createTrainer({
    model: modelOf(tying, more),
    training: { ...TRAINING, ...training },
    pairs: reversals(),
    validationPairs: { source: [Uint32Array.of(2, 5)], target: [Uint32Array.of(5, 2)] },
  });

describe.each(TYINGS)('an encoder-decoder with tying %j', (tying, tables) => {
  test('learns, translates, rewinds and continues from its file', () => {
    const trainer = trainerOf(tying);
    expect(trainer.model.tying).toEqual(tying);
    const before = trainer.evaluatePairs(reversals());
    trainer.run(200);
    const half = trainer.save();
    trainer.run(200);
    const end = trainer.save();
    const after = trainer.evaluatePairs(reversals());
    expect(after.loss).toBeLessThan(before.loss / 4);
    expect(after).toMatchObject({ pairs: 84, tokens: 84 + 4 + 2 * 16 + 3 * 64 });
    expect(after.perplexity).toBeCloseTo(Math.exp(after.loss), 10);
    expect(after.exactMatch).toBeGreaterThan(0.9);
    expect(after.characterErrorRate).toBeLessThan(0.1);
    trainer.rewind(200);
    expect(same(trainer.save(), half)).toBe(true);
    const loaded = core.loadTrainer(half);
    expect(loaded.model).toEqual(trainer.model);
    loaded.run(200);
    expect(same(loaded.save(), end)).toBe(true);
    expect(loaded.translate({ source: Uint32Array.of(2, 3, 4) }).tokenIds).toEqual(Uint32Array.of(4, 3, 2));
  });

  test('lists three tables, of which as many are separate as its tying says', () => {
    const tied = trainerOf(tying)
      .parameters()
      .filter(({ name }) => ['encoder.embedding', 'embedding', 'unembedding'].includes(name));
    expect(tied).toHaveLength(3);
    expect(tied.filter(({ tiedTo }) => tiedTo === null)).toHaveLength(tables);
  });

  test('splits the gradient into three roles, which add up to the gradient of a shared table', () => {
    const trainer = trainerOf(tying);
    trainer.run(3);
    const { input, output, encoder, total, ...rows } = trainer.gradient();
    const shares = typeof tying === 'string' ? { all: true, decoder: true, none: false }[tying] : false;
    const encoderShares = tying === 'all' || (typeof tying === 'object' && tying.tables.includes('decoder-input'));
    const sums = input.data.map((value, i) => {
      const both = shares ? Math.fround(value + output.data[i]!) : value;
      return encoderShares ? Math.fround(both + encoder!.data[i]!) : both;
    });
    expect(total.data).toEqual(sums);
    expect(rows).toMatchObject({ inputRows: 5, outputRows: 6, encoderRows: 4 });
    // The same values as in the record of the next step.
    const [record] = trainer.run(1);
    const norm = (data: Float32Array): number => Math.sqrt(data.reduce((sum, value) => sum + value * value, 0));
    expect(record!.inputGradientNorm).toBeCloseTo(norm(input.data), 5);
    expect(record!.outputGradientNorm).toBeCloseTo(norm(output.data), 5);
    expect(record!.encoderGradientNorm).toBeCloseTo(norm(encoder!.data), 5);
    expect(record!.encoderEmbeddingDrift).toBeGreaterThan(0);
    if (tying === 'all') expect(record!.encoderEmbeddingDrift).toBe(record!.embeddingDrift);
  });
});

test('evaluates its validation pairs, or all its pairs if it has none, or given pairs', () => {
  const trainer = trainerOf('all');
  expect(trainer.evaluate()).toMatchObject({ tokens: 3, bitsPerByte: null });
  expect(trainer.evaluatePairs()).toMatchObject({ pairs: 1, tokens: 3 });
  const own = core.createTrainer({ model: modelOf('all'), training: TRAINING, pairs: reversals() });
  const all = own.evaluatePairs(undefined, { translate: false });
  expect(all).toMatchObject({ pairs: 84, exactMatch: null, characterErrorRate: null });
  expect(own.evaluatePairs(reversals(), { translate: false })).toEqual(all);
  expect(own.evaluate().loss).toBe(all.loss);
  const fractions: number[] = [];
  own.evaluatePairs(reversals(), { onProgress: (fraction) => fractions.push(fraction) });
  expect(fractions.at(-1)).toBe(1);
  expectError(
    () => own.evaluatePairs(reversals(), { signal: AbortSignal.abort() }),
    'cancelled',
    /evaluation was cancelled after 0%/,
  );
});

describe('a translation', () => {
  let trainer: Trainer;
  beforeAll(() => {
    trainer = trainerOf('none', {}, { learningRate: 0.02 });
    trainer.run(100);
  });
  const source = Uint32Array.of(4, 2, 5);

  test('has the probability that its logits give, step by step', () => {
    const { tokenIds, logProbability, ended, text, candidates } = trainer.translate({ source });
    const { rows, cols, data } = trainer.pairLogits({ source, target: tokenIds });
    expect([rows, cols]).toEqual([tokenIds.length + 1, 6]);
    const { endToken } = trainer.model;
    let sum = 0;
    for (const [i, next] of [...tokenIds, ...(ended ? [endToken!] : [])].entries()) {
      const row = data.subarray(i * cols, (i + 1) * cols);
      // Greedy: each token is the most probable.
      expect(row[next]).toBe(Math.max(...row));
      sum += row[next]! - Math.log(row.reduce((all, logit) => all + Math.exp(logit), 0));
    }
    expect(logProbability).toBeCloseTo(sum, 4);
    expect(text).toBeNull();
    expect(candidates).toEqual([{ tokenIds, logProbability, ended, text }]);
  });

  test('by a beam search is at least as probable, and its candidates are ranked', () => {
    const greedy = trainer.translate({ source });
    const { candidates, ...best } = trainer.translate({ source, beams: 4 });
    expect(candidates).toHaveLength(4);
    expect(candidates[0]).toEqual(best);
    expect(best.logProbability).toBeGreaterThanOrEqual(greedy.logProbability - 1e-9);
    const ranked = candidates.map(({ logProbability }) => logProbability);
    expect(ranked).toEqual([...ranked].sort((a, b) => b - a));
    expect(new Set(candidates.map(({ tokenIds }) => tokenIds.join())).size).toBe(4);
  });

  test('is drawn with a temperature, the same for the same seed', () => {
    const drawn = (seed: number): string => trainer.translate({ source, temperature: 3, seed }).tokenIds.join();
    expect(drawn(1)).toBe(drawn(1));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => drawn(seed))).size).toBeGreaterThan(1);
    expect(trainer.translate({ source, temperature: 3, topK: 1, seed: 5 }).tokenIds).toEqual(
      trainer.translate({ source }).tokenIds,
    );
    expect(trainer.translate({ source, maxTokens: 1 }).tokenIds.length).toBeLessThanOrEqual(1);
  });

  test('has attention rows that sum to 1; the decoder attends only backward, the encoder in both directions', () => {
    const target = Uint32Array.of(5, 2);
    const { encoder, decoder, cross } = trainer.pairAttention({ source, target });
    const shapes = [encoder, decoder, cross].map((heads) => heads.map(({ weights }) => [weights.rows, weights.cols]));
    expect(shapes).toEqual([Array(2).fill([3, 3]), Array(2).fill([3, 3]), Array(2).fill([3, 3])]);
    expect(cross.map(({ layer, head }) => [layer, head])).toEqual([[0, 0], [0, 1]]); // prettier-ignore
    for (const { weights } of [...encoder, ...decoder, ...cross]) {
      for (let row = 0; row < weights.rows; row++) {
        const values = weights.data.subarray(row * weights.cols, (row + 1) * weights.cols);
        expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
      }
    }
    expect(decoder[0]!.weights.data[1]).toBe(0);
    expect(encoder[0]!.weights.data[1]).toBeGreaterThan(0);
    const empty = trainer.pairAttention({ source, target: new Uint32Array() });
    expect(empty.cross[0]!.weights).toMatchObject({ rows: 1, cols: 3 });
  });
});

test("T5's two factors and the tokens that start and end are options of the model", () => {
  const more = {
    embeddingScale: 'sqrt-d-model',
    logitScale: 'inverse-sqrt-d-model',
    startToken: 1,
    endToken: 0,
  } as const;
  const trainer = trainerOf('all', more);
  expect(trainer.model).toMatchObject(more);
  const plain = trainerOf('all', { startToken: 1, endToken: 0, embeddingScale: 'sqrt-d-model' });
  const pair = { source: Uint32Array.of(2), target: Uint32Array.of(3) };
  const [scaled, unscaled] = [trainer.pairLogits(pair).data, plain.pairLogits(pair).data];
  scaled.forEach((logit, i) => expect(logit).toBeCloseTo(unscaled[i]! / 4, 6));
  trainer.run(5);
  expect(core.loadTrainer(trainer.save()).model).toEqual(trainer.model);
});

test('the weights file of an encoder-decoder can be read, but not run, since running needs a model that continues a text', async () => {
  const checkpoint = await core.openCheckpoint(trainerOf('decoder').toSafetensors());
  expect(checkpoint.tensors.map(({ name }) => name)).toContain('encoder.embedding');
  expect(await checkpoint.matrix('encoder.embedding')).toMatchObject({ rows: 6, cols: 16 });
  const running = Promise.resolve().then(() => checkpoint.toTrainer());
  await expect(running).rejects.toThrow(/its model is an encoder-decoder; expected one that continues a text/);
  await expect(running).rejects.toMatchObject({ code: 'unsupported' });
});

test('each tying is reported in a single form', () => {
  const said = (tables: string[]): unknown => trainerOf({ tables } as never).model.tying;
  expect(said(['output', 'decoder-input'])).toBe('decoder');
  expect(said(['output', 'encoder-input', 'decoder-input'])).toBe('all');
  expect(said(['output', 'encoder-input'])).toEqual({ tables: ['encoder-input', 'output'] });
});

test.each(TYINGS)('memory and parameters of tying %j equal the counts', (tying, tables) => {
  for (const more of [
    {},
    { nEncoderLayers: 2, nDecoderLayers: 3, dFeedForward: 24 },
    { norm: 'layer-norm', biases: 'all', outputBias: true },
    { positions: 'rotary', feedForward: 'swiglu', biases: 'none' },
    { positions: 'none', finalNorm: false, nKeyValueHeads: 1 },
  ] satisfies Partial<EncoderDecoderConfig>[]) {
    const model = modelOf(tying, more);
    const trainer = trainerOf(tying, more);
    const stored = trainer.parameters().reduce((sum, { count }) => sum + count, 0);
    const { nEncoderLayers, nDecoderLayers, vocabSize, dModel, nHeads, sourceLength, contextLength, ...rest } =
      trainer.model;
    const { feedForward, norm, biases, positions, nKeyValueHeads, dFeedForward, finalNorm, outputBias } = rest;
    const counted = core.countParameters(
      {
        ...{ family: 'tied-embeddings', stack: 'encoder-decoder', vocabSize, dModel, nHeads: nHeads! },
        ...{ nLayers: nDecoderLayers!, nEncoderLayers: nEncoderLayers!, nKeyValueHeads: nKeyValueHeads! },
        ...{ feedForward: feedForward === 'swiglu' ? 'gated' : 'plain', dFeedForward: dFeedForward! },
        ...{
          norm: norm!,
          normBiases: norm === 'layer-norm' && biases === 'all',
          biases: biases!,
          finalNorm: finalNorm!,
        },
        ...{ positions: positions!, contextLength: contextLength!, outputBias: outputBias! },
      },
      tables === 3 ? 'untied' : tables === 1 ? 'tied' : 'tied-inputs',
    );
    expect(counted.tables).toBe(tables);
    // The encoder has its own positions, one for each token of a source.
    const positionRows = positions === 'learned' ? (sourceLength! - contextLength!) * dModel : 0;
    expect(stored).toBe(counted.stored + positionRows);
    const { parts, bytes } = core.estimateMemory(model, TRAINING);
    expect(parts.find(({ name }) => name === 'weights')!.bytes).toBeGreaterThanOrEqual(4 * stored);
    expect(bytes).toBe(parts.reduce((sum, part) => sum + part.bytes, 0));
  }
});

describe('an encoder-decoder refuses', () => {
  const pairs = reversals();
  const creating = (more: object) => () =>
    core.createTrainer({ model: modelOf('all'), training: TRAINING, pairs, ...more } as never);
  const ids = (...list: number[]): Uint32Array => Uint32Array.from(list);
  test.each<[what: string, call: () => unknown, code: string, message: RegExp]>([
    [
      'a text',
      creating({ tokenIds: ids(1, 2) }),
      'invalid-argument',
      /^options\.tokenIds is a Uint32Array of 2; expected it to be absent: an encoder-decoder learns from options\.pairs/,
    ],
    ['no pairs', creating({ pairs: undefined }), 'invalid-argument', /^options\.pairs is undefined/],
    [
      'no list',
      creating({ pairs: { source: ids(2), target: [ids(2)] } }),
      'invalid-argument',
      /^options\.pairs\.source is a Uint32Array of 1; expected an array/,
    ],
    [
      'another number of targets',
      creating({ pairs: { source: [ids(2)], target: [ids(2), ids(3)] } }),
      'shape-mismatch',
      /^options\.pairs\.target is an array of 2; expected as many targets as sources, 1/,
    ],
    [
      'an empty source',
      creating({ pairs: { source: [ids()], target: [ids(2)] } }),
      'invalid-argument',
      /^options\.pairs\.source\[0\] is a Uint32Array of 0; expected at least 1 token/,
    ],
    [
      'an id out of range',
      creating({ pairs: { source: [ids(2), ids(9)], target: [ids(2), ids(2)] } }),
      'invalid-argument',
      /^options\.pairs\.source\[1\]\[0\] is 9; expected a token id below 6/,
    ],
    [
      'a long source',
      creating({ validationPairs: { source: [ids(2, 2, 2, 2)], target: [ids(2)] } }),
      'invalid-argument',
      /^options\.validationPairs\.source\[0\]\.length is 4; expected at most the sourceLength of the model, 3/,
    ],
    [
      'the end in a target',
      creating({ pairs: { source: [ids(2)], target: [ids(2, 1)] } }),
      'invalid-argument',
      /^options\.pairs\.target\[0\] is 1; expected tokens other than/,
    ],
    [
      'a tying that changes',
      creating({ model: modelOf({ untieAtStep: 3 } as never) }),
      'invalid-argument',
      /^model\.tying\.untieAtStep is not an option/,
    ],
    [
      'one table',
      creating({ model: modelOf({ tables: ['output'] }) }),
      'invalid-argument',
      /^model\.tying\.tables is an array of 1; expected an array of two or three/,
    ],
    [
      'a table twice',
      creating({ model: modelOf({ tables: ['output', 'output'] }) }),
      'invalid-argument',
      /^model\.tying\.tables has 'output' twice/,
    ],
    [
      'a head',
      creating({ model: { ...modelOf('all'), head: { kind: 'full' } } }),
      'invalid-argument',
      /^model\.head is an object; expected it to be absent/,
    ],
    [
      'layers',
      creating({ model: { ...modelOf('all'), nLayers: 2 } }),
      'invalid-argument',
      /^model\.nLayers is 2; expected it to be absent/,
    ],
    [
      'equal ends',
      creating({ model: modelOf('all', { endToken: 0 }) }),
      'invalid-argument',
      /^model\.endToken is 0; expected another token than model\.startToken/,
    ],
    [
      'a long list to evaluate',
      () => trainerOf('all').evaluatePairs({ source: [ids(2), ids(2)], target: [ids(2), ids(2, 2, 2, 2)] }),
      'invalid-argument',
      /^pairs\.target\[1\]\.length is 4; expected at most the contextLength of the model minus 1, 3/,
    ],
    [
      'ids to evaluate',
      () => trainerOf('all').evaluate(ids(2, 3)),
      'unsupported',
      /^model is an encoder-decoder; expected a model that continues a text/,
    ],
    [
      'a text to continue',
      () => trainerOf('all').generate({ prompt: ids(2), tokens: 1 }),
      'unsupported',
      /^model is an encoder-decoder/,
    ],
    ['logits of a text', () => trainerOf('all').logits(ids(2)), 'unsupported', /^model is an encoder-decoder/],
    [
      'tokens alone',
      () => trainerOf('all').nextTokenLogits({ from: ids(2) }),
      'unsupported',
      /^model is an encoder-decoder/,
    ],
    ['a lens', () => trainerOf('all').logitLens(ids(2)), 'unsupported', /kind 'encoder-decoder'/],
    ['a GGUF file', () => trainerOf('all').toGguf(), 'unsupported', /kind 'encoder-decoder'/],
    [
      'a text without a tokenizer',
      () => trainerOf('all').translate({ source: 'ab' }),
      'invalid-argument',
      /^options\.source is 'ab'; expected token ids: the trainer has no tokenizer/,
    ],
    [
      'a temperature of a search',
      () => trainerOf('all').translate({ source: ids(2), beams: 2, temperature: 1 }),
      'invalid-argument',
      /^options\.temperature is 1; expected 0/,
    ],
    [
      'too many tokens',
      () => trainerOf('all').translate({ source: ids(2), maxTokens: 4 }),
      'invalid-argument',
      /^options\.maxTokens is 4/,
    ],
    [
      'a gradient of tokens',
      () => trainerOf('all').gradient({ inputs: ids(2), targets: ids(3) }),
      'invalid-argument',
      /^batch\.inputs is not an option/,
    ],
    [
      'a gradient of long pairs',
      () => trainerOf('all').gradient({ source: [ids(2, 2, 2, 2)], target: [ids(2)] }),
      'invalid-argument',
      /^batch\.source\[0\]\.length is 4/,
    ],
  ])('%s', (_, call, code, message) => {
    const error = errorOf(call);
    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
  });

  test('other models refuse pairs', () => {
    const model = { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' } as const;
    const training = { learningRate: 0.1, seed: 1, batchSize: 2 };
    const text = core.createTrainer({ model, training, tokenIds: ids(0, 1, 2, 0) });
    const expected = /^the model is of kind 'direct-path'; expected 'encoder-decoder', which reads pairs/;
    expectError(() => text.evaluatePairs(), 'unsupported', expected);
    expectError(() => text.translate({ source: ids(0) }), 'unsupported', expected);
    expectError(() => text.pairLogits({ source: ids(0), target: ids(0) }), 'unsupported', expected);
    expectError(() => text.pairAttention({ source: ids(0), target: ids(0) }), 'unsupported', expected);
    expectError(
      () => core.createTrainer({ model, training, pairs } as never),
      'invalid-argument',
      /^options\.pairs is an object; expected it to be absent/,
    );
    const arms = { arm: { model: modelOf('all'), training } };
    const corpus = core.openCorpus('abcdef'.repeat(4), { tokenizer: { kind: 'character' } });
    expectError(
      () => core.compare(corpus, { arms } as never),
      'unsupported',
      /^arm 'arm': model\.kind is 'encoder-decoder'/,
    );
  });

  test('an encoder-decoder is refused without its module, by name', async () => {
    const small = await loadCore({ modules: [] });
    const options = { model: modelOf('all'), training: TRAINING, pairs };
    expectError(() => small.createTrainer(options), 'unsupported', /without the module 'models'/);
    expectError(() => small.estimateMemory(modelOf('all'), TRAINING), 'unsupported', /without the module 'models'/);
    small.dispose();
  });
});

test('a lab does the same, and fetches the module itself', async () => {
  const lab = await createLab();
  const texts = await lab.writePairs({ task: 'reversal', seed: 1, count: 40, length: 3 });
  const tokenizer = await lab.pairTokenizer(texts);
  const { pairs, sourceLength, contextLength } = await lab.encodePairs({ pairs: texts, tokenizer });
  const model = { ...modelOf('decoder'), vocabSize: tokenizer.vocabSize, sourceLength, contextLength };
  const trainer = await lab.createTrainer({ model, training: TRAINING, pairs, tokenizer });
  const columns = await trainer.run(5, { columns: true });
  expect(columns.encoderGradientNorm).toHaveLength(5);

  const here = core.pairTokenizer(core.writePairs({ task: 'reversal', seed: 1, count: 40, length: 3 }));
  const own = core.createTrainer({ model, training: TRAINING, pairs, tokenizer: here });
  expect(Array.from(own.run(5), ({ loss }) => loss)).toEqual([...columns.loss]);
  let done = 0;
  const evaluation = await trainer.evaluatePairs(undefined, { onProgress: (fraction) => (done = fraction) });
  expect(done).toBe(1);
  expect(evaluation).toEqual(own.evaluatePairs());
  expect(await trainer.translate({ source: texts[0]!.source })).toEqual(own.translate({ source: texts[0]!.source }));
  expect(await trainer.gradient()).toEqual(own.gradient());
  const cancelled = trainer.evaluatePairs(pairs, { signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  const loaded = await lab.loadTrainer(await trainer.save());
  expect((await loaded.translate({ source: texts[1]!.source })).text).toBe(
    own.translate({ source: texts[1]!.source }).text,
  );
  lab.dispose();
});
