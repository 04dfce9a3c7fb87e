import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { loadCore, type Core, type ImportedModel } from '../../../web/index.js';
import { completeArchitecture } from '../../../web/core/accounting/architecture-options.js';
import { MODEL_TYPES } from '../../../web/core/accounting/import-config.js';
import { COUNTED } from './counted-configs.js';
import { SAMPLES, type Sample } from './configs.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const NAMED = SAMPLES.map((sample): [string, string | number, Sample] => [
  String(sample.config.model_type),
  sample.is,
  sample,
]);

function without(config: object, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)));
}

function sampleOf(id: string | number): Record<string, unknown> {
  return SAMPLES.find(({ is }) => is === id)!.config;
}

describe('a config.json', () => {
  test.each(NAMED)('%s: %s, to the last parameter', (_, is, { config }) => {
    const { architecture, tying } = core.importConfig(JSON.stringify(config));
    if (typeof is === 'number') {
      expect(core.countParameters(architecture, tying!).stored).toBe(is);
      return;
    }
    const known = core.knownModels().find(({ id }) => id === is)!;
    expect({ ...completeArchitecture(architecture), tying }).toEqual({
      ...completeArchitecture(known.architecture),
      tying: known.tying,
    });
  });

  test('every known model_type is tested here', () => {
    const tried = SAMPLES.flatMap(({ config }) => {
      const nested = config.text_config as { model_type: string } | undefined;
      return [nested?.model_type ?? config.model_type];
    });
    const compared = COUNTED.map(({ config }) => config.model_type);
    expect(new Set([...tried, ...compared])).toEqual(new Set(MODEL_TYPES));
  });

  test.each(COUNTED.map((row) => [row.config.model_type, row] as const))(
    '%s: as many parameters as the modules of another library hold',
    (_, { config, total }) => {
      const { architecture, tying } = core.importConfig(config);
      const { tied, untied } = core.countParameters(architecture, tying ?? 'untied');
      // Some of those modules tie whatever the file says.
      expect([tied, untied]).toContain(total);
    },
  );

  test('docs/accounting.md says how many kinds there are', () => {
    const text = readFileSync(join(root, 'docs', 'accounting.md'), 'utf8');
    expect(text).toContain(`the \`config.json\` of ${MODEL_TYPES.length} kinds of language models`);
  });

  test('text and object give the same result, and the object is not changed', () => {
    const config = sampleOf('llama-3.2-1b');
    const before = JSON.stringify(config);
    expect(core.importConfig(config)).toEqual(core.importConfig(before));
    expect(JSON.stringify(config)).toBe(before);
    expect(core.importConfig(`\uFEFF${JSON.stringify(config, null, 2)}\r\n`)).toEqual(core.importConfig(before));
  });

  test('an imported model can be counted, and its complete form can be imported again', () => {
    for (const { config } of SAMPLES) {
      const { architecture, tying } = core.importConfig(config);
      const { stored, architecture: complete } = core.countParameters(architecture, tying!);
      expect(core.countParameters(complete, tying!).stored).toBe(stored);
    }
  });

  test('its name comes from the file, if the file has one', () => {
    expect(core.importConfig(sampleOf('gpt2')).name).toBeNull();
    expect(core.importConfig({ ...sampleOf('gpt2'), _name_or_path: 'someone/some-gpt' }).name).toBe('someone/some-gpt');
    expect(core.importConfig({ ...sampleOf('gpt2'), _name_or_path: '' }).name).toBeNull();
    expect(core.importConfig({ ...sampleOf('gpt2'), _name_or_path: 7 }).name).toBeNull();
    expect(core.importConfig({ ...sampleOf('gpt2'), _name_or_path: '/models/some-gpt' }).name).toBeNull();
    expect(core.importConfig({ ...sampleOf('gpt2'), _name_or_path: './out/checkpoint-7' }).name).toBeNull();
  });
});

describe('missing fields', () => {
  const silent = (id: string, ...names: string[]): Record<string, unknown> => without(sampleOf(id), ...names);

  test.each([
    ['gpt2', 'tied'],
    ['gpt-neo-2.7b', 'tied'],
    ['opt-125m', 'tied'],
    ['bloom-560m', 'tied'],
    ['bert-base', 'tied'],
    ['t5-base', 'tied'],
    ['gemma-2b', 'tied'],
    ['gemma-2-9b', 'tied'],
    ['gemma-3-1b', 'tied'],
    ['smollm3-3b', 'tied'],
    ['pythia-70m', 'untied'],
    ['llama-3.2-1b', 'untied'],
    ['mistral-7b', 'untied'],
    ['qwen2-0.5b', 'untied'],
    ['qwen3-0.6b', 'untied'],
    ['olmo-1b', 'untied'],
    ['phi-2', 'untied'],
    ['phi-4-mini', 'untied'],
    ['stablelm-3b', 'untied'],
    ['mixtral-8x7b', 'untied'],
  ])('without tie_word_embeddings, the tying of %s is %s and reported as assumed', (id, tying) => {
    const imported = core.importConfig(silent(id, 'tie_word_embeddings'));
    expect(imported.tying).toBe(tying);
    expect(imported.assumptions.join()).toMatch(/tie_word_embeddings is absent/);
    expect(core.importConfig({ ...silent(id), tie_word_embeddings: true }).tying).toBe('tied');
  });

  test('norms of queries and keys are per head with biases in Phi, and without biases and reported in StableLM', () => {
    const normed = (id: string): ImportedModel => core.importConfig({ ...silent(id), qk_layernorm: true });
    const plain = core.importConfig(silent('phi-2'));
    const phi = normed('phi-2');
    // Weights and biases of 80 elements each, for queries and for keys, in 32 layers.
    const stored = (model: ImportedModel): number => core.countParameters(model.architecture, model.tying!).stored;
    expect(stored(phi) - stored(plain)).toBe(4 * 80 * 32);
    expect(phi.assumptions).toEqual(plain.assumptions);
    const stablelm = normed('stablelm-3b');
    expect(stablelm.architecture.queryKeyNorm).toBe('full');
    expect(stablelm.assumptions.join()).toMatch(/Norms of queries and keys are counted with a bias/);
  });

  test('key-value heads equal heads if the field is null, and have the default of the class if it is missing', () => {
    const headsOf = (config: object): number | undefined => core.importConfig(config).architecture.nKeyValueHeads;
    const mistral = sampleOf('mistral-7b');
    expect(headsOf({ ...mistral, num_key_value_heads: null })).toBe(32);
    expect(headsOf(silent('mistral-7b', 'num_key_value_heads'))).toBe(8);
    expect(headsOf(silent('llama-2-7b', 'num_key_value_heads'))).toBe(32);
    expect(core.importConfig(silent('mistral-7b', 'num_key_value_heads')).assumptions.join()).toMatch(
      /num_key_value_heads is absent: 8/,
    );
  });

  test('heads are 256 wide in Gemma and 128 in Qwen3, otherwise the width divided by the heads', () => {
    const widthOf = (config: object): number | undefined => core.importConfig(config).architecture.dHead;
    expect(widthOf(silent('gemma-2-9b', 'head_dim'))).toBe(256);
    expect(widthOf(silent('qwen3-0.6b', 'head_dim'))).toBe(128);
    expect(widthOf({ ...sampleOf('llama-3.2-1b'), head_dim: null })).toBe(64);
  });

  test('a nested configuration uses default sizes of its class, a top-level one does not', () => {
    const { assumptions } = core.importConfig(sampleOf(3_880_263_168));
    expect(assumptions.join()).toMatch(/Only the language model.*text_config\.vocab_size is absent: 262208/s);
    expectError(
      () => core.importConfig({ model_type: 'gemma3_text' }),
      'bad-file',
      /^config\.json: hidden_size is missing/,
    );
  });

  test('a complete file needs no assumptions', () => {
    expect(core.importConfig(sampleOf('llama-3.2-1b')).assumptions).toEqual([]);
    expect(core.importConfig(sampleOf('pythia-70m')).assumptions).toEqual([]);
  });
});

describe('biases', () => {
  const biasesOf = (more: object): string | undefined =>
    core.importConfig({ ...sampleOf('llama-2-7b'), ...more }).architecture.biases;

  test('Llama has none unless its flags request them', () => {
    expect(biasesOf({})).toBe('none');
    expect(biasesOf({ attention_bias: true, mlp_bias: true })).toBe('all');
    expect(biasesOf({ mlp_bias: true })).toBe('feed-forward');
  });

  test('those of all maps of attention, and of no other, are listed', () => {
    const of = (config: object): number => {
      const { architecture, tying } = core.importConfig(config);
      return core.countParameters(architecture, tying!).stored;
    };
    const llama = sampleOf('llama-2-7b');
    expect(of({ ...llama, attention_bias: true }) - of(llama)).toBe(32 * 4 * 4096);
    expect(core.importConfig({ ...llama, attention_bias: true }).assumptions).toEqual([]);
  });

  test('GPT-NeoX without attention_bias keeps those of the feed-forward part', () => {
    const without = core.importConfig({ ...sampleOf('pythia-70m'), attention_bias: false });
    const full = core.importConfig(sampleOf('pythia-70m'));
    const stored = [full, without].map(({ architecture, tying }) => core.countParameters(architecture, tying!).stored);
    expect(stored[0]! - stored[1]!).toBe(6 * 4 * 512);
  });
});

describe('a configuration around that of a language model', () => {
  const sizes = (id: string): Record<string, unknown> => without(sampleOf(id), 'model_type', 'tie_word_embeddings');
  const qwen = sizes('qwen2-0.5b');
  const counted = (config: object): object => {
    const { architecture, tying, assumptions } = core.importConfig(config);
    return { stored: core.countParameters(architecture, tying!).stored, tying, first: assumptions[0] };
  };
  const known = (id: string): number =>
    core.countParameters(core.knownModels().find((model) => model.id === id)!.architecture).stored;

  test.each([
    [
      'flat',
      { model_type: 'qwen2_5_vl', tie_word_embeddings: true, ...qwen, vision_config: {} },
      'Only the language model is counted.',
    ],
    [
      'in text_config, without a model_type of its own',
      { model_type: 'qwen2_5_vl', tie_word_embeddings: true, text_config: { ...qwen, tie_word_embeddings: true } },
      'Only the language model in text_config is counted.',
    ],
    [
      'in llm_config',
      { model_type: 'internvl_chat', llm_config: { model_type: 'qwen2', ...qwen, tie_word_embeddings: true } },
      'Only the language model in llm_config is counted.',
    ],
    [
      'in language_config',
      { model_type: 'someones_vl', language_config: { model_type: 'qwen2', ...qwen, tie_word_embeddings: true } },
      'Only the language model in language_config is counted.',
    ],
    [
      'in the thinking part',
      {
        model_type: 'someones_omni',
        thinker_config: {
          tie_word_embeddings: true,
          text_config: { model_type: 'qwen2', ...qwen, tie_word_embeddings: true },
        },
        talker_config: { text_config: sampleOf('llama-2-7b') },
      },
      'Only the language model in thinker_config.text_config is counted.',
    ],
  ])('%s: the language model is counted', (_, config, first) => {
    expect(counted(config)).toEqual({ stored: known('qwen2-0.5b'), tying: 'tied', first });
  });

  test('errors name the field with its path', () => {
    const rest = without(qwen, 'hidden_size');
    expectError(
      () => core.importConfig({ model_type: 'a_vl', llm_config: { model_type: 'qwen3', ...rest } }),
      'bad-file',
      /^config\.json: llm_config\.hidden_size is missing/,
    );
    for (const config of [
      { model_type: 'llama', ...sizes('llama-2-7b'), tie_word_embeddings: 'no' },
      { model_type: 'llava', text_config: { model_type: 'llama', ...sizes('llama-2-7b'), tie_word_embeddings: 0 } },
      { model_type: 'llava', text_config: { model_type: 'llama', ...sizes('llama-2-7b') }, tie_word_embeddings: 1 },
    ]) {
      expectError(() => core.importConfig(config), 'bad-file', /tie_word_embeddings is .*; expected true or false/);
    }
  });

  test.each([
    [
      'a part of an unknown kind',
      { model_type: 'some_vl', text_config: { model_type: 'reformer' } },
      /text_config cannot be passed on its own either: its model_type is 'reformer'/,
    ],
    [
      'a part without a kind',
      { model_type: 'some_vl', text_config: {} },
      /text_config cannot be passed on its own either: it names no model_type/,
    ],
    [
      'Gemma 3 without its part',
      { model_type: 'gemma3' },
      /model_type is 'gemma3', but text_config, with the language model, is missing/,
    ],
    [
      'a decoder with an encoder',
      { model_type: 'encoder-decoder', decoder: sampleOf('bert-base') },
      /model_type is 'encoder-decoder'; known are/,
    ],
    [
      'a part alone',
      { thinker_config: { text_config: { model_type: 'x' } } },
      /thinker_config\.model_type is null; known are .*its model_type is 'x'/,
    ],
  ])('%s cannot be counted, and the error says which part is meant', (_, config, message) => {
    expectError(() => core.importConfig(config), 'unsupported', message);
  });
});

test('a class that predicts no tokens is named: the count is that of the model that does', () => {
  const of = (id: string, name: unknown): string[] =>
    core
      .importConfig({ ...sampleOf(id), architectures: [name] })
      .assumptions.filter((one) => /predicts tokens/.test(one));
  for (const [id, name] of [
    ['llama-2-7b', 'LlamaForSequenceClassification'],
    ['llama-2-7b', 'LlamaModel'],
    ['qwen2-7b', 'Qwen2ForRewardModel'],
    ['gpt2', 'GPT2Model'],
    ['t5-base', 'T5EncoderModel'],
    ['bert-base', 'BertForQuestionAnswering'],
  ] as const) {
    expect(of(id, name), name).toEqual([`Counted as a model that predicts tokens, which ${name} does not.`]);
  }
  for (const [id, name] of [
    ['llama-2-7b', 'LlamaForCausalLM'],
    ['gpt2', 'GPT2LMHeadModel'],
    ['bert-base', 'BertForPreTraining'],
    ['bert-base', 'ChatGLMModel'],
    ['bert-base', 7],
  ] as const) {
    expect(of(id, name), String(name)).toEqual([]);
  }
});

describe('tying that depends on the version of transformers', () => {
  const text_config = { ...sampleOf('mistral-7b'), tie_word_embeddings: false };
  const twoFlags = { model_type: 'mistral3', tie_word_embeddings: true, text_config };

  test('is not known if the file does not name its version; the last assumption has both answers', () => {
    const { tying, assumptions } = core.importConfig(twoFlags);
    expect(tying).toBeNull();
    expect(assumptions.at(-1)).toMatch(
      /in version 4 of transformers it is untied.*in version 5 it is tied.*does not say which/,
    );
  });

  test.each([
    ['4.50.0.dev0', 'untied'],
    ['5.5.3', 'tied'],
  ])('version %s: %s, and the assumption names the other', (transformers_version, tying) => {
    const imported = core.importConfig({ ...twoFlags, transformers_version });
    expect(imported.tying).toBe(tying);
    expect(imported.assumptions.at(-1)).toContain(`Version ${transformers_version} wrote the file.`);
  });

  test('mT5 without the flag: two tables in version 4, one in version 5', () => {
    const silent = without(sampleOf('mt5-small'), 'tie_word_embeddings');
    const of = (transformers_version?: string): string | null =>
      core.importConfig({ ...silent, transformers_version }).tying;
    expect([of('4.10.0.dev0'), of('5.2.0'), of()]).toEqual(['tied-inputs', 'tied', null]);
    expect(core.importConfig({ ...silent, tie_word_embeddings: false }).tying).toBe('tied-inputs');
  });

  test('every assumption about a default names the version that has it', () => {
    for (const { config } of SAMPLES) {
      const silent = without(config, 'tie_word_embeddings', 'head_dim');
      for (const assumption of core.importConfig(silent).assumptions) {
        if (/is absent/.test(assumption)) expect(assumption).toMatch(/versions? \d/);
      }
    }
  });
});
