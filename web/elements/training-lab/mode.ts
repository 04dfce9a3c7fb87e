import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/index.js';
import type { Content } from '../shared/figure.js';
import type { Listening } from '../shared/model-twins.js';
import type { OwnModels } from '../shared/own-models.js';
import { kebab, type Values } from '../shared/settings/setting.js';
import { failureText } from './failures.js';
import type { FinishedPlayback } from './finished-playback.js';
import type { Runner } from './run-controller.js';
import type { ControllerOptions, RunSettings } from './running.js';
import type { ModeLab } from './mode-lab.js';
import type { Look, OtherSource } from './lab-settings.js';
import type { Refusal } from './settings-element.js';
import type { Own, ShownRun } from './shown-run.js';
import { loadBuiltIn, type TextSource } from './text-source.js';
import type { Cards } from './transformer/model-cards.js';
import type { Phrase } from './views/phrase.js';
import { preparing } from './views/preparing.js';

/** The detail of `tied-step`, dispatched after every frame of steps. */
export interface TrainingLabStep {
  readonly step: number;
  /** Nats per token by arm: over the whole text if it was measured, otherwise over the newest batches. */
  readonly losses: Readonly<Record<string, number>>;
  /** Nats per token of held-out text by arm, if it was measured at this step. */
  readonly heldOut?: Readonly<Record<string, number>>;
}

/** A run that was made elsewhere. */
interface Finished {
  readonly settings: object & { readonly steps: number };
  readonly bounds: ShownRun['bounds'];
}

/** One kind of model in the training lab: its part of the figure, inside the frame that all kinds share. */
export abstract class Mode<
  Run extends Runner = Runner,
  Settings = unknown,
  Shown extends ShownRun = ShownRun,
  Done extends Finished = Finished,
> {
  /** If false, no speed is offered, because steps are slow enough. */
  abstract readonly hasSpeeds: boolean;
  abstract readonly controller: Run;
  protected abstract readonly playback: FinishedPlayback<Done>;

  constructor(protected readonly lab: ModeLab) {}

  // ------------------------------------------------------------ to be implemented by each kind of model

  abstract get title(): string;
  abstract get caption(): string;
  /** A sentence on how the finished run was made. */
  protected abstract computed(steps: string): string;
  /** False if there is something to show before any text has been read. */
  abstract get needsText(): boolean;
  /** The approximate number of multiply-adds in this many steps. */
  abstract work(steps: number): number;
  /** Whether this is a finished run of the current settings. */
  protected abstract isCurrent(run: object): boolean;
  /** Null if there is nothing to draw. */
  protected abstract ownRun(): Own<Shown> | null;
  protected abstract finishedRun(run: Done): Own<Shown>;
  /** In nats per token by arm, for the event `tied-step`. */
  protected abstract spokenLosses(): Record<string, number>;
  /** The same on held-out text, if it was measured at the newest step. */
  protected heldOutLosses(): Record<string, number> | undefined {
    return undefined;
  }
  /** What is trained on; null if not known yet. */
  protected abstract textFacts(): string | null;
  abstract drawings(): TemplateResult;
  abstract settingsPanel(): Content;
  /** The state of the models in words. */
  protected abstract standing(shown: Shown): Phrase[];
  abstract tables(): TemplateResult;

  // ------------------------------------------------------------ for use by each kind of model

  protected get texts(): ModeLab['texts'] {
    return this.lab.texts;
  }

  protected get settings(): Settings {
    return this.lab.runSettings() as Settings;
  }

  protected controllerOptions(): ControllerOptions {
    const { lab } = this;
    return {
      host: lab,
      labs: lab.labSource,
      loadBuiltIn,
      names: () => this.texts,
      ...this.keeping(),
      onChange: () => {
        this.playback.follow();
        lab.redraw();
      },
      onSteps: () => {
        const heldOut = this.heldOutLosses();
        const detail: TrainingLabStep = {
          step: this.controller.step,
          losses: this.spokenLosses(),
          ...(heldOut === undefined ? {} : { heldOut }),
        };
        lab.dispatchEvent(new CustomEvent('tied-step', { detail, bubbles: true, composed: true }));
      },
    };
  }

  /** How long runs are stored. Default: not at all. */
  protected keeping(): Pick<ControllerOptions, 'keep'> {
    return {};
  }

  /** The finished run of the current settings, if there is one. */
  protected findFinished(): Done | null {
    return ([this.lab.finished ?? []].flat().find((run) => this.isCurrent(run)) as unknown as Done | undefined) ?? null;
  }

  /** The drawn run and the viewed step; null if there is nothing to draw. */
  protected shown(): Shown | null {
    const { lab, texts, controller, playback } = this;
    const looking = {
      texts,
      look: lab,
      onLook: (changes: Partial<Look>) => void lab.changeSettings(changes),
      onView: (step: number | null) => void this.view(step),
    };
    const { run } = playback;
    if (run !== null) {
      const { steps } = run.settings;
      const viewedStep = playback.viewedStep ?? steps;
      const common = { bounds: run.bounds, settings: run.settings, step: steps, viewedStep, finished: run };
      return { ...looking, ...common, viewsNewest: viewedStep === steps, ...this.finishedRun(run) } as unknown as Shown;
    }
    const { text, settings, step, viewedStep, viewsNewest } = controller;
    const own = this.ownRun();
    if (text === null || settings === null || own === null) return null;
    const common = { bounds: text.bounds, settings, step, viewedStep, viewsNewest, finished: null };
    return { ...looking, ...common, ...own } as unknown as Shown;
  }

  // ------------------------------------------------------------ called by the frame

  /** The newest step of the drawn run; null if there is none. */
  get shownStep(): number | null {
    return this.shown()?.step ?? null;
  }
  /** The viewed earlier step; null for the newest. */
  get viewedStep(): number | null {
    const shown = this.shown();
    return shown === null || shown.viewsNewest ? null : shown.viewedStep;
  }
  /** Discards the models and draws the finished run, if there is one, as if the page had just opened. */
  startOver(): void {
    this.controller.dispose();
    this.playback.startOver();
  }

  /** Settings of the viewed step, if they differ from the current ones. */
  readBack(): Values {
    return {};
  }
  /** Whether a finished run is drawn. */
  get showsFinished(): boolean {
    return this.playback.run !== null;
  }

  configure(source: TextSource): void {
    void this.controller.configure(source, this.settings as RunSettings);
  }

  /** Whether a finished run is drawn with its text, and there are no models yet. */
  abstract get rests(): boolean;

  /** Switches from a finished run to the reader's own. */
  beginOwn(): void {
    this.playback.end();
  }

  /** Discards the viewed step before a new run starts. */
  reset(): void {
    this.playback.reset();
  }

  /** The reader has changed a setting of the run: sets what follows from it. */
  changed(): void {}

  /** The reader has changed the view of the run. */
  looked(_changes: Values): void {}

  /** The first problem of the settings; null if they are valid. */
  refusal(settings: object): Refusal | null {
    const { text, settings: before } = this.controller;
    const wanted = settings as RunSettings;
    // The length of the text is known only for the tokenizer that has read it.
    const sameTokens = before?.tokenizer === wanted.tokenizer && before.vocabSize === wanted.vocabSize;
    const [problem] = this.controller.problems(wanted, sameTokens ? text : null);
    if (problem === undefined) return null;
    const { setting } = problem;
    return { setting, sentence: this.texts.settingProblem(kebab(setting), problem) };
  }

  /** Why other figures cannot use the models, in words; null if they can, undefined if there are none. */
  get cannotHandOver(): string | null | undefined {
    return undefined;
  }

  /** The models of the newest step, for other figures; null while they train. */
  handOver(): Promise<OwnModels | null> {
    return Promise.resolve(null);
  }

  /** Why there are no model cards, in words; null if there can be, undefined if this kind of model has none. */
  get cannotHaveCards(): string | null | undefined {
    return undefined;
  }

  /** The model cards of the newest step; null while the models train. */
  cards(_listening: Listening): Promise<Cards | null> {
    return Promise.resolve(null);
  }

  /** A sentence about an error during training. */
  trainingFailure(error: unknown, step: number): string | null {
    return failureText(error, this.texts, step);
  }

  /** A sentence that says whose run is drawn. */
  get origin(): string {
    const { run } = this.playback;
    if (run !== null) return this.computed(formatWhole(run.settings.steps));
    const { step, phase, cores } = this.controller;
    if (step === 0) return this.texts.notBegun;
    return phase === 'running' && cores > 1 ? this.texts.trainingOn(formatWhole(cores)) : this.texts.ownRun;
  }

  facts(): TemplateResult {
    const { texts } = this;
    const { text, takesTurns } = this.controller;
    const facts = this.textFacts();
    const nats = (value: number): string => formatNumber(value, { decimals: 3 });
    const floors =
      text?.chainBounds && text.bounds && texts.chainFloor(nats(text.chainBounds.bigram), nats(text.bounds.bigram));
    return html`<p class="note facts rest">
      ${facts} ${floors} ${facts === null ? null : this.moreFacts()}
      ${takesTurns && this.needsText ? texts.inTurns : null}
    </p>`;
  }

  protected moreFacts(): string | null {
    return null;
  }

  /** The source of the text, for a text without a name of its own. */
  protected get sourceName(): string {
    return this.texts.sources[this.lab.textSource as OtherSource];
  }

  /** Whether the read-out of step 0 asks the reader to press play: not while models train, nor if another sentence asks. */
  protected get invites(): boolean {
    const { phase, suspended, viewsNewest } = this.controller;
    return !this.showsFinished && viewsNewest && phase !== 'running' && !suspended;
  }

  readOut(asked: boolean): Phrase[] {
    const { texts, controller } = this;
    const { phase, stage, suspended } = controller;
    const prepares = phase === 'preparing' ? preparing(texts, stage ?? 'loading') : null;
    if (prepares !== null && !this.rests) return prepares;
    const shown = this.shown();
    if (shown === null || (phase === 'idle' && this.needsText)) {
      return [{ text: asked ? texts.cancelled : texts.waiting }];
    }
    const standing = this.standing(shown);
    if (prepares !== null) return [...standing, { text: ' ' }, ...prepares];
    if (shown.finished !== null) return [...standing, { text: ` ${texts.drawOver}`, more: true }];
    return suspended ? [...standing, { text: ` ${texts.outOfSight}` }] : standing;
  }

  lookBack(): void {
    const shown = this.shown();
    if (shown === null) return;
    const earlier = shown.stops.filter((stop) => stop < shown.viewedStep);
    this.view(earlier.at(-1) ?? 0);
  }

  /** Views an earlier step; null for the newest. */
  view(step: number | null): void {
    if (this.playback.run === null) this.controller.view(step);
    else this.playback.view(step);
    this.lab.redraw();
  }

  /** Called after the element has been drawn. */
  drawn(): void {}
}
