import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { saidTying } from '../../../web/core/accounting/import-config/tying-flag.js';
import {
  DEFAULTS,
  WRAPPERS,
  type Default,
  type Rule,
} from '../../../web/core/accounting/import-config/tying-defaults.js';

type Config = Record<string, unknown>;
type Tied = boolean | null;

/** What a file says if version 4 wrote it, if version 5 did, and if it does not name the version. */
const tiedBy = (config: Config): [Tied, Tied, Tied] => {
  const of = (transformers_version?: string): Tied => saidTying({ ...config, transformers_version }).tied;
  return [of('4.57.1'), of('5.16.0'), of()];
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
  ['a flag that is no flag', { model_type: 'gpt2', tie_word_embeddings: 'no' }, null, null, null],
  ['null instead of a flag', { model_type: 'llama', tie_word_embeddings: null }, null, null, null],
  // T5: version 5 sets the flag to true, and never writes false.
  ['T5', { model_type: 't5' }, true, true, true],
  ['T5 1.1', { model_type: 't5', ...NO }, false, true, false],
  ['T5 1.1 that version 5 saved', { model_type: 't5', ...YES, scale_decoder_outputs: false }, true, null, null],
  ['T5 that version 5 saved', { model_type: 't5', ...YES, scale_decoder_outputs: true }, true, true, true],
  ['mT5, silent', { model_type: 'mt5' }, false, true, null],
  ['mT5', { model_type: 'mt5', ...NO }, false, true, false],
  ['UMT5', { model_type: 'umt5', ...NO }, false, true, false],
  ['UMT5, silent', { model_type: 'umt5' }, true, true, true],
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
  ['qwen2_5_vl, flat', { model_type: 'qwen2_5_vl', ...YES, hidden_size: 8 }, true, true, true],
  ['qwen2_5_vl, nested', around('qwen2_5_vl', { model_type: 'qwen2_5_vl_text', ...YES }), true, false, null],
  ['qwen2_vl, silent', around('qwen2_vl', { model_type: 'qwen2_vl_text' }), false, false, false],
  ['qwen2_5_vl, true around false', around('qwen2_5_vl', NO, YES), false, true, null],
  ['perception_lm, false around true', around('perception_lm', YES, NO), true, false, null],
  ['perception_lm, nothing around true', around('perception_lm', YES), true, true, null],
  ['blip-2 around a T5 1.1', around('blip-2', { model_type: 't5', ...NO }), false, true, null],
  // A kind that only version 5 has is read as in version 5, unless an earlier one wrote the file, with code of the model's own.
  ['qwen3_5, silent', { model_type: 'qwen3_5_text' }, null, false, false],
  ['gemma4, silent', around('gemma4', {}), null, true, true],
  ['gemma4, a flag', around('gemma4', NO, YES), false, true, true],
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

interface Reference {
  readonly versions: readonly string[];
  /** A letter for each version: T, f, or a point where the version lacks the kind. */
  readonly defaults: Readonly<Record<string, string>>;
  /** From a version on, nine letters: the outer flag absent, true, false, and in each of these the nested one absent, true, false. */
  readonly around: Readonly<Record<string, { in: string; inner: string; answers: Record<string, string> }>>;
}
const reference = JSON.parse(readFileSync(join(root, 'tests/reference/tying_flags.json'), 'utf8')) as Reference;

// Values of the library's own classes, and where their models have a head: tests/reference/tying_flags.py.
describe('every listed kind is as in every release of transformers that was read', () => {
  const { versions, defaults, around: nested } = reference;
  const tiedIn = (config: Config, version: string): string => {
    const { tied } = saidTying({ ...config, transformers_version: `${version}.0` });
    return tied === null ? '?' : tied ? 'T' : 'f';
  };

  test.each(Object.entries(defaults))('%s', (model_type, letters) => {
    const found = versions.map((version, i) => (letters[i] === '.' ? '.' : tiedIn({ model_type }, version)));
    expect(found.join('')).toBe(letters);
  });

  test.each(Object.entries(nested))('%s', (type, { in: name, inner, answers }) => {
    const flags = [{}, YES, NO];
    let expected = '.';
    for (const version of versions) {
      expected = answers[version] ?? expected;
      if (expected === '.') continue;
      const found = flags.flatMap((outer) =>
        flags.map((within) => tiedIn(around(type, { model_type: inner, ...within }, outer, name), version)),
      );
      expect(found.join(''), version).toBe(expected);
    }
  });

  test('none is left out', () => {
    const tested = (kinds: Iterable<string>, by: object): string[] =>
      [...kinds].filter((kind) => !Object.hasOwn(by, kind));
    // Configurations that are only nested; the models around them are tested.
    expect(tested(DEFAULTS.keys(), defaults)).toEqual(['mllama_text_model', 'step3p5']);
    expect(tested(WRAPPERS.keys(), nested)).toEqual([]);
  });
});

describe('where releases of version 5 differ', () => {
  const by = (config: Config, transformers_version?: string): Tied =>
    saidTying({ ...config, transformers_version }).tied;

  test('the release that wrote the file counts', () => {
    const versions = ['5.0.0', '5.0.1.dev0', '5.1.0', '5.16.2', '5.99', '6.0.0'];
    expect(versions.map((version) => by({ model_type: 'mamba' }, version))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    const voxtral = around('voxtral', { model_type: 'llama', ...YES });
    expect(['5.9.0', '5.10.0'].map((version) => by(voxtral, version))).toEqual([true, false]);
  });

  test('one that was not read, or that is not named, is not known', () => {
    expect(by({ model_type: 'camembert' }, '5.2.0')).toBe(false);
    expect(by({ model_type: 'camembert' }, '5.3.0')).toBeNull();
    expect(by({ model_type: 'camembert' }, '5')).toBeNull();
    expect(saidTying({ model_type: 'camembert', transformers_version: '5' }).disagreement).toMatch(
      /in version 5 it is not known \(tie_word_embeddings is absent, and the default of camembert changed within version 5\)/,
    );
    const silent = saidTying(around('internvl', { model_type: 'qwen2' }));
    expect(silent.tied).toBeNull();
    expect(silent.disagreement).toMatch(
      /up to release 5\.0 it is untied, .*from 5\.1 tied, .*is the default of internvl/,
    );
  });

  test('what is the same in all of them is known', () => {
    expect(by(around('internvl', { model_type: 'qwen2' }, YES), '5')).toBe(true);
    expect(by({ model_type: 'camembert', ...NO }, '5')).toBe(false);
  });
});

describe('which flag rules', () => {
  test.each(CASES)('%s', (_, config, ...tied) => {
    expect(tiedBy(config)).toEqual(tied);
  });

  test.each(CASES)('%s: if nothing is known, a sentence has both answers', (_, config) => {
    const { tied, disagreement, assumption } = saidTying(config);
    if (tied === null) expect(disagreement ?? assumption).toMatch(/not known/);
    if (tied === null && disagreement !== null && !/code follows|expected true or false/.test(disagreement)) {
      expect(disagreement).toMatch(
        /in version 4 of transformers it is .*; in version 5 it is .*does not say which version/,
      );
    }
  });

  test('every listed kind has an answer in both versions', () => {
    const unknown = (config: Config): boolean[] => tiedBy(config).map((tied) => tied === null);
    for (const [type, tied] of DEFAULTS)
      expect(unknown({ model_type: type }).slice(0, 2), type).toEqual([tied[4] === null, false]);
    for (const [type, { inner }] of WRAPPERS)
      expect(unknown(around(type, {})).slice(0, 2), type).toEqual([DEFAULTS.get(inner)![4] === null, false]);
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

  test('what is no flag is quoted, and is not called absent', () => {
    const quoted = (is: string): string =>
      `Whether the model is tied is not known: tie_word_embeddings is ${is}; expected true or false.`;
    for (const [value, is] of [
      ['true', "'true'"],
      [1, '1'],
      [null, 'null'],
      [[], 'an array of 0'],
    ] as const)
      expect(saidTying({ model_type: 'llama', tie_word_embeddings: value })).toEqual({
        ...{ tied: null, isStated: false, suggests: null, says: null, assumption: null, disagreement: quoted(is) },
      });
    const around = { ...NO, transformers_version: '4.57.0' };
    const nested = (flag: unknown): Config => ({
      ...{ ...around, model_type: 'gemma3', text_config: { model_type: 'gemma3_text', tie_word_embeddings: flag } },
    });
    expect(saidTying(nested('yes')).disagreement).toBe(
      "Whether the model is tied: in version 4 of transformers it is not known (text_config.tie_word_embeddings is 'yes'; expected true or false); " +
        'in version 5 it is untied (tie_word_embeddings is false). Version 4.57.0 wrote the file.',
    );
    // It says nothing against another flag.
    expect(saidTying({ ...nested('yes'), transformers_version: '5.10.0' })).toMatchObject({
      ...{ tied: false, says: 'says tie_word_embeddings: false' },
    });
    expect(saidTying({ llm_config: { tie_word_embeddings: null }, ...YES }).disagreement).toContain(
      'tie_word_embeddings is true and llm_config.tie_word_embeddings is null',
    );
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
  const labelOf = ({ 4: four, 5: five, changed }: Default): string => {
    const now =
      four === five
        ? `${word(five)} in both versions`
        : four === null
          ? `${word(five)} in version 5, which alone has it`
          : `${word(four)} in version 4, ${word(five)} in version 5`;
    return changed === undefined ? now : `${now}; ${word(!five)} up to 5.${changed[0]}`;
  };
  const said = ({ rule, tied }: Rule): string =>
    rule === 'never' || rule === 'inner' ? rule : `${rule}, ${word(tied)}`;

  test('has the defaults', () => {
    const listed = rows('Defaults').flatMap(([what, kinds]) => names(kinds!).map((kind) => [kind, what!]));
    const known = [...DEFAULTS].map(([kind, tied]) => [kind, labelOf(tied)]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known));
    expect(listed).toHaveLength(known.length);
  });

  test('has the multimodal models', () => {
    expect(rows('Multimodal models')).toEqual(
      [...WRAPPERS].map(([kind, { inner, isNew, earlier, ...now }]) => [
        `\`${kind}\`${isNew ? ' (new)' : ''}`,
        `\`${inner}\``,
        said(now),
        earlier === undefined ? '' : `${said(earlier)} up to 5.${earlier.changed[0]}`,
      ]),
    );
  });
});
