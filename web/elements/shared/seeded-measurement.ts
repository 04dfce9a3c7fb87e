import { nothing } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { button } from './controls.js';
import type { Content } from './figure.js';
import { wholePercent } from './in-words.js';
import { Measurement, type MeasurementOptions } from './measurement.js';
import type { Host } from './when-gone.js';

export interface SeededTexts {
  readonly start: string;
  readonly cancel: string;
  readonly preparing: string;
  readonly training: (percent: string) => string;
  readonly finishedNote: string;
  readonly other: (seed: string) => string;
}

/** What the measurement needs of its figure. */
export interface SeededFigure<Measured> extends Pick<
  MeasurementOptions<number, Measured>,
  'measure' | 'failed' | 'possible' | 'report'
> {
  readonly seed: () => number;
  /** What was measured earlier, to show before the reader asks for another seed. */
  readonly finished: () => Measured | null;
  readonly texts: () => SeededTexts;
  /** The reader has asked for it. */
  readonly onStart: () => void;
}

/** A figure's long measurement for its seed, in words and with a button. */
export class SeededMeasurement<Measured extends { readonly seed: number }> extends Measurement<number, Measured> {
  readonly #figure: SeededFigure<Measured>;

  constructor(host: Host, figure: SeededFigure<Measured>) {
    super(host, {
      ...figure,
      order: 'replace',
      question: figure.seed,
      same: Object.is,
      answers: (measured, seed) => measured.seed === seed,
      given: () => {
        const finished = figure.finished();
        return finished === null ? [] : [finished];
      },
    });
    this.#figure = figure;
  }

  /** What is being done, in words; null at rest. */
  get status(): string | null {
    const texts = this.#figure.texts();
    if (!this.pending) return null;
    return this.fraction === null ? texts.preparing : texts.training(wholePercent(this.fraction));
  }

  /** The same, and what is shown if it is of another seed; otherwise, at rest, where it comes from. */
  get note(): string | typeof nothing {
    const texts = this.#figure.texts();
    const { shown, status } = this;
    if (shown === null) return status ?? nothing;
    if (this.fitting === null) return `${status === null ? '' : `${status} `}${texts.other(formatWhole(shown.seed))}`;
    return status ?? (shown === this.#figure.finished() ? texts.finishedNote : nothing);
  }

  /** A button that starts or cancels; nothing if there is nothing to measure. */
  button(): Content {
    const texts = this.#figure.texts();
    if (this.state === 'working') return button({ label: texts.cancel, onPress: () => this.stop() });
    if (this.state === 'shown') return nothing;
    return button({
      label: texts.start,
      icon: 'play',
      kind: 'primary',
      onPress: () => {
        this.#figure.onStart();
        this.ask();
      },
    });
  }
}
