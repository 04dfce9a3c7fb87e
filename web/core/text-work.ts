/** Learning a vocabulary from a text, encoding a text, or one after the other, in parts. */
import { Pace } from './pace.js';
import { Handle, type Runtime } from './runtime.js';
import type { AnalysisModule, HandleAddress } from './wasm-module.js';

/** The unit of work: fine enough to stop in time, coarse enough to cost nothing. */
const BYTES_A_PART = 1024;
const MOST_PARTS = 2 ** 20;

export class TextWork {
  /** Shares done, 0 to 1. */
  learned = 0;
  encoded = 0;
  finished = false;
  readonly #handle: Handle<AnalysisModule>;
  readonly #pace = new Pace(MOST_PARTS);

  /** `names`: what the caller knows the core's arguments by. */
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
        this.#take(parts * BYTES_A_PART);
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

  /** Once finished: the ids of the text, and the address of the tokenizer that was learned, 0 where none was. */
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
