/** The token strings of a table's rows, from the files that tokenizers are published in. Strings stay as the file spells them. */
import { badFile, type ByteSource } from '../bytes/source.js';
import { fieldsOf, readJson, readText } from '../formats/safetensors-index.js';

/** More than any vocabulary has. */
const MOST_TOKENS = 2 ** 24;
const LARGEST_FILE = 2 ** 28;
const LONGEST_TOKEN = 65_536;

/** Names of files with token strings, the best first. */
export const TOKEN_FILES = ['tokenizer.json', 'vocab.json', 'encoder.json', 'tokenizer.bin'] as const;

/** Strings by id: in a list its index; in a vocabulary the stated id, where a few bytes can put ids millions apart. */
export type TokenStrings = readonly string[] | ReadonlyMap<number, string>;

/** `rows`: of the table, because llama2.c's tokenizer does not say how many tokens it has. */
export async function readTokens(source: ByteSource, rows: number, signal?: AbortSignal): Promise<TokenStrings> {
  const { size, name } = source;
  if (size === null || size > LARGEST_FILE)
    throw badFile(name, `it has ${size ?? 'an unknown number of'} bytes; expected at most ${LARGEST_FILE}`);
  if (size === 0) throw badFile(name, 'it is empty; expected token strings');
  const head = await source.read(0, Math.min(size, 2), signal);
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    throw badFile(name, 'it is in UTF-16; expected UTF-8');
  if (/\.txt$/i.test(name)) return tokensOfLines(await readText(source, LARGEST_FILE, signal), name);
  if (!isLlama2cTokens(head)) return tokensOfJson(await readJson(source, LARGEST_FILE, signal), rows, name);
  return tokensOfLlama2c(await source.read(0, size, signal), rows, name);
}

/** JSON begins with a brace, a bracket or white space; llama2.c's tokenizer with a small number and zeros. */
export function isLlama2cTokens([first, second = 0x7d]: Uint8Array): boolean {
  return second === 0 || !(first === 0x7b || first === 0x5b || first! <= 0x20 || first === 0xef);
}

/** tokenizer.json, vocab.json or encoder.json, a plain array of strings, or an object of several. */
function tokensOfJson(json: unknown, rows: number, name: string): TokenStrings {
  if (Array.isArray(json)) return listOf(json, name);
  const fields = fieldsOf(json);
  const lists = [...fields.values()].filter((value) => Array.isArray(value));
  if (lists.length > 0 && lists.length === fields.size) return listOf(listFor(rows, lists, name), name);
  const model = fieldsOf(fields.get('model'));
  const tokens = new Map<number, string>();
  if (model.size === 0) addAll(tokens, fields, name);
  else {
    const vocabulary = model.get('vocab');
    // Unigram: pairs of token and score.
    if (Array.isArray(vocabulary))
      listOf(
        vocabulary.map((pair: unknown) => (Array.isArray(pair) ? (pair[0] as unknown) : pair)),
        name,
      ).forEach((token, id) => tokens.set(id, token));
    else addAll(tokens, fieldsOf(vocabulary), name);
    const added = fields.get('added_tokens');
    for (const token of Array.isArray(added) ? (added as unknown[]) : []) {
      const { id, content } = Object.fromEntries(fieldsOf(token)) as { id?: unknown; content?: unknown };
      tokens.set(checkId(id, content, name), checkToken(content, name));
    }
  }
  if (tokens.size === 0)
    throw badFile(name, 'it has no tokens; expected a vocabulary of Hugging Face or GPT-2, or an array of strings');
  return tokens;
}

/**
 * One string per row of the table, '' if there is none. Tables are often padded to a round number of rows. `notes` receives what does not
 * fit, in words. `isOwn`: they are in the same file as the table.
 */
export function fitted(tokens: TokenStrings, rows: number, name: string, notes: string[], isOwn = false): string[] {
  const byId = new Map(tokens.entries());
  let [least, last, inside] = [Infinity, -1, 0];
  for (const id of byId.keys()) {
    least = Math.min(least, id);
    last = Math.max(last, id);
    if (id < rows) inside++;
  }
  if (byId.size > 0 && least >= rows)
    throw badFile(name, `its least id is ${least}; expected one of the ${rows} rows of the table`);
  if (![...byId.values()].some((token) => token !== '')) throw badFile(name, 'it has no token strings; expected some');
  const count = (all: number, what: string): string => `${all} ${what}${all === 1 ? '' : 's'}`;
  const counts = `${name} has ${count(byId.size, 'token')}, the table ${count(rows, 'row')}`;
  if (inside < byId.size)
    notes.push(
      last < byId.size
        ? `${counts}: the last tokens are left out.`
        : `${counts}: ${byId.size - inside} with ids up to ${last} are left out.`,
    );
  const without = rows - inside;
  if (without > 0 && last < rows - 1 && inside === last + 1) notes.push(`${counts}: the last rows have no token.`);
  else if (without > 0) notes.push(`${counts}: ${count(without, 'row')} ${without === 1 ? 'has' : 'have'} no token.`);
  // Tables are padded, and tokens added, by less.
  if (!isOwn && (byId.size > 2 * rows || 2 * byId.size < rows))
    notes.push(`${name} may be the vocabulary of another model.`);
  return Array.from({ length: rows }, (_, row) => byId.get(row) ?? '');
}

/** From a vocabulary of token to id. */
export function tokensByIds(vocabulary: ReadonlyMap<string, unknown>, name: string): Map<number, string> {
  const tokens = new Map<number, string>();
  addAll(tokens, vocabulary, name);
  return tokens;
}

function addAll(tokens: Map<number, string>, vocabulary: ReadonlyMap<string, unknown>, name: string): void {
  for (const [token, id] of vocabulary) {
    const whole = checkId(id, token, name);
    if (tokens.has(whole))
      throw badFile(
        name,
        `the id ${whole} has two tokens, '${tokens.get(whole)!.slice(0, 40)}' and '${token.slice(0, 40)}'; expected one`,
      );
    tokens.set(whole, token);
  }
}

/** For a model that reads one language and writes another: the list for this table. */
function listFor(rows: number, lists: readonly unknown[][], name: string): unknown[] {
  const fitting = lists.filter(({ length }) => length === rows);
  if (fitting.length === 1) return fitting[0]!;
  const lengths = lists.slice(0, 8).map(({ length }) => length);
  throw badFile(name, `its lists have ${lengths.join(', ')} tokens; expected one of ${rows}, as the table has rows`);
}

/** One token per line, as BERT's vocab.txt has them. */
function tokensOfLines(text: string, name: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return listOf(lines, name);
}

/** From a list by id. */
export function listOf(tokens: readonly unknown[], name: string): string[] {
  if (tokens.length === 0 || tokens.length > MOST_TOKENS)
    throw badFile(name, `it has ${tokens.length} tokens; expected 1 to ${MOST_TOKENS}`);
  return tokens.map((token) => checkToken(token, name));
}

function checkId(id: unknown, token: unknown, name: string): number {
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= MOST_TOKENS)
    throw badFile(
      name,
      `the token '${String(token).slice(0, 40)}' has the id ${String(id).slice(0, 40)}; expected an integer from 0 to ${MOST_TOKENS - 1}`,
    );
  return id;
}

function checkToken(token: unknown, name: string): string {
  if (typeof token !== 'string') throw badFile(name, `a token is ${String(token).slice(0, 40)}; expected a string`);
  return token;
}

/** The length of the longest token, then each token's score, length and bytes. */
function tokensOfLlama2c(bytes: Uint8Array, rows: number, name: string): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // U+FEFF at the beginning of a token belongs to it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const tokens: string[] = [];
  let at = 4;
  while (at < bytes.length && tokens.length < rows) {
    const length = at + 8 <= bytes.length ? view.getInt32(at + 4, true) : -1;
    if (length < 0 || length > LONGEST_TOKEN || at + 8 + length > bytes.length)
      throw badFile(name, `token ${tokens.length} has a length of ${length} bytes; expected one that the file has`);
    tokens.push(decoder.decode(bytes.subarray(at + 8, at + 8 + length)));
    at += 8 + length;
  }
  if (tokens.length !== rows || at !== bytes.length)
    throw badFile(
      name,
      `it has ${tokens.length === rows ? 'more than ' : ''}${tokens.length} tokens; expected ${rows}, one for each row of the table`,
    );
  return tokens;
}
