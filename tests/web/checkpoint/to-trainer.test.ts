/** Models of other programs that can run: small ones with GPT-2's and Llama's architecture, with the logits of numpy. */
import { afterAll, describe, expect, test } from 'vitest';
import { createLab, loadCore } from '../../../web/index.js';
import { readGguf } from '../../../web/core/checkpoint/formats/gguf.js';
import type { GgufValue } from '../../../web/core/checkpoint/formats/gguf-values.js';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import type { StoredTensor } from '../../../web/core/checkpoint/tensors.js';
import { fileOf, gguf, safetensors, type GgufParts, type GgufValueParts } from './checkpoint-files.js';
import { bytesOf, CLOSE, difference, filesOf, ids, json, reference, storedTensors } from './reference-models.js';

const core = await loadCore({ modules: ['checkpoint'] });
const lab = await createLab();
afterAll(() => lab.dispose());

describe.each([
  ['GPT-2', reference.gpt2],
  ['Llama', reference.llama],
] as const)('%s', (name, model) => {
  test('has the reference logits from safetensors with config.json', async () => {
    const checkpoint = await core.openCheckpoint(filesOf(model));
    const trainer = await checkpoint.toTrainer();
    expect(difference(trainer.logits(ids), model.logits)).toBeLessThan(CLOSE);
    expect(trainer.model).toMatchObject(
      name === 'GPT-2'
        ? { tying: 'tied', norm: 'layer-norm', biases: 'all', positions: 'learned', feedForward: 'gelu', nHeads: 4 }
        : {
            tying: 'untied',
            norm: 'rms-norm',
            biases: 'none',
            positions: 'rotary',
            rotaryBase: 500,
            nKeyValueHeads: 2,
          },
    );
    expect(checkpoint.notes).toEqual([]);
    trainer.dispose();
  });

  test('has the same bits from GGUF', async () => {
    const [a, b] = await Promise.all([
      core.openCheckpoint(filesOf(model)).then((checkpoint) => checkpoint.toTrainer()),
      core.openCheckpoint(bytesOf(model.gguf)).then((checkpoint) => checkpoint.toTrainer()),
    ]);
    expect(b.model).toEqual(a.model);
    for (const { name: parameter } of a.parameters()) expect(b.matrix(parameter)).toEqual(a.matrix(parameter));
  });

  test('runs in the worker of a lab, where it writes, with the bits of a core', async () => {
    const checkpoint = await lab.openCheckpoint(filesOf(model));
    const fractions: number[] = [];
    const trainer = await checkpoint.toTrainer({ onProgress: (fraction) => fractions.push(fraction) });
    const here = await (await core.openCheckpoint(filesOf(model))).toTrainer();
    expect(await trainer.logits(ids)).toEqual(here.logits(ids));
    const options = { prompt: ids, tokens: 4, temperature: 0, seed: 1 };
    expect((await trainer.generate(options)).tokenIds).toEqual(here.generate(options).tokenIds);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    trainer.dispose();
  });

  test('may be spread over several files', async () => {
    const whole = await core.openCheckpoint(bytesOf(model.safetensors));
    const names = whole.tensors.map((tensor) => tensor.name);
    const parts: [string, string[]][] = [
      ['one.safetensors', names.slice(0, 5)],
      ['two.safetensors', names.slice(5, 9)],
      ['three.safetensors', names.slice(9)],
    ];
    const stored = storedTensors(bytesOf(model.safetensors));
    const files = parts.map(([file, some]) =>
      fileOf(file, safetensors(Object.fromEntries(some.map((tensor) => [tensor, stored[tensor]!])))),
    );
    const map = Object.fromEntries(parts.flatMap(([file, some]) => some.map((tensor) => [tensor, file])));
    const index = fileOf('model.safetensors.index.json', json({ weight_map: map }));
    const checkpoint = await core.openCheckpoint([index, ...files, fileOf('config.json', json(model.config))]);
    expect(difference((await checkpoint.toTrainer()).logits(ids), model.logits)).toBeLessThan(CLOSE);
    const incomplete = await core
      .openCheckpoint([index, ...files.slice(0, 1), files[2]!, fileOf('config.json', json(model.config))])
      .catch((error: unknown) => error);
    const problem =
      incomplete instanceof Error
        ? incomplete
        : await (incomplete as typeof checkpoint).toTrainer().catch((error: unknown) => error);
    expect(problem).toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining("'two.safetensors', which is missing") as string,
    });
  });

  test('may be split over several GGUF files, with the settings in the first', async () => {
    const bytes = bytesOf(model.gguf);
    const { tensors, values } = await readGguf(new BytesSource(bytes, 'whole.gguf'));
    const part = (some: readonly StoredTensor[], settings: GgufParts['values']): Uint8Array =>
      gguf({
        values: settings ?? {},
        tensors: Object.fromEntries(
          some.map(({ name: tensor, shape, dtype, from, bytes: length }) => [
            tensor,
            {
              dimensions: [...shape].reverse(),
              type: ['F32', 'F16'].indexOf(dtype),
              data: bytes.slice(from, from + length),
            },
          ]),
        ),
      });
    const all = [...tensors.values()];
    const settings = Object.fromEntries([...values].map(([key, value]) => [key, ggufPart(value)]));
    const parts = [all.slice(0, 7), all.slice(7, 12), all.slice(12)].map((some, at) =>
      fileOf(`m-0000${at + 1}-of-00003.gguf`, part(some, at === 0 ? settings : {})),
    );
    const whole = await (await core.openCheckpoint(bytes)).toTrainer();
    const trainer = await (await core.openCheckpoint([parts[2]!, parts[0]!, parts[1]!])).toTrainer();
    expect(trainer.model).toEqual(whole.model);
    expect(trainer.logits(ids)).toEqual(whole.logits(ids));
    expect(difference(trainer.logits(ids), model.logits)).toBeLessThan(CLOSE);
    // If one of them is missing, no trainer is created.
    const incomplete = core
      .openCheckpoint([parts[0]!, parts[1]!])
      .then((checkpoint) => checkpoint.toTrainer())
      .catch((error: unknown) => error);
    expect(await incomplete).toMatchObject({
      message: expect.stringContaining('m-00003-of-00003.gguf is missing') as string,
    });
  });

  test('trains further, from step 0 with the weights of the file', async () => {
    const tokenIds = Uint32Array.from({ length: 200 }, (_, i) => (i * i) % 23);
    const training = { learningRate: 0.01, batchSize: 4, seed: 3 };
    const trainer = await (await core.openCheckpoint(filesOf(model))).toTrainer({ training, tokenIds });
    const before = trainer.matrix('embedding');
    const losses = trainer.run(20).map(({ loss }) => loss);
    expect(losses.at(-1)!).toBeLessThan(losses[0]!);
    expect(trainer.matrix('embedding')).not.toEqual(before);
    trainer.rewind();
    expect(trainer.matrix('embedding')).toEqual(before);
    const still = await (await core.openCheckpoint(filesOf(model))).toTrainer();
    expect(() => still.run(1)).toThrow('tokenIds is none');
  });

  test('reports missing settings, and takes them from the caller', async () => {
    const alone = await core.openCheckpoint(bytesOf(model.safetensors));
    const unsaid =
      name === 'GPT-2'
        ? 'nHeads, normEpsilon, feedForward'
        : 'nHeads, nKeyValueHeads, normEpsilon, rotaryBase, feedForward, contextLength';
    await expect(alone.toTrainer()).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining(`options.model does not say ${unsaid}, nor does bytes`) as string,
    });
    const settings =
      name === 'GPT-2'
        ? { nHeads: 4, normEpsilon: 1e-5, feedForward: 'gelu' as const }
        : {
            nHeads: 4,
            nKeyValueHeads: 2,
            normEpsilon: 1e-4,
            rotaryBase: 500,
            feedForward: 'swiglu' as const,
            contextLength: 8,
          };
    const trainer = await alone.toTrainer({ model: settings });
    expect(difference(trainer.logits(ids), model.logits)).toBeLessThan(CLOSE);
    const other = await core.openCheckpoint(filesOf(model));
    await expect(other.toTrainer({ model: { nHeads: 2 } })).rejects.toThrow(
      /options\.model\.nHeads is 2; expected 4 or no value, because \w+ of config\.json sets it/,
    );
  });

  test('may have a shorter context', async () => {
    const checkpoint = await core.openCheckpoint(filesOf(model));
    const trainer = await checkpoint.toTrainer({ model: { contextLength: 6 } });
    expect(trainer.model.contextLength).toBe(6);
    expect(difference(trainer.logits(ids), model.logits)).toBeLessThan(CLOSE);
    await expect(checkpoint.toTrainer({ model: { contextLength: 9 } })).rejects.toThrow('expected at most 8');
  });

  test('may be untied, or tied', async () => {
    const checkpoint = await core.openCheckpoint(filesOf(model));
    const untied = await checkpoint.toTrainer({ model: { tying: 'untied' } });
    expect(untied.parameters()[1]).toMatchObject({ name: 'unembedding', tiedTo: null });
    const tied = await checkpoint.toTrainer({ model: { tying: 'tied' } });
    expect(tied.matrix('unembedding')).toEqual(tied.matrix('embedding'));
    if (name === 'GPT-2') expect(untied.logits(ids)).toEqual(tied.logits(ids));
  });
});

/** Written like a key of a GGUF file. */
function ggufPart(value: GgufValue): GgufValueParts {
  if (typeof value === 'string') return { string: value };
  if (typeof value === 'boolean') return { raw: Uint8Array.of(7, 0, 0, 0, Number(value)) };
  if (typeof value === 'number' && !Number.isInteger(value))
    return { raw: new Uint8Array([6, 0, 0, 0, ...new Uint8Array(new Float32Array([value]).buffer)]) };
  return { u32: Number(value) };
}

test('quantized blocks of GGUF run with their decoded values', async () => {
  const [V, D, F] = [33, 64, 96];
  const draw = (n: number): Uint8Array => Uint8Array.from({ length: n }, (_, i) => (i * 37 + (i >> 3)) % 61);
  // Q8_0: a scale of 2^-6 (F16 0x2400), then 32 integers.
  const q8 = (elements: number): Uint8Array => {
    const bytes = draw((elements / 32) * 34);
    for (let at = 0; at < bytes.length; at += 34) bytes.set([0x00, 0x24], at);
    return bytes;
  };
  const ones = (n: number): Uint8Array => new Uint8Array(new Float32Array(n).fill(1).buffer);
  const matrix = (cols: number, rows: number) => ({ dimensions: [cols, rows], type: 8, data: q8(cols * rows) });
  const vector = (n: number) => ({ dimensions: [n], type: 0, data: ones(n) });
  const u32 = (value: number) => ({ u32: value });
  const f32 = (value: number) => ({
    raw: new Uint8Array([6, 0, 0, 0, ...new Uint8Array(new Float32Array([value]).buffer)]),
  });
  const file = gguf({
    values: {
      'general.architecture': { string: 'llama' },
      'llama.context_length': u32(8),
      'llama.embedding_length': u32(D),
      'llama.feed_forward_length': u32(F),
      'llama.block_count': u32(1),
      'llama.attention.head_count': u32(4),
      'llama.attention.head_count_kv': u32(2),
      'llama.attention.layer_norm_rms_epsilon': f32(1e-5),
    },
    tensors: {
      'token_embd.weight': matrix(D, V),
      'output_norm.weight': vector(D),
      'blk.0.attn_norm.weight': vector(D),
      'blk.0.attn_q.weight': matrix(D, D),
      'blk.0.attn_k.weight': matrix(D, D / 2),
      'blk.0.attn_v.weight': matrix(D, D / 2),
      'blk.0.attn_output.weight': matrix(D, D),
      'blk.0.ffn_norm.weight': vector(D),
      'blk.0.ffn_gate.weight': matrix(D, F),
      'blk.0.ffn_up.weight': matrix(D, F),
      'blk.0.ffn_down.weight': matrix(F, D),
    },
  });
  const checkpoint = await core.openCheckpoint(file);
  const trainer = await checkpoint.toTrainer();
  expect(trainer.model.normEpsilon).toBe(1e-5);
  expect(checkpoint.notes).toEqual(['bytes does not set rotaryBase, so it is 10000, the default of the format.']);
  expect(trainer.matrix('embedding').data).toEqual(core.decodeElements('Q8_0', q8(D * V), D * V));
  const { data } = trainer.matrix('layers.0.attention.query_key_value.weight');
  expect(data.subarray(D * D, (D * D * 3) / 2)).toEqual(core.decodeElements('Q8_0', q8((D * D) / 2), (D * D) / 2));
  expect(trainer.logits(Uint32Array.of(1, 2)).data.every(Number.isFinite)).toBe(true);
});

test.each([
  // The value one, by definition of each type.
  ['F8_E4M3', [0x38]],
  ['F8_E5M2', [0x3c]],
  ['BF16', [0x80, 0x3f]],
  ['F64', [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]],
] as const)('elements of %s run with the values that they encode', async (dtype, one) => {
  const ones = Object.entries(storedTensors(bytesOf(reference.llama.safetensors))).map(([name, { shape }]) => {
    const elements = shape.reduce((product, size) => product * size, 1);
    return [
      name,
      { shape, dtype, data: Uint8Array.from({ length: elements * one.length }, (_, i) => one[i % one.length]!) },
    ];
  });
  const file = safetensors(Object.fromEntries(ones) as Parameters<typeof safetensors>[0]);
  // Two equal tables count as one.
  const config = { ...reference.llama.config, tie_word_embeddings: true };
  const trainer = await (await core.openCheckpoint(filesOf(reference.llama, config, file))).toTrainer();
  expect(trainer.model.tying).toBe('tied');
  for (const { name } of trainer.parameters()) expect(new Set(trainer.matrix(name).data)).toEqual(new Set([1]));
});
