/** The tokenizer that our own files have in its own form, in the metadata of safetensors or under a key of GGUF. */
import { TiedError } from '../../runtime/errors.js';
import { CHARACTERS } from '../../text/gpt2-tokenizer.js';
import type { TokenizerSource } from '../../text/load-tokenizer.js';
import { readSavedTokenizer } from '../../text/saved-tokenizer.js';
import { bytesOfStored, OWN_TOKENIZER_KEY, STAND_INS_KEY } from '../../text/stored-tokenizer.js';
import type { GgufValue } from '../formats/gguf-values.js';
import type { ModelHost } from '../model-host.js';
import { badFile } from '../bytes/source.js';

interface Fields {
  readonly metadata: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, GgufValue>;
}

/** Null if there is none; what it holds is checked when it is loaded. */
export function ownTokenizer({ metadata, values }: Fields): TokenizerSource | null {
  const text = metadata.get(OWN_TOKENIZER_KEY) ?? values.get(OWN_TOKENIZER_KEY);
  if (typeof text !== 'string') return null;
  return { bytes: bytesOfStored(text) ?? new Uint8Array(), format: 'tied-embeddings' };
}

/** Its token strings; those of byte pairs are spelled as GPT-2 spells bytes. Null if there is none. */
export async function ownTokens(fields: Fields, host: ModelHost | undefined, file: string): Promise<string[] | null> {
  const source = ownTokenizer(fields);
  if (source === null || host === undefined) return null;
  try {
    // Refuses a damaged one.
    (await host.loadTokenizer(source)).dispose();
  } catch (cause) {
    if (!(cause instanceof TiedError) || cause.code !== 'bad-file') throw cause;
    throw badFile(file, `its tokenizer cannot be used: ${cause.message}`, cause);
  }
  const { tokens, merges } = readSavedTokenizer(source.bytes);
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  return tokens.map((token) =>
    merges === null ? utf8.decode(token) : Array.from(token, (byte) => CHARACTERS[byte]).join(''),
  );
}

/** What our GGUF files have in place of tokens that llama.cpp cannot use. */
export const hasStandIns = ({ values }: Pick<Fields, 'values'>): boolean => values.get(STAND_INS_KEY) === true;
