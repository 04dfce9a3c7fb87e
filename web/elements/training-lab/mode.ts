import type { TemplateResult } from 'lit';
import { formatWhole } from '../../charts/index.js';
import type { LabSource } from '../shared/lab-lease.js';
import { kebab, type Values } from '../shared/settings/setting.js';
import type { CommonStrings } from '../shared/strings.js';
import type { FinishedPlayback } from './finished-playback.js';
import type { FinishedRun } from './finished-run.js';
import type { LabText } from './text.js';
import type { RunController } from './run-controller.js';
import type { ControllerOptions, RunArm, RunSettings } from './running.js';
import type { SettingProblem } from './settings.js';
import type { Changes, Refusal, SettingsElement, ViewState } from './settings-element.js';
import type { TextSource } from './text-source.js';
import type { TrainingLabStrings } from './training-lab.strings.js';
import type { FinishedTransformerRun } from './transformer/finished-run.js';
import type { Phrase } from './views/read-out.js';

/** The reader's settings, and finished runs to show until the reader starts one. */
export type LabProperties = SettingsElement & {
  finished: FinishedRun | FinishedTransformerRun | readonly (FinishedRun | FinishedTransformerRun)[] | null;
};

/** The part of the element that a mode uses. */
export interface ModeHost {
  /** Its properties hold the reader's settings. */
  readonly element: LabProperties;
  readonly labs: LabSource;
  texts: () => TrainingLabStrings & CommonStrings;
  /** The run's settings in the current mode. */
  settings: () => object;
  wantedSource: () => TextSource | null;
  loadBuiltIn: ControllerOptions['loadBuiltIn'];
  /** The reader changed a setting of the run. */
  change: (changes: Changes) => void;
  /** The figure has come near the screen: work that needs a worker may start. */
  awake: () => boolean;
  /** Requests drawing, at most once per animation frame. */
  redraw: () => void;
  /** A frame of steps is done; losses by arm in nats per token, for the event `tied-step`. */
  stepped: (losses: Readonly<Record<string, number>>) => void;
}

/** The drawn run (the reader's, or a finished one) and the viewed step. */
export interface ShownRun {
  readonly texts: TrainingLabStrings & CommonStrings;
  readonly look: Readonly<ViewState>;
  readonly settings: { readonly steps: number };
  /** Steps done. */
  readonly step: number;
  readonly viewedStep: number;
  readonly viewsNewest: boolean;
  /** Null for the reader's own run. */
  readonly finished: object | null;
  readonly onLook: (changes: Partial<ViewState>) => void;
  /** Null for the newest step. */
  readonly onView: (step: number | null) => void;
}

/** What the figure and its frame need from a run of any models. */
export type Runner = RunController<RunSettings, LabText, RunArm>;

/** A badge that says whose run is drawn, and a sentence about it. */
export interface RunState {
  readonly finished: boolean;
  readonly words: string;
}

/** One kind of model in the training lab: its part of the figure, inside the frame that all kinds share. */
export abstract class Mode<Run extends Runner = Runner, Settings = unknown, Shown extends ShownRun = ShownRun> {
  /** If false, no speed is offered, because steps are slow enough. */
  abstract readonly hasSpeeds: boolean;
  abstract readonly controller: Run;
  protected abstract readonly playback: FinishedPlayback;
  protected readonly host: ModeHost;

  constructor(host: ModeHost) {
    this.host = host;
  }

  // ------------------------------------------------------------ to be implemented by each kind of model

  abstract get title(): string;
  abstract get caption(): string;
  /** False if there is something to show before any text has been read. */
  abstract get needsText(): boolean;
  /** The approximate number of multiply-adds of these steps. */
  abstract work(steps: number): number;
  /** Null if there is nothing to draw. */
  protected abstract shown(): Shown | null;
  /** Stored steps that the reader can view, ascending. */
  protected abstract stops(shown: Shown): readonly number[];
  protected abstract problems(settings: Settings): SettingProblem[];
  /** In nats per token by arm, for the event `tied-step`. */
  protected abstract spokenLosses(): Record<string, number>;
  /** A sentence on how the finished run was made. */
  protected abstract computed(steps: string): string;
  /** A sentence about an error during training. */
  abstract trainingFailure(error: unknown, step: number): string | null;
  abstract facts(): TemplateResult;
  abstract drawings(): TemplateResult;
  abstract settingsPanel(): TemplateResult;
  abstract readOut(asked: boolean): Phrase[];
  abstract tables(): TemplateResult;

  // ------------------------------------------------------------ for use by each kind of model

  protected get texts(): ReturnType<ModeHost['texts']> {
    return this.host.texts();
  }

  protected get lab(): LabProperties {
    return this.host.element;
  }

  protected get settings(): Settings {
    return this.host.settings() as Settings;
  }

  protected controllerOptions(): ControllerOptions {
    const { element, labs, loadBuiltIn, redraw, stepped, texts } = this.host;
    return {
      host: element,
      labs,
      loadBuiltIn,
      names: texts,
      onChange: () => {
        this.playback.follow();
        redraw();
      },
      onSteps: () => void stepped(this.spokenLosses()),
    };
  }

  /** The drawn run and the viewed step. */
  protected looking(): Pick<ShownRun, 'texts' | 'look' | 'onLook' | 'onView'> {
    return {
      texts: this.texts,
      look: this.lab,
      onLook: (changes) => Object.assign(this.lab, changes),
      onView: (step) => void this.view(step),
    };
  }

  /** Text after the state of the models. */
  protected whatNext({ finished }: Shown): Phrase[] {
    if (finished !== null) return [{ text: ` ${this.texts.drawOver}` }];
    return this.controller.suspended ? [{ text: ` ${this.texts.outOfSight}` }] : [];
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
  /** Discards the models and draws the finished run, if there is one, as on a newly opened page. */
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

  /** Switches from a finished run to the reader's own. */
  beginOwn(): void {
    this.playback.end();
  }

  /** Discards the viewed step before a new run starts. */
  reset(): void {
    this.playback.reset();
  }

  /** The first problem of the settings; null if they are valid. */
  refusal(settings: object): Refusal | null {
    const [problem] = this.problems(settings as Settings);
    if (problem === undefined) return null;
    const { setting } = problem;
    return { setting, sentence: this.texts.settingProblem(kebab(setting), problem) };
  }

  state(): RunState {
    const { texts } = this;
    const { run } = this.playback;
    if (run !== null) return { finished: true, words: this.computed(formatWhole(run.settings.steps)) };
    return { finished: false, words: this.controller.step === 0 ? texts.notBegun : texts.ownRun };
  }

  lookBack(): void {
    const shown = this.shown();
    if (shown === null) return;
    const earlier = this.stops(shown).filter((stop) => stop < shown.viewedStep);
    this.view(earlier.at(-1) ?? 0);
  }

  /** Views an earlier step; null for the newest. */
  view(step: number | null): void {
    if (this.playback.run === null) this.controller.view(step);
    else this.playback.view(step);
    this.host.redraw();
  }

  /** Called after the element was drawn. */
  drawn(): void {}
}
