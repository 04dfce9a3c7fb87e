/**
 * A tokenizer as the `tokenizer.json` of Hugging Face's tokenizers, which splits a text into the same ids. Null if that library has no rules
 * that do: for words, whose spaces follow rules of ours, and for tokens that it could not tell apart.
 */
import { readSavedTokenizer, type SavedTokenizer } from '../../text/saved-tokenizer.js';
import {
  areDistinct,
  byCharacters,
  byteLevelTokens,
  hasUnknownCharacter,
  scoredTokens,
  textOf,
} from '../../text/token-spelling.js';

type Json = Readonly<Record<string, unknown>>;

export function tokenizerJson(saved: Uint8Array): string | null {
  const tokenizer = readSavedTokenizer(saved);
  const rules = rulesOf(tokenizer);
  if (rules === null) return null;
  const general = { version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null };
  return JSON.stringify({ ...general, pre_tokenizer: null, post_processor: null, decoder: null, ...rules });
}

function rulesOf(tokenizer: SavedTokenizer): Json | null {
  switch (tokenizer.kind) {
    case 'character':
      return ofCharacters(tokenizer);
    case 'word':
      return null;
    case 'bpe':
    case 'gpt2':
      return ofBytePairs(tokenizer);
    case 'llama2c':
      return ofScores(tokenizer, tokenizer.scores!);
  }
}

/** Tokens by text. Without a prototype, because a token may be `__proto__`. */
function vocabulary(tokens: readonly string[]): Record<string, number> {
  const ids = Object.create(null) as Record<string, number>;
  tokens.forEach((token, id) => (ids[token] = id));
  return ids;
}

const addedTokens = (tokens: readonly string[], apart: readonly boolean[]): Json[] =>
  tokens.flatMap((content, id) =>
    apart[id] === true
      ? [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }]
      : [],
  );

const split = (pattern: string): Json => ({
  type: 'Split',
  pattern: { Regex: pattern },
  behavior: 'Isolated',
  invert: false,
});

// ---------------------------------------------------------------- characters

function ofCharacters(tokenizer: SavedTokenizer): Json | null {
  const tokens = tokenizer.tokens.map(textOf);
  if (!areDistinct(tokens)) return null;
  const vocab = vocabulary(tokens);
  return {
    pre_tokenizer: split(String.raw`[\s\S]`),
    decoder: { type: 'Fuse' },
    // Without an unknown token, a character that is not in the vocabulary is an error, as here: byte pairs would leave it out. With one,
    // the library for JavaScript finds the token in byte pairs only.
    model: hasUnknownCharacter(tokenizer)
      ? bytePairs(vocab, [], { unk_token: '<unk>' })
      : { type: 'WordLevel', vocab, unk_token: '' },
  };
}

// ---------------------------------------------------------------- byte pairs

const byteLevel = (usesRegex: boolean): Json => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: usesRegex,
});

const bytePairs = (vocab: Json, merges: readonly string[], more: Json = {}): Json => ({
  type: 'BPE',
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
  byte_fallback: false,
  ignore_merges: false,
  ...{ vocab, merges, ...more },
});

function ofBytePairs(tokenizer: SavedTokenizer): Json | null {
  const { kind, tokens: own, merges } = tokenizer;
  const { tokens, apart } = byteLevelTokens(tokenizer);
  if (!areDistinct(tokens)) return null;
  const isLearned = kind === 'bpe';
  return {
    added_tokens: addedTokens(tokens, apart),
    pre_tokenizer: isLearned
      ? { type: 'Sequence', pretokenizers: [split(piecePattern()), byteLevel(false)] }
      : byteLevel(true),
    decoder: byteLevel(true),
    model: bytePairs(
      vocabulary(tokens),
      merges!.map((pair) => pair.map((id) => byCharacters(own[id]!)).join(' ')),
    ),
  };
}

/**
 * Characters by class, as `classify` in text/utf8.cpp has them; all others are letters. Ranges of code points, ascending.
 */
const SPACES = '0-20 7F 85 A0 1680 2000-200A 2028-2029 202F 205F 3000';
const DIGITS = '30-39';
const MARKS =
  '21-2F 3A-40 5B-60 7B-7E 80-84 86-9F A1-A9 AB-B4 B6-B9 BB-BF D7 F7 2010-2027 202A-202E 2030-205E 2060-2BFF 2E00-2E7F 3001-3020 FF01-FF0F FF1A-FF20';

/** The inside of a character class; regular expressions of all languages read these escapes, and other characters as they are. */
function classOf(...ranges: readonly string[]): string {
  const written = (code: string): string => {
    const point = parseInt(code, 16);
    return point < 0x80 ? `\\x${code.padStart(2, '0')}` : String.fromCodePoint(point);
  };
  return ranges
    .flatMap((list) => list.split(' '))
    .map((range) => range.split('-').map(written).join('-'))
    .join('');
}

/** The pieces in which byte pairs are learned; see text/bpe_pieces.cpp. */
function piecePattern(): string {
  const [space, digit, mark] = [classOf(SPACES), classOf(DIGITS), classOf(MARKS)];
  const letter = `[^${classOf(SPACES, DIGITS, MARKS)}]`;
  return [
    "'(?:s|t|m|d|re|ve|ll)",
    ...[letter, `[${digit}]`, `[${mark}]`].map((one) => `\\x20?${one}+`),
    // The last white space before a piece belongs to that piece, if it is not the only one.
    `[${space}]+(?![^${space}])`,
    `[${space}]+`,
  ].join('|');
}

// ---------------------------------------------------------------- scores

/** Merges by descending score of what they make, as `Tokenizer` of text/tokenizer.cpp applies them. */
function ofScores(tokenizer: SavedTokenizer, scores: Float32Array): Json | null {
  const { tokens, apart } = scoredTokens(tokenizer);
  if (!areDistinct(tokens)) return null;
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const merges: [pair: string, score: number][] = [];
  for (const [token, id] of ids) {
    if (apart[id] === true) continue;
    const characters = [...token];
    for (let length = 1; length < characters.length; length++) {
      const left = characters.slice(0, length).join('');
      const right = characters.slice(length).join('');
      if (ids.has(left) && ids.has(right)) merges.push([`${left} ${right}`, scores[id]!]);
    }
  }
  merges.sort(([, a], [, b]) => b - a);
  const [begin, text] = [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }];
  return {
    added_tokens: addedTokens(tokens, apart),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '\u2581' },
        { type: 'Replace', pattern: { String: ' ' }, content: '\u2581' },
      ],
    },
    post_processor: {
      type: 'TemplateProcessing',
      single: [begin, text],
      pair: [begin, text, { SpecialToken: { id: '<s>', type_id: 1 } }, { Sequence: { id: 'B', type_id: 1 } }],
      special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } },
    },
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '\u2581' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: bytePairs(
      vocabulary(tokens),
      merges.map(([pair]) => pair),
      { unk_token: '<unk>', fuse_unk: true, byte_fallback: true },
    ),
  };
}
