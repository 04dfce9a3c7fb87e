/**
 * A model trained by others: stories260k and its tokenizer, in the file formats of llama2.c. Another program computed the
 * reference logits in double precision and wrote the story.
 */
import { describe, expect, test } from 'vitest';
import { loadCore, type Tokenizer, type Trainer } from '../../../web/index.js';
import { errorOf, sharedFile } from './support.js';
import { hashOf } from '../seed-bits.js';

interface ReferenceLogits {
  ids: number[];
  argmax: number[];
  mean_nll_nats: number;
  logits: number[][];
}

const model = sharedFile('models/stories260k.bin');
const vocabulary = sharedFile('tokenizers/llama2c-tok512.bin');
const referenceFile = sharedFile('models/stories260k-logits.json');

describe.runIf(model && vocabulary && referenceFile)('stories260k', () => {
  // Evaluated even if the tests are skipped.
  const read = referenceFile ? JSON.parse(new TextDecoder().decode(referenceFile)) : { ids: [] };
  const reference = read as ReferenceLogits;
  const ids = Uint32Array.from(reference.ids);

  async function load(): Promise<{
    trainer: Trainer;
    tokenizer: Tokenizer;
    core: Awaited<ReturnType<typeof loadCore>>;
  }> {
    const core = await loadCore();
    const tokenizer = core.loadTokenizer(vocabulary!, { format: 'llama2c' });
    return { core, tokenizer, trainer: core.loadModel(model!, { format: 'llama2c', tokenizer }) };
  }

  test('loads with its configuration', async () => {
    const { trainer } = await load();
    expect(trainer.model).toMatchObject({
      kind: 'transformer',
      vocabSize: 512,
      dModel: 64,
      tying: 'tied',
      dFeedForward: 172,
      nLayers: 5,
      nHeads: 8,
      nKeyValueHeads: 4,
      contextLength: 512,
      norm: 'rms-norm',
      positions: 'rotary',
      feedForward: 'swiglu',
      biases: 'none',
    });
    expect(trainer.step).toBe(0);
    // 260,032 parameters: the file minus its seven sizes and the two rotary tables [512, 4].
    expect(trainer.parameters().reduce((sum, { count }) => sum + count, 0)).toBe((1_056_540 - 28) / 4 - 2 * 512 * 4);
  });

  test('matches the reference logits to 1e-3', async () => {
    const { trainer } = await load();
    const { data, cols } = trainer.logits(ids);
    let worst = 0;
    reference.logits.forEach((row, i) =>
      row.forEach((logit, token) => (worst = Math.max(worst, Math.abs(data[i * cols + token]! - logit)))),
    );
    expect(worst).toBeLessThan(1e-3);
    expect(trainer.evaluate(ids).loss).toBeCloseTo(reference.mean_nll_nats, 4);
    reference.argmax.forEach((best, i) => {
      const row = data.subarray(i * cols, (i + 1) * cols);
      expect(row.indexOf(Math.max(...row))).toBe(best);
    });
  });

  test('writes its story, from ids and from a text that begins with the start token', async () => {
    const { trainer, tokenizer } = await load();
    const story =
      ', there was a little girl named Lily. She loved to play outside in the park. ' +
      'One day, she saw a big, red ball. She wanted to play with it, but it was too high.';
    const pieces: string[] = [];
    const onTokens = (_: Uint32Array, piece: string | null): void => void pieces.push(piece!);
    const written = trainer.generate({ prompt: 'Once upon a time', tokens: 80, temperature: 0, onTokens });
    expect(written.text!.slice(0, story.length)).toBe(story);
    expect(pieces.join('')).toBe(written.text);
    expect(trainer.generate({ prompt: ids, tokens: 80, temperature: 0 })).toEqual(written);
    expect(tokenizer.decode(Uint32Array.of(...ids, ...written.tokenIds))).toBe(`Once upon a time${written.text}`);
    expect(tokenizer.kind).toBe('llama2c');
  });

  test('writes beyond its context, sentence after sentence', async () => {
    const { trainer } = await load();
    const { text } = trainer.generate({ prompt: 'Once', tokens: 515, temperature: 0.8, topK: 40, seed: 4 });
    expect(text!.split('.').length).toBeGreaterThan(10);
  });

  test('survives saving, including its tokenizer', async () => {
    const { core, trainer } = await load();
    const loaded = core.loadTrainer(trainer.save());
    const options = { prompt: 'Once upon a time', tokens: 30, seed: 2 };
    expect(loaded.generate(options)).toEqual(trainer.generate(options));
    expect(loaded.model).toEqual(trainer.model);
    expect(loaded.tokenizer()!.tokens).toEqual(trainer.tokenizer()!.tokens);
  });

  test('can be inspected but not trained without data', async () => {
    const { trainer } = await load();
    expect(errorOf(() => trainer.run(1)).code).toBe('unsupported');
    expect(errorOf(() => trainer.evaluate()).code).toBe('unsupported');
    expect(errorOf(() => trainer.gradient()).code).toBe('unsupported');
    expect(trainer.gradient({ inputs: ids.subarray(0, 4), targets: ids.subarray(1) }).inputRows).toBe(4);
    expect(trainer.attention(ids)).toHaveLength(40);
    expect(trainer.hiddenStates(ids)).toHaveLength(6);
  });

  test('continues training with data and a recipe', async () => {
    const { core, tokenizer } = await load();
    const text = 'The fox has no name for the moon. '.repeat(200);
    const tokenIds = tokenizer.encode(text);
    const trainer = core.loadModel(model!, {
      format: 'llama2c',
      training: { learningRate: 1e-3, batchSize: 1, seed: 1 },
      tokenIds,
      validationTokenIds: tokenIds.subarray(0, 200),
      tokenizer,
    });
    const before = trainer.evaluate();
    const start = hashOf([trainer.matrix('embedding').data]);
    trainer.run(4);
    expect(trainer.evaluate().loss).toBeLessThan(before.loss - 0.5);
    trainer.rewind();
    expect(hashOf([trainer.matrix('embedding').data])).toBe(start);
    expect(trainer.evaluate()).toEqual(before);
    expect(before.bitsPerByte).toBeGreaterThan(0);
  });

  test('is refused if truncated or altered', async () => {
    const { core } = await load();
    const load2 = (bytes: Uint8Array): unknown => core.loadModel(bytes, { format: 'llama2c' });
    for (const cut of [0, 20, 28, 100_000, model!.length - 1]) {
      expect(errorOf(() => load2(model!.subarray(0, cut))).code).toBe('bad-file');
    }
    const heads = model!.slice();
    new DataView(heads.buffer).setInt32(12, 7, true);
    expect(errorOf(() => load2(heads)).code).toBe('bad-file');
    const notFinite = model!.slice();
    new DataView(notFinite.buffer).setFloat32(400, NaN, true);
    expect(errorOf(() => load2(notFinite)).code).toBe('bad-file');
    const loadTokenizer = (bytes: Uint8Array): unknown => core.loadTokenizer(bytes, { format: 'llama2c' });
    for (const cut of [0, 3, 100, vocabulary!.length - 1]) {
      expect(errorOf(() => loadTokenizer(vocabulary!.subarray(0, cut))).code).toBe('bad-file');
    }
    expect(errorOf(() => loadTokenizer(model!)).code).toBe('bad-file');
    expect(errorOf(() => load2(vocabulary!)).code).toBe('bad-file');
  });

  test('refuses a tokenizer of another vocabulary, and data without a recipe', async () => {
    const { core } = await load();
    const other = core.trainTokenizer('abc', { kind: 'character' });
    const mismatch = errorOf(() => core.loadModel(model!, { format: 'llama2c', tokenizer: other }));
    expect(mismatch.code).toBe('shape-mismatch');
    expect(mismatch.message).toBe('options.tokenizer has 3 tokens; expected as many as the model, 512');
    expect(errorOf(() => core.loadModel(model!, { format: 'llama2c', tokenIds: ids })).message).toMatch(
      /^options\.tokenIds is .*; expected it to be absent/,
    );
    const training = { learningRate: 1e-3, batchSize: 1, seed: 1 };
    expect(errorOf(() => core.loadModel(model!, { format: 'llama2c', training })).message).toMatch(
      /^options\.tokenIds is undefined; expected a Uint32Array/,
    );
    expect(errorOf(() => core.loadModel(model!, { format: 'gguf' } as never)).message).toBe(
      "options.format is 'gguf'; expected 'llama2c'",
    );
  });
});
