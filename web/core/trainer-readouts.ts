/** The verbs of a trainer that need the readout module. */
import type { CheckedFrequencies } from './frequency-options.js';
import { GradientReportRun } from './gradient-report.js';
import { LensRun, type CheckedLens } from './logit-lens.js';
import { LossByFrequencyRun } from './loss-by-frequency.js';
import { checkIdsBelow } from './options.js';
import type { ReadTrainer } from './readout.js';
import type { Runtime } from './runtime.js';
import { LensTraining, type CheckedLensTraining } from './tuned-lens.js';
import { checkTokenIds } from './validate.js';
import type { ReadoutModule } from './wasm-module.js';

/** Throws where the module was not loaded. */
export type FindReadout = () => Runtime<ReadoutModule>;

/** Jobs with checked options, which the caller advances and ends. */
export class TrainerReadouts {
  readonly #find: FindReadout;
  readonly #trainer: ReadTrainer;

  constructor(find: FindReadout, trainer: ReadTrainer) {
    this.#find = find;
    this.#trainer = trainer;
  }

  lens(tokenIds: unknown, options: CheckedLens): LensRun {
    return new LensRun(this.#find(), this.#trainer, this.#ids(tokenIds, 1), options);
  }

  lensTraining(options: CheckedLensTraining): LensTraining {
    return new LensTraining(this.#find(), this.#trainer, options);
  }

  gradientReport(tokenIds: unknown, options: CheckedFrequencies): GradientReportRun {
    return new GradientReportRun(this.#find(), this.#trainer, this.#ids(tokenIds, 2), options);
  }

  lossByFrequency(tokenIds: unknown, options: CheckedFrequencies): LossByFrequencyRun {
    return new LossByFrequencyRun(this.#find(), this.#trainer, this.#ids(tokenIds, 2), options);
  }

  /** A copy, which no listener can change. */
  #ids(given: unknown, atLeast: number): Uint32Array {
    const ids = checkTokenIds('tokenIds', given, atLeast).slice();
    checkIdsBelow('tokenIds', ids, this.#trainer.model.vocabSize);
    return ids;
  }
}
