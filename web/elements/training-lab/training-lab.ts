import type { Tying } from '../../core/types.js';
import { setSharedLab } from '../shared/shared-lab.js';
import { DrawnLab, type Changes } from './drawn-lab.js';
import { failureText, losesLab } from './failures.js';
import { FileDrop } from '../shared/file-drop.js';
import { keyAction } from './keys.js';
import type { LabFailure } from './run-controller.js';
import type { LabSettings } from './settings.js';
import { readTextFile, type OwnText, type TextSource } from './text-source.js';
import { spokenLoss } from './views/read-out.js';
import { stepsPerSecond } from './views/transport.js';

/** What `tied-step` carries: after every chunk of steps. */
export interface TrainingLabStep {
  readonly step: number;
  /** Nats per token, of the whole text where it was measured, else of the newest batches. */
  readonly losses: Readonly<Partial<Record<Tying, number>>>;
}

/** What `tied-change` carries: everything that a run depends on. */
export interface TrainingLabChange extends LabSettings {
  readonly textSource: string;
}

/**
 * `<tied-training-lab text-source="a-year-in-new-york" tokenizer="word" arms="tied untied" d-model="32">`: direct-path
 * models trained side by side on a text of the reader's choice, against the floors that the text sets.
 *
 * Attributes (and properties of the same names in camelCase): `text-source` (a built-in text's id, `built-in`,
 * `stories`, `markov-chain`, `own`), `story-length`, `states`, `tokenizer`, `vocab-size`, `d-model`, `arms`, `seed`,
 * `learning-rate`, `batch-size` (a number or `whole-table`), `optimizer`, `output-bias`, `steps`, `run-to`,
 * `speed` (`slow`, `medium`, `fast`). Properties: `text`, a text of the page's own; `finished`, a
 * `FinishedRun` to show until the reader plays. Events: `tied-step`, `tied-change`.
 * Nothing trains before the reader asks; the worker is started when the figure comes near the screen.
 */
export class TrainingLab extends DrawnLab {
  private readonly drop = new FileDrop(this, (files) => {
    void this.useFiles(files);
  });
  private source: TextSource | null = null;
  /** Settings that were last given to the controller; empty = none. */
  private configured = '';
  private saidFailure: LabFailure | null = null;

  constructor() {
    super();
    this.addEventListener('keydown', this.onKey);
  }

  protected get dropping(): boolean {
    return this.drop.hovering;
  }

  protected get asked(): boolean {
    return this.configured !== '';
  }

  // ------------------------------------------------------------ life

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.controller.dispose();
    this.configured = '';
  }

  protected override wake(): void {
    // Attributes may still be on their way in; the text is read after the update that this asks for.
    this.requestUpdate();
  }

  protected override visibilityChanged(visible: boolean): void {
    if (visible) void this.controller.resume();
    else this.controller.suspend();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (this.textSource === 'own' && this.ownSource === null) this.ownOpen = true;
    this.sayFailure();
  }

  protected override updated(): void {
    super.updated();
    if (this.screen.woken && this.isConnected) this.configure();
  }

  /** Says what went wrong where it went wrong: at the text that the reader gave, or at the figure. */
  private sayFailure(): void {
    const { failure } = this.controller;
    if (failure === this.saidFailure) return;
    this.saidFailure = failure;
    this.problem = null;
    this.textProblem = null;
    if (failure === null) return;
    // A core that has stopped would refuse everything else too: the next run gets a new one.
    if (this.lab === null && losesLab(failure.error)) setSharedLab(null);
    const sentence = failureText(failure.error, this.texts);
    if (failure.where === 'text' && this.ownOpen) this.textProblem = sentence;
    else this.problem = sentence;
  }

  protected stepped(): void {
    const { arms, step } = this.controller;
    const losses: Partial<Record<Tying, number>> = {};
    for (const arm of arms) {
      const spoken = spokenLoss(arm, step, this.batchSize !== 'whole-table');
      if (spoken !== null) losses[arm.tying] = spoken.loss;
    }
    const detail: TrainingLabStep = { step, losses };
    this.dispatchEvent(new CustomEvent('tied-step', { detail, bubbles: true, composed: true }));
  }

  // ------------------------------------------------------------ text and settings

  /** Hands text and settings to the controller where they differ from what it has. */
  private configure(): void {
    const wanted = this.wantedSource();
    if (wanted === null) return;
    // An own text is known by its object: comparing megabytes would take longer than drawing.
    const same = (a: TextSource | null, b: TextSource): boolean =>
      a === b || (a !== null && a.kind !== 'own' && JSON.stringify(a) === JSON.stringify(b));
    const key = JSON.stringify(this.runSettings());
    if (key === this.configured && same(this.source, wanted)) return;
    if (!same(this.source, wanted)) this.source = wanted;
    this.restarted = this.configured !== '' && this.controller.step > 0;
    this.configured = key;
    this.pairProblem = null;
    this.offering = false;
    this.pointed = null;
    if (this.source !== null) void this.controller.configure(this.source, this.runSettings());
  }

  /** The reader changed something: the page is told, and the run starts again once it is drawn. */
  protected change(changes: Changes): void {
    this.problem = null;
    Object.assign(this, changes);
    const detail: TrainingLabChange = { ...this.runSettings(), textSource: this.textSource };
    this.changed(detail);
  }

  protected chooseSource(source: string): void {
    this.textProblem = null;
    this.ownOpen = source === 'own';
    if (source !== 'own' || this.ownSource !== null) this.change({ textSource: source });
  }

  private useOwn(source: OwnText): void {
    this.ownSource = source;
    this.text = source.text;
    this.textProblem = null;
    this.change({ textSource: 'own' });
  }

  protected usePasted(): void {
    if (this.draft.trim() === '') this.textProblem = this.texts.problems.emptyText;
    else this.useOwn({ kind: 'own', name: this.texts.pastedName, text: this.draft });
  }

  protected async useFiles(files: readonly File[]): Promise<void> {
    const { problems } = this.texts;
    this.ownOpen = true;
    this.textProblem = null;
    const [file] = files;
    if (file === undefined) this.textProblem = problems.notAFile;
    else if (files.length > 1) this.textProblem = problems.severalFiles;
    else {
      try {
        this.useOwn(await readTextFile(file));
      } catch (error) {
        this.textProblem = failureText(error, this.texts);
      }
    }
  }

  // ------------------------------------------------------------ running

  protected async play(): Promise<void> {
    this.restarted = false;
    this.problem = null;
    if (this.controller.phase === 'idle') {
      this.configured = '';
      this.configure();
      await this.controller.idle();
    }
    await this.controller.play(stepsPerSecond[this.speed]);
  }

  protected step(): void {
    this.restarted = false;
    void this.controller.stepOnce();
  }

  protected goTo(): void {
    this.restarted = false;
    void this.controller.runTo(this.runTo);
  }

  protected rewind(): void {
    this.restarted = false;
    this.problem = null;
    void this.controller.rewind();
  }

  private lookBack(): void {
    const steps = this.controller.stops.map(({ step }) => step);
    const at = steps.indexOf(this.controller.viewed?.step ?? -1);
    this.controller.view(steps[Math.max(0, at - 1)] ?? null);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const action = keyAction(event);
    if (action === null) return;
    event.preventDefault();
    if (action === 'step') this.step();
    else if (action === 'look-back') this.lookBack();
    else if (action === 'rewind') this.rewind();
    else if (action === 'newest') this.controller.view(null);
    else if (this.controller.phase === 'running') this.controller.pause();
    else void this.play();
  };
}
