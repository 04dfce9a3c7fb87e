/** Tokenizers: the handle of one, with what users see of it. */
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
  /** @internal What begins every text for the models of this tokenizer; null where nothing does. */
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
      // Nobody else has the handle: there may be no memory for the list of tokens.
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

  /** @internal As `encode`, of a text that messages call by another name. */
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

  /** @internal The bytes that `decode` reads as text, cut characters too. */
  decodeBytes(ids: Uint32Array): Uint8Array {
    return this.#handle.call(
      [ids],
      (module, tokenizer, [address]) => module.decode(tokenizer, address!, ids.length),
      (answer) => answer.bytes(0),
    );
  }

  /** @internal Whether what a token reads as may depend on those long before it. */
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
