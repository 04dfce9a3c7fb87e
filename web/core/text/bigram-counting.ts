/** Counts the pairs of token ids in parts, and finds the floors of their table where asked. */
import { BIGRAM_BOUNDS, BIGRAM_COUNTING } from '../generated/records.js';
import { BigramTable } from './bigram-table.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import type { BigramBounds } from '../types.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';
import type { Work } from '../runtime/work.js';

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

/** `ids` do not change before the end; at least two, all below `vocabSize`. */
export function* countBigrams(
  runtime: Runtime<AnalysisModule>,
  ids: Uint32Array,
  vocabSize: number,
  bounded: boolean,
): Work<CountedBigrams> {
  const address = runtime.call(
    [],
    (module) => module.startBigrams(vocabSize, bounded),
    (_, work) => work,
  );
  const handle = new Handle(runtime, 'count', address, (module, work) => module.deleteBigrams(work));
  const elements = (parts: number): number => Math.min(MAX_PARTS, parts) * ELEMENTS_PER_PART;
  try {
    let parts = yield 0;
    for (let counted = 0; counted < ids.length;) {
      const some = ids.subarray(counted, counted + elements(parts));
      handle.call(
        [some],
        (module, work, [at]) => module.countBigrams(work, at!, some.length),
        () => undefined,
        { ids: 'tokenIds' },
      );
      counted += some.length;
      parts = yield (COUNTED * counted) / ids.length;
    }
    for (let rows = 0; ;) {
      const next = Math.ceil(elements(parts) / vocabSize);
      const finished = handle.call(
        [],
        (module, work) => module.advanceBigrams(work, next),
        (answer) => answer.read('flag'),
      );
      if (finished) break;
      rows += next;
      // How often the rows are read shows only at the end.
      parts = yield COUNTED + (1 - COUNTED) * (rows / (rows + vocabSize));
    }
    return handle.call(
      [],
      (module, work) => module.finishBigrams(work),
      (answer) => {
        const { counts: data, ...sums } = answer.read(BIGRAM_COUNTING);
        const table = new BigramTable({ counts: { rows: vocabSize, cols: vocabSize, data }, ...sums });
        return { table, bounds: bounded ? answer.read(BIGRAM_BOUNDS) : null };
      },
    );
  } finally {
    handle.dispose();
  }
}
