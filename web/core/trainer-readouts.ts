/** The verbs of a trainer that need the readout module. */
import {
  DirectPathReportRun,
  DirectPathRun,
  type CheckedPath,
  type CheckedPathReport,
  type SymmetryOf,
} from './direct-path-report.js';
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

/** What the readouts need of other modules. */
export interface ReadoutParts {
  /** Throws where the module was not loaded. */
  find: () => Runtime<ReadoutModule>;
  symmetryOf: SymmetryOf;
}

/** Jobs with checked options, which the caller advances and ends. */
export class TrainerReadouts {
  readonly #find: ReadoutParts['find'];
  readonly #symmetryOf: SymmetryOf;
  readonly #trainer: ReadTrainer;

  constructor({ find, symmetryOf }: ReadoutParts, trainer: ReadTrainer) {
    this.#find = find;
    this.#symmetryOf = symmetryOf;
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

  directPath(options: CheckedPath): DirectPathRun {
    return new DirectPathRun(this.#find(), this.#trainer, options, this.#symmetryOf);
  }

  directPathReport(tokenIds: unknown, options: CheckedPathReport): DirectPathReportRun {
    const { bigramsOf } = options;
    if (bigramsOf !== null) checkIdsBelow('options.bigramsOf', bigramsOf, this.#trainer.model.vocabSize);
    return new DirectPathReportRun(this.#find(), this.#trainer, this.#ids(tokenIds, 2), options, this.#symmetryOf);
  }

  /** A copy, which no listener can change. */
  #ids(given: unknown, atLeast: number): Uint32Array {
    const ids = checkTokenIds('tokenIds', given, atLeast).slice();
    checkIdsBelow('tokenIds', ids, this.#trainer.model.vocabSize);
    return ids;
  }
}
