/** Learns a vocabulary, encodes a text, or both, some bytes at a time. */
import { TEXT_PROGRESS } from '../generated/records.js';
import type { ArgumentNames } from '../runtime/answer.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import type { AnalysisModule, HandleAddress } from '../runtime/wasm-module.js';
import type { Progress, Work } from '../runtime/work.js';

/** Bytes per part: small enough to stop quickly, large enough to add no overhead. */
const BYTES_PER_PART = 1024;
const MAX_PARTS = 2 ** 20;

export interface TextResult {
  /** Empty where nothing is encoded. */
  ids: Uint32Array;
  /** Address of the learned tokenizer; 0 if none was. */
  tokenizer: HandleAddress;
}

/** What learns nothing has learned everything from the start, and what encodes nothing ends with it. */
const ofEither = (learned: number, encoded: number): number =>
  Math.min(learned < 1 ? learned : encoded, 1 - Number.EPSILON);

/**
 * The work at an address, which it frees.
 * @param names - maps the core's names of arguments to the caller's
 * @param as - how far it has come, from the fractions learned and encoded
 */
export function* textWork<N extends unknown[] = [fraction: number]>(
  runtime: Runtime<AnalysisModule>,
  address: HandleAddress,
  names: ArgumentNames,
  as: (learned: number, encoded: number) => number | Progress<N> = ofEither,
): Work<TextResult, N> {
  const handle = new Handle(runtime, 'text', address, (module, work) => module.deleteText(work));
  try {
    let parts = yield as(0, 0);
    for (;;) {
      const bytes = Math.min(MAX_PARTS, parts) * BYTES_PER_PART;
      const { learned, encoded, finished } = handle.call(
        [],
        (module, work) => module.advanceText(work, bytes),
        (answer) => answer.read(TEXT_PROGRESS),
        names,
      );
      if (finished) break;
      parts = yield as(learned, encoded);
    }
    let tokenizer = 0;
    const ids = handle.call(
      [],
      (module, work) => {
        tokenizer = module.finishText(work);
        return true;
      },
      (answer) => answer.ids(),
    );
    return { ids, tokenizer };
  } finally {
    handle.dispose();
  }
}
