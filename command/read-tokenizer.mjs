// A tokenizer from a file of its own: --tokenizer FILE.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mergesNames } from './checkpoint-files.mjs';
import { fileKind, headBytes } from './command-parts.js';
import { ofTheCaller, refusalOf } from './exit-codes.mjs';
import { readBytes } from './files.mjs';

/**
 * @template T @param {string} file
 * @param {(bytes: Uint8Array, options: { format: 'llama2c' } | { format: 'gpt2', merges?: Uint8Array }) => T} load That of a core or of a lab.
 */
export async function readTokenizer(file, load) {
  const bytes = readBytes(file);
  const { kind } = fileKind(bytes.subarray(0, headBytes), bytes.length);
  const merges = mergesNames.map((name) => join(dirname(file), name)).find((name) => existsSync(name));
  // A tokenizer.json has its own merges.
  const isWhole = new TextDecoder('latin1').decode(bytes).includes('"merges"');
  try {
    if (!kind.endsWith('json')) return await load(bytes, { format: 'llama2c' });
    return await load(bytes, {
      format: 'gpt2',
      ...(isWhole || merges === undefined ? {} : { merges: readBytes(merges) }),
    });
  } catch (error) {
    throw refusalOf(error, file, [...ofTheCaller, 'not-finite']);
  }
}
