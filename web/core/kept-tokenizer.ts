/** The tokenizer that a trainer keeps: a copy of its own, whatever becomes of the one that it was given. */
import { TiedError, invalidArgument } from './errors.js';
import type { CoreTokenizer } from './tokenizer.js';
import { checkBytes } from './validate.js';

export type OpenTokenizer = (bytes: Uint8Array) => CoreTokenizer;

/** The saved form of a tokenizer that was given as an option, after a check that it fits the model. */
export function savedTokenizer(argument: string, tokenizer: unknown, vocabSize: number): Uint8Array {
  const { save, vocabSize: tokens } = (tokenizer ?? {}) as { save?: unknown; vocabSize?: unknown };
  if (typeof save !== 'function' || typeof tokens !== 'number')
    throw invalidArgument(argument, tokenizer, 'a tokenizer');
  if (tokens !== vocabSize) {
    throw new TiedError(
      'shape-mismatch',
      `${argument} has ${String(tokens)} tokens; expected as many as the model, ${vocabSize}`,
    );
  }
  return checkBytes(`${argument}.save()`, (save as () => unknown).call(tokenizer));
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
