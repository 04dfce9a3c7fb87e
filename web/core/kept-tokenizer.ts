/** The tokenizer that a trainer keeps: a copy of its own, whatever becomes of the one that it was given. */
import { isRevoked } from './arrays.js';
import { TiedError, invalidArgument } from './errors.js';
import type { CoreTokenizer } from './tokenizer.js';
import { checkBytes, readFields } from './validate.js';

export type OpenTokenizer = (bytes: Uint8Array) => CoreTokenizer;

/**
 * The saved form of a tokenizer that was given as an option, after a check that it fits the model. A handle of another core
 * or lab will do: what counts is what it saves.
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

/** Refuses bytes that are no saved tokenizer of `vocabSize` tokens, before anything depends on them. */
export function checkSaved(argument: string, bytes: Uint8Array, vocabSize: number, open: OpenTokenizer): void {
  let tokenizer: CoreTokenizer;
  try {
    tokenizer = open(bytes);
  } catch (cause) {
    if (!(cause instanceof TiedError) || cause.code !== 'bad-file') throw cause;
    throw new TiedError('bad-file', `${argument} is no saved tokenizer: ${cause.message}`, { cause });
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

export class KeptTokenizer {
  /** Its saved form. */
  readonly bytes: Uint8Array;
  readonly #open: OpenTokenizer;
  #tokenizer: CoreTokenizer | null = null;
  /** Of the stream that is evaluated by default, which never changes. */
  #streamBytes: number | null = null;

  constructor(bytes: Uint8Array, open: OpenTokenizer) {
    this.bytes = bytes;
    this.#open = open;
  }

  /** Opened when first asked for; it ends with the trainer. */
  get tokenizer(): CoreTokenizer {
    return (this.#tokenizer ??= this.#open(this.bytes));
  }

  check(argument: string, vocabSize: number): void {
    checkSaved(argument, this.bytes, vocabSize, this.#open);
  }

  /** A handle of the caller's own. */
  another(): CoreTokenizer {
    return this.#open(this.bytes);
  }

  /** Bytes of the `tokens` tokens that an evaluation of `ids` predicts: the first of the ids is not among them. */
  bytesPredicted(ids: Uint32Array, tokens: number): number {
    if (ids.length === 0) return 0;
    const bytesOf = (some: Uint32Array): number => this.tokenizer.decodeBytes(some).length;
    return bytesOf(ids.subarray(0, tokens + 1)) - bytesOf(ids.subarray(0, 1));
  }

  /** The same of the stream that `readIds` gives; read once. */
  bytesOfStream(readIds: () => Uint32Array, tokens: number): number {
    return (this.#streamBytes ??= this.bytesPredicted(readIds(), tokens));
  }

  dispose(): void {
    this.#tokenizer?.dispose();
    this.#tokenizer = null;
  }
}
