import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { saidTying } from '../../../web/core/accounting/import-config/tying-flag.js';
import { DEFAULTS, WRAPPERS } from '../../../web/core/accounting/import-config/tying-defaults.js';

type Config = Record<string, unknown>;
type Tied = boolean | null;

/** What a file says if version 4 wrote it, if version 5 did, and if it does not name the version. */
const tiedBy = (config: Config): [Tied, Tied, Tied] => {
  const of = (transformers_version?: string): Tied => saidTying({ ...config, transformers_version }).tied;
  return [of('4.57.1'), of('5.5.3'), of()];
};

const YES = { tie_word_embeddings: true };
const NO = { tie_word_embeddings: false };
const around = (model_type: string, inner: Config, outer: Config = {}, name = 'text_config'): Config => ({
  model_type,
  ...outer,
  [name]: inner,
});

const CASES: readonly [what: string, config: Config, version4: Tied, version5: Tied, neither: Tied][] = [
  // One level.
  ['a flag', { model_type: 'llama', ...YES }, true, true, true],
  ['a flag of an unlisted kind', { model_type: 'gpt9', ...NO }, false, false, false],
  ['no flag in GPT-2', { model_type: 'gpt2' }, true, true, true],
  ['no flag in Llama', { model_type: 'llama' }, false, false, false],
  ['no flag in an unlisted kind', { model_type: 'gpt9' }, null, null, null],
  ['no model_type', {}, null, null, null],
  ['a flag that is no flag', { model_type: 'gpt2', tie_word_embeddings: 'no' }, true, true, true],
  ['null instead of a flag', { model_type: 'llama', tie_word_embeddings: null }, false, false, false],
  // T5: version 5 sets the flag to true, and never writes false.
  ['T5', { model_type: 't5' }, true, true, true],
  ['T5 1.1', { model_type: 't5', ...NO }, false, true, false],
  ['T5 1.1 that version 5 saved', { model_type: 't5', ...YES, scale_decoder_outputs: false }, true, null, null],
  ['T5 that version 5 saved', { model_type: 't5', ...YES, scale_decoder_outputs: true }, true, true, true],
  ['mT5, silent', { model_type: 'mt5' }, false, true, null],
  ['mT5', { model_type: 'mt5', ...NO }, false, true, false],
  ['UMT5', { model_type: 'umt5', ...NO }, false, true, false],
  // Two flags that differ.
  ...['gemma3', 'mistral3', 'internvl', 'paligemma', 'idefics3', 'smolvlm', 'granite_speech'].flatMap(
    (type): [string, Config, Tied, Tied, Tied][] => [
      [`${type}, true around false`, around(type, NO, YES), false, true, null],
      [`${type}, false around true`, around(type, YES, NO), true, false, null],
      [`${type}, true around true`, around(type, YES, YES), true, true, true],
      [`${type}, false around false`, around(type, NO, NO), false, false, false],
    ],
  ),
  // No outer flag: the default of its class is true in version 5.
  ['mistral3 around mistral', around('mistral3', { model_type: 'mistral' }), false, true, null],
  ['internvl around qwen2', around('internvl', { model_type: 'qwen2' }), false, true, null],
  ['granite_speech around granite', around('granite_speech', { model_type: 'granite' }), false, true, null],
  ['gemma3 around its own', around('gemma3', { model_type: 'gemma3_text' }), true, true, true],
  ['paligemma around gemma2', around('paligemma', { model_type: 'gemma2' }), true, true, true],
  ['gemma3, nothing around false', around('gemma3', NO), false, true, null],
  ['paligemma, nothing around false', around('paligemma', NO), false, true, null],
  ['idefics3, nothing around true', around('idefics3', YES), true, false, null],
  ['a text_config without model_type has that of its wrapper', around('mistral3', {}), false, true, null],
  // The nested flag is asked only where the outer one is not true.
  ['llava, true around false', around('llava', NO, YES), false, true, null],
  ['llava, false around true', around('llava', YES, NO), true, true, true],
  ['llava, nothing around nothing', around('llava', { model_type: 'llama' }), false, false, false],
  ['llava, nothing around gemma', around('llava', { model_type: 'gemma' }), true, true, true],
  ['llava_onevision, true around false', around('llava_onevision', NO, YES), false, true, null],
  // Version 4 wrote the flag into text_config, and version 5 takes it from there.
  ['qwen2_5_vl, flat', { model_type: 'qwen2_5_vl', ...YES, hidden_size: 8 }, true, true, true],
  ['qwen2_5_vl, nested', around('qwen2_5_vl', { model_type: 'qwen2_5_vl_text', ...YES }), true, true, true],
  ['qwen2_vl, silent', around('qwen2_vl', { model_type: 'qwen2_vl_text' }), false, false, false],
  ['qwen2_5_vl, true around false', around('qwen2_5_vl', NO, YES), false, true, null],
  // Never tied in version 5.
  ['voxtral, true in the text', around('voxtral', YES), true, false, null],
  ['voxtral, true outside', around('voxtral', { model_type: 'llama' }, YES), false, false, false],
  ['qwen2_audio, true outside', around('qwen2_audio', { model_type: 'qwen2' }, YES), false, false, false],
  // Other names of the nested configuration.
  ['InternVL with its own code', around('internvl_chat', NO, {}, 'llm_config'), false, false, false],
  ['the same, both', around('internvl_chat', NO, NO, 'llm_config'), false, false, false],
  ['the same, differing', around('internvl_chat', NO, YES, 'llm_config'), null, null, null],
  ['language_config', around('deepseek_vl_v2', YES, {}, 'language_config'), true, true, true],
  [
    'a model that thinks and talks',
    { model_type: 'qwen2_5_omni', thinker_config: around('qwen2_5_omni_thinker', NO, NO), talker_config: YES },
    false,
    false,
    false,
  ],
  [
    'the same, whose flags differ',
    { model_type: 'qwen2_5_omni', ...YES, thinker_config: around('qwen2_5_omni_thinker', YES, NO) },
    true,
    false,
    null,
  ],
  ['an unlisted kind around true', around('gpt9_vl', YES), true, null, null],
  ['an unlisted kind, false around true', around('gpt9_vl', YES, NO), true, false, null],
  ['an unlisted kind, true around true', around('gpt9_vl', YES, YES), true, true, true],
  // Other names of the flag.
  ['LFM2', { model_type: 'lfm2', tie_embedding: false }, false, false, false],
  ['LFM2, both', { model_type: 'lfm2', tie_embedding: true, ...NO }, true, true, true],
  ['LFM2, silent', { model_type: 'lfm2' }, true, true, true],
  ['tie_embedding in another kind', { model_type: 'llama', tie_embedding: true }, false, false, false],
  ['Marian', { model_type: 'marian' }, true, true, true],
  ['Marian, two vocabularies', { model_type: 'marian', share_encoder_decoder_embeddings: false }, true, false, null],
];

describe('which flag rules', () => {
  test.each(CASES)('%s', (_, config, ...tied) => {
    expect(tiedBy(config)).toEqual(tied);
  });

  test.each(CASES)('%s: if nothing is known, a sentence has both answers', (_, config) => {
    const { tied, disagreement, assumption } = saidTying(config);
    if (tied === null) expect(disagreement ?? assumption).toMatch(/not known/);
    if (tied === null && disagreement !== null && !/code follows/.test(disagreement)) {
      expect(disagreement).toMatch(
        /in version 4 of transformers it is .*; in version 5 it is .*does not say which version/,
      );
    }
  });

  test('every listed kind has an answer in both versions', () => {
    for (const type of DEFAULTS.keys()) expect(tiedBy({ model_type: type }).slice(0, 2)).not.toContain(null);
    for (const [type, { inner }] of WRAPPERS) {
      if (!DEFAULTS.has(inner)) continue;
      expect(tiedBy(around(type, {})).slice(0, 2)).not.toContain(null);
    }
  });

  test('the version is read from the file, or from the part that names it', () => {
    const of = (transformers_version: unknown): Tied => saidTying({ model_type: 'mt5', transformers_version }).tied;
    expect(['2.3.0', '4.10.0.dev0', '4'].map(of)).toEqual([false, false, false]);
    expect(['5', '5.0.0.dev0', '5.16.1', '12.0'].map(of)).toEqual([true, true, true, true]);
    expect([null, '', 'main', 5, '0.1', '4x', 'v5', '99999999999999'].map(of)).toEqual(Array(8).fill(null));
    const nested = (transformers_version: string): Tied =>
      saidTying({ ...around('mistral3', { ...NO, transformers_version }, YES), transformers_version: null }).tied;
    expect([nested('4.37.2'), nested('5.1.0')]).toEqual([false, true]);
  });
});

describe('what is said about it', () => {
  const twoFlags = around('mistral3', { model_type: 'mistral', ...NO }, YES);

  test('two flags that differ are both named, each with the version in which it rules', () => {
    const { tied, says, disagreement } = saidTying(twoFlags);
    expect({ tied, says, disagreement }).toEqual({
      tied: null,
      says: 'says text_config.tie_word_embeddings: false, which rules in version 4 of transformers, and tie_word_embeddings: true, which rules in version 5',
      disagreement:
        'Whether the model is tied: in version 4 of transformers it is untied (text_config.tie_word_embeddings is false); in version 5 it is tied (tie_word_embeddings is true). The file does not say which version wrote it, so which rules is not known.',
    });
    const written = saidTying({ ...twoFlags, transformers_version: '4.50.0.dev0' });
    expect(written.tied).toBe(false);
    expect(written.says).toMatch(/rules in version 5 \(version 4\.50\.0\.dev0 wrote it\)$/);
    expect(written.disagreement).toMatch(/is true\)\. Version 4\.50\.0\.dev0 wrote the file\.$/);
  });

  test('version 5 may have saved two tables that it called tied', () => {
    expect(saidTying({ ...twoFlags, transformers_version: '5.5.3' }).disagreement).toMatch(
      /Version 5\.5\.3 wrote the file\. If it saved a model that had two tables, the weights still have two\.$/,
    );
  });

  test('false in T5 is from before version 5', () => {
    expect(saidTying({ model_type: 'mt5', ...NO }).disagreement).toMatch(
      /in version 5 it is tied \(it says so of every mt5 model\)\. Version 5 never writes false for mt5, so an earlier one wrote the file\.$/,
    );
  });

  test('a default is named with the versions that have it; a flag needs no words', () => {
    expect(saidTying({ model_type: 'gpt2' })).toEqual({
      tied: true,
      isStated: false,
      suggests: true,
      says: 'leaves tie_word_embeddings out, and true is the default of gpt2',
      disagreement: null,
      assumption: 'tie_word_embeddings is absent: tied, as versions 4 and 5 of transformers have it for gpt2.',
    });
    expect(saidTying({ model_type: 'gpt2', ...NO })).toEqual({
      tied: false,
      isStated: true,
      suggests: false,
      says: 'says tie_word_embeddings: false',
      disagreement: null,
      assumption: null,
    });
  });

  test('names from the file are cut, and inherited fields are not read', () => {
    const { assumption } = saidTying({ model_type: 'x'.repeat(100_000) });
    expect(assumption!.length).toBeLessThan(300);
    expect(saidTying({ model_type: '__proto__' }).tied).toBeNull();
    expect(
      saidTying(JSON.parse('{"model_type":"constructor","__proto__":{"tie_word_embeddings":true}}') as Config).tied,
    ).toBeNull();
  });
});

describe('docs/tying-flags.md', () => {
  const text = readFileSync(join(root, 'docs', 'tying-flags.md'), 'utf8');
  const rows = (heading: string): string[][] =>
    text
      .split(`## ${heading}\n`)[1]!
      .split('\n## ')[0]!
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
  const names = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const word = (tied: boolean): string => (tied ? 'tied' : 'untied');

  test('has the defaults', () => {
    const listed = rows('Defaults').flatMap(([what, kinds]) => names(kinds!).map((kind) => [kind, what!]));
    const known = [...DEFAULTS].map(([kind, tied]) => [
      kind,
      tied[4] === tied[5]
        ? `${word(tied[4])} in both versions`
        : `${word(tied[4])} in version 4, ${word(tied[5])} in version 5`,
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
    expect(listed).toHaveLength(known.length);
  });

  test('has the multimodal models', () => {
    expect(rows('Multimodal models')).toEqual(
      [...WRAPPERS].map(([kind, { inner, rule, tied }]) => [`\`${kind}\``, `\`${inner}\``, rule, word(tied)]),
    );
  });
});
