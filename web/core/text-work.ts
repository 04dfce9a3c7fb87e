/** Learns a vocabulary from a text, encodes a text, or both, in parts. */
import { PartJob } from './pace.js';
import { Handle, type ArgumentNames, type Runtime } from './runtime.js';
import type { AnalysisModule, HandleAddress } from './wasm-module.js';

/** Bytes per part: small enough to stop in time, large enough to cost nothing. */
const BYTES_PER_PART = 1024;
const MAX_PARTS = 2 ** 20;

export interface TextResult {
  /** Empty where nothing is encoded. */
  ids: Uint32Array;
  /** Address of the learned tokenizer; 0 where none was. */
  tokenizer: HandleAddress;
}

export interface TextPurpose<R> {
  /** Its name in messages. */
  what: string;
  /** Maps the core's names of arguments to the caller's. */
  names: ArgumentNames;
  /** Makes the result, once. */
  finish: (result: TextResult) => R;
  /** Called when the work ends, finished or not. */
  onEnd?: () => void;
}

export class TextWork<R = TextResult> extends PartJob<R> {
  /** Fractions done, 0 to 1. */
  learned = 0;
  encoded = 0;
  readonly #purpose: TextPurpose<R>;
  readonly #handle: Handle<AnalysisModule>;

  constructor(runtime: Runtime<AnalysisModule>, address: HandleAddress, purpose: TextPurpose<R>) {
    super(purpose.what, MAX_PARTS);
    this.#purpose = purpose;
    this.#handle = new Handle(runtime, 'text', address, (module, work) => module.deleteText(work));
  }

  protected take(parts: number): void {
    this.#handle.call(
      [],
      (module, work) => module.advanceText(work, parts * BYTES_PER_PART),
      (answer) => {
        const [learned, encoded, finished] = answer.numbers(0);
        this.learned = learned!;
        this.encoded = encoded!;
        this.finished = finished === 1;
      },
      this.#purpose.names,
    );
    // A work that only learns encodes nothing; one that only encodes has learned all from the start.
    this.fraction = this.finished ? 1 : this.learned < 1 ? this.learned : this.encoded;
  }

  result(): R {
    let tokenizer = 0;
    const ids = this.#handle.call(
      [],
      (module, work) => {
        tokenizer = module.finishText(work);
        return true;
      },
      (answer) => answer.ids(0),
    );
    return this.#purpose.finish({ ids, tokenizer });
  }

  end(): void {
    this.#handle.dispose();
    this.#purpose.onEnd?.();
  }
}
