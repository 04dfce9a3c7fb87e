/** Draws the states of a Markov chain, piece by piece. */
import { PartJob } from '../runtime/pace.js';
import { allocateResult, Handle, type ArgumentNames, type Runtime } from '../runtime/runtime.js';
import type { MarkovText, Matrix } from '../types.js';
import { checkElements, checkInteger, checkMatrix, checkOptions, checkSeed } from '../runtime/validate.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';

const STATES_PER_PART = 1024;
const MAX_PARTS = 2 ** 8;

/** Checks of a chain's text, an argument with this name. */
export function checkMarkovText(argument: string, text: MarkovText): MarkovText {
  const given = checkOptions(argument, text, ['transition', 'length', 'seed']);
  const transition: Matrix = checkMatrix(`${argument}.transition`, given.transition, { square: true });
  const length = checkInteger(`${argument}.length`, given.length, 1);
  const seed = checkSeed(`${argument}.seed`, given.seed);
  checkElements('the sample', length, 1);
  return { transition, length, seed };
}

export class MarkovSampling extends PartJob<Uint32Array> {
  readonly #handle: Handle<AnalysisModule>;
  readonly #names: ArgumentNames;
  readonly #length: number;
  #ids: Uint32Array | null = null;
  #drawn = 0;

  /** `text` has been checked. */
  constructor(runtime: Runtime<AnalysisModule>, argument: string, { transition, length, seed }: MarkovText) {
    super('sampling', MAX_PARTS);
    this.#names = { transition: `${argument}.transition`, length: `${argument}.length` };
    const address = runtime.call(
      [transition.data],
      (module, [at]) => module.startSample(at!, transition.rows, length, seed),
      (_, sample) => sample,
      this.#names,
    );
    this.#length = length;
    this.#handle = new Handle(runtime, 'sample', address, (module, sample) => module.deleteSample(sample));
  }

  protected take(parts: number): void {
    const ids = (this.#ids ??= allocateResult(() => new Uint32Array(this.#length)));
    const some = this.#handle.call(
      [],
      (module, sample) => module.advanceSample(sample, parts * STATES_PER_PART),
      (answer) => answer.ids(0),
      this.#names,
    );
    ids.set(some, this.#drawn);
    this.#drawn += some.length;
    this.fraction = this.#drawn / this.#length;
    this.finished = this.#drawn === this.#length;
  }

  result(): Uint32Array {
    return this.#ids!;
  }

  end(): void {
    this.#handle.dispose();
  }
}
