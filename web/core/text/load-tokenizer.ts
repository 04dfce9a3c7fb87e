/** Tokenizers of other programs: converts their files to our own saved form. */
import { invalidArgument, TiedError } from '../runtime/errors.js';
import { gpt2File } from './gpt2-tokenizer.js';
import { checkAbsent, checkBytes, checkChoice, checkOptions } from '../runtime/validate.js';

/** What `loadTokenizer` reads; the first two in the order of bind_text.cpp. */
export const TOKENIZER_FORMATS = ['tied-embeddings', 'llama2c', 'gpt2'] as const;
export type TokenizerFormat = (typeof TOKENIZER_FORMATS)[number];

export interface LoadTokenizerOptions {
  format: TokenizerFormat;
  merges?: Uint8Array;
}

export interface TokenizerSource extends LoadTokenizerOptions {
  readonly bytes: Uint8Array;
}

/** A checked file; `file` is in one of the formats that C++ reads. */
export interface TokenizerFile {
  readonly file: Uint8Array;
  readonly format: Exclude<TokenizerFormat, 'gpt2'>;
  /** The format given by the caller, for the error if it is refused. */
  readonly given: TokenizerFormat;
}

export function tokenizerFile(bytes: unknown, options: unknown): TokenizerFile {
  const file = checkBytes('bytes', bytes);
  const given = checkOptions('options', options as LoadTokenizerOptions, ['format', 'merges']);
  const format = checkChoice('options.format', given.format, TOKENIZER_FORMATS);
  if (format !== 'gpt2') {
    checkAbsent('options.merges', given.merges, "format 'gpt2'");
    return { file, format, given: format };
  }
  const merges = given.merges === undefined ? null : checkBytes('options.merges', given.merges);
  return {
    file: gpt2File(textOf('bytes', file), merges && textOf('options.merges', merges)),
    format: 'tied-embeddings',
    given: format,
  };
}

function textOf(argument: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw cause instanceof TypeError
      ? new TiedError('bad-file', `${argument} is not text; expected UTF-8`, { cause })
      : invalidArgument(argument, bytes, 'a file that fits in memory');
  }
}
