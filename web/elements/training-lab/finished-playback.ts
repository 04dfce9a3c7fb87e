import type { Runner } from './mode.js';

/** All that a playback needs to know of a run. */
interface Finished {
  readonly settings: { readonly steps: number };
}

/**
 * A run that was finished before, while it is what is drawn: the step that is looked at, and the same run trained again
 * behind it for what was not kept, such as earlier maps. That run takes its place once it is done, which nobody sees.
 */
export class FinishedPlayback<Run extends Finished = Finished> {
  readonly #controller: Runner;
  readonly #find: () => Run | null;
  /** The reader has a run of their own: from then on only such are drawn. */
  #over = false;
  #viewedStep: number | null = null;
  #trainsAgain = false;

  /** `find` gives the finished run that belongs to the present settings. */
  constructor(controller: Runner, find: () => Run | null) {
    this.#controller = controller;
    this.#find = find;
  }

  /** Null where the reader's own run is what is drawn. */
  get run(): Run | null {
    return this.#over ? null : this.#find();
  }

  /** Null is the last step. */
  get viewedStep(): number | null {
    return this.#viewedStep;
  }

  /** The same run is being trained behind the one that is drawn. */
  get trainsAgain(): boolean {
    return this.#trainsAgain;
  }

  view(step: number | null): void {
    const last = this.run?.settings.steps ?? 0;
    this.#viewedStep = step === null || step >= last ? null : Math.max(0, step);
  }

  /** Trains the same run, so that all of it can be looked at. */
  trainAgain(): void {
    const { run } = this;
    const { phase, step } = this.#controller;
    if (run === null || this.#trainsAgain || step > 0 || phase !== 'ready') return;
    this.#trainsAgain = true;
    void this.#controller.runTo(run.settings.steps);
  }

  /** The reader begins a run of their own. */
  end(): void {
    this.#over = true;
    this.#trainsAgain = false;
    this.#viewedStep = null;
  }

  /** Other settings: what was looked at is worth nothing. */
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
    // Also where the reader paused it: what has been trained is theirs.
    this.#over = step > 0;
    if (this.#over && viewed !== null) this.#controller.view(viewed);
  }
}
