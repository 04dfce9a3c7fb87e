/** The tokenizer handle that users see. */
import { bindMethods } from '../runtime/bind-methods.js';
import { TextWork } from './corpus.js';
import { LOADED_KINDS } from '../model/options.js';
import { finishJob } from '../runtime/pace.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import { disposeSymbol } from '../runtime/symbols.js';
import type { FileBytes, Tokenizer } from '../types.js';
import { checkText, checkTokenIds } from '../runtime/validate.js';
import type { AnalysisModule, HandleAddress } from '../runtime/wasm-module.js';

export class CoreTokenizer implements Tokenizer {
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
    this.#runtime = runtime;
    this.#handle = new Handle(runtime, 'tokenizer', address, (module, tokenizer) => module.deleteTokenizer(tokenizer));
    this.kind = LOADED_KINDS[this.#handle.get((module, tokenizer) => module.tokenizerKind(tokenizer))]!;
    try {
      this.tokens = this.#handle.call(
        [],
        (module, tokenizer) => module.tokenizerTokens(tokenizer),
        (answer) => Object.freeze(answer.texts(0)),
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

  encode(text: string): Uint32Array {
    return this.encodeAs('text', text);
  }

  /** @internal Like `encode`, with the argument's name for error messages. */
  encodeAs(argument: string, text: string): Uint32Array {
    return finishJob(this.startEncoding(argument, text), {});
  }

  /** @internal The work of `encode`, advanced and ended by the caller. It outlives the handle. */
  startEncoding(argument: string, text: string): TextWork<Uint32Array> {
    const bytes = checkText(argument, text);
    const names = { text: argument };
    const address = this.#handle.call(
      [bytes],
      (module, tokenizer, [at]) => module.startEncoding(tokenizer, at!, bytes.length),
      (_, work) => work,
      names,
    );
    const onEnd = this.#handle.hold();
    return new TextWork(this.#runtime, address, { what: 'encoding', names, finish: ({ ids }) => ids, onEnd });
  }

  decode(ids: Uint32Array): string {
    const given = checkTokenIds('ids', ids);
    return this.#handle.call(
      [given],
      (module, tokenizer, [address]) => module.decode(tokenizer, address!, given.length),
      (answer) => answer.text(0, 'ids', given),
    );
  }

  /** @internal The bytes that `decode` reads as text, including cut characters. */
  decodeBytes(ids: Uint32Array): Uint8Array {
    return this.#handle.call(
      [ids],
      (module, tokenizer, [address]) => module.decode(tokenizer, address!, ids.length),
      (answer) => answer.bytes(0),
    );
  }

  /** @internal Whether a token's text can depend on tokens far before it. */
  get looksFarBack(): boolean {
    return this.kind === 'word';
  }

  save(): FileBytes {
    return this.#handle.call(
      [],
      (module, tokenizer) => module.saveTokenizer(tokenizer),
      (answer) => answer.bytes(0),
    );
  }

  dispose(): void {
    this.#handle.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
