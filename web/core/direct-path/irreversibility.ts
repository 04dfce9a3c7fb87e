/** How irreversible a text is, compared with samples of a reversible chain, which are drawn in parts. */
import { log, square } from '../runtime/elementary.js';
import { PartJob } from '../runtime/pace.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import type { Irreversibility, IrreversibilityOptions, Matrix } from '../types.js';
import { checkFunction, checkOptions, checkSeed, checkSignal, checkInteger } from '../runtime/validate.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';

/** The unit of work. */
const PAIRS_PER_PART = 256;
const MAX_PARTS = 2 ** 16;
/** A spread needs at least two samples. */
const MIN_RUNS = 2;
const MAX_RUNS = 1000;

export interface CheckedIrreversibility {
  nullRuns: number;
  seed: number;
  onProgress: IrreversibilityOptions['onProgress'];
  signal: AbortSignal | undefined;
}

/** Checks of the options of `irreversibility`, common to the core and the lab. */
export function checkIrreversibility(options: IrreversibilityOptions = {}): CheckedIrreversibility {
  const given = checkOptions('options', options, ['nullRuns', 'seed', 'onProgress', 'signal']);
  const { nullRuns = 20, seed = 0, onProgress, signal } = given;
  checkInteger('options.nullRuns', nullRuns, MIN_RUNS, MAX_RUNS);
  checkSeed('options.seed', seed);
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return { nullRuns, seed, onProgress, signal };
}

/** From checked counts. */
function heldOutOf({ rows, data }: Matrix): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < rows; i++) {
    total += data[i * rows + i]!;
    for (let j = 0; j < i; j++) {
      const [there, back] = [data[i * rows + j]!, data[j * rows + i]!];
      const both = there + back;
      total += both;
      if (there > 0) sum += there * log((2 * there - 1) / both);
      if (back > 0) sum += back * log((2 * back - 1) / both);
    }
  }
  return sum / total;
}

export class IrreversibilityRun extends PartJob<Irreversibility> {
  readonly #handle: Handle<AnalysisModule>;
  readonly #js: number;
  readonly #heldOut: number;
  readonly #mutualInformation: number;
  readonly #netFlow: Matrix;
  #runs: number[] = [];

  /** `counts` is square. */
  constructor(runtime: Runtime<AnalysisModule>, counts: Matrix, { nullRuns, seed }: CheckedIrreversibility) {
    super('irreversibility', MAX_PARTS);
    const { rows, data } = counts;
    const { address, netFlow, numbers } = runtime.call(
      [data],
      (module, [table]) => module.startIrreversibility(table!, rows, nullRuns, seed),
      (answer, made) => ({ address: made, netFlow: answer.floats(0), numbers: answer.numbers(1) }),
    );
    this.#handle = new Handle(runtime, 'irreversibility', address, (module, work) =>
      module.deleteIrreversibility(work),
    );
    [this.#js, this.#mutualInformation] = [numbers[0]!, numbers[1]!];
    this.#heldOut = heldOutOf(counts);
    this.#netFlow = { rows, cols: rows, data: netFlow };
  }

  protected take(parts: number): void {
    this.#handle.call(
      [],
      (module, work) => module.advanceIrreversibility(work, parts * PAIRS_PER_PART),
      (answer) => ([this.fraction, ...this.#runs] = answer.numbers(0) as unknown as [number, ...number[]]),
    );
    this.finished = this.fraction === 1;
  }

  result(): Irreversibility {
    const runs = this.#runs;
    const mean = runs.reduce((sum, js) => sum + js, 0) / runs.length;
    const squares = runs.reduce((sum, js) => sum + square(js - mean), 0);
    const mutualInformation = this.#mutualInformation;
    return {
      js: this.#js,
      heldOut: this.#heldOut,
      null: { mean, standardDeviation: Math.sqrt(squares / (runs.length - 1)), runs },
      mutualInformation,
      share: mutualInformation > 0 ? (this.#js - mean) / mutualInformation : 0,
      netFlow: this.#netFlow,
    };
  }

  end(): void {
    this.#handle.dispose();
  }
}
