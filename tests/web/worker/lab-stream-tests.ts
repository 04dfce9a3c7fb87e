/** What a lab promises about files that it writes to streams, wherever it runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLab, type Lab, type LabTrainer } from '../../../web/index.js';
import { rejection } from './lab-tests.js';

const PART_BYTES = 2 ** 21;

export function testStreams(): void {
  let lab: Lab;
  let trainer: LabTrainer;
  beforeAll(async () => {
    lab = await createLab();
    const tokenIds = Uint32Array.from({ length: 5000 }, (_, i) => (i * i) % 4000);
    // Its file has 5.1 MB, its weights 1.3.
    trainer = await lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: 4000, dModel: 80, tying: 'tied' },
      training: { learningRate: 0.1, batchSize: 4, seed: 1 },
      tokenIds,
    });
    await trainer.run(2);
  });
  afterAll(() => lab.dispose());

  /** A stream that keeps what it gets, a stage at a time: `each` is called with the number of parts so far. */
  function collecting(each: (parts: number) => unknown = () => undefined) {
    const parts: Uint8Array[] = [];
    let writing = 0;
    const to = new WritableStream<Uint8Array>({
      async write(part) {
        expect(++writing).toBe(1);
        parts.push(part);
        await each(parts.length);
        writing--;
      },
    });
    return { to, parts, whole: async () => new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer()) };
  }

  test('a stream gets the same bytes in parts, and stays open for more', async () => {
    const bytes = await trainer.save();
    const told: number[] = [];
    const { to, parts, whole } = collecting();
    expect(await trainer.save({ to, onProgress: (fraction) => told.push(fraction) })).toBe(bytes.length);
    expect(await whole()).toEqual(bytes);
    expect(parts.map(({ length }) => length)).toEqual([PART_BYTES, PART_BYTES, bytes.length - 2 * PART_BYTES]);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
    expect(to.locked).toBe(false);
    expect(await trainer.toSafetensors({ to })).toBe((await trainer.toSafetensors()).length);
    await to.close();
    expect(await whole()).toEqual(new Uint8Array([...bytes, ...(await trainer.toSafetensors())]));
  });

  test('a stream gets the tokenizer in the metadata of safetensors', async () => {
    const tokenizer = await lab.trainTokenizer('the cat sat', { kind: 'character' });
    const small = await lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: tokenizer.vocabSize, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.1, batchSize: 4, seed: 1 },
      tokenIds: await tokenizer.encode('the cat sat'),
      tokenizer,
    });
    const { to, whole } = collecting();
    await small.toSafetensors({ to });
    expect(await whole()).toEqual(await small.toSafetensors());
    expect((await lab.openCheckpoint(await whole())).tokenizer).not.toBeNull();
    small.dispose();
  });

  test('GGUF and what transformers opens have the same bytes in parts, with their tokenizer', async () => {
    const tokenizer = await lab.trainTokenizer('the cat sat', { kind: 'character' });
    const { vocabSize } = tokenizer;
    const model = { kind: 'transformer', vocabSize, dModel: 272, nLayers: 1, nHeads: 2, contextLength: 8 } as const;
    const gpt = await lab.createTrainer({
      model: { ...model, norm: 'layer-norm', biases: 'all', tying: 'untied' },
      training: { learningRate: 0.1, batchSize: 4, seed: 1 },
      tokenIds: await tokenizer.encode('the cat sat'),
      tokenizer,
    });
    for (const type of ['F32', 'F16'] as const) {
      const { to, parts, whole } = collecting();
      const bytes = await gpt.toGguf({ type });
      expect(await gpt.toGguf({ type, to })).toBe(bytes.length);
      expect(await whole()).toEqual(bytes);
      expect(parts.length).toBe(Math.ceil(bytes.length / PART_BYTES));
    }
    const files = await gpt.toTransformers();
    const { to, parts, whole } = collecting();
    const { 'model.safetensors': weights, ...others } = files;
    expect(await gpt.toTransformers({ to })).toEqual(others);
    expect(Object.keys(others)).toEqual(['config.json', 'tokenizer.json']);
    expect(await whole()).toEqual(weights);
    expect(parts.length).toBe(2);
    expect((await rejection(gpt.toGguf({ type: 'F8', to } as never))).message).toMatch(/^options\.type is 'F8'/);
    gpt.dispose();
  });

  test('a saved trainer is loaded from a Blob in parts, as from its bytes', async () => {
    const bytes = await trainer.save();
    const told: number[] = [];
    const loaded = await lab.loadTrainer(new Blob([bytes]), { onProgress: (fraction) => told.push(fraction) });
    expect(await loaded.save()).toEqual(bytes);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
    const [next, same] = await Promise.all([loaded.run(1), (await lab.loadTrainer(bytes)).run(1)]);
    expect(next[0]!.loss).toBe(same[0]!.loss);
    // A part of a larger file.
    const among = new Blob(['before', bytes, 'after']).slice(6, 6 + bytes.length);
    expect(await (await lab.loadTrainer(among)).save()).toEqual(bytes);
  });

  test('a Blob of a model that another module runs is loaded too', async () => {
    const pairs = { source: [Uint32Array.of(3, 4)], target: [Uint32Array.of(4, 3)] };
    const translator = await lab.createTrainer({
      model: {
        kind: 'encoder-decoder',
        vocabSize: 5,
        dModel: 4,
        nHeads: 1,
        nEncoderLayers: 1,
        nDecoderLayers: 1,
        tying: 'all',
      },
      training: { learningRate: 0.1, batchSize: 1, seed: 1 },
      pairs,
    });
    const bytes = await translator.save();
    const other = await createLab();
    expect(await (await other.loadTrainer(new Blob([bytes]))).save()).toEqual(bytes);
    other.dispose();
  });

  test('a Blob that is no saved trainer is refused as its bytes are, and the lab goes on', async () => {
    const bytes = await trainer.save();
    const damaged = bytes.slice();
    damaged[bytes.length - 100]! ^= 1;
    const wrong = [
      new Uint8Array(),
      new Uint8Array(100_000),
      bytes.subarray(0, 3e6),
      damaged,
      await trainer.toSafetensors(),
    ];
    for (const file of wrong) {
      const [asBytes, asBlob] = await Promise.all([
        rejection(lab.loadTrainer(file)),
        rejection(lab.loadTrainer(new Blob([file as BlobPart]))),
      ]);
      expect([asBlob.code, asBlob.message]).toEqual([asBytes.code, asBytes.message]);
      expect(asBlob.code).toBe('bad-file');
    }
    const controller = new AbortController();
    const cancelled = rejection(lab.loadTrainer(new Blob([bytes]), { signal: controller.signal }));
    controller.abort();
    expect((await cancelled).code).toBe('cancelled');
    expect(await (await lab.loadTrainer(new Blob([bytes]))).save()).toEqual(bytes);
  });

  test('no part is made before the one before it was written, other calls are answered, and steps wait', async () => {
    const step = trainer.step;
    const runs: Promise<unknown>[] = [];
    const { to, whole } = collecting(async (parts) => {
      if (parts === 1) runs.push(trainer.run(1));
      expect((await lab.bigrams(Uint32Array.of(0, 1), 2)).total).toBe(1);
    });
    const bytes = await trainer.save();
    await trainer.save({ to });
    await Promise.all(runs);
    expect(trainer.step).toBe(step + 1);
    expect(await whole()).toEqual(bytes);
  });

  test('ends with what the stream fails with, and the trainer goes on', async () => {
    const failure = new Error('no more room');
    const { to } = collecting((parts) => (parts === 2 ? Promise.reject(failure) : undefined));
    await expect(trainer.save({ to })).rejects.toBe(failure);
    expect(to.locked).toBe(false);
    await trainer.run(1);
    // What has failed refuses the next one.
    await expect(trainer.save({ to })).rejects.toBe(failure);
  });

  test('is cancelled while the stream is busy', async () => {
    const controller = new AbortController();
    const { to } = collecting(() => new Promise(() => controller.abort('enough')));
    const error = await rejection(trainer.save({ to, signal: controller.signal }));
    expect([error.code, error.cause]).toEqual(['cancelled', 'enough']);
    expect(error.message).toMatch(/^the saving was cancelled after \d+%$/);
    expect(to.locked).toBe(false);
    await trainer.run(1);
  });

  test('refuses what is no stream, and a stream that is in use', async () => {
    const expected = '; expected a WritableStream that nobody else writes to';
    const used = collecting().to;
    used.getWriter();
    for (const to of [used, 5, null, 'file', {}, { getWriter: () => null }, new ReadableStream()]) {
      const error = await rejection(trainer.save({ to } as never));
      expect([error.code, error.message.endsWith(expected)]).toEqual(['invalid-argument', true]);
      expect(error.message).toMatch(/^options\.to is /);
    }
    expect((await rejection(trainer.evaluate(undefined, { to: used } as never))).message).toMatch(
      /^options\.to is not an option/,
    );
    expect(await trainer.save({ to: undefined } as never)).toEqual(await trainer.save());
  });

  test('rejects for a trainer that was disposed of', async () => {
    const { to } = collecting();
    const gone = await lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.1, batchSize: 4, seed: 1 },
      tokenIds: Uint32Array.of(0, 1, 2, 0),
    });
    gone.dispose();
    expect((await rejection(gone.save({ to }))).code).toBe('disposed');
    expect(to.locked).toBe(false);
  });
}
