/** Counts the pairs of token ids in parts, and finds the floors of their table where asked. */
import { BigramTable } from './bigram-table.js';
import { boundsOfNumbers } from '../direct-path/direct-path.js';
import { PartJob } from '../runtime/pace.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import type { BigramBounds } from '../types.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';

/** Ids, or elements of the table. */
const ELEMENTS_PER_PART = 4096;
const MAX_PARTS = 2 ** 8;
/** Approximate fraction of the work that the ids take. */
const COUNTED = 0.5;

export interface CountedBigrams {
  table: BigramTable;
  /** Null if they were not asked for. */
  bounds: BigramBounds | null;
}

const NAMES = { ids: 'tokenIds' };

export class BigramCounting extends PartJob<CountedBigrams> {
  readonly #handle: Handle<AnalysisModule>;
  readonly #ids: Uint32Array;
  readonly #vocabSize: number;
  readonly #bounded: boolean;
  #counted = 0;
  #rows = 0;

  /** `ids` do not change before the end; at least two, all below `vocabSize`. */
  constructor(runtime: Runtime<AnalysisModule>, ids: Uint32Array, vocabSize: number, bounded: boolean) {
    super('counting', MAX_PARTS);
    const address = runtime.call(
      [],
      (module) => module.startBigrams(vocabSize, bounded),
      (_, work) => work,
    );
    this.#handle = new Handle(runtime, 'count', address, (module, work) => module.deleteBigrams(work));
    this.#ids = ids;
    this.#vocabSize = vocabSize;
    this.#bounded = bounded;
  }

  protected take(parts: number): void {
    const elements = parts * ELEMENTS_PER_PART;
    if (this.#counted < this.#ids.length) this.#count(elements);
    else this.#advance(Math.ceil(elements / this.#vocabSize));
  }

  #count(most: number): void {
    const some = this.#ids.subarray(this.#counted, this.#counted + most);
    this.#handle.call(
      [some],
      (module, work, [at]) => module.countBigrams(work, at!, some.length),
      () => undefined,
      NAMES,
    );
    this.#counted += some.length;
    this.fraction = (COUNTED * this.#counted) / this.#ids.length;
  }

  #advance(rows: number): void {
    this.finished = this.#handle.call(
      [],
      (module, work) => module.advanceBigrams(work, rows),
      (answer) => answer.numbers(0)[0] === 1,
    );
    this.#rows += rows;
    // How often the rows are read shows only at the end.
    this.fraction = this.finished ? 1 : COUNTED + (1 - COUNTED) * (this.#rows / (this.#rows + this.#vocabSize));
  }

  result(): CountedBigrams {
    const size = this.#vocabSize;
    return this.#handle.call(
      [],
      (module, work) => module.finishBigrams(work),
      (answer) => {
        const counts = { rows: size, cols: size, data: answer.floats(0) };
        const [total, asymmetry, ...bounds] = answer.numbers(1);
        const table = new BigramTable({ counts, total: total!, asymmetry: asymmetry! });
        return {
          table,
          bounds: this.#bounded ? boundsOfNumbers(bounds) : null,
        };
      },
    );
  }

  end(): void {
    this.#handle.dispose();
  }
}
