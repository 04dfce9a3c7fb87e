/** The verbs of a trainer that need modules on demand. */
import {
  DirectPathReportRun,
  DirectPathRun,
  type CheckedPath,
  type CheckedPathReport,
  type SymmetryOf,
} from '../direct-path/direct-path-report.js';
import { directPathSymmetry } from '../direct-path/direct-path.js';
import { countsOf, type CheckedFrequencies } from '../diagnostics/frequency-options.js';
import { GradientReportRun } from '../diagnostics/gradient-report.js';
import { LayerAblationRun } from '../diagnostics/layer-ablation.js';
import { LensRun, type CheckedLens } from '../diagnostics/logit-lens.js';
import { LossByFrequencyRun } from '../diagnostics/loss-by-frequency.js';
import { checkIdsBelow } from '../model/options.js';
import type { JobChain } from '../runtime/job-chain.js';
import { startModelCard, type CardTrainer, type CheckedCard } from '../diagnostics/model-card/model-card.js';
import { checkReadable, type Reading } from '../diagnostics/readable.js';
import { Remembered, summaryOf } from './remembered.js';
import type { Runtime } from '../runtime/runtime.js';
import type { FindModule } from '../runtime/running-modules.js';
import type { ModelCard } from '../types.js';
import { LensTraining, type CheckedLensTraining } from '../diagnostics/tuned-lens.js';
import { checkTokenIds } from '../runtime/validate.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

/** Jobs with checked options, which the caller advances and ends. */
export class TrainerReadouts {
  readonly #modules: FindModule;
  readonly #trainer: CardTrainer;
  readonly #symmetryOf: SymmetryOf = (factors, options) =>
    directPathSymmetry(this.#modules.get('analysis'), factors, options);

  readonly #remembered: Remembered;

  /** `get` of `modules` throws if a module was not loaded; `changes`: how often the parameters have been written. */
  constructor(modules: FindModule, trainer: CardTrainer, changes: () => number) {
    this.#modules = modules;
    this.#trainer = trainer;
    this.#remembered = new Remembered(changes);
  }

  #find(reads: Reading): Runtime<ReadoutModule> {
    checkReadable(this.#trainer, reads);
    this.#trainer.sequences.begin();
    return this.#modules.get('readout');
  }

  lens(tokenIds: unknown, options: CheckedLens): LensRun {
    const ids = this.#ids(tokenIds, 1);
    const run = new LensRun(this.#find('rows'), this.#trainer, ids, options);
    return options.lens === null ? this.#remembered.keeping('lens', [ids], run, summaryOf) : run;
  }

  lensTraining(options: CheckedLensTraining): LensTraining {
    return new LensTraining(this.#find('rows'), this.#trainer, options);
  }

  gradientReport(tokenIds: unknown, options: CheckedFrequencies): GradientReportRun {
    const ids = this.#ids(tokenIds, 2);
    const run = new GradientReportRun(this.#find('gradient'), this.#trainer, ids, options);
    return this.#remembered.keeping('gradient', [ids], run, (report) => report);
  }

  lossByFrequency(tokenIds: unknown, options: CheckedFrequencies): LossByFrequencyRun {
    const ids = this.#ids(tokenIds, 2);
    const run = new LossByFrequencyRun(this.#find('losses'), this.#trainer, ids, options);
    const counts = countsOf(options, ids, this.#trainer.model.vocabSize);
    return this.#remembered.keeping('losses', [ids, counts], run, (losses) => losses);
  }

  layerAblation(tokenIds: unknown): LayerAblationRun {
    const ids = this.#ids(tokenIds, 2);
    const run = new LayerAblationRun(this.#find('losses'), this.#trainer, ids);
    return this.#remembered.keeping('ablation', [ids], run, (ablation) => ablation);
  }

  directPath(options: CheckedPath): DirectPathRun {
    return new DirectPathRun(this.#find('rows'), this.#trainer, options, this.#symmetryOf);
  }

  directPathReport(tokenIds: unknown, options: CheckedPathReport): DirectPathReportRun {
    const { bigramsOf } = options;
    if (bigramsOf !== null) checkIdsBelow('options.bigramsOf', bigramsOf, this.#trainer.model.vocabSize);
    return new DirectPathReportRun(
      this.#find('rows'),
      this.#trainer,
      this.#ids(tokenIds, 2),
      options,
      this.#symmetryOf,
    );
  }

  modelCard(options: CheckedCard): JobChain<ModelCard> {
    checkReadable(this.#trainer, 'gradient');
    this.#trainer.sequences.begin();
    return startModelCard(this.#modules, this.#trainer, options, this.#remembered);
  }

  /** A copy that no listener can change. */
  #ids(given: unknown, atLeast: number): Uint32Array {
    const ids = checkTokenIds('tokenIds', given, atLeast).slice();
    checkIdsBelow('tokenIds', ids, this.#trainer.model.vocabSize);
    return ids;
  }
}
