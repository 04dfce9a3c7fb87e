/** The tokenizer handle that users see. */
import { bindMethods } from './bind-methods.js';
import { LOADED_KINDS } from './options.js';
import { Handle, type Runtime } from './runtime.js';
import { disposeSymbol } from './symbols.js';
import type { Tokenizer } from './types.js';
import { checkText, checkTokenIds } from './validate.js';
import type { AnalysisModule, HandleAddress } from './wasm-module.js';

export class CoreTokenizer implements Tokenizer {
  readonly kind: Tokenizer['kind'];
  readonly vocabSize: number;
  readonly tokens: readonly string[];
  /** @internal The token that begins every text for this tokenizer's models; null where none does. */
  readonly startToken: number | null;
  readonly #handle: Handle<AnalysisModule>;

  constructor(runtime: Runtime<AnalysisModule>, address: HandleAddress) {
    this.#handle = new Handle(runtime, 'tokenizer', address, (module, tokenizer) => module.deleteTokenizer(tokenizer));
    this.kind = LOADED_KINDS[this.#handle.get((module, tokenizer) => module.tokenizerKind(tokenizer))]!;
    try {
      this.tokens = this.#handle.call(
        [],
        (module, tokenizer) => module.tokenizerTokens(tokenizer),
        (answer) => Object.freeze(answer.texts(0)),
      );
    } catch (error) {
      // The list of tokens may not fit into memory, and nobody else has the handle.
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
    const bytes = checkText(argument, text);
    return this.#handle.call(
      [bytes],
      (module, tokenizer, [address]) => module.encode(tokenizer, address!, bytes.length),
      (answer) => answer.ids(0),
      { text: argument },
    );
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

  save(): Uint8Array {
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
