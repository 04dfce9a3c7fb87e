// Tokenizers that read the files of others give the same ids as other programs, for 20,000 texts.
// Its processes read: tests/judges/llama_cpp.mjs
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadCore, type Tokenizer } from '../../web/index.js';
import { Draw } from '../fuzz/draw.js';
import { sharedFile } from '../web/core/support.js';
import { askLlamaCpp, load, obstacle, titled } from './programs.js';

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'tied-judges-tokenizers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COUNT = 20_000;
/** Some of them have characters that not every program can be asked about. */
const DRAWN = 24_000;
const story = core.writeStories({ seed: 3, length: 60_000 });
/** Of every class that a pattern distinguishes: letters of several scripts, digits, marks, spaces, controls, and what is outside of the BMP. */
const characters = [
  ...'abzABZ',
  ...'éßØ',
  ...'019½²٣',
  ..."''.,;:!?-_/\\()[]{}<>@#$%^&*+=|~`\"",
  ...' \n\r\t\u00a0\u2003\u3000\u2028\u200b\ufeff\u0000\u007f',
  ...'中かなไทय़\u0301\u0e33',
  ...'😀👨‍👩‍👧🇩🇪𝒞𐍈',
];
const words = ["it's", " we'll", "I'VE", ' the', 'New York', '  ', '\n\n', ' ...', '1234567', '<unk>', '</s>', '<|x|>'];

/** Half of them are parts of a story, half are drawn. */
const texts = ((): string[] => {
  const draw = new Draw(11);
  const pick = <T>(list: readonly T[]): T => list[draw.whole(0, list.length - 1)]!;
  const piece = (): string => {
    const kind = draw.whole(0, 9);
    if (kind < 2) return pick(words);
    if (kind < 3)
      return String.fromCodePoint((draw.whole(0, 0x10f7ff) + 0xe000) % 0x110000).replace(/\p{Surrogate}/u, 'x');
    return pick(characters).repeat(kind === 9 ? draw.whole(1, 5) : 1);
  };
  return Array.from({ length: DRAWN }, (_, i) => {
    if (i % 2 === 0) return Array.from({ length: draw.whole(1, 20) }, piece).join('');
    const from = draw.whole(0, story.length - 80);
    return story.slice(from, from + draw.whole(1, 80));
  });
})();

/** The first texts whose ids differ. */
function differences(of: readonly string[], tokenizer: Tokenizer, found: readonly ArrayLike<number>[]): object[] {
  expect(found).toHaveLength(of.length);
  const wrong = of.flatMap((text, i) => {
    const [ours, theirs] = [tokenizer.encode(text).join(), Array.from(found[i]!).join()];
    return ours === theirs ? [] : [{ text, ours, theirs }];
  });
  return wrong.slice(0, 5);
}

/** A GGUF file of a small model with the tokenizer, for llama.cpp. */
function modelWith(tokenizer: Tokenizer, norm: 'layer-norm' | 'rms-norm'): string {
  const llama = { positions: 'rotary', feedForward: 'swiglu' } as const;
  const trainer = core.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 32, nLayers: 1, nHeads: 1, contextLength: 16 },
      ...{ tying: 'tied', norm, ...(norm === 'layer-norm' ? { biases: 'all' } : { biases: 'none', ...llama }) },
    } as never,
    training: { learningRate: 0.01, batchSize: 1, seed: 1 },
    tokenIds: tokenizer.encode(story.slice(0, 2000)),
    tokenizer,
  });
  const file = join(folder, `${tokenizer.kind}-${tokenizer.vocabSize}.gguf`);
  writeFileSync(file, trainer.toGguf());
  return file;
}

// ---------------------------------------------------------------- byte-level BPE

/** vocab.json and merges.txt of our own BPE of bytes, as GPT-2 stores them. */
function gpt2Files(size: number): { vocabulary: Record<string, number>; merges: string[] } {
  const printable = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let more = 256;
  const alphabet = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : more++));
  const vocabulary: Record<string, number> = Object.fromEntries(alphabet.map((letter, id) => [letter, id]));
  // Pairs of pieces of the story's words, the most frequent first: valid merges, whatever trained them.
  const merges: string[] = [];
  const counts = new Map<string, number>();
  for (const [piece] of story.matchAll(/ ?\p{L}+/gu)) {
    const word = Array.from(new TextEncoder().encode(piece), (byte) => alphabet[byte]!).join('');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const split = new Map([...counts.keys()].map((word) => [word, [...word]]));
  while (merges.length < size) {
    const pairs = new Map<string, number>();
    for (const [word, parts] of split) {
      for (let i = 1; i < parts.length; i++) {
        const pair = `${parts[i - 1]} ${parts[i]}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + counts.get(word)!);
      }
    }
    const [best] = [...pairs].reduce((most, pair) => (pair[1] > most[1] ? pair : most), ['', 0]);
    if (best === '') break;
    merges.push(best);
    const [left, right] = best.split(' ') as [string, string];
    vocabulary[left + right] ??= Object.keys(vocabulary).length;
    for (const parts of split.values()) {
      for (let i = 0; i + 1 < parts.length; i++) {
        if (parts[i] === left && parts[i + 1] === right) parts.splice(i, 2, left + right);
      }
    }
  }
  return { vocabulary, merges };
}

interface Package {
  Tokenizer: new (
    tokenizer: object,
    configuration: object,
  ) => { encode(text: string, options: object): { ids: number[] } };
}

/** The ids that @huggingface/tokenizers gives. */
async function byTokenizers(vocab: object, merges: string[], of: readonly string[]): Promise<number[][]> {
  const { Tokenizer } = await load<Package>('@huggingface/tokenizers');
  const json = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges, fuse_unk: false, byte_fallback: false },
  };
  const tokenizer = new Tokenizer(json, {});
  return of.map((text) => tokenizer.encode(text, { add_special_tokens: false }).ids);
}

/**
 * What is white space decides how a text is split. Here it is Unicode's White_Space, as in encoder.py; @huggingface/tokenizers follows
 * JavaScript's \s, which has U+FEFF but not U+0085.
 */
const sameSpaces = (text: string): boolean => !/[\u0085\ufeff]/.test(text);

describe.skipIf(obstacle)(titled('byte-level BPE'), { timeout: 300_000 }, () => {
  const { vocabulary, merges } = gpt2Files(600);
  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
  const own = (): Tokenizer =>
    core.loadTokenizer(utf8(JSON.stringify(vocabulary)), {
      format: 'gpt2',
      merges: utf8(`#version: 0.2\n${merges.join('\n')}\n`),
    });

  test('of the files of GPT-2, and @huggingface/tokenizers', async () => {
    expect(merges).toHaveLength(600);
    const of = texts.filter(sameSpaces);
    expect(of.length).toBeGreaterThanOrEqual(COUNT);
    expect(differences(of, own(), await byTokenizers(vocabulary, merges, of))).toEqual([]);
  });

  const [encoder, published] = [sharedFile('tokenizers/gpt2-encoder.json'), sharedFile('tokenizers/gpt2-vocab.bpe')];
  test.runIf(encoder && published)('of GPT-2 itself, and @huggingface/tokenizers', async () => {
    const vocab = JSON.parse(new TextDecoder().decode(encoder!)) as Record<string, number>;
    const lines = new TextDecoder().decode(published!).split('\n').slice(1, -1);
    const of = texts.filter(sameSpaces);
    const tokenizer = core.loadTokenizer(encoder!, { format: 'gpt2', merges: published! });
    expect(differences(of, tokenizer, await byTokenizers(vocab, lines, of))).toEqual([]);
  });

  test('trained here, and llama.cpp with the GGUF file', () => {
    const tokenizer = core.trainTokenizer(story, { kind: 'bpe', vocabSize: 700, alphabet: 'bytes' });
    const { ids } = askLlamaCpp<{ ids: number[][] }>(modelWith(tokenizer, 'layer-norm'), { texts });
    expect(differences(texts, tokenizer, ids)).toEqual([]);
  });
});

// ---------------------------------------------------------------- llama2.c

/** A vocabulary in the file format of llama2.c: controls, bytes, characters, and words with the score of their frequency. */
function llama2cFile(): Uint8Array {
  // All of the story's: pieces with other characters are read differently by different programs.
  const common = [...new Set(story)].filter((character) => character !== '\n');
  const counts = new Map<string, number>();
  for (const [word] of story.matchAll(/ ?\p{L}+/gu)) {
    for (let length = 2; length <= Math.min(word.length, 6); length++) {
      const piece = word.slice(0, length);
      counts.set(piece, (counts.get(piece) ?? 0) + 1);
    }
  }
  const pieces = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 300);
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const tokens: [text: string, score: number][] = [
    ...['<unk>', '\n<s>\n', '\n</s>\n', ...bytes].map((text): [string, number] => [text, 0]),
    ...pieces.map(([text], i): [string, number] => [text, -i]),
    ...common.map((text, i): [string, number] => [text, -1000 - i]),
  ];
  const utf8 = tokens.map(([text]) => new TextEncoder().encode(text));
  const file = new DataView(new ArrayBuffer(4 + utf8.reduce((sum, { length }) => sum + 8 + length, 0)));
  file.setUint32(0, Math.max(...utf8.map(({ length }) => length)), true);
  let at = 4;
  for (const [i, text] of utf8.entries()) {
    file.setFloat32(at, tokens[i]![1], true);
    file.setUint32(at + 4, text.length, true);
    new Uint8Array(file.buffer, at + 8, text.length).set(text);
    at += 8 + text.length;
  }
  return new Uint8Array(file.buffer);
}

describe.skipIf(obstacle)(titled('vocabularies with scores'), { timeout: 300_000 }, () => {
  const published = sharedFile('tokenizers/llama2c-tok512.bin');
  test.each([
    ['made here', llama2cFile()] as const,
    ...(published === null ? [] : [['of stories260k', published] as const]),
  ])('%s, and llama.cpp with the GGUF file', (_, file) => {
    const tokenizer = core.loadTokenizer(file, { format: 'llama2c' });
    const { ids } = askLlamaCpp<{ ids: number[][] }>(modelWith(tokenizer, 'rms-norm'), { texts });
    expect(differences(texts, tokenizer, ids)).toEqual([]);
  });
});

// ---------------------------------------------------------------- characters

/**
 * llama.cpp has one token 0 for each byte that it does not know, or leaves it out; here an unknown character is token 0 once, so the texts
 * have none but of the second kind.
 */
describe.skipIf(obstacle)(titled('characters'), { timeout: 300_000 }, () => {
  const idsOf = (tokenizer: Tokenizer, of: readonly string[]): number[][] =>
    askLlamaCpp<{ ids: number[][] }>(modelWith(tokenizer, 'layer-norm'), { texts: of }).ids;
  const ascii = texts.map((text) => text.replace(/[^\0-\x7f]/g, ''));

  test('of ASCII, which are tokens of RWKV', () => {
    const tokenizer = core.trainTokenizer(ascii.join(''), { kind: 'character' });
    expect(differences(ascii, tokenizer, idsOf(tokenizer, ascii))).toEqual([]);
  });

  test('the most frequent of ASCII, and an unknown one', () => {
    const tokenizer = core.trainTokenizer(ascii.join(''), { kind: 'character', vocabSize: 40 });
    expect(tokenizer.tokens[0]).toBe('<unk>');
    expect(differences(ascii, tokenizer, idsOf(tokenizer, ascii))).toEqual([]);
  });

  test('of all scripts, whose bytes are merged', () => {
    const tokenizer = core.trainTokenizer(texts.join(''), { kind: 'character' });
    expect(differences(texts, tokenizer, idsOf(tokenizer, texts))).toEqual([]);
  });

  test('the most frequent of all scripts; unknown ones are left out', () => {
    const tokenizer = core.trainTokenizer(texts.join(''), { kind: 'character', vocabSize: 120 });
    expect(tokenizer.tokens.some((token) => 'éßØ中かな'.includes(token))).toBe(true);
    const known = texts.map((text) => tokenizer.encode(text).filter((id) => id !== 0));
    expect(known.flatMap((ids) => [...ids]).length).toBeLessThan(texts.join('').length);
    const found = idsOf(tokenizer, texts);
    const wrong = texts.filter((_, i) => found[i]!.join() !== known[i]!.join());
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  test('stand-ins, of ids in any order', () => {
    const draw = new Draw(12);
    const standIn = (id: number): string => 'ABCDEFGHIJ'[Number(String(id)[0])]! + String(id).slice(1);
    const tokenizer = core.trainTokenizer(story, { kind: 'word', vocabSize: 137 });
    const asked = Array.from({ length: COUNT }, () =>
      Array.from({ length: draw.whole(1, 20) }, () => draw.whole(0, tokenizer.vocabSize - 1)),
    );
    const found = idsOf(
      tokenizer,
      asked.map((ids) => ids.map(standIn).join('')),
    );
    expect(found.map((ids) => ids.join())).toEqual(asked.map((ids) => ids.join()));
    // No text of any kind stops it.
    expect(idsOf(tokenizer, texts.slice(0, 2000))).toHaveLength(2000);
  });
});
