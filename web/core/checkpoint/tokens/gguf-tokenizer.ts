/** The tokenizer in a GGUF file, if it can encode here: GPT-2's, or Llama's with scored tokens. */
import type { TokenizerSource } from '../../text/load-tokenizer.js';
import { readGguf, TOKENS_KEY } from '../formats/gguf.js';
import type { GgufValue } from '../formats/gguf-values.js';
import { hasStandIns } from './own-tokenizer.js';
import type { ByteSource } from '../bytes/source.js';

const PREFIX = 'tokenizer.ggml.';
/** Arrays that are read on request, not when a file is opened. */
const ARRAYS = [TOKENS_KEY, 'merges', 'scores', 'token_type'].map((key) =>
  key.startsWith(PREFIX) ? key : PREFIX + key,
);
/** Kinds of tokens that are not part of a text: control tokens, and tokens added by a user. */
const APART = [3, 4];
const SPACE = '\u2581';

/** Null if there is none; `note` receives the reason, in words. */
export async function ggufTokenizer(
  source: ByteSource,
  note: (why: string) => void,
  signal: AbortSignal | undefined,
): Promise<TokenizerSource | null> {
  const { values } = await readGguf(source, signal, ARRAYS);
  const get = (key: string): GgufValue | undefined => values.get(PREFIX + key);
  const list = <T>(key: string): readonly T[] | null => {
    const value = get(key);
    return Array.isArray(value) ? (value as T[]) : null;
  };
  const model = get('model');
  const tokens = list<string>('tokens');
  if (tokens === null || model === undefined || model === 'none' || model === 'no_vocab' || hasStandIns({ values }))
    return null;
  const pre = get('pre');
  if (model === 'gpt2' && pre === 'gpt-2') {
    const merges = list<string>('merges');
    if (merges !== null) return { bytes: tokenizerJson(tokens, list<number>('token_type'), merges), format: 'gpt2' };
  }
  if (model === 'llama' && get('add_space_prefix') !== false) {
    const scores = list<number>('scores');
    if (scores?.length === tokens.length) return { bytes: llama2cFile(tokens, scores), format: 'llama2c' };
  }
  const found = `${PREFIX}model is '${String(model).slice(0, 40)}'`;
  const how = pre === undefined ? '' : ` and ${PREFIX}pre '${String(pre).slice(0, 40)}'`;
  note(
    `There is no tokenizer: ${found}${how}; expected 'gpt2' with pre 'gpt-2' and merges, or 'llama' with scores and a space before the text.`,
  );
  return null;
}

function tokenizerJson(
  tokens: readonly string[],
  types: readonly number[] | null,
  merges: readonly string[],
): Uint8Array {
  const entries = tokens.map((token, id) => [token, id] as const);
  const isApart = (id: number): boolean => APART.includes(types?.[id] ?? 1);
  const file = {
    model: { type: 'BPE', vocab: Object.fromEntries(entries.filter(([, id]) => !isApart(id))), merges },
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
    added_tokens: entries.filter(([, id]) => isApart(id)).map(([content, id]) => ({ content, id })),
  };
  return new TextEncoder().encode(JSON.stringify(file));
}

/** tokenizer.bin: the length of the longest token, then each token's score, length and bytes. */
function llama2cFile(tokens: readonly string[], scores: readonly number[]): Uint8Array {
  const bytes = tokens.map((token) => new TextEncoder().encode(token.replaceAll(SPACE, ' ')));
  const file = new Uint8Array(4 + bytes.reduce((sum, { length }) => sum + 8 + length, 0));
  const view = new DataView(file.buffer);
  view.setUint32(
    0,
    bytes.reduce((most, { length }) => Math.max(most, length), 0),
    true,
  );
  let at = 4;
  for (const [id, token] of bytes.entries()) {
    view.setFloat32(at, scores[id]!, true);
    view.setUint32(at + 4, token.length, true);
    file.set(token, at + 8);
    at += 8 + token.length;
  }
  return file;
}
