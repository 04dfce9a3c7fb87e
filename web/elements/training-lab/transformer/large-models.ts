/** What large models take, said before they train: fetched only for those. */
import { formatNumber, formatWhole } from '../../../charts/index.js';
import type { ModeLab } from '../mode-lab.js';
import type { ArmOptions } from '../running.js';
import { largeStrings } from './large-models.strings.js';
import type { TransformerSettings } from './settings.js';

/** Multiply-adds a second of an ordinary core, of which each model has one. */
const perSecond = 1.5e10;

/** The models that exist. */
interface Standing {
  readonly settings: TransformerSettings | null;
  readonly text: { readonly corpus: { readonly vocabSize: number } } | null;
}

export class LargeModels {
  readonly #lab: ModeLab;
  readonly #armsOf: (settings: TransformerSettings) => ArmOptions;
  /** The settings whose memory is known or was asked for. */
  #asked: TransformerSettings | null = null;
  #megabytes: number | null = null;

  constructor(lab: ModeLab, armsOf: (settings: TransformerSettings) => ArmOptions) {
    this.#lab = lab;
    this.#armsOf = armsOf;
  }

  /** `work`: multiply-adds of all planned steps of both models. Null until their memory is known. */
  sentence({ settings, text }: Standing, work: number): string | null {
    if (settings === null || text === null) return null;
    if (this.#asked !== settings) {
      this.#asked = settings;
      this.#megabytes = null;
      void this.#measure(settings, text.corpus.vocabSize).catch(() => undefined);
    }
    if (this.#megabytes === null) return null;
    const minutes = work / settings.arms.length / perSecond / 60;
    const { large } = { ...largeStrings, ...this.#lab.texts.largeModels };
    return large(
      formatWhole(this.#megabytes),
      formatNumber(minutes / 60, { decimals: 1 }),
      minutes < 90 ? formatWhole(Math.ceil(minutes)) : null,
    );
  }

  async #measure(settings: TransformerSettings, vocabSize: number): Promise<void> {
    const lab = await this.#lab.labSource.lab();
    const estimates = await Promise.all(
      Object.values(this.#armsOf(settings)).map(({ model, training }) =>
        lab.estimateMemory({ ...model, vocabSize }, { ...training, seed: settings.seed }),
      ),
    );
    if (this.#asked !== settings) return;
    const bytes = estimates.reduce((sum, estimate) => sum + estimate.bytes, 0);
    this.#megabytes = Math.round(bytes / 1e7) * 10;
    this.#lab.redraw();
  }
}
