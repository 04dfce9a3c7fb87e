/**
 * Byte-level BPE of GPT-2. The oracle is a plain program modeled on encoder.py of github.com/openai/gpt-2: its pattern, with the engine's
 * own Unicode classes, and its merges, one after another. The published vocabulary is beside the project.
 */
import { describe, expect, test } from 'vitest';
import { createLab, loadCore, type Tokenizer } from '../../../web/index.js';
import { unicodeClassBytes } from '../../../tools/unicode-classes.mjs';
import { readFileSync } from 'node:fs';
import { Draw } from '../../fuzz/draw.js';
import { sharedFile } from './support.js';

const core = await loadCore();
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// ---------------------------------------------------------------- the oracle

const PATTERN =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** bytes_to_unicode() of encoder.py. */
const characters = ((): string[] => {
  const printable = [...range(33, 126), ...range(161, 172), ...range(174, 255)];
  let more = 256;
  return range(0, 255).map((byte) => String.fromCodePoint(printable.includes(byte) ? byte : more++));
})();
function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function encode(text: string, vocabulary: Record<string, number>, ranks: Map<string, number>): number[] {
  return [...text.matchAll(PATTERN)].flatMap(([piece]) => {
    let parts = Array.from(utf8(piece), (byte) => characters[byte]!);
    for (;;) {
      const rankAt = (i: number): number => ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity;
      const best = Math.min(...parts.slice(1).map((_, i) => rankAt(i)));
      if (best === Infinity) break;
      const merged: string[] = [];
      for (let i = 0; i < parts.length; i++) {
        if (i + 1 < parts.length && rankAt(i) === best) merged.push(parts[i]! + parts[++i]!);
        else merged.push(parts[i]!);
      }
      parts = merged;
    }
    return parts.map((part) => vocabulary[part]!);
  });
}

// ---------------------------------------------------------------- a small vocabulary

const MERGES = ['a b', 'ab c', 'Ġ a', 'Ġa b', 'h e', 'Ġ he', "' s", 'Ċ Ċ', 'Ġ Ġ', 'Ã ©', '1 2', 'b c', 'Ġ .'];
const small: Record<string, number> = Object.fromEntries(
  // Not in byte order: the file determines the ids.
  [...characters].reverse().map((character, id) => [character, id]),
);
for (const merge of MERGES) small[merge.replace(' ', '')] = Object.keys(small).length;
small['<|endoftext|>'] = Object.keys(small).length;
const mergesFile = utf8(`#version: 0.2\n${MERGES.join('\n')}\n`);
const ranks = new Map(MERGES.map((merge, rank) => [merge, rank]));
const tokenizerJson = (change: Record<string, unknown> = {}, model: Record<string, unknown> = {}): Uint8Array => {
  const { '<|endoftext|>': id, ...vocab } = small;
  return utf8(
    JSON.stringify({
      added_tokens: [{ id, content: '<|endoftext|>', special: true }],
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
      post_processor: { type: 'ByteLevel' },
      decoder: { type: 'ByteLevel' },
      model: { type: 'BPE', vocab, merges: MERGES, ...model },
      ...change,
    }),
  );
};
const load = (): Tokenizer => core.loadTokenizer(utf8(JSON.stringify(small)), { format: 'gpt2', merges: mergesFile });

const TEXTS = [
  '',
  'a',
  "abc ab abab  abc\n\n\nabc's they're WE'LL 's",
  'héé 12 123 ½ ² ٣ 中文 かな 😀😀 \u0301a',
  ' \t a \u00a0b\u2003\u2003c \u3000 \u0085x\u200bx\ufeffx',
  '   trailing   ',
  '<|endoftext|>',
  '\u{10FFFF}\u{1F1E9}\u{1F1EA}\u{1D49C}',
  "it's 'quoted' ''s",
];

describe('a small vocabulary', () => {
  test.each(TEXTS)('splits %j as encoder.py does', (text) => {
    const tokenizer = load();
    expect([...tokenizer.encode(text)]).toEqual(encode(text, small, ranks));
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  });

  test('splits random texts of any characters as encoder.py does', () => {
    const tokenizer = load();
    const draw = new Draw(5);
    const alphabet = [
      'a',
      'b',
      'c',
      ' ',
      '\n',
      "'",
      's',
      'é',
      '1',
      '.',
      '\u00a0',
      '\u0301',
      '中',
      '٣',
      '\u2028',
      '\t',
      '😀',
    ];
    for (let i = 0; i < 2000; i++) {
      const length = draw.whole(1, 24);
      const text = Array.from({ length }, () =>
        draw.whole(0, 9) === 0
          ? String.fromCodePoint((draw.whole(0, 0x10f7ff) + 0xe000) % 0x110000).replace(/\p{Surrogate}/u, 'x')
          : alphabet[draw.whole(0, alphabet.length - 1)]!,
      ).join('');
      expect([...tokenizer.encode(text)], JSON.stringify(text)).toEqual(encode(text, small, ranks));
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    }
  });

  test('encodes runs of any length', () => {
    const text = 'ab'.repeat(3000);
    expect([...load().encode(text)]).toEqual(encode(text, small, ranks));
  });

  test('reports its kind, and is saved to the bit', () => {
    const tokenizer = load();
    expect(tokenizer.kind).toBe('gpt2');
    expect(tokenizer.vocabSize).toBe(256 + MERGES.length + 1);
    expect(tokenizer.decode(Uint32Array.of(tokenizer.vocabSize - 1))).toBe('<|endoftext|>');
    const again = core.loadTokenizer(tokenizer.save(), { format: 'tied-embeddings' });
    expect(again.tokens).toEqual(tokenizer.tokens);
    expect(again.save()).toEqual(tokenizer.save());
    expect(again.encode(TEXTS[2]!)).toEqual(tokenizer.encode(TEXTS[2]!));
  });

  test('is the same when read from tokenizer.json, also with pairs as lists and in a lab', async () => {
    const expected = load();
    for (const file of [tokenizerJson(), tokenizerJson({}, { merges: MERGES.map((merge) => merge.split(' ')) })])
      expect(core.loadTokenizer(file, { format: 'gpt2' }).save()).toEqual(expected.save());
    const lab = await createLab();
    const remote = await lab.loadTokenizer(utf8(JSON.stringify(small)), { format: 'gpt2', merges: mergesFile });
    expect(await remote.save()).toEqual(expected.save());
    lab.dispose();
  });

  test('can be used by a trainer for writing', () => {
    const tokenizer = load();
    const tokenIds = tokenizer.encode('abc ab 12 he '.repeat(30));
    const trainer = core.createTrainer({
      model: {
        kind: 'transformer',
        vocabSize: tokenizer.vocabSize,
        dModel: 8,
        nLayers: 1,
        nHeads: 2,
        contextLength: 8,
        tying: 'tied',
      },
      training: { learningRate: 0.01, batchSize: 2, seed: 1 },
      ...{ tokenIds, tokenizer },
    });
    trainer.run(3);
    const again = core.loadTrainer(trainer.save());
    expect(again.tokenizer()!.kind).toBe('gpt2');
    expect(again.generate({ prompt: 'ab', tokens: 5, seed: 1 }).text).not.toBe(null);
  });
});

describe('loading refuses', () => {
  const refused = (bytes: Uint8Array, merges?: Uint8Array): { code: string; message: string } => {
    try {
      core.loadTokenizer(bytes, { format: 'gpt2', ...(merges ? { merges } : {}) });
    } catch (error) {
      return error as { code: string; message: string };
    }
    throw new Error('it was accepted');
  };
  test.each([
    ['another model', tokenizerJson({}, { type: 'Unigram' }), 'unsupported', "model.type is 'Unigram'; expected 'BPE'"],
    ['a normalizer', tokenizerJson({ normalizer: { type: 'NFC' } }), 'unsupported', 'normalizer is'],
    [
      'another cut',
      tokenizerJson({ pre_tokenizer: { type: 'Sequence', pretokenizers: [] } }),
      'unsupported',
      "pre_tokenizer.type is 'Sequence'; expected 'ByteLevel'",
    ],
    [
      'a space before the text',
      tokenizerJson({ pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true } }),
      'unsupported',
      'pre_tokenizer.add_prefix_space is true',
    ],
    [
      'tokens around the text',
      tokenizerJson({ post_processor: { type: 'TemplateProcessing' } }),
      'unsupported',
      "post_processor.type is 'TemplateProcessing'",
    ],
    ['whole words first', tokenizerJson({}, { ignore_merges: true }), 'unsupported', 'model.ignore_merges is true'],
    ['no merges', tokenizerJson({}, { merges: 5 }), 'bad-file', 'model.merges is 5'],
    ['half a merge', tokenizerJson({}, { merges: ['a'] }), 'bad-file', "merge 0 is 'a'; expected two tokens"],
    ['a merge of no token', tokenizerJson({}, { merges: ['a zz'] }), 'bad-file', "merge 0 needs 'zz'"],
    ['a merge that makes none', tokenizerJson({}, { merges: ['z z'] }), 'bad-file', "merge 0 needs 'zz'"],
    ['a merge twice', tokenizerJson({}, { merges: ['a b', 'a b'] }), 'bad-file', 'every pair once'],
    ['a vocabulary alone', utf8(JSON.stringify(small)), 'bad-file', 'vocab.json with merges.txt as options.merges'],
    ['no JSON', utf8('{'), 'bad-file', 'bytes cannot be parsed'],
    ['no text', Uint8Array.of(0xff), 'bad-file', 'expected UTF-8'],
    ['a list', utf8('[1]'), 'bad-file', 'expected a JSON object'],
  ] as const)('%s', (_, bytes, code, message) => {
    const error = refused(bytes);
    expect(error.message).toContain(message);
    expect(error.code).toBe(code);
  });

  test.each([
    ['an id twice', { ...small, a: 5 }, 'two tokens have the id 5'],
    ['an id too large', { ...small, a: 1e9 }, "the id of 'a' is 1000000000; expected one of 0 to"],
    ['an id that is none', { ...small, a: '7' }, "the id of 'a' is '7'"],
    ['a character that is no byte', { ...small, 中: small['a'] }, "has '中', which does not stand for a byte"],
    ['few tokens', { a: 0 }, 'bytes has 1 tokens; expected 256'],
  ] as const)('%s', (_, vocabulary, message) => {
    const error = refused(utf8(JSON.stringify(vocabulary)), mergesFile);
    expect(error).toMatchObject({ code: 'bad-file' });
    expect(error.message).toContain(message);
  });

  test('a byte without a token', () => {
    const { a: id, ...others } = small;
    const error = refused(utf8(JSON.stringify({ ...others, aa: id })), utf8(''));
    expect(error).toMatchObject({ code: 'bad-file' });
    expect(error.message).toContain('no token for byte 97');
  });

  test('merges for other formats, and unknown formats', () => {
    const saved = load().save();
    expect(() => core.loadTokenizer(saved, { format: 'tied-embeddings', merges: mergesFile })).toThrow(
      'options.merges',
    );
    expect(() => core.loadTokenizer(saved, { format: 'gpt-2' as never })).toThrow("did you mean 'gpt2'?");
  });

  test('a saved file that was edited by hand', () => {
    const saved = load().save();
    for (let at = 0; at < saved.length; at += 7) {
      const bytes = saved.slice();
      bytes[at]! ^= 0x55;
      expect(() => core.loadTokenizer(bytes, { format: 'tied-embeddings' })).toThrow();
    }
  });
});

test('the Unicode classes are those of the engine', () => {
  const file = readFileSync(new URL('../../../cpp/text/unicode_classes.inc', import.meta.url), 'utf8');
  const [, version] = /Unicode (\S+)/.exec(file)!;
  const numbers = file
    .slice(file.indexOf('{') + 1, file.indexOf('}'))
    .split(',')
    .map((part) => Number(part.trim()));
  const here = unicodeClassBytes();
  // Another Unicode version has more letters, but existing ones stay, so most of the table is the same.
  if (version === process.versions['unicode']) expect(numbers.slice(0, -1)).toEqual(here);
  else expect(Math.abs(numbers.length - here.length)).toBeLessThan(400);
});

const vocabularyFile = sharedFile('tokenizers/gpt2-encoder.json');
const published = sharedFile('tokenizers/gpt2-vocab.bpe');

describe.runIf(vocabularyFile && published)('GPT-2’s own vocabulary', () => {
  const vocabulary = JSON.parse(new TextDecoder().decode(vocabularyFile ?? utf8('{}'))) as Record<string, number>;
  const lines = new TextDecoder()
    .decode(published ?? utf8(''))
    .split('\n')
    .slice(1, -1);
  const all = new Map(lines.map((line, rank) => [line, rank]));

  test('gives the known ids', () => {
    const tokenizer = core.loadTokenizer(vocabularyFile!, { format: 'gpt2', merges: published! });
    expect(tokenizer.vocabSize).toBe(50_257);
    // From the documentation of transformers and tiktoken.
    expect([...tokenizer.encode('Hello world')]).toEqual([15496, 995]);
    expect([...tokenizer.encode(' Hello world')]).toEqual([18435, 995]);
    expect([...tokenizer.encode('hello world')]).toEqual([31373, 995]);
    expect(tokenizer.decode(Uint32Array.of(50_256))).toBe('<|endoftext|>');
  });

  test('splits novels and other scripts as encoder.py does', () => {
    const tokenizer = core.loadTokenizer(vocabularyFile!, { format: 'gpt2', merges: published! });
    const novels = new TextDecoder().decode(sharedFile('corpora/new-york-novels.txt')!.subarray(0, 60_000));
    const pairs = new TextDecoder().decode(sharedFile('corpora/tatoeba-english-12-languages.tsv')!.subarray(0, 60_000));
    for (const text of [...TEXTS, novels, pairs])
      expect([...tokenizer.encode(text)]).toEqual(encode(text, vocabulary, all));
  });
});
