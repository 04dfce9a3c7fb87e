import { state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/index.js';
import type { Mode } from './mode.js';
import { SettingsElement } from './settings-element.js';
import type { TextSource } from './text-source.js';

/**
 * The maximum multiply-adds of a run that starts without the reader's consent: a few minutes on an ordinary machine.
 */
const mostUnasked = 1.5e12;
/** If models are lost more often than this in a row, they are not created again unasked. */
const mostRecoveries = 3;

/** A point in a run: its newest step, and the earlier step that is viewed. */
interface Moment {
  readonly step: number;
  readonly viewStep: number | null;
}

/** A run that can be restored. */
interface EndedRun {
  readonly settings: object;
  readonly source: TextSource;
  readonly moment: Moment;
  readonly sampleSeed: number | null;
}

/** How the training lab reaches a point of a run again: for a link, after the models were lost, to undo a change. */
export abstract class RestoringLab extends SettingsElement {
  /** The last step of a run that a change of settings ended and that can be restored; null if there is none. */
  @state() protected undoStep: number | null = null;
  /** The point of a run that is being restored for a link or an undo. */
  @state() protected restoring: Moment | null = null;
  /**
   * A sentence about what is not drawn, such as a link's step that would take too long to train unasked; null if there
   * is none.
   */
  @state() protected notice: string | null = null;
  /** How often lost models have been created again since the reader last did something or a run was restored. */
  protected recoveries = 0;

  /** The run that a change of settings ended, and the one before it, which counts again if the change fails. */
  #undone: EndedRun | null = null;
  #undoneBefore: EndedRun | null = null;
  /** Whether a run to the point that is being restored is in progress. */
  #restores = false;
  /** The sentence that tells the reader how to start that run, until it is known whether the run is short enough. */
  #asks: ((step: string) => string) | undefined;

  /** Creates models if there are none and something needs them. */
  protected abstract prepared(): Promise<void>;
  /** Creates the models again, at step 0, after the next drawing. */
  protected abstract createAgain(): void;

  protected abstract override get mode(): Mode;

  /** The controller of the current mode. */
  get controller(): Mode['controller'] {
    return this.mode.controller;
  }

  /** A link leads to a step: trains to it, or asks the reader first if that would take long. */
  protected async openLink(): Promise<void> {
    const { atStep, viewStep } = this;
    if (atStep === null && viewStep === null) return;
    this.atStep = null;
    this.viewStep = null;
    if (this.wantedSource() === null) {
      this.notice = this.texts.linkWithoutText;
      if (atStep !== null) this.runTo = atStep;
      return;
    }
    if (atStep === null || atStep === 0) {
      await this.controller.idle();
      this.mode.view(viewStep);
      return;
    }
    await this.#restore({ step: atStep, viewStep }, this.texts.linkAsks);
  }

  /** The models were lost with their worker. The same seed gives the same models, so the run is repeated. */
  protected recover(step: number): void {
    // If a worker dies again and again, there is a reason; then only the reader can restart.
    if (this.recoveries === mostRecoveries) {
      this.restoring = null;
      return;
    }
    this.recoveries++;
    this.problem = null;
    if (!this.mode.showsFinished) {
      const moment = this.restoring ?? { step, viewStep: null };
      void this.#restore({ ...moment }, this.#asks);
      return;
    }
    // The drawn data is intact; the models behind it are created again.
    this.createAgain();
  }

  /** Trains to an earlier point of a run. If that takes long, `asks` tells the reader how to start it. */
  async #restore(moment: Moment, asks?: (step: string) => string): Promise<void> {
    this.restoring = moment;
    this.#asks = asks;
    this.#restores = false;
    this.mode.beginOwn();
    await this.updateComplete;
    await this.prepared();
    await this.controller.idle();
    if (this.restoring !== moment) return;
    if (asks !== undefined && this.mode.work(moment.step) > mostUnasked) {
      this.restoring = null;
      this.runTo = moment.step;
      this.notice = asks(formatWhole(moment.step));
      return;
    }
    this.#restores = true;
    this.#asks = undefined;
    await this.controller.runTo(moment.step, Number.POSITIVE_INFINITY, moment.viewStep);
  }

  /** Once the point is reached, views the step that the sender of the link viewed. */
  protected followRestored(): void {
    const { restoring } = this;
    if (restoring === null || !this.#restores) return;
    const { phase, step, suspended } = this.controller;
    const there = step >= restoring.step && phase !== 'preparing';
    const given = phase === 'failed' || phase === 'idle' || (phase === 'paused' && !suspended);
    if (!there && !given) return;
    this.restoring = null;
    if (there) this.recoveries = 0;
    if (there && restoring.viewStep !== null) this.mode.view(restoring.viewStep);
  }

  // ------------------------------------------------------------ undo

  protected keepForUndo(): void {
    const { settings, source } = this.controller;
    const { stepsDone, sampleSeed } = this;
    if (stepsDone === 0 || settings === null || source === null) return;
    // A second change may come before the models of the first one exist.
    if (this.#undone?.settings !== settings) this.#undoneBefore = this.#undone;
    this.#offerUndo({ settings, source, moment: { step: stepsDone, viewStep: this.mode.viewedStep }, sampleSeed });
  }

  /** A change has failed that was to end the run with these settings: what could be undone before it still can. */
  protected changeFailed(settings: object): void {
    if (this.#undone?.settings === settings) this.#offerUndo(this.#undoneBefore);
  }

  #offerUndo(run: EndedRun | null): void {
    this.#undone = run;
    this.undoStep = run?.moment.step ?? null;
  }

  protected forgetUndo(): void {
    this.#offerUndo(null);
  }

  /** Restores the run that a change of settings ended. */
  protected async undo(): Promise<void> {
    const before = this.#undone;
    if (before === null) return;
    this.forgetUndo();
    this.setTo(before.settings, before.source);
    this.sampleSeed = before.sampleSeed;
    await this.#restore(before.moment);
  }

  /** Sets the attributes to those of a run. */
  protected setTo(settings: object, source: TextSource): void {
    Object.assign(this, settings);
    if (source.kind === 'own') {
      this.ownSource = source;
      this.text = source.text;
      this.textSource = 'own';
    } else {
      this.text = null;
      this.textSource = source.kind === 'built-in' ? source.id : source.kind;
      if (source.kind === 'stories') this.storyLength = source.length;
      if (source.kind === 'markov-chain') this.states = source.states;
    }
  }
}
