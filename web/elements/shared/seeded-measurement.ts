import { nothing } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { button } from './controls.js';
import type { Content } from './figure.js';
import { wholePercent } from './in-words.js';
import type { Task, TaskOptions } from './task.js';

export interface SeededTexts {
  readonly start: string;
  readonly cancel: string;
  readonly preparing: string;
  readonly training: (percent: string) => string;
  readonly finishedNote: string;
  readonly other: (seed: string) => string;
}

/** What the measurement needs of its figure. */
export interface SeededFigure<Measured> {
  readonly seed: () => number;
  /** What was measured earlier, to show before the reader asks for another seed. */
  readonly finished: () => Measured | null;
  readonly texts: () => SeededTexts;
  readonly requestUpdate: () => void;
  readonly task: (options: TaskOptions<number, Measured>) => Task<number, Measured>;
  readonly run: (seed: number, signal: AbortSignal, onProgress: (fraction: number) => void) => Promise<Measured>;
  /** The reader has asked for it. */
  readonly onStart: () => void;
}

/** A figure's long measurement for its seed, which starts when the reader asks for it. */
export class SeededMeasurement<Measured extends { readonly seed: number }> {
  readonly #figure: SeededFigure<Measured>;
  readonly #task: Task<number, Measured>;
  #measured: Measured | null = null;
  /** The fraction of training that is done; null while the text is being written. */
  #trained: number | null = null;
  #asked = false;

  constructor(figure: SeededFigure<Measured>) {
    this.#figure = figure;
    this.#task = figure.task({
      order: 'replace',
      run: (seed, signal) => {
        this.#trained = null;
        return figure.run(seed, signal, (fraction) => {
          if (signal.aborted) return;
          this.#trained = fraction;
          figure.requestUpdate();
        });
      },
      done: (measured) => {
        this.#measured = measured;
        figure.requestUpdate();
      },
    });
  }

  get pending(): boolean {
    return this.#task.pending;
  }

  /** The measurement for the seed, if there is one; else the last one, until the reader measures again. */
  get shown(): Measured | null {
    const [seed, finished] = [this.#figure.seed(), this.#figure.finished()];
    return [this.#measured, finished].find((one) => one?.seed === seed) ?? this.#measured ?? finished;
  }

  /** Whether the shown measurement is for the seed. */
  get fits(): boolean {
    return this.shown?.seed === this.#figure.seed();
  }

  /** Measures if the reader has asked for it and the seed is a different one. Call it when the seed changes. */
  update(): void {
    if (!this.#asked) return;
    // A pending request is for another seed.
    if (this.fits) this.#task.cancel();
    else void this.#task.request(this.#figure.seed());
  }

  /** What is being done, in words; null at rest. */
  get status(): string | null {
    const texts = this.#figure.texts();
    if (!this.pending) return null;
    if (this.#trained === null) return texts.preparing;
    return texts.training(wholePercent(this.#trained));
  }

  /** The same, and what is shown if it is of another seed; otherwise, at rest, where it comes from. */
  get note(): string | typeof nothing {
    const texts = this.#figure.texts();
    const { shown, status } = this;
    if (shown === null) return status ?? nothing;
    if (!this.fits) return `${status === null ? '' : `${status} `}${texts.other(formatWhole(shown.seed))}`;
    return status ?? (shown === this.#figure.finished() ? texts.finishedNote : nothing);
  }

  /** A button that starts or cancels; nothing if there is nothing to measure. */
  button(): Content {
    const { onStart, requestUpdate } = this.#figure;
    const texts = this.#figure.texts();
    if (this.pending) {
      return button({
        label: texts.cancel,
        onPress: () => {
          this.#asked = false;
          this.#task.cancel();
          requestUpdate();
        },
      });
    }
    if (this.fits) return nothing;
    return button({
      label: texts.start,
      icon: 'play',
      kind: 'primary',
      onPress: () => {
        this.#asked = true;
        onStart();
        this.update();
        requestUpdate();
      },
    });
  }
}
