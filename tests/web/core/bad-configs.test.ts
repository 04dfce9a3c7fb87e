import { describe, expect, test } from 'vitest';
import { importConfig, MODEL_TYPES } from '../../../web/core/accounting/import-config.js';
import { COUNTED } from './counted-configs.js';
import { SAMPLES } from './configs.js';
import { errorOf, expectError } from './support.js';

const GPT2 = SAMPLES.find(({ is }) => is === 'gpt2')!.config;
const LLAMA = SAMPLES.find(({ is }) => is === 'llama-2-7b')!.config;
const OPT = SAMPLES.find(({ is }) => is === 'opt-125m')!.config;
const MOE = SAMPLES.find(({ config }) => config.model_type === 'qwen2_moe')!.config;
const configOf = (type: string): Record<string, unknown> =>
  [...COUNTED, ...SAMPLES].find(({ config }) => config.model_type === type)!.config;
const any = (value: unknown): string => value as string;

describe('a file that is not a config.json', () => {
  test.each([
    ['an empty text', '', /it is empty; expected the whole file/],
    ['blanks', ' \n\t ', /it is empty/],
    ['a text that ends early', JSON.stringify(GPT2).slice(0, -9), /it is not JSON, or only a part of it/],
    ['prose', 'GPT-2 has 12 layers.', /it is not JSON/],
    ['Python', "{'model_type': 'gpt2'}", /it is not JSON/],
    ['a list', '[1, 2]', /it holds an array of 2; expected an object with model_type/],
    ['a number', '12', /it holds 12; expected an object/],
    ['null', 'null', /it holds null; expected an object/],
    ['a text in a text', '"{}"', /it holds '\{\}'; expected an object/],
    ['an empty object', '{}', /model_type is missing; known are .*llama.*config\.json beside the weights/],
    ['a model_type that is no name', '{"model_type": 7}', /model_type is 7; expected a name; known are/],
  ])('%s: the error says so', (_, text, message) => {
    expectError(() => importConfig(text), 'bad-file', message);
  });

  test('ten megabytes are refused before parsing', () => {
    expectError(
      () => importConfig('['.repeat(10_000_000)),
      'bad-file',
      /it has 10000000 characters; expected at most 1000000/,
    );
  });

  test('a million brackets are reported as invalid JSON and do not overflow the stack', () => {
    expectError(() => importConfig('['.repeat(1_000_000)), 'bad-file', /it is not JSON/);
  });

  test('arrays and values that are neither text nor object are refused', () => {
    expectError(() => importConfig([GPT2]), 'bad-file', /it holds an array of 1/);
    for (const value of [null, undefined, 7, true]) {
      expectError(
        () => importConfig(any(value)),
        'invalid-argument',
        /^config is .*; expected the text of a config\.json/,
      );
    }
  });
});

describe('unknown models', () => {
  test.each(['reformer', 'gpt9', 'constructor', '__proto__', 'toString', ''])(
    'model_type %j is refused with a list of the known ones',
    (type) => {
      const error = errorOf(() => importConfig(JSON.stringify({ model_type: type })));
      expect(error.code).toBe('unsupported');
      expect(error.message).toContain(`model_type is '${type}'; known are ${MODEL_TYPES.join(', ')}`);
    },
  );

  test.each([
    [
      'OPT whose tables are narrower, with norms without weights',
      { ...OPT, word_embed_proj_dim: 512, layer_norm_elementwise_affine: false },
      /layer_norm_elementwise_affine is false beside word_embed_proj_dim/,
    ],
    [
      'a kind of layer that nobody knows',
      { ...configOf('granitemoehybrid'), layer_types: ['mamba', 'attention', 'magic', 'mamba'] },
      /layer_types has a layer 'magic'; known are attention, mamba/,
    ],
    ['MPT with biases', { ...configOf('mpt'), no_bias: false }, /no_bias is false/],
  ])('%s is unsupported, and the error says why', (_, config, message) => {
    expectError(() => importConfig(config), 'unsupported', message);
  });

  test('first layers without experts are described, others are listed', () => {
    const moe = configOf('qwen3_moe');
    const { architecture } = importConfig({ ...moe, mlp_only_layers: [0, 1] });
    expect(architecture).toMatchObject({ family: 'mixture-of-experts', nDenseLayers: 2 });
    expect(importConfig({ ...moe, mlp_only_layers: [3] }).architecture.family).toBe('listed');
    expect(importConfig({ ...moe, decoder_sparse_step: 2 }).architecture.family).toBe('listed');
  });

  test.each([
    ['deepseek_v3', { num_hidden_layers: 1e6 }, /num_hidden_layers is 1000000; expected at most 10000 layers/],
    ['deepseek_v3', { kv_lora_rank: '512' }, /kv_lora_rank is '512'/],
    ['deepseek_v3', { num_experts_per_tok: 1000 }, /num_experts_per_tok is 1000; expected at most the experts/],
    ['granitemoehybrid', { layer_types: 'mamba' }, /layer_types is 'mamba'; expected a list with the kind of each/],
    ['granitemoehybrid', { layer_types: ['mamba'] }, /layer_types is .*expected a list with the kind of each/],
    ['nemotron_h', { hybrid_override_pattern: 'MxM' }, /hybrid_override_pattern is 'MxM'; expected one of M/],
    [
      'gemma3n_text',
      { intermediate_size: [96, '96', 96, 80, 80] },
      /intermediate_size is .*expected an integer, or a list/,
    ],
    ['lfm2', { block_ffn_dim_multiplier: 'one' }, /block_ffn_dim_multiplier is 'one'/],
    ['exaone_moe', { is_moe_layer: true }, /is_moe_layer is true; expected a list of 4 flags/],
    ['recurrent_gemma', { lru_width: 2561 }, /lru_width is 2561; expected a multiple of the heads/],
  ])('%s: a field that cannot be is named', (type, change, message) => {
    expectError(() => importConfig({ ...configOf(type), ...change }), 'bad-file', message);
  });

  test('fields of no importance do no harm', () => {
    const odd = {
      torch_dtype: 'bfloat16',
      dtype: null,
      rope_scaling: { factor: '8' },
      quantization_config: { bits: 4 },
    };
    for (const { config } of SAMPLES) expect(importConfig({ ...config, ...odd })).toEqual(importConfig(config));
  });
});

describe('impossible sizes', () => {
  test.each([
    ['absent', { hidden_size: undefined }, /hidden_size is missing; expected an integer/],
    ['null', { vocab_size: null }, /vocab_size is missing/],
    ['zero', { vocab_size: 0 }, /vocab_size is 0; expected an integer from 1 to 1000000000/],
    ['negative', { num_hidden_layers: -1 }, /num_hidden_layers is -1; expected an integer from 0/],
    ['a fraction', { hidden_size: 4096.5 }, /hidden_size is 4096\.5/],
    ['a text', { intermediate_size: '11008' }, /intermediate_size is '11008'/],
    ['a list', { vocab_size: [32_000] }, /vocab_size is an array of 1/],
    ['true', { num_attention_heads: true }, /num_attention_heads is true/],
    ['absurd', { vocab_size: 1e300 }, /vocab_size is 1e\+300/],
    ['beyond 2^53', { hidden_size: 2 ** 60 }, /hidden_size is 1152921504606847000/],
    [
      'heads that do not divide the width',
      { num_attention_heads: 33 },
      /num_attention_heads is 33; expected a divisor of the width, 4096/,
    ],
    [
      'key-value heads that do not divide the heads',
      { num_key_value_heads: 5 },
      /num_key_value_heads is 5; expected a divisor of the heads, 32/,
    ],
    ['a flag that is none', { tie_word_embeddings: 'yes' }, /tie_word_embeddings is 'yes'; expected true or false/],
  ])('%s: the error names the field', (_, change, message) => {
    expectError(() => importConfig({ ...LLAMA, ...change }), 'bad-file', message);
  });

  test('more active experts than there are experts', () => {
    expectError(
      () => importConfig({ ...MOE, num_experts: 4, num_experts_per_tok: 9 }),
      'bad-file',
      /num_experts_per_tok is 9; expected at most the experts, 4/,
    );
  });

  test('a config without layers is a model: tables with nothing between them', () => {
    expect(importConfig({ ...LLAMA, num_hidden_layers: 0 }).architecture.nLayers).toBe(0);
  });

  test('a field of another kind of model is read, or refused by its name or by that of a size it must fit', () => {
    const spoiled: readonly unknown[] = [null, -1, 2.5, 'x', [], [7, 'x', null], {}, true, 1e9];
    for (const [row, { config }] of COUNTED.entries()) {
      for (const [at, name] of Object.keys(config).entries()) {
        if (name === 'model_type') continue;
        const value = spoiled[(row + at) % spoiled.length];
        try {
          importConfig({ ...config, [name]: value });
        } catch (error) {
          const { code, message } = error as { code?: string; message: string };
          expect(['bad-file', 'unsupported'], `${config.model_type}.${name}: ${message}`).toContain(code);
        }
      }
    }
  });

  test('every sample with one field removed is read, or refused with the name of that field', () => {
    for (const { config } of SAMPLES) {
      for (const name of Object.keys(config)) {
        const rest = Object.fromEntries(Object.entries(config).filter(([field]) => field !== name));
        let message = '';
        try {
          importConfig(rest);
        } catch (error) {
          message = (error as Error).message;
          expect((error as { code?: string }).code, message).toMatch(/^(bad-file|unsupported)$/);
        }
        if (message !== '' && name !== 'text_config') expect(message).toContain(name);
      }
    }
  });
});
