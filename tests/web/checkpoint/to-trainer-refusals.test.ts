/** Models of other programs that cannot run, or not unchanged: each is refused with the reason. */
import { describe, expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';
import { safetensors, utf8 } from './checkpoint-files.js';
import { bytesOf, filesOf, ids, reference, storedTensors, type ReferenceModel } from './reference-models.js';

const core = await loadCore({ modules: ['checkpoint'] });

describe('a model that cannot run is refused by name', () => {
  const refusal = async (
    model: ReferenceModel,
    change: Record<string, unknown>,
    tensors?: (all: ReturnType<typeof storedTensors>) => void,
  ): Promise<{ code: string; message: string }> => {
    const all = storedTensors(bytesOf(model.safetensors));
    tensors?.(all);
    const checkpoint = await core.openCheckpoint(filesOf(model, { ...model.config, ...change }, safetensors(all)));
    const before = checkpoint.bytesRead;
    const obstacle = checkpoint.obstacle();
    expect(checkpoint.bytesRead).toBe(before);
    const found = await checkpoint.toTrainer().then(
      () => ({ code: 'none', message: 'it ran' }),
      (error: unknown) => error as { code: string; message: string },
    );
    // What headers and settings contain is known before.
    expect(obstacle).toBe(['none', 'not-finite'].includes(found.code) ? null : found.message);
    return found;
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
    ['an adapter', 'gpt2', 'h.0.attn.c_attn.lora_A.weight', [4, 16], 'belongs to an adapter, a part of a model'],
  ] as const)('%s', async (_, which, name, shape, message) => {
    const data = new Uint8Array(2 * shape.reduce((product, size) => product * size, 1));
    const found = await refusal(reference[which], {}, (all) => (all[name] = { shape: [...shape], dtype: 'F16', data }));
    expect(found).toMatchObject({ code: 'unsupported' });
    expect(found.message).toContain(`'${name}' ${message}`);
  });

  test('a missing tensor, one of another shape, one of integers, and weights that are not numbers', async () => {
    const name = 'h.1.mlp.c_fc.weight';
    const missing = await refusal(reference.gpt2, {}, (all) => delete all[name]);
    expect(missing.message).toContain(`it has no tensor '${name}'`);
    const turned = await refusal(reference.gpt2, {}, (all) => (all[name] = { ...all[name]!, shape: [24, 16] }));
    expect(turned.message).toContain(`'${name}' has the shape [24, 16]; expected [16, 24]`);
    const integers = await refusal(reference.gpt2, {}, (all) => (all[name] = { ...all[name]!, dtype: 'I16' }));
    expect(integers.message).toContain(`'${name}' has the type I16, which cannot be decoded`);
    const infinite = await refusal(reference.gpt2, {}, (all) => {
      const data = all[name]!.data.slice();
      new DataView(data.buffer).setUint16(2 * 25, 0x7c00, true);
      all[name] = { ...all[name]!, data };
    });
    expect(infinite).toMatchObject({ code: 'not-finite' });
    expect(infinite.message).toContain(`'${name}'[1, 1] is Infinity`);
  });

  test('a small file of a large model, before memory is allocated for it', async () => {
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

  test('masks and angles are not counted as parameters', async () => {
    const gpt2 = await refusal(reference.gpt2, {}, (all) => {
      all['h.0.attn.bias'] = { shape: [1, 1, 2, 2], dtype: 'F16', data: new Uint8Array(8) };
    });
    const llama = await refusal(reference.llama, {}, (all) => {
      all['model.layers.0.self_attn.rotary_emb.inv_freq'] = { shape: [2], dtype: 'F16', data: new Uint8Array(4) };
    });
    expect([gpt2.message, llama.message]).toEqual(['it ran', 'it ran']);
  });

  test('defaults of a class are reported', async () => {
    const config = { ...reference.llama.config };
    for (const field of ['rms_norm_eps', 'rope_theta']) delete config[field];
    const checkpoint = await core.openCheckpoint(filesOf(reference.llama, config));
    const trainer = await checkpoint.toTrainer();
    expect(trainer.model).toMatchObject({ normEpsilon: 1e-6, rotaryBase: 10_000 });
    expect(checkpoint.notes).toEqual([
      'config.json does not set normEpsilon, so it is 0.000001, the default of its class.',
      'config.json does not set rotaryBase, so it is 10000, the default of its class.',
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
