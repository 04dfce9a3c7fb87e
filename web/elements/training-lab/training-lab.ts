import type { PropertyValues } from 'lit';
import { formatWhole } from '../../charts/index.js';
import type { Lab } from '../../core/types.js';
import { DirectPathMode } from './direct-path-mode.js';
import type { Mode, ModeHost } from './mode.js';
import { failureText, NoLabError } from './failures.js';
import { whenGone } from '../shared/when-gone.js';
import { keyAction } from './keys.js';
import { LabFrame, type Moment } from './lab-frame.js';
import type { LabFailure } from './running.js';
import type { Changes, ModelKind } from './settings-element.js';
import type { TextFile } from '../shared/own-text.js';
import type { TextSource } from './text-source.js';
import { TransformerMode } from './transformer/mode.js';
import { stepsPerSecond } from './pace.js';

/** The maximum multiply-adds of a run that starts without the reader's consent: some minutes on an ordinary machine. */
const mostUnasked = 1.5e12;

/** The detail of `tied-step`, which is dispatched after every frame of steps. */
export interface TrainingLabStep {
  readonly step: number;
  /** Nats per token by arm: over the whole text if it was measured, otherwise over the newest batches. */
  readonly losses: Readonly<Record<string, number>>;
}

/** The detail of `tied-change`: all settings of a run. */
export interface TrainingLabChange {
  readonly model: ModelKind;
  readonly textSource: string;
  readonly [setting: string]: unknown;
}

/**
 * `<tied-training-lab text-source="a-year-in-new-york" tokenizer="word" arms="tied untied" d-model="32">`: direct-path
 * models trained together on a text of the reader's choice, compared with the floors of that text.
 * `<tied-training-lab model="transformer" arms="tied untied">`: two small GPTs, with the gradient's fractions by role and
 * the text of both. With two cores, models train in two workers; otherwise they take turns in one.
 *
 * Attributes (and properties of the same names in camelCase): `model` (`direct-path`, `transformer`), `model-choice`
 * (the reader may switch), `text-source` (a built-in text's id, `built-in`, `stories`, `markov-chain`, `own`),
 * `story-length`, `states`, `tokenizer`, `vocab-size`, `d-model`, `arms`, `seed`, `learning-rate`, `batch-size` (a
 * number or, for direct paths, `whole-table`), `steps`, `run-to`, `speed` (`slow`, `medium`, `fast`), `linear-steps`.
 * Used in links: `at-step`, the step to train to on opening, and `view-step`, the earlier step to view. Direct paths:
 * `optimizer`, `output-bias`, `pair-from`, `pair-to`, `map-tokens`, `map-order` (`one-way`, `frequency`), `map-panel` (the map drawn
 * if only one fits), `map-values` (`probabilities`, `logits`). Transformers: `n-layers`, `n-heads`, `context-length`, `low-rank`,
 * `untie-at-step`, `embedding-scale` (`none`, `sqrt-d-model`), `input-gradient-scale`, `prompt`, `temperature`,
 * `sample-seed`, `share-by` (`matrix`, `position`). Properties: `text`, a
 * text that the page provides; `finished`, runs to show until the reader plays.
 * Nothing trains before the reader starts it; the worker starts when the figure comes near the screen.
 *
 * @fires {CustomEvent<TrainingLabStep>} tied-step - A step has been trained in every model.
 * @fires {CustomEvent<TrainingLabChange>} tied-change - The reader has changed a setting.
 */
export class TrainingLab extends LabFrame {
  readonly #modes = new Map<ModelKind, Mode>();
  #frame: number | null = null;
  #source: TextSource | null = null;
  /** The settings last passed to the controller; empty if none. */
  #configured = '';
  #shownFailure: LabFailure | null = null;
  /** The run that a change of settings ended. */
  #undone: { settings: object; source: TextSource; moment: Moment; sampleSeed: number | null } | null = null;
  /** The models behind a finished run were lost and created again, and the reader has done nothing since. */
  #preparedAgain = false;
  /** A run to the point that is being restored is in progress. */
  #restores = false;

  constructor() {
    super();
    this.addEventListener('keydown', this.#onKey);
    whenGone(this, () => {
      for (const mode of this.#modes.values()) mode.controller.dispose();
      this.#configured = '';
    });
  }

  protected get mode(): Mode {
    const known = this.#modes.get(this.model);
    if (known !== undefined) return known;
    const host = this.#host();
    const mode = this.model === 'transformer' ? new TransformerMode(host) : new DirectPathMode(host);
    this.#modes.set(this.model, mode);
    return mode;
  }

  /** The controller of the current mode. */
  get controller(): Mode['controller'] {
    return this.mode.controller;
  }

  protected get asked(): boolean {
    return this.#configured !== '';
  }

  #host(): ModeHost {
    return {
      element: this,
      texts: () => this.texts,
      settings: () => this.runSettings(),
      wantedSource: () => this.wantedSource(),
      change: (changes) => {
        this.change(changes);
      },
      labs: {
        lab: () => this.#needLab(),
        lost: (error) => this.labs.lost(error),
      },
      loadBuiltIn: (id) => this.loadBuiltIn(id),
      awake: () => this.screen.woken,
      redraw: () => {
        this.#redraw();
      },
      stepped: (losses) => {
        const detail: TrainingLabStep = { step: this.controller.step, losses };
        this.dispatchEvent(new CustomEvent('tied-step', { detail, bubbles: true, composed: true }));
      },
    };
  }

  // ------------------------------------------------------------ life

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  protected override wake(): void {
    // Attributes may still arrive; the text is read after the update that this requests.
    this.requestUpdate();
  }

  protected override visibilityChanged(visible: boolean): void {
    if (visible) void this.controller.resume();
    else this.controller.suspend();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('model') as ModelKind | undefined;
    super.willUpdate(changed);
    if (before !== undefined && before !== this.model) this.#leave(before);
    if (this.textSource === 'own' && this.ownSource === null) this.ownOpen = true;
    this.#showFailure();
    this.#followRestored();
  }

  protected override updated(): void {
    super.updated();
    const wanted = this.mode.needsText || this.#configured !== '';
    if (!this.screen.woken || !this.isConnected) return;
    if (wanted) this.#configure();
    void this.#openLink();
  }

  /** Draws at most once per animation frame, however often the models report. */
  #redraw(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.requestUpdate();
    });
  }

  async #needLab(): Promise<Lab> {
    try {
      const lab = await this.labs.lab();
      this.relaxed = lab.simd === 'relaxed';
      return lab;
    } catch (error) {
      this.fail(error);
      throw new NoLabError();
    }
  }

  /** The kind of model changed: disposes of what the old one held. */
  #leave(before: ModelKind): void {
    this.#modes.get(before)?.controller.dispose();
    this.#configured = '';
    this.#shownFailure = null;
    this.problem = null;
    this.refused = null;
    this.restarted = false;
    this.restoring = null;
    this.notice = null;
    this.#forgetUndo();
  }

  /** Shows an error where it belongs: at the reader's text, or at the figure. */
  #showFailure(): void {
    const { failure, settings, source } = this.controller;
    if (failure === this.#shownFailure) return;
    this.#shownFailure = failure;
    this.problem = null;
    this.ownText.problem = null;
    if (failure === null) return;
    const { where, error, step, runStands, lostAt } = failure;
    const sentence = where === 'text' ? failureText(error, this.texts) : this.mode.trainingFailure(error, step);
    const said =
      runStands && sentence !== null ? `${sentence.replace(/[^.]$/, '$&.')} ${this.texts.runKept}` : sentence;
    if (where === 'text' && this.ownOpen) this.ownText.problem = said;
    else this.problem = said;
    if (runStands && settings !== null && source !== null) this.#goBackTo(settings, source);
    if (lostAt !== null) this.#recover(lostAt);
  }

  /** Resets the attributes to the settings of the models that still exist. */
  #goBackTo(settings: object, source: TextSource): void {
    this.#setTo(settings, source);
    this.#source = source;
    this.#configured = JSON.stringify(this.runSettings());
    this.restarted = false;
    this.#forgetUndo();
  }

  #setTo(settings: object, source: TextSource): void {
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

  // ------------------------------------------------------------ text and settings

  /** Passes text and settings to the controller if they differ from what it has. */
  #configure(): void {
    const wanted = this.wantedSource();
    if (wanted === null) return;
    // The reader's text is compared by identity: comparing megabytes would take longer than drawing.
    const same = (a: TextSource | null, b: TextSource): boolean =>
      a === b || (a !== null && a.kind !== 'own' && JSON.stringify(a) === JSON.stringify(b));
    const key = JSON.stringify(this.runSettings());
    if (key === this.#configured && same(this.#source, wanted)) return;
    if (!same(this.#source, wanted)) this.#source = wanted;
    this.restarted = this.#configured !== '' && this.stepsDone > 0;
    this.#configured = key;
    this.mode.reset();
    if (this.#source !== null) this.mode.configure(this.#source);
  }

  /** The reader changed a setting: notifies the page; the run starts again after drawing. */
  protected change(changes: Changes): void {
    const refused = this.mode.refusal({ ...this.runSettings(), ...changes });
    this.refused = refused === null ? null : `${refused.sentence}${this.stepsDone > 0 ? ` ${this.texts.runKept}` : ''}`;
    if (refused !== null) {
      this.resetFields();
      return;
    }
    this.problem = null;
    this.restoring = null;
    this.notice = null;
    this.#keepForUndo();
    Object.assign(this, changes);
    // Samples follow a new seed too.
    if ('seed' in changes) this.sampleSeed = null;
    const { model, textSource } = this;
    const detail: TrainingLabChange = { ...this.runSettings(), model, textSource };
    this.changed(detail);
  }

  protected chooseModel(model: ModelKind): void {
    this.model = model;
    // Dispatched when the settings of that mode are in place.
    void this.updateComplete.then(() => {
      this.changed({ ...this.runSettings(), model, textSource: this.textSource } satisfies TrainingLabChange);
    });
  }

  protected chooseSource(source: string): void {
    this.ownText.cancel();
    this.ownOpen = source === 'own';
    if (source !== 'own' || this.ownSource !== null) this.change({ textSource: source });
  }

  protected useOwn(text: TextFile): void {
    this.ownSource = { kind: 'own', ...text };
    this.text = text.text;
    this.change({ textSource: 'own' });
  }

  // ------------------------------------------------------------ running

  /** The reader starts an action: from now on the reader's own run is drawn. */
  async #begin(): Promise<void> {
    this.restoring = null;
    this.notice = null;
    this.#preparedAgain = false;
    this.#forgetUndo();
    this.mode.beginOwn();
    await this.#prepared();
  }

  /** Creates models if there are none and something needs them. */
  async #prepared(): Promise<void> {
    this.restarted = false;
    this.problem = null;
    const { phase, failure } = this.controller;
    if (phase !== 'idle' && (failure?.lostAt ?? null) === null) return;
    this.#configured = '';
    this.#configure();
    await this.controller.idle();
  }

  protected async play(): Promise<void> {
    await this.#begin();
    await this.controller.play(this.mode.hasSpeeds ? stepsPerSecond[this.speed] : Number.POSITIVE_INFINITY);
  }

  protected async step(): Promise<void> {
    await this.#begin();
    await this.controller.stepOnce();
  }

  protected async goTo(): Promise<void> {
    await this.#begin();
    await this.controller.runTo(this.runTo);
  }

  protected async rewind(): Promise<void> {
    await this.#begin();
    await this.controller.rewind();
  }

  protected cancel(): void {
    this.restoring = null;
    this.controller.cancel();
  }

  // ------------------------------------------------------------ restoring a point of a run

  /** The link opens as on a new page; undo brings back the reader's own run. */
  protected override followLink(found: Readonly<Record<string, string>>): void {
    this.#keepForUndo();
    this.ownText.problem = null;
    this.refused = null;
    this.notice = null;
    this.restoring = null;
    this.#configured = '';
    this.mode.startOver();
    super.followLink(found);
  }

  /** A link leads to a step: trains to it, or asks the reader first if that would take long. */
  async #openLink(): Promise<void> {
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
  #recover(step: number): void {
    // After a second death for the same reason, only the reader can start again.
    if (this.restoring !== null || this.#preparedAgain) return;
    this.problem = null;
    if (!this.mode.showsFinished) {
      void this.#restore({ step, viewStep: null });
      return;
    }
    // The drawn data is intact; the models behind it are created again.
    this.#preparedAgain = true;
    this.#configured = '';
    this.requestUpdate();
  }

  /** Trains to an earlier point of a run; if that takes long, `asks` tells the reader how to start it. */
  async #restore(moment: Moment, asks?: (step: string) => string): Promise<void> {
    this.restoring = moment;
    this.#restores = false;
    this.mode.beginOwn();
    await this.updateComplete;
    await this.#prepared();
    await this.controller.idle();
    if (this.restoring !== moment) return;
    if (asks !== undefined && this.mode.work(moment.step) > mostUnasked) {
      this.restoring = null;
      this.runTo = moment.step;
      this.notice = asks(formatWhole(moment.step));
      return;
    }
    this.#restores = true;
    await this.controller.runTo(moment.step, Number.POSITIVE_INFINITY, moment.viewStep);
  }

  /** When the point is reached, views the step that the sender of the link viewed. */
  #followRestored(): void {
    const { restoring } = this;
    if (restoring === null || !this.#restores) return;
    const { phase, step, suspended } = this.controller;
    const there = step >= restoring.step && phase !== 'preparing';
    const given = phase === 'failed' || phase === 'idle' || (phase === 'paused' && !suspended);
    if (!there && !given) return;
    this.restoring = null;
    if (there && restoring.viewStep !== null) this.mode.view(restoring.viewStep);
  }

  #keepForUndo(): void {
    const { settings, source } = this.controller;
    const { stepsDone, sampleSeed } = this;
    if (stepsDone === 0 || settings === null || source === null) return;
    this.#undone = { settings, source, moment: { step: stepsDone, viewStep: this.mode.viewedStep }, sampleSeed };
    this.undoStep = stepsDone;
  }

  #forgetUndo(): void {
    this.#undone = null;
    this.undoStep = null;
  }

  protected async undo(): Promise<void> {
    const before = this.#undone;
    if (before === null) return;
    this.#forgetUndo();
    this.#setTo(before.settings, before.source);
    this.sampleSeed = before.sampleSeed;
    await this.#restore(before.moment);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const action = keyAction(event);
    if (action === null) return;
    event.preventDefault();
    if (action === 'step') void this.step();
    else if (action === 'look-back') this.mode.lookBack();
    else if (action === 'rewind') void this.rewind();
    else if (action === 'newest') this.mode.view(null);
    else if (this.controller.phase === 'running') this.controller.pause();
    else void this.play();
  };
}
