import type { Runner } from './run-controller.js';

/** What a playback needs from a run. */
interface Finished {
  readonly settings: { readonly steps: number };
}

/**
 * A finished run while it is drawn: the viewed step, and the same run, retrained in the background for what was not
 * stored, such as earlier maps. The retrained run then replaces the finished one without visible change.
 */
export class FinishedPlayback<Run extends Finished = Finished> {
  readonly #controller: Runner;
  readonly #find: () => Run | null;
  /** The reader has started a run; finished runs are no longer drawn. */
  #over = false;
  #viewedStep: number | null = null;
  #trainsAgain = false;

  /** `find` returns the finished run of the current settings. */
  constructor(controller: Runner, find: () => Run | null) {
    this.#controller = controller;
    this.#find = find;
  }

  /** Null while the reader's own run is drawn. */
  get run(): Run | null {
    return this.#over ? null : this.#find();
  }

  /** Null: the last step. */
  get viewedStep(): number | null {
    return this.#viewedStep;
  }

  /** The same run is being trained in the background. */
  get trainsAgain(): boolean {
    return this.#trainsAgain;
  }

  view(step: number | null): void {
    const last = this.run?.settings.steps ?? 0;
    this.#viewedStep = step === null || step >= last ? null : Math.max(0, step);
  }

  /** Trains the same run in the background, so every step can be viewed. */
  trainAgain(): void {
    const { run } = this;
    const { phase, step } = this.#controller;
    if (run === null || this.#trainsAgain || step > 0 || phase !== 'ready') return;
    this.#trainsAgain = true;
    void this.#controller.runTo(run.settings.steps);
  }

  /** The reader starts a run. */
  end(): void {
    this.#over = true;
    this.#trainsAgain = false;
    this.#viewedStep = null;
  }

  /** Draws the finished run again, whatever the reader has run since then. */
  startOver(): void {
    this.#over = false;
    this.reset();
  }

  /** The settings changed: discards the viewed step. */
  reset(): void {
    this.#trainsAgain = false;
    this.#viewedStep = null;
  }

  /** To be called whenever the controller has changed. */
  follow(): void {
    const { phase, step, suspended } = this.#controller;
    if (this.#over) return;
    if (!this.#trainsAgain) {
      this.#over = phase === 'running' || (step > 0 && phase !== 'preparing');
      return;
    }
    if (phase === 'running' || suspended) return;
    const viewed = this.#viewedStep;
    this.reset();
    // Also if the reader paused it: from then on it is the reader's run.
    this.#over = step > 0;
    if (this.#over && viewed !== null) this.#controller.view(viewed);
  }
}
