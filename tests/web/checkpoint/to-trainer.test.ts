/**
 * Models of other programs that run: small ones of GPT-2's and Llama's architecture, whose files and logits numpy made in double precision
 * (tests/reference/checkpoint_models.py), and those of this project's own trainers.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createLab, loadCore, type Trainer, type TransformerConfig } from '../../../web/index.js';
import { fileOf, gguf, safetensors, utf8 } from './checkpoint-files.js';

interface ReferenceModel {
  config: Record<string, unknown>;
  safetensors: string;
  gguf: string;
  logits: number[][];
}
interface Reference {
  ids: number[];
  gpt2: ReferenceModel;
  llama: ReferenceModel;
}
const text = readFileSync(new URL('../../reference/checkpoint_models.json', import.meta.url), 'utf8');
const reference = JSON.parse(text) as Reference;
const ids = Uint32Array.from(reference.ids);
const bytesOf = (coded: string): Uint8Array => new Uint8Array(Buffer.from(coded, 'base64'));
const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

const core = await loadCore({ modules: ['checkpoint'] });
const lab = await createLab();
afterAll(() => lab.dispose());

const filesOf = (
  model: ReferenceModel,
  config: Record<string, unknown> = model.config,
  bytes = bytesOf(model.safetensors),
): File[] => [fileOf('model.safetensors', bytes), fileOf('config.json', json(config))];

/** Largest difference of the logits; those of the models here are below 4. */
function difference({ data, cols }: { data: Float32Array; cols: number }, logits: number[][]): number {
  return Math.max(...logits.flatMap((row, i) => row.map((logit, token) => Math.abs(data[i * cols + token]! - logit))));
}
// Sums of up to 24 products in single precision, through two layers.
const CLOSE = 2e-5;

describe.each([
  ['GPT-2', reference.gpt2],
  ['Llama', reference.llama],
] as const)('%s', (name, model) => {
  test('has the reference’s logits, from safetensors with config.json', async () => {
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

  test('runs in the worker of a lab, where it writes and has the bits of a core', async () => {
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

  test('is spread over several files', async () => {
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
      message: expect.stringContaining("'two.safetensors', which is not there") as string,
    });
  });

  test('trains on, from step 0 with the weights of the file', async () => {
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

  test('says what nothing says, and takes it from the caller', async () => {
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
      /options\.model\.nHeads is 2; expected 4 or nothing: \w+ of config\.json says it/,
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

/** The tensors of a file as its header describes them. */
function storedTensors(bytes: Uint8Array): Record<string, { shape: number[]; data: Uint8Array; dtype: string }> {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  delete header['__metadata__'];
  return Object.fromEntries(
    Object.entries(header).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => [name, { dtype, shape, data: bytes.slice(8 + length + from, 8 + length + to) }],
    ),
  );
}

describe('What does not fit is refused by its name', () => {
  const refusal = async (
    model: ReferenceModel,
    change: Record<string, unknown>,
    tensors?: (all: ReturnType<typeof storedTensors>) => void,
  ): Promise<{ code: string; message: string }> => {
    const all = storedTensors(bytesOf(model.safetensors));
    tensors?.(all);
    const checkpoint = await core.openCheckpoint(filesOf(model, { ...model.config, ...change }, safetensors(all)));
    return checkpoint.toTrainer().then(
      () => ({ code: 'none', message: 'it ran' }),
      (error: unknown) => error as { code: string; message: string },
    );
  };

  test.each([
    ['gpt2', { activation_function: 'gelu' }, 'unsupported', "activation_function is 'gelu'; expected 'gelu_new'"],
    ['gpt2', { model_type: 'gpt_neo' }, 'unsupported', "model_type is 'gpt_neo'; expected 'gpt2'"],
    ['gpt2', { n_head: 0 }, 'bad-file', 'n_head is 0; expected an integer of at least 1'],
    ['gpt2', { n_head: 3 }, 'invalid-argument', 'model.nHeads is 3; expected a divisor of model.dModel, 16'],
    [
      'gpt2',
      { n_embd: 32 },
      'bad-file',
      "n_embd of config.json is 32; expected 16, as 'wte.weight' has the shape [23, 16]",
    ],
    ['gpt2', { n_layer: 3 }, 'bad-file', 'n_layer of config.json is 3; expected 2'],
    ['gpt2', { n_positions: 9 }, 'bad-file', "expected 8, as 'wpe.weight' has the shape [8, 16]"],
    ['gpt2', { scale_attn_by_inverse_layer_idx: true }, 'unsupported', 'scale_attn_by_inverse_layer_idx is true'],
    ['gpt2', { quantization_config: {} }, 'unsupported', 'quantization_config'],
    ['llama', { hidden_act: 'gelu' }, 'unsupported', "hidden_act is 'gelu'; expected 'silu' or 'swish'"],
    ['llama', { rope_scaling: { type: 'linear', factor: 2 } }, 'unsupported', "rope_scaling: type is 'linear'"],
    ['llama', { rope_scaling: { rope_type: 'llama3', factor: 8 } }, 'unsupported', "rope_type is 'llama3'"],
    ['llama', { head_dim: 8 }, 'unsupported', 'head_dim is 8; expected 4, the width divided by the heads'],
    ['llama', { attention_bias: true }, 'unsupported', 'attention_bias is true; expected false'],
    ['llama', { sliding_window: 4 }, 'unsupported', 'sliding_window is 4'],
    ['llama', { partial_rotary_factor: 0.5 }, 'unsupported', 'partial_rotary_factor is 0.5'],
    ['llama', { rms_norm_eps: 'small' }, 'bad-file', "rms_norm_eps is 'small'; expected a positive number"],
    ['llama', { num_key_value_heads: 4 }, 'shape-mismatch', "k_proj.weight' has the shape [8, 16]; expected [16, 16]"],
    ['llama', { tie_word_embeddings: true }, 'invalid-argument', 'options.model.tying is undefined'],
    ['llama', { model_type: 'qwen2' }, 'unsupported', "model_type is 'qwen2'"],
  ] as const)('%s with %o', async (which, change, code, message) => {
    const found = await refusal(reference[which], change);
    expect(found.message).toContain(message);
    expect(found.code).toBe(code);
  });

  test.each([
    ['a bias that Llama has not', 'llama', 'model.layers.0.self_attn.q_proj.bias', [16], 'has no place in Llama'],
    ['a norm of queries', 'llama', 'model.layers.1.self_attn.q_norm.weight', [4], 'has no place in Llama'],
    ['an adapter', 'gpt2', 'h.0.attn.c_attn.lora_A.weight', [4, 16], 'has no place in GPT-2'],
    ['a layer in parts', 'gpt2', 'h.7.ln_1.weight', [16], 'has no place in GPT-2'],
  ] as const)('%s', async (_, which, name, shape, message) => {
    const data = new Uint8Array(2 * shape.reduce((product, size) => product * size, 1));
    const found = await refusal(reference[which], {}, (all) => (all[name] = { shape: [...shape], dtype: 'F16', data }));
    expect(found).toMatchObject({ code: 'unsupported' });
    expect(found.message).toContain(`'${name}' ${message}`);
  });

  test('a missing tensor, one of another shape, one of integers, and weights that are no numbers', async () => {
    const name = 'h.1.mlp.c_fc.weight';
    const missing = await refusal(reference.gpt2, {}, (all) => delete all[name]);
    expect(missing.message).toContain(`it has no tensor '${name}'`);
    const turned = await refusal(reference.gpt2, {}, (all) => (all[name] = { ...all[name]!, shape: [24, 16] }));
    expect(turned.message).toContain(`'${name}' has the shape [24, 16]; expected [16, 24]`);
    const integers = await refusal(reference.gpt2, {}, (all) => (all[name] = { ...all[name]!, dtype: 'I16' }));
    expect(integers.message).toContain(`'${name}' has the type I16, which is not decoded`);
    const infinite = await refusal(reference.gpt2, {}, (all) => {
      const data = all[name]!.data.slice();
      new DataView(data.buffer).setUint16(2 * 25, 0x7c00, true);
      all[name] = { ...all[name]!, data };
    });
    expect(infinite).toMatchObject({ code: 'not-finite' });
    expect(infinite.message).toContain(`'${name}'[1, 1] is Infinity`);
  });

  test('a small file of a large model, before memory is taken for it', async () => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 5, dModel: 3, tying: 'tied' },
      training: { learningRate: 0.1, seed: 1 },
      bigramCounts: { rows: 5, cols: 5, data: new Float32Array(25).fill(1) },
    });
    const claimed = {
      kind: 'transformer',
      vocabSize: 5,
      dModel: 3,
      nLayers: 900,
      nHeads: 1,
      dFeedForward: 50_000,
      tying: 'tied',
    };
    const all = storedTensors(trainer.toSafetensors());
    const checkpoint = await core.openCheckpoint(safetensors(all, { config: JSON.stringify(claimed) }));
    await expect(checkpoint.toTrainer()).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining('its tensors have 15 elements; expected at least 270') as string,
    });
  });

  test('masks and angles are no parameters', async () => {
    const gpt2 = await refusal(reference.gpt2, {}, (all) => {
      all['h.0.attn.bias'] = { shape: [1, 1, 2, 2], dtype: 'F16', data: new Uint8Array(8) };
    });
    const llama = await refusal(reference.llama, {}, (all) => {
      all['model.layers.0.self_attn.rotary_emb.inv_freq'] = { shape: [2], dtype: 'F16', data: new Uint8Array(4) };
    });
    expect([gpt2.message, llama.message]).toEqual(['it ran', 'it ran']);
  });

  test('defaults of a class are said', async () => {
    const config = { ...reference.llama.config };
    for (const field of ['rms_norm_eps', 'rope_theta']) delete config[field];
    const checkpoint = await core.openCheckpoint(filesOf(reference.llama, config));
    const trainer = await checkpoint.toTrainer();
    expect(trainer.model).toMatchObject({ normEpsilon: 1e-6, rotaryBase: 10_000 });
    expect(checkpoint.notes).toEqual([
      'config.json does not say normEpsilon: it is 0.000001, the default of its class.',
      'config.json does not say rotaryBase: it is 10000, the default of its class.',
    ]);
  });

  test('keys of GGUF', async () => {
    const changed = async (from: string, to: string): Promise<unknown> => {
      const bytes = bytesOf(reference.llama.gguf);
      const at = Buffer.from(bytes).indexOf(from);
      bytes.set(utf8(to), at);
      return core
        .openCheckpoint(bytes)
        .then((checkpoint) => checkpoint.toTrainer())
        .catch((error: unknown) => error);
    };
    expect(await changed('llama.rope.dimension_count', 'llama.rope.dimension_sect_')).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('llama.rope.dimension_sect_ is 4; expected no such key') as string,
    });
    expect(await changed('llama.attention.head_count_kv', 'llama.attention.key_length___')).toMatchObject({
      code: 'unsupported',
    });
    expect(await changed('general.architecture', 'general.architectur_')).toMatchObject({
      message: expect.stringContaining("general.architecture is undefined; expected 'llama'") as string,
    });
  });

  test('other architectures, and tables alone', async () => {
    const rwkv = safetensors({ 'emb.weight': { shape: [2, 2], data: new Uint8Array(16) } });
    await expect((await core.openCheckpoint(rwkv)).toTrainer()).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(
        "its tensors ('emb.weight') are not named as those of an architecture that runs",
      ) as string,
    });
    const table = await core.openCheckpoint(new Blob(['a,1,2\nb,3,4\n']));
    await expect(table.toTrainer()).rejects.toMatchObject({ code: 'unsupported' });
    expect(await table.tokenizer()).toBe(null);
  });

  test('options', async () => {
    const checkpoint = await core.openCheckpoint(filesOf(reference.gpt2));
    for (const [options, message] of [
      [{ model: { heads: 4 } }, 'options.model.heads is not an option'],
      [{ model: { tying: 'tied-linear' } }, 'options.model.tying'],
      [{ tokenIds: ids }, 'options.tokenIds'],
      [{ training: { learningRate: 0.1, seed: 1, batchSize: 1 } }, 'options.tokenIds'],
      [{ tokenizer: 7 }, 'options.tokenizer is 7; expected a tokenizer'],
      [{ signal: 1 }, 'options.signal'],
    ] as const)
      await expect(checkpoint.toTrainer(options as never)).rejects.toThrow(message);
    const stop = AbortSignal.abort();
    await expect(checkpoint.toTrainer({ signal: stop })).rejects.toMatchObject({ code: 'cancelled' });
    checkpoint.dispose();
    await expect(checkpoint.toTrainer()).rejects.toMatchObject({ code: 'disposed' });
  });
});

describe('What a trainer writes opens again, to the bit', () => {
  const tokenIds = Uint32Array.from({ length: 120 }, (_, i) => (i * 7 + (i % 3)) % 11);
  const base = { kind: 'transformer', vocabSize: 11, dModel: 8, nLayers: 2, nHeads: 2, contextLength: 6 } as const;
  const gpt2 = { norm: 'layer-norm', biases: 'all', dFeedForward: 20 } as const;
  const llama = {
    norm: 'rms-norm',
    biases: 'none',
    positions: 'rotary',
    rotaryBase: 700,
    feedForward: 'swiglu',
  } as const;
  const models: [string, TransformerConfig][] = [
    ['GPT-2’s names', { ...base, ...gpt2, tying: 'tied' }],
    ['GPT-2’s names, untied', { ...base, ...gpt2, tying: 'untied' }],
    ['own names', { ...base, ...llama, tying: 'untied', nKeyValueHeads: 1, normEpsilon: 3e-6 }],
    ['a correction', { ...base, tying: 'tied-low-rank', lowRank: 3, outputBias: true, embeddingScale: 'sqrt-d-model' }],
    ['a map', { ...base, tying: 'tied-linear', positions: 'none', finalNorm: false }],
  ];

  test.each(models)('%s', async (_, model) => {
    const trainer = core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 2, seed: 5 }, tokenIds });
    trainer.run(7);
    const again = await (await core.openCheckpoint(trainer.toSafetensors())).toTrainer();
    expect(again.model).toEqual(trainer.model);
    expectSame(again, trainer);
    expect(again.logits(tokenIds.subarray(0, 6))).toEqual(trainer.logits(tokenIds.subarray(0, 6)));
  });

  test('a direct path', async () => {
    const model = { kind: 'direct-path', vocabSize: 5, dModel: 3, tying: 'untied' } as const;
    const bigramCounts = { rows: 5, cols: 5, data: new Float32Array(25).fill(1) };
    const trainer = core.createTrainer({ model, training: { learningRate: 0.1, seed: 1 }, bigramCounts });
    expectSame(await (await core.openCheckpoint(trainer.toSafetensors())).toTrainer(), trainer);
  });

  test('a configuration that is damaged is refused', async () => {
    const trainer = core.createTrainer({
      model: models[2]![1],
      training: { learningRate: 0.01, batchSize: 2, seed: 5 },
      tokenIds,
    });
    const text = Buffer.from(trainer.toSafetensors()).toString('latin1');
    const damaged = new Uint8Array(Buffer.from(text.replace('\\"nHeads\\":2', '\\"nHeads\\":3'), 'latin1'));
    await expect((await core.openCheckpoint(damaged)).toTrainer()).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining('its configuration cannot be used: model.nHeads is 3') as string,
    });
  });

  function expectSame(a: Trainer, b: Trainer): void {
    expect(a.parameters()).toEqual(b.parameters());
    for (const { name } of b.parameters()) expect(a.matrix(name)).toEqual(b.matrix(name));
  }
});

test('Quantised blocks of GGUF run with the values that they are decoded to', async () => {
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
  expect(checkpoint.notes).toEqual(['bytes does not say rotaryBase: it is 10000, the default of the format.']);
  expect(trainer.matrix('embedding').data).toEqual(core.decodeElements('Q8_0', q8(D * V), D * V));
  const { data } = trainer.matrix('layers.0.attention.query_key_value.weight');
  expect(data.subarray(D * D, (D * D * 3) / 2)).toEqual(core.decodeElements('Q8_0', q8((D * D) / 2), (D * D) / 2));
  expect(trainer.logits(Uint32Array.of(1, 2)).data.every(Number.isFinite)).toBe(true);
});

test.each([
  // One, by the definition of each type.
  ['F8_E4M3', [0x38]],
  ['F8_E5M2', [0x3c]],
  ['BF16', [0x80, 0x3f]],
  ['F64', [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]],
] as const)('Elements of %s run with the values that they stand for', async (dtype, one) => {
  const ones = Object.entries(storedTensors(bytesOf(reference.llama.safetensors))).map(([name, { shape }]) => {
    const elements = shape.reduce((product, size) => product * size, 1);
    return [
      name,
      { shape, dtype, data: Uint8Array.from({ length: elements * one.length }, (_, i) => one[i % one.length]!) },
    ];
  });
  const file = safetensors(Object.fromEntries(ones) as Parameters<typeof safetensors>[0]);
  // Two equal tables are one.
  const config = { ...reference.llama.config, tie_word_embeddings: true };
  const trainer = await (await core.openCheckpoint(filesOf(reference.llama, config, file))).toTrainer();
  expect(trainer.model.tying).toBe('tied');
  for (const { name } of trainer.parameters()) expect(new Set(trainer.matrix(name).data)).toEqual(new Set([1]));
});
