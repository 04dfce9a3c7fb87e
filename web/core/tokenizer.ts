/** Tokenizers: the handle of one, with what users see of it. */
import { TOKENIZER_KINDS } from './options.js';
import { Handle, type Runtime } from './runtime.js';
import { disposeSymbol } from './symbols.js';
import type { Tokenizer, TokenizerKind } from './types.js';
import { checkString, checkTokenIds } from './validate.js';
import type { TokenizerHandle } from './wasm-module.js';

export class CoreTokenizer implements Tokenizer {
  readonly kind: TokenizerKind;
  readonly vocabSize: number;
  readonly tokens: readonly string[];
  readonly #handle: Handle<TokenizerHandle>;

  constructor(runtime: Runtime, value: TokenizerHandle) {
    this.#handle = new Handle(runtime, 'tokenizer', value);
    this.kind = TOKENIZER_KINDS[this.#handle.call((tokenizer) => tokenizer.kind())]!;
    const joined = this.#handle.call((tokenizer) => tokenizer.tokens());
    // A zero byte follows every token, so that the last piece of the split is empty.
    this.tokens = Object.freeze(new TextDecoder().decode(joined).split('\0').slice(0, -1));
    this.vocabSize = this.tokens.length;
  }

  encode(text: string): Uint32Array {
    const bytes = new TextEncoder().encode(checkString('text', text));
    return this.#handle.call((tokenizer) => tokenizer.encode(bytes));
  }

  decode(ids: Uint32Array): string {
    checkTokenIds('ids', ids);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      this.#handle.call((tokenizer) => tokenizer.decode(ids)),
    );
  }

  save(): Uint8Array {
    return this.#handle.call((tokenizer) => tokenizer.save());
  }

  dispose(): void {
    this.#handle.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
