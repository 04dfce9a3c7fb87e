/** Tokenizers: the handle of one, with what users see of it. */
import { TOKENIZER_KINDS } from './options.js';
import { Handle, type Runtime } from './runtime.js';
import { disposeSymbol } from './symbols.js';
import type { Tokenizer, TokenizerKind } from './types.js';
import { checkString, checkTokenIds } from './validate.js';
import type { AnalysisModule, HandleAddress } from './wasm-module.js';

export class CoreTokenizer implements Tokenizer {
  readonly kind: TokenizerKind;
  readonly vocabSize: number;
  readonly tokens: readonly string[];
  readonly #handle: Handle<AnalysisModule>;

  constructor(runtime: Runtime<AnalysisModule>, address: HandleAddress) {
    this.#handle = new Handle(runtime, 'tokenizer', address, (module, tokenizer) => module.deleteTokenizer(tokenizer));
    this.kind = TOKENIZER_KINDS[this.#handle.get((module, tokenizer) => module.tokenizerKind(tokenizer))]!;
    this.tokens = this.#handle.call(
      [],
      (module, tokenizer) => module.tokenizerTokens(tokenizer),
      (answer) => Object.freeze(answer.texts(0)),
    );
    this.vocabSize = this.tokens.length;
  }

  encode(text: string): Uint32Array {
    const bytes = new TextEncoder().encode(checkString('text', text));
    return this.#handle.call(
      [bytes],
      (module, tokenizer, [address]) => module.encode(tokenizer, address!, bytes.length),
      (answer) => answer.ids(0),
    );
  }

  decode(ids: Uint32Array): string {
    checkTokenIds('ids', ids);
    return this.#handle.call(
      [ids],
      (module, tokenizer, [address]) => module.decode(tokenizer, address!, ids.length),
      (answer) => answer.text(0),
    );
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
