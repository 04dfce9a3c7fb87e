/** A trainer's own copy of its tokenizer, independent of the one it was created with. */
import { isRevoked } from '../runtime/arrays.js';
import { TiedError, invalidArgument } from '../runtime/errors.js';
import type { CoreTokenizer } from './tokenizer.js';
import { checkBytes, readFields } from '../runtime/validate.js';

export type OpenTokenizer = (bytes: Uint8Array) => CoreTokenizer;

/**
 * The saved form of a tokenizer passed as an option, after checking that it fits the model. A handle of another core or
 * lab is fine: only its saved form is used.
 */
export function savedTokenizer(
  argument: string,
  tokenizer: unknown,
  vocabSize: number,
  open: OpenTokenizer,
): Uint8Array {
  const isObject = typeof tokenizer === 'object' && tokenizer !== null && !isRevoked(tokenizer);
  const { save, vocabSize: tokens } = isObject ? readFields(argument, tokenizer, ['save', 'vocabSize']) : {};
  if (typeof save !== 'function' || isRevoked(save) || typeof tokens !== 'number') {
    throw invalidArgument(argument, tokenizer, 'a tokenizer');
  }
  if (tokens !== vocabSize) throw wrongSize(argument, tokens, vocabSize);
  const bytes = checkBytes(`${argument}.save()`, (save as () => unknown).call(tokenizer));
  checkSaved(`${argument}.save()`, bytes, vocabSize, open);
  return bytes;
}

/** Refuses bytes that are not a saved tokenizer of `vocabSize` tokens. */
function checkSaved(argument: string, bytes: Uint8Array, vocabSize: number, open: OpenTokenizer): void {
  let tokenizer: CoreTokenizer;
  try {
    tokenizer = open(bytes);
  } catch (cause) {
    if (!(cause instanceof TiedError) || cause.code !== 'bad-file') throw cause;
    throw new TiedError('bad-file', `${argument} is not a saved tokenizer: ${cause.message}`, { cause });
  }
  const tokens = tokenizer.vocabSize;
  tokenizer.dispose();
  if (tokens !== vocabSize) throw wrongSize(argument, tokens, vocabSize);
}

function wrongSize(argument: string, tokens: number, vocabSize: number): TiedError {
  return new TiedError(
    'shape-mismatch',
    `${argument} has ${tokens} tokens; expected as many as the model, ${vocabSize}`,
  );
}

/** Tokenizers made of bytes have no unknown token; the others that have one put it first. */
function unknownTokenOf({ kind, tokens }: CoreTokenizer): number | null {
  return kind !== 'bpe' && kind !== 'gpt2' && tokens[0] === '<unk>' ? 0 : null;
}

export class AttachedTokenizer {
  /** The saved form. */
  readonly bytes: Uint8Array;
  readonly #open: OpenTokenizer;
  #tokenizer: CoreTokenizer | null = null;
  /** Bytes of the stream that is evaluated by default, which never changes; undefined until they are counted. */
  #streamBytes: number | null | undefined;

  constructor(bytes: Uint8Array, open: OpenTokenizer) {
    this.bytes = bytes;
    this.#open = open;
  }

  /** Opened on first use; disposed of with the trainer. */
  get tokenizer(): CoreTokenizer {
    return (this.#tokenizer ??= this.#open(this.bytes));
  }

  check(argument: string, vocabSize: number): void {
    checkSaved(argument, this.bytes, vocabSize, this.#open);
  }

  /** A new handle for the caller. */
  open(): CoreTokenizer {
    return this.#open(this.bytes);
  }

  /**
   * Bytes of the `tokens` tokens that an evaluation of `ids` predicts, which excludes the first id. Null if one of them is the unknown
   * token, which stands for a text of any length.
   */
  bytesPredicted(ids: Uint32Array, tokens: number): number | null {
    if (ids.length === 0) return 0;
    const unknown = unknownTokenOf(this.tokenizer);
    if (unknown !== null && ids.subarray(1, tokens + 1).includes(unknown)) return null;
    const bytesOf = (some: Uint32Array): number => this.tokenizer.decodeBytes(some).length;
    return bytesOf(ids.subarray(0, tokens + 1)) - bytesOf(ids.subarray(0, 1));
  }

  /** The same for the stream that `readIds` returns; read once. */
  bytesOfStream(readIds: () => Uint32Array, tokens: number): number | null {
    if (this.#streamBytes === undefined) this.#streamBytes = this.bytesPredicted(readIds(), tokens);
    return this.#streamBytes;
  }

  dispose(): void {
    this.#tokenizer?.dispose();
    this.#tokenizer = null;
  }
}
