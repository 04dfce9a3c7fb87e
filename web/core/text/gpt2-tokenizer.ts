/**
 * Byte-level BPE like GPT-2's, from `vocab.json` and `merges.txt`, or from a Hugging Face `tokenizer.json`. Both spell each byte as a
 * character, see `BYTES`. Rules that split a text differently from GPT-2 are refused by name.
 */
import { describeValue, shortened, TiedError } from '../runtime/errors.js';
import { isRecord } from '../runtime/validate.js';

const MOST_TOKENS = 2 ** 24;
const LONGEST_TOKEN = 2 ** 16;

/** The byte of each character of a token: printable ones stand for themselves, the others for U+0100 and on, in order. */
export const BYTES: ReadonlyMap<string, number> = byteAlphabet();
/** The character of each byte. */
export const CHARACTERS: readonly string[] = [...BYTES].sort(([, a], [, b]) => a - b).map(([character]) => character);

function byteAlphabet(): Map<string, number> {
  const bytes = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    bytes.set(String.fromCodePoint(isPrintable ? byte : next++), byte);
  }
  return bytes;
}

const badTokenizer = (problem: string, cause?: unknown): TiedError =>
  new TiedError('bad-file', problem, cause === undefined ? undefined : { cause });

/** Added tokens are spelled literally; all others by bytes. */
interface Tokens {
  readonly spelled: ReadonlyMap<string, number>;
  readonly added: ReadonlyMap<number, string>;
  readonly merges: readonly (readonly [left: string, right: string])[];
}

/** The file that our own tokenizers are saved in, of kind 4: see text/tokenizer_file.cpp. */
export function gpt2File(text: string, merges: string | null): Uint8Array {
  const { spelled, added, merges: pairs } = merges === null ? ofTokenizerJson(text) : ofTwoFiles(text, merges);
  const count = spelled.size + added.size;
  const tokens = new Array<Uint8Array | undefined>(count);
  const put = (id: unknown, token: string, bytes: Uint8Array): void => {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= count)
      throw badTokenizer(
        `the id of '${shortened(token)}' is ${describeValue(id)}; expected one of 0 to ${count - 1}, each once`,
      );
    if (tokens[id] !== undefined) throw badTokenizer(`two tokens have the id ${id}; expected each once`);
    if (bytes.length < 1 || bytes.length > LONGEST_TOKEN)
      throw badTokenizer(`token ${id} has ${bytes.length} bytes; expected 1 to ${LONGEST_TOKEN}`);
    tokens[id] = bytes;
  };
  for (const [token, id] of spelled) put(id, token, bytesOf(token));
  for (const [id, token] of added) put(id, token, new TextEncoder().encode(token));
  const idOf = (token: string, merge: number): number => {
    const id = spelled.get(token);
    if (id === undefined)
      throw badTokenizer(
        `merge ${merge} needs '${shortened(token)}', which is not a token; expected tokens in the vocabulary`,
      );
    return id;
  };
  const merged = pairs.map(([left, right], i) => [idOf(left, i), idOf(right, i), idOf(left + right, i)]);
  return savedFile(tokens as Uint8Array[], merged);
}

function bytesOf(token: string): Uint8Array {
  return Uint8Array.from(token, (character) => {
    const byte = BYTES.get(character);
    if (byte === undefined)
      throw badTokenizer(
        `the token '${shortened(token)}' has '${character}', which does not stand for a byte; expected byte-level tokens, as GPT-2 has them`,
      );
    return byte;
  });
}

// ---------------------------------------------------------------- files

function parsed(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badTokenizer(`${what} cannot be parsed; expected JSON`, cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badTokenizer(`${what} is ${describeValue(value)}; expected a JSON object`);
  return value as Record<string, unknown>;
}

/** The characters of a special token, such as <|endoftext|>, also stand for bytes, so it is spelled like the others. */
function ofTwoFiles(vocabulary: string, merges: string): Tokens {
  const spelled = vocabularyOf(parsed(vocabulary, 'bytes'), 'bytes');
  const lines = merges.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines[0]?.startsWith('#version')) lines.shift();
  while (lines.at(-1) === '') lines.pop();
  return { spelled, added: new Map(), merges: lines.map((line, i) => pairOf(line, i)) };
}

function vocabularyOf(object: unknown, what: string): Map<string, number> {
  if (!isRecord(object))
    throw badTokenizer(`${what} is ${describeValue(object)}; expected an object of tokens and ids`);
  const entries = Object.entries(object);
  if (entries.length < 256 || entries.length > MOST_TOKENS)
    throw badTokenizer(`${what} has ${entries.length} tokens; expected 256 to ${MOST_TOKENS}, each with its id`);
  return new Map(entries as [string, number][]);
}

function pairOf(merge: unknown, number: number): readonly [string, string] {
  const pair = typeof merge === 'string' ? merge.split(' ') : merge;
  if (Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string' && part !== ''))
    return pair as unknown as [string, string];
  throw badTokenizer(`merge ${number} is ${describeValue(merge)}; expected two tokens with a space between them`);
}

function ofTokenizerJson(text: string): Tokens {
  const file = parsed(text, 'bytes');
  const model = file['model'];
  if (!isRecord(model)) {
    // A vocabulary alone has ids, but no merges.
    throw badTokenizer(
      'bytes has no model; expected a tokenizer.json, or a vocab.json with merges.txt as options.merges',
    );
  }
  checkRules(file, model);
  const spelled = vocabularyOf(model['vocab'], 'model.vocab');
  const merges = model['merges'];
  if (!Array.isArray(merges)) throw badTokenizer(`model.merges is ${describeValue(merges)}; expected a list of merges`);
  const added = new Map<number, string>();
  for (const token of Array.isArray(file['added_tokens']) ? (file['added_tokens'] as unknown[]) : []) {
    const { id, content } = isRecord(token) ? token : {};
    if (typeof id !== 'number' || typeof content !== 'string')
      throw badTokenizer(`an entry of added_tokens is ${describeValue(token)}; expected its id and its content`);
    // Often listed in the vocabulary too.
    if (spelled.get(content) === id) continue;
    added.set(id, content);
  }
  return { spelled, added, merges: (merges as unknown[]).map(pairOf) };
}

/** Refuses rules that would split a text differently from GPT-2's. */
function checkRules(file: Record<string, unknown>, model: Record<string, unknown>): void {
  const only = (what: string, value: unknown, expected: string, ...accepted: unknown[]): void => {
    if (accepted.includes(value ?? null)) return;
    throw new TiedError('unsupported', `${what} is ${describeValue(value)}; expected ${expected}, as GPT-2 has it`);
  };
  only('model.type', model['type'], "'BPE'", 'BPE');
  only('normalizer', file['normalizer'], 'none', null);
  only('model.dropout', model['dropout'], 'none', null, 0);
  only('model.byte_fallback', model['byte_fallback'], 'false', null, false);
  only('model.ignore_merges', model['ignore_merges'], 'false', null, false);
  only('model.continuing_subword_prefix', model['continuing_subword_prefix'], 'none', null, '');
  only('model.end_of_word_suffix', model['end_of_word_suffix'], 'none', null, '');
  const cuts = isRecord(file['pre_tokenizer']) ? file['pre_tokenizer'] : {};
  only('pre_tokenizer.type', cuts['type'], "'ByteLevel'", 'ByteLevel');
  only('pre_tokenizer.add_prefix_space', cuts['add_prefix_space'], 'false', false);
  only('pre_tokenizer.use_regex', cuts['use_regex'], 'true', null, true);
  const adds = file['post_processor'];
  if (adds !== undefined && adds !== null)
    only('post_processor.type', isRecord(adds) ? adds['type'] : adds, "'ByteLevel' or none", 'ByteLevel');
}

// ---------------------------------------------------------------- our own file

const HEADER_BYTES = 32;
const HASH_OFFSET = 28;

function savedFile(tokens: readonly Uint8Array[], merges: readonly (readonly number[])[]): Uint8Array {
  const entryBytes = tokens.reduce((sum, { length }) => sum + 4 + length, 0) + 12 * merges.length;
  const file = new Uint8Array(HEADER_BYTES + entryBytes);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode('tied-tok'));
  [1, 4, merges.length, tokens.length, entryBytes].forEach((number, i) => view.setUint32(8 + 4 * i, number, true));
  let at = HEADER_BYTES;
  for (const token of tokens) {
    view.setUint32(at, token.length, true);
    file.set(token, at + 4);
    at += 4 + token.length;
  }
  for (const merge of merges) for (const id of merge) view.setUint32((at += 4) - 4, id, true);
  const hash = fnv1a(file.subarray(HEADER_BYTES), fnv1a(file.subarray(0, HASH_OFFSET)));
  view.setUint32(HASH_OFFSET, hash, true);
  return file;
}

/** 32-bit FNV-1a, as in base/hash.h. */
function fnv1a(bytes: Uint8Array, start = 0x811c9dc5): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
