/** Learns a vocabulary from a text, encodes a text, or both, in parts. */
import { Pace } from './pace.js';
import { Handle, type Runtime } from './runtime.js';
import type { AnalysisModule, HandleAddress } from './wasm-module.js';

/** Bytes per part: small enough to stop in time, large enough to cost nothing. */
const BYTES_PER_PART = 1024;
const MAX_PARTS = 2 ** 20;

export class TextWork {
  /** Fractions done, 0 to 1. */
  learned = 0;
  encoded = 0;
  finished = false;
  readonly #handle: Handle<AnalysisModule>;
  readonly #pace = new Pace(MAX_PARTS);

  /** `names`: maps the core's names of arguments to the caller's. */
  constructor(
    runtime: Runtime<AnalysisModule>,
    address: HandleAddress,
    readonly names: Readonly<Record<string, string>>,
  ) {
    this.#handle = new Handle(runtime, 'text', address, (module, work) => module.deleteText(work));
  }

  takeFor(milliseconds: number): void {
    this.#pace.run(
      milliseconds,
      () => this.finished,
      (parts) => {
        this.#take(parts * BYTES_PER_PART);
        return parts;
      },
    );
  }

  #take(bytes: number): void {
    this.#handle.call(
      [],
      (module, work) => module.advanceText(work, bytes),
      (answer) => {
        const [learned, encoded, finished] = answer.numbers(0);
        this.learned = learned!;
        this.encoded = encoded!;
        this.finished = finished === 1;
      },
      this.names,
    );
  }

  /** When finished: the ids of the text, and the address of the learned tokenizer, 0 where none was. */
  result(): { ids: Uint32Array; tokenizer: HandleAddress } {
    let tokenizer = 0;
    return this.#handle.call(
      [],
      (module, work) => {
        tokenizer = module.finishText(work);
        return true;
      },
      (answer) => ({ ids: answer.ids(0), tokenizer }),
    );
  }

  end(): void {
    this.#handle.dispose();
  }
}
