/** The tokenizer handle that users see. */
import { TOKENIZER_KIND } from '../generated/words.js';
import { bindMethods } from '../runtime/bind-methods.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import { disposeSymbol } from '../runtime/symbols.js';
import { textWork } from './text-work.js';
import type { FileBytes, Tokenizer } from '../types.js';
import { checkText, checkTokenIds } from '../runtime/validate.js';
import { verb, withVerbs, type Declaring } from '../runtime/verb.js';
import { atOnce, type Work } from '../runtime/work.js';
import type { AnalysisModule, HandleAddress } from '../runtime/wasm-module.js';

/** What its verbs need. */
export interface Encoder {
  encoding(argument: string, text: string): Work<Uint32Array>;
  readonly file: FileBytes;
}

const encode = verb({
  what: 'encoding',
  optionsAt: 1,
  onlyInLab: 'options',
  check: (text: string) => text,
  work: (tokenizer: Encoder, text) => tokenizer.encoding('text', text),
});

const save = verb({
  what: 'saving',
  optionsAt: 0,
  onlyInLab: 'options',
  check: () => null,
  *work(tokenizer: Encoder): Work<FileBytes> {
    yield 0;
    return tokenizer.file;
  },
});

/** The long verbs of a tokenizer. */
export const TOKENIZER_WORK = { encode, save } as const satisfies Declaring<Tokenizer>;
type Declared = Pick<Tokenizer, keyof typeof TOKENIZER_WORK>;

export class CoreTokenizer extends withVerbs<Declared>(TOKENIZER_WORK) implements Tokenizer {
  readonly kind: Tokenizer['kind'];
  readonly vocabSize: number;
  readonly tokens: readonly string[];
  /** @internal The token that begins every text for this tokenizer's models; null if none does. */
  readonly startToken: number | null;
  readonly #runtime: Runtime<AnalysisModule>;
  readonly #handle: Handle<AnalysisModule>;

  /** Checks a private field: `instanceof` would read the prototype of a proxy that may be revoked. */
  static is(value: unknown): value is CoreTokenizer {
    return typeof value === 'object' && value !== null && #handle in value;
  }

  constructor(runtime: Runtime<AnalysisModule>, address: HandleAddress) {
    super();
    this.#runtime = runtime;
    this.#handle = new Handle(runtime, 'tokenizer', address, (module, tokenizer) => module.deleteTokenizer(tokenizer));
    this.kind = TOKENIZER_KIND[this.#handle.get((module, tokenizer) => module.tokenizerKind(tokenizer))]!;
    try {
      this.tokens = this.#handle.call(
        [],
        (module, tokenizer) => module.tokenizerTokens(tokenizer),
        (answer) => Object.freeze(answer.texts()),
      );
    } catch (error) {
      // If the list of tokens does not fit into memory, the handle has to be freed here.
      this.#handle.dispose();
      throw error;
    }
    this.vocabSize = this.tokens.length;
    const start = this.#handle.get((module, tokenizer) => module.startToken(tokenizer));
    this.startToken = start < 0 ? null : start;
    bindMethods(this);
  }

  /** @internal Like `encode`, with the argument's name for error messages. */
  encodeAs(argument: string, text: string): Uint32Array {
    return atOnce(this.encoding(argument, text));
  }

  /** @internal The work of `encode`. It outlives the handle. */
  *encoding(argument: string, text: string): Work<Uint32Array> {
    const bytes = checkText(argument, text);
    const names = { text: argument };
    const address = this.#handle.call(
      [bytes],
      (module, tokenizer, [at]) => module.startEncoding(tokenizer, at!, bytes.length),
      (_, work) => work,
      names,
    );
    const release = this.#handle.hold();
    try {
      return (yield* textWork(this.#runtime, address, names)).ids;
    } finally {
      release();
    }
  }

  decode(ids: Uint32Array): string {
    const given = checkTokenIds('ids', ids);
    return this.#handle.call(
      [given],
      (module, tokenizer, [address]) => module.decode(tokenizer, address!, given.length),
      (answer) => answer.text('ids', given),
    );
  }

  /** @internal The bytes that `decode` reads as text, including cut characters. */
  decodeBytes(ids: Uint32Array): Uint8Array {
    return this.#handle.call(
      [ids],
      (module, tokenizer, [address]) => module.decode(tokenizer, address!, ids.length),
      (answer) => answer.bytes(),
    );
  }

  /** @internal Whether a token's text can depend on tokens far before it. */
  get looksFarBack(): boolean {
    return this.kind === 'word';
  }

  /** @internal The bytes of `save`. */
  get file(): FileBytes {
    return this.#handle.call(
      [],
      (module, tokenizer) => module.saveTokenizer(tokenizer),
      (answer) => answer.bytes(),
    );
  }

  dispose(): void {
    this.#handle.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
