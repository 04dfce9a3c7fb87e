/** Opening a model's files and importing its configuration ask the same function which tying flag rules, and never disagree. */
import { describe, expect, test } from 'vitest';
import { importConfig } from '../../../web/core/accounting/import-config.js';
import { fileOf, ramp, safetensors, utf8 } from './checkpoint-files.js';
import { openHere } from './open-here.js';

type Config = Record<string, unknown>;

const SIZES = {
  ...{ vocab_size: 6, hidden_size: 4, intermediate_size: 8, num_hidden_layers: 1 },
  ...{ num_attention_heads: 1, num_key_value_heads: 1, head_dim: 4 },
};
const YES = { tie_word_embeddings: true };
const NO = { tie_word_embeddings: false };
const inner = (model_type: string, more: Config = {}): Config => ({ model_type, ...SIZES, ...more });

const CONFIGS: readonly [what: string, config: Config][] = [
  ['Llama, tied', inner('llama', YES)],
  ['Llama, untied', inner('llama', NO)],
  ['Llama, silent', inner('llama')],
  ['Gemma, silent', inner('gemma')],
  ['Mistral 3, both flags', { model_type: 'mistral3', ...YES, text_config: inner('mistral', NO) }],
  ['Mistral 3, silent', { model_type: 'mistral3', text_config: inner('mistral') }],
  ['Gemma 3, silent', { model_type: 'gemma3', text_config: inner('gemma3_text') }],
  ['Gemma 3, both flags', { model_type: 'gemma3', ...NO, text_config: inner('gemma3_text', YES) }],
  ['LLaVA', { model_type: 'llava', ...NO, text_config: inner('llama', YES) }],
  ['LLaVA, outer true', { model_type: 'llava', ...YES, text_config: inner('llama', NO) }],
  ['Qwen2.5-VL, flat', { ...inner('qwen2_5_vl', YES), vision_config: {} }],
  ['Qwen2.5-VL, nested', { model_type: 'qwen2_5_vl', text_config: inner('qwen2_5_vl_text', YES) }],
  ['InternVL', { model_type: 'internvl_chat', llm_config: inner('qwen2', NO) }],
  ['InternVL, both flags', { model_type: 'internvl_chat', ...YES, llm_config: inner('qwen2', NO) }],
  ['Voxtral', { model_type: 'voxtral', text_config: inner('llama', YES) }],
  ['an unlisted kind around Qwen 3', { model_type: 'gpt9_vl', text_config: inner('qwen3', YES) }],
  [
    'Qwen2.5-Omni',
    { model_type: 'qwen2_5_omni', thinker_config: { ...NO, text_config: inner('qwen2', NO) }, talker_config: YES },
  ],
];

const VERSIONS = [undefined, '4.57.1', '5.5.3'] as const;

const opened = (config: Config, other: number) =>
  openHere([
    fileOf(
      'model.safetensors',
      safetensors({
        'model.embed_tokens.weight': { shape: [6, 4], data: ramp(24) },
        'lm_head.weight': { shape: [6, 4], data: ramp(24, other) },
      }),
    ),
    fileOf('config.json', utf8(JSON.stringify(config))),
  ]);

describe.each(CONFIGS)('%s', (_, config) => {
  test.each(VERSIONS)('written by version %s', async (transformers_version) => {
    const file = { ...config, transformers_version };
    const { tying, assumptions } = importConfig(file);
    const [equal, different] = [await opened(file, 0), await opened(file, 1)];
    expect([equal.tying.tied, different.tying.tied]).toEqual([true, false]);
    if (tying === null) {
      // Neither is contradicted by what is not known; both answers are in the notes of both verbs.
      for (const { notes, tying: found } of [equal, different]) {
        expect(notes).toContain(`config.json: ${assumptions.at(-1)}`);
        expect(found.conflict ?? '').not.toMatch(/, but /);
      }
      return;
    }
    expect([equal.tying.conflict === null, different.tying.conflict === null]).toEqual([
      tying === 'tied',
      tying === 'untied',
    ]);
    const conflict = equal.tying.conflict ?? different.tying.conflict!;
    expect(conflict).toMatch(
      /^config\.json .*, but the (?:two tables have equal bytes|file has two tables that differ)$/,
    );
  });
});

describe('a conflict', () => {
  const twoFlags = { model_type: 'mistral3', ...YES, text_config: inner('mistral', NO) };
  const conflictOf = async (transformers_version: string | undefined, other: number): Promise<string | null> =>
    (await opened({ ...twoFlags, transformers_version }, other)).tying.conflict;
  const both =
    'config.json says text_config.tie_word_embeddings: false, which rules in version 4 of transformers, and tie_word_embeddings: true, which rules in version 5';

  test('names both flags where they differ, and says which version wrote the file', async () => {
    expect(await conflictOf('4.50.0.dev0', 0)).toBe(
      `${both} (version 4.50.0.dev0 wrote it), but the two tables have equal bytes`,
    );
    expect(await conflictOf('5.5.3', 1)).toBe(
      `${both} (version 5.5.3 wrote it), but the file has two tables that differ`,
    );
    expect(await conflictOf(undefined, 1)).toBe(`${both}; the file has two tables that differ`);
    expect(await conflictOf('4.50.0.dev0', 1)).toBeNull();
  });

  test('is not looked for in the flags of a model that predicts no tokens', async () => {
    const config = { ...twoFlags, architectures: ['LlamaForSequenceClassification'] };
    expect((await opened(config, 1)).notes.filter((note) => note.startsWith('config.json'))).toEqual([]);
    expect((await opened(config, 1)).tying.conflict).toBeNull();
  });
});
