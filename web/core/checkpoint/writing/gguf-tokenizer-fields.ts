/**
 * The tokenizer of a GGUF file. llama.cpp gets one that splits a text exactly as ours does, or stand-ins: V strings that stand for nothing
 * but their ids, because its bindings do not open a file without tokens. Ours is then stored beside them, in its own form.
 */
import type { GgufField } from './gguf-header.js';
import { readSavedTokenizer, type SavedTokenizer } from '../../text/saved-tokenizer.js';
import { OWN_TOKENIZER_KEY, STAND_INS_KEY, storedTokenizer } from '../../text/stored-tokenizer.js';
import {
  areDistinct,
  byCharacters,
  byteLevelTokens,
  endOfText,
  hasUnknownCharacter,
  scoredTokens,
  textOf,
} from '../../text/token-spelling.js';

/** Kinds of tokens, as in llama.h. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];
const FIRST_BYTE = 3;
const BYTES = 256;
/** No text in UTF-8 has this byte. */
const NEVER_IN_TEXT = 0xff;
const UNKNOWN_CHARACTER = '<unk>';

type Fields = [key: string, field: GgufField][];

const u32 = (value: number): GgufField => ({ type: 'u32', value });
const string = (value: string): GgufField => ({ type: 'string', value });
const strings = (value: readonly string[]): GgufField => ({ type: 'strings', value });
const flag = (value: boolean): GgufField => ({ type: 'bool', value });

/** `saved`: a tokenizer's own file, null if there is none; `vocabSize`: rows of the token table. */
export function tokenizerFields(saved: Uint8Array | null, vocabSize: number): Fields {
  const prefixed = (fields: Fields): Fields => fields.map(([key, field]) => [`tokenizer.ggml.${key}`, field]);
  const withStandIns = (): Fields => [...prefixed(standIns(vocabSize)), [STAND_INS_KEY, flag(true)]];
  if (saved === null) return withStandIns();
  const tokenizer = readSavedTokenizer(saved);
  const fields = fieldsOf(tokenizer);
  // A reader would rebuild another tokenizer from the keys of llama.cpp, which has neither characters nor the bytes of a text.
  const isRebuilt = fields !== null && tokenizer.kind !== 'character' && hasAllBytes(tokenizer);
  return [
    ...(fields === null ? withStandIns() : prefixed(fields)),
    ...(isRebuilt ? [] : ([[OWN_TOKENIZER_KEY, string(storedTokenizer(saved))]] as Fields)),
  ];
}

/** Null if llama.cpp has no tokenizer that splits a text in the same way, or cannot tell its tokens apart. */
function fieldsOf(tokenizer: SavedTokenizer): Fields | null {
  switch (tokenizer.kind) {
    case 'character':
      return characters(tokenizer);
    case 'word':
      return null;
    case 'bpe':
    case 'gpt2':
      return byteLevel(tokenizer);
    case 'llama2c':
      return scored(tokenizer, tokenizer.scores!);
  }
}

// ---------------------------------------------------------------- RWKV's: the longest token at each position, no begin or end

/**
 * A byte that begins no token becomes token 0, which llama.cpp asks for by name. Whatever begins a token must be a token too, down to its
 * first byte, as in RWKV's own vocabulary: llama.cpp does not get past a text that goes on as no token does.
 */
const longestMatch = (tokens: readonly string[], hasUnknown = false): Fields => [
  ['model', string('rwkv')],
  ['tokens', strings(tokens)],
  ['token_type', { type: 'i32s', value: tokens.map((_, id) => (id === 0 && hasUnknown ? UNKNOWN : NORMAL)) }],
  ['unknown_token_id', u32(0)],
  ['add_bos_token', flag(false)],
  ['add_eos_token', flag(false)],
];

/**
 * The id in decimal digits, the first of them as a letter, A for 0 to J for 9: of 'HD' and 'B37', llama.cpp makes the ids 7 and 3, and 137.
 */
function standIn(id: number): string {
  const digits = String(id);
  return 'ABCDEFGHIJ'[Number(digits[0])]! + digits.slice(1);
}

const standIns = (vocabSize: number): Fields => longestMatch(Array.from({ length: vocabSize }, (_, id) => standIn(id)));

/** Every token is one character. If each is one byte, the longest token is the only one that fits. */
function characters(tokenizer: SavedTokenizer): Fields {
  const { tokens } = tokenizer;
  // The unknown token is not a character of a text.
  const hasUnknown = hasUnknownCharacter(tokenizer);
  const isUnknown = (id: number): boolean => hasUnknown && id === 0;
  if (tokens.some(({ length }, id) => length > 1 && !isUnknown(id))) return mergedCharacters(tokens, isUnknown);
  return longestMatch(
    tokens.map((token, id) => (isUnknown(id) ? '\\xff' : escaped(token))),
    hasUnknown,
  );
}

/** Characters of several bytes: merges of their bytes, the first two first. llama.cpp leaves out what is in no token. */
function mergedCharacters(tokens: readonly Uint8Array[], isUnknown: (id: number) => boolean): Fields {
  const merges = new Set(
    tokens.flatMap((token, id) =>
      isUnknown(id)
        ? []
        : Array.from(token.subarray(1), (_, i) => [token.subarray(0, i + 1), token.subarray(i + 1, i + 2)]).map(
            (pair) => pair.map(byCharacters).join(' '),
          ),
    ),
  );
  const spelled = tokens.map((token, id) => (isUnknown(id) ? UNKNOWN_CHARACTER : byCharacters(token)));
  const types = tokens.map((_, id) => (isUnknown(id) ? UNKNOWN : NORMAL));
  return byteLevelFields(spelled, types, [...merges], isUnknown(0) ? 0 : tokens.length - 1, false);
}

/** As in RWKV's list of tokens, where a backslash begins an escape. */
const escaped = (token: Uint8Array): string =>
  Array.from(textOf(token)!, (character) => {
    const code = character.charCodeAt(0);
    if (character === '\\') return '\\\\';
    return code < 0x20 ? `\\x${code.toString(16).padStart(2, '0')}` : character;
  }).join('');

// ---------------------------------------------------------------- GPT-2's: bytes and merges

const hasAllBytes = ({ kind, tokens }: SavedTokenizer): boolean =>
  kind !== 'bpe' || tokens.filter(({ length }) => length === 1).length === BYTES;

function byteLevel(tokenizer: SavedTokenizer): Fields | null {
  const { kind, tokens: own, merges } = tokenizer;
  const { tokens, apart } = byteLevelTokens(tokenizer);
  if (!areDistinct(tokens)) return null;
  const types = apart.map((is) => (is ? CONTROL : NORMAL));
  const spelled = merges!.map((pair) => pair.map((id) => byCharacters(own[id]!)).join(' '));
  return byteLevelFields(tokens, types, spelled, endOf(tokenizer), kind === 'gpt2');
}

/** `end` begins and ends texts; tokenizers learned here have no such token, so nothing `isBegun` with it. */
const byteLevelFields = (
  tokens: readonly string[],
  types: number[],
  merges: readonly string[],
  end: number,
  isBegun: boolean,
): Fields => [
  ['model', string('gpt2')],
  ['pre', string('gpt-2')],
  ['tokens', strings(tokens)],
  ['token_type', { type: 'i32s', value: types }],
  ['merges', strings(merges)],
  // Without these keys, llama.cpp takes token 11 for both, whatever it is.
  ['bos_token_id', u32(end)],
  ['eos_token_id', u32(end)],
  ...(isBegun ? [] : ([['add_bos_token', flag(false)]] as Fields)),
];

/** The token that ends a text; if there is none, one that a text does not have, or else the last that was learned. */
function endOf(tokenizer: SavedTokenizer): number {
  const { tokens } = tokenizer;
  const named = endOfText(tokenizer);
  if (named >= 0) return named;
  const never = tokens.findIndex((token) => token.length === 1 && token[0] === NEVER_IN_TEXT);
  return never >= 0 ? never : tokens.length - 1;
}

// ---------------------------------------------------------------- SentencePiece's, as llama.cpp calls it: scores

function scored(tokenizer: SavedTokenizer, scores: Float32Array): Fields | null {
  const { tokens } = scoredTokens(tokenizer);
  if (!areDistinct(tokens)) return null;
  const kindOf = (id: number): number =>
    id === 0 ? UNKNOWN : id < FIRST_BYTE ? CONTROL : id < FIRST_BYTE + BYTES ? BYTE : NORMAL;
  return [
    ['model', string('llama')],
    ['tokens', strings(tokens)],
    ['scores', { type: 'f32s', value: scores }],
    ['token_type', { type: 'i32s', value: tokens.map((_, id) => kindOf(id)) }],
    ['unknown_token_id', u32(0)],
    ['bos_token_id', u32(1)],
    ['eos_token_id', u32(2)],
    ['add_bos_token', flag(true)],
    ['add_eos_token', flag(false)],
    ['add_space_prefix', flag(true)],
  ];
}
