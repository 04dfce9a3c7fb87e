import type { PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/index.js';
import type { Lab } from '../../core/types.js';
import type { LabSource } from '../shared/lab-lease.js';
import type { NumberField } from '../shared/number-field.js';
import { handOver } from '../shared/own-models.js';
import { OwnText } from '../shared/own-text.js';
import type { TextFile } from '../shared/text-file.js';
import type { Values } from '../shared/settings/setting.js';
import { whenGone } from '../shared/when-gone.js';
import { DirectPathMode } from './direct-path-mode.js';
import { failureText, NoLabError } from './failures.js';
import type { Keeping } from './kept/keeping.js';
import type { Resumed } from './kept/moment.js';
import { runFolder } from './kept/run-folder.js';
import { keyAction, type KeyAction } from './keys.js';
import type { Mode } from './mode.js';
import { stepsPerSecond } from './pace.js';
import type { LabFailure, RunSettings } from './running.js';
import { lookSettings, type ModelKind } from './lab-settings.js';
import { RestoringLab } from './restoring-lab.js';
import type { Changes } from './settings-element.js';
import type { OwnText as OwnSource, TextSource } from './text-source.js';
import { TransformerMode } from './transformer/mode.js';

/** For direct paths, byte pairs start from all 256 bytes. */
const leastBytePairs = 512;

/** The detail of `tied-change`: all settings of a run. */
export interface TrainingLabChange {
  readonly model: ModelKind;
  readonly textSource: string;
  readonly [setting: string]: unknown;
}

/** The runs of the training lab: what the reader's actions, settings and links do. */
export abstract class RunningLab extends RestoringLab {
  @state() protected settingsOpen = false;
  @state() protected ownOpen = false;
  /** Why a setting of the reader was refused. */
  @state() protected refused: string | null = null;
  @state() protected restarted = false;
  /** Whether the lab uses the relaxed build. The caption then says that links reproduce runs less exactly. */
  @state() protected relaxed = false;

  protected keeping: Keeping | null = null;
  protected readonly ownText = new OwnText(this, {
    texts: () => ({ ...this.texts, ...this.texts.problems }),
    opened: () => {
      this.ownOpen = true;
    },
    use: (text) => this.#useOwn(text),
  });

  /** @internal */
  readonly labSource: LabSource = { lab: () => this.#needLab(), lost: (error, asked) => this.labs.lost(error, asked) };

  readonly #modes = new Map<ModelKind, Mode>();
  #frame: number | null = null;
  #source: TextSource | null = null;
  /** The settings last passed to the controller; empty if none. */
  #configured = '';
  #shownFailure: LabFailure | null = null;
  /** The last text of the reader that models were created on. */
  #acceptedText: OwnSource | null = null;

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
    const mode = this.model === 'transformer' ? new TransformerMode(this) : new DirectPathMode(this);
    if (!this.screen.visible) mode.controller.suspend();
    this.#modes.set(this.model, mode);
    return mode;
  }

  /** False until the controller has received a request. */
  protected get asked(): boolean {
    return this.#configured !== '';
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
    // Attributes may still arrive; the text is read after the update requested here.
    this.requestUpdate();
    void this.updateComplete.then(() => this.#findKept());
  }

  /** @internal The figure has come near the screen: work that needs a worker may start. */
  get awake(): boolean {
    return this.screen.woken;
  }

  protected override visibilityChanged(visible: boolean): void {
    const hides = document.visibilityState === 'hidden';
    // All modes, because a link can change the kind of model while the figure is out of sight.
    for (const { controller } of this.#modes.values()) {
      if (visible) {
        this.keeping?.shown(controller);
        void controller.resume();
      } else if (hides && controller.phase === 'running') {
        controller.hide();
        void this.keeper().then((keeping) => keeping.hidden(controller));
      } else controller.suspend();
    }
  }

  /** @internal */
  say(notice: string): void {
    this.notice = notice;
  }

  /** @internal Fetches what stores runs and finds them again. */
  readonly keeper = async (): Promise<Keeping> => {
    const { Keeping } = await import('./kept/keeping.js');
    return (this.keeping ??= new Keeping(this));
  };

  /** Offers to go on with a run of an earlier visit; what does so is fetched only if something is stored. */
  async #findKept(): Promise<void> {
    if (this.model !== 'transformer') return;
    try {
      await (await navigator.storage.getDirectory()).getDirectoryHandle(runFolder);
      await (await this.keeper()).find();
    } catch {
      // Nothing is stored, or this page may not store anything.
    }
  }

  /** @internal Continues a stored run. */
  async resumeRun(settings: object, source: TextSource, resumed: Resumed): Promise<void> {
    this.#quiet();
    this.forgetUndo();
    this.recoveries = 0;
    this.mode.reset();
    this.setTo(settings, source);
    this.#source = source;
    this.#configured = JSON.stringify(this.runSettings());
    this.restarted = false;
    this.mode.beginOwn();
    await this.controller.configure(source, this.runSettings() as RunSettings, resumed);
    const { failure } = this.controller;
    if (failure === null) return;
    this.createAgain();
    throw failure.error;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('model') as ModelKind | undefined;
    super.willUpdate(changed);
    if (before !== undefined && before !== this.model) this.#leave(before);
    if (this.textSource === 'own' && this.ownSource === null) this.ownOpen = true;
    const { source } = this.controller;
    if (source?.kind === 'own') this.#acceptedText = source;
    this.#showFailure();
    this.followRestored();
  }

  protected override updated(): void {
    this.mode.drawn();
    const wanted = this.mode.needsText || this.asked;
    if (!this.awake || !this.isConnected) return;
    if (wanted) this.#configure();
    void this.openLink();
  }

  /** @internal Draws at most once per animation frame, however often the models report. */
  redraw(): void {
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

  /** The kind of model has changed: disposes of what the old kind held. */
  #leave(before: ModelKind): void {
    this.#modes.get(before)?.controller.dispose();
    this.#configured = '';
    this.#shownFailure = null;
    this.restarted = false;
    this.#quiet();
    this.forgetUndo();
  }

  /** Drops messages about what was done before. */
  #quiet(): void {
    this.problem = null;
    this.refused = null;
    this.restoring = null;
    this.notice = null;
  }

  /** Shows an error where it belongs: at the reader's text, or at the figure. */
  #showFailure(): void {
    const { failure, settings, source } = this.controller;
    if (failure === this.#shownFailure) return;
    this.#shownFailure = failure;
    // The figure says already why there is no lab.
    if (failure?.error instanceof NoLabError) return;
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
    if (lostAt !== null) this.recover(lostAt);
  }

  /** Resets the attributes to the settings of the models that still exist. */
  #goBackTo(settings: object, source: TextSource): void {
    // A refused text must not be tried again when the reader chooses “Your own text”.
    this.ownSource = this.#acceptedText;
    this.setTo(settings, source);
    this.#source = source;
    this.#configured = JSON.stringify(this.runSettings());
    this.restarted = false;
    this.changeFailed(settings);
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
    this.restarted = this.asked && this.stepsDone > 0;
    this.#configured = key;
    this.mode.reset();
    if (this.#source !== null) this.mode.configure(this.#source);
  }

  /** @internal A change of how the run is looked at keeps it; any other starts a new one. */
  override changeSettings(changes: Values): void {
    if ('model' in changes) this.#chooseModel(changes['model'] as ModelKind);
    else if (Object.keys(changes).some((name) => !(name in lookSettings))) this.#change(changes);
    else {
      Object.assign(this, changes);
      this.mode.looked(changes);
    }
  }

  /** The reader changed a setting of the run: notifies the page; the run restarts after drawing. */
  #change(given: Changes): void {
    const bytePairs = given.tokenizer === 'bpe' && this.model === 'direct-path';
    const changes = bytePairs ? { ...given, vocabSize: Math.max(this.vocabSize, leastBytePairs) } : given;
    const refused = this.mode.refusal({ ...this.runSettings(), ...changes });
    this.refused = refused === null ? null : `${refused.sentence}${this.stepsDone > 0 ? ` ${this.texts.runKept}` : ''}`;
    if (refused !== null) {
      this.#resetFields();
      return;
    }
    this.#quiet();
    this.keepForUndo();
    Object.assign(this, changes);
    this.mode.changed();
    // A new seed also applies to samples.
    if ('seed' in changes) this.sampleSeed = null;
    this.#reportChange();
  }

  #reportChange(): void {
    const { model, textSource } = this;
    this.changed({ ...this.runSettings(), model, textSource } satisfies TrainingLabChange);
  }

  /** Resets fields, which hold what was typed, to the current settings after a refusal. */
  #resetFields(): void {
    const values = this as unknown as Record<string, number>;
    for (const field of this.renderRoot.querySelectorAll<NumberField>('.settings tied-number-field')) {
      const value = values[field.dataset['setting'] ?? ''];
      if (value !== undefined) field.value = value;
    }
  }

  #chooseModel(model: ModelKind): void {
    this.model = model;
    // Dispatched once the settings of that mode are in place.
    void this.updateComplete.then(() => this.#reportChange());
  }

  protected chooseSource(source: string): void {
    this.ownText.cancel();
    this.ownOpen = source === 'own';
    // The box for a text may have been open while the run kept its source.
    if (source === this.textSource) return;
    if (source !== 'own' || this.ownSource !== null) this.#change({ textSource: source });
  }

  #useOwn(text: TextFile): void {
    this.ownSource = { kind: 'own', ...text };
    this.text = text.text;
    this.#change({ textSource: 'own' });
  }

  // ------------------------------------------------------------ running

  /** The reader starts an action: from now on the reader's own run is drawn. */
  async #begin(): Promise<Mode['controller']> {
    this.#quiet();
    this.recoveries = 0;
    this.forgetUndo();
    // What is drawn stays until there are models to draw.
    if (this.mode.rests) await this.prepared();
    if (!this.mode.rests) this.mode.beginOwn();
    if (!this.mode.rests) await this.prepared();
    return this.controller;
  }

  /** Creates models if there are none and something needs them. */
  protected async prepared(): Promise<void> {
    this.restarted = false;
    this.problem = null;
    if (this.controller.phase !== 'idle' && !this.canCreateAgain) return;
    this.#configured = '';
    this.#configure();
    await this.controller.idle();
  }

  /** There are no models, because their worker stopped or no lab could be opened; the next action creates them. */
  protected get canCreateAgain(): boolean {
    const { failure } = this.controller;
    return failure !== null && (failure.lostAt !== null || failure.error instanceof NoLabError);
  }

  protected override createAgain(): void {
    this.#configured = '';
    this.requestUpdate();
  }

  protected async play(): Promise<void> {
    const controller = await this.#begin();
    await controller.play(this.mode.hasSpeeds ? stepsPerSecond[this.speed] : Number.POSITIVE_INFINITY);
  }

  protected async step(): Promise<void> {
    await (await this.#begin()).stepOnce();
  }

  protected async goTo(): Promise<void> {
    await (await this.#begin()).runTo(this.runTo);
  }

  protected async rewind(): Promise<void> {
    await (await this.#begin()).rewind();
  }

  /** Lets the other figures of the page measure the models as they are now. */
  protected async handOver(): Promise<void> {
    const models = await this.mode.handOver();
    if (models === null) return;
    handOver(models);
    this.notice = this.texts.handedOver(formatWhole(models.step));
  }

  protected cancel(): void {
    this.restoring = null;
    this.controller.cancel();
  }

  /** The link opens as on a new page; undo brings back the reader's own run. */
  protected override followLink(found: Readonly<Record<string, string>>): void {
    this.keepForUndo();
    this.ownText.problem = null;
    this.#quiet();
    this.#configured = '';
    this.mode.startOver();
    super.followLink(found);
  }

  readonly #actions: Readonly<Record<KeyAction, () => unknown>> = {
    step: () => this.step(),
    rewind: () => this.rewind(),
    newest: () => this.mode.view(null),
    'look-back': () => this.mode.lookBack(),
    'play-or-pause': () => (this.controller.phase === 'running' ? this.controller.pause() : this.play()),
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const action = keyAction(event);
    if (action === null) return;
    event.preventDefault();
    // A key that is held down asks again before the step is done; steps must not continue after it is released.
    if (event.repeat && action === 'step' && this.controller.busy) return;
    void this.#actions[action]();
  };
}
