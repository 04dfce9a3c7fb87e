import type { TemplateResult } from 'lit';
import { formatWhole } from '../../charts/index.js';
import type { LabSource } from '../shared/lab-lease.js';
import { kebab } from '../shared/settings/setting.js';
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

/** What the reader has set, and the runs to show until theirs. */
export type LabProperties = SettingsElement & {
  finished: FinishedRun | FinishedTransformerRun | readonly (FinishedRun | FinishedTransformerRun)[] | null;
};

/** The element as a mode uses it. */
export interface ModeHost {
  /** Its properties are what the reader has set. */
  readonly element: LabProperties;
  readonly labs: LabSource;
  texts: () => TrainingLabStrings & CommonStrings;
  /** Settings of the run, of the present mode. */
  settings: () => object;
  wantedSource: () => TextSource | null;
  loadBuiltIn: ControllerOptions['loadBuiltIn'];
  /** The reader changed what a run depends on. */
  change: (changes: Changes) => void;
  /** The figure has come near the screen: what needs a worker may begin. */
  awake: () => boolean;
  /** Something to draw has changed: drawn at most once per frame. */
  redraw: () => void;
  /** A frame of steps is done; losses by arm in nats per token, as `tied-step` carries them. */
  stepped: (losses: Readonly<Record<string, number>>) => void;
}

/** The run that is drawn, the reader's or one that was finished before, and how the reader looks at it. */
export interface ShownRun {
  readonly texts: TrainingLabStrings & CommonStrings;
  readonly look: Readonly<ViewState>;
  readonly settings: { readonly steps: number };
  /** Steps done. */
  readonly step: number;
  readonly viewedStep: number;
  readonly viewsNewest: boolean;
  /** Null: the reader's own. */
  readonly finished: object | null;
  readonly onLook: (changes: Partial<ViewState>) => void;
  /** Null: the newest step. */
  readonly onView: (step: number | null) => void;
}

/** What a figure and its frame need of a run, whatever its models are. */
export type Runner = RunController<RunSettings, LabText, RunArm>;

/** Whose run is drawn, marked by a badge, and a sentence about it. */
export interface RunState {
  readonly finished: boolean;
  readonly words: string;
}

/** One kind of model in the training lab: what is its own of the figure, within the frame that all kinds share. */
export abstract class Mode<Run extends Runner = Runner, Settings = unknown, Shown extends ShownRun = ShownRun> {
  /** Steps are slow enough by themselves where no speed is offered. */
  abstract readonly hasSpeeds: boolean;
  abstract readonly controller: Run;
  protected abstract readonly playback: FinishedPlayback;
  protected readonly host: ModeHost;

  constructor(host: ModeHost) {
    this.host = host;
  }

  // ------------------------------------------------------------ for a kind of model to fill in

  abstract get title(): string;
  abstract get caption(): string;
  /** False where there is something to see without any text having been read. */
  abstract get needsText(): boolean;
  /** About how many multiply-adds these steps take. */
  abstract work(steps: number): number;
  /** Null where there is nothing to draw. */
  protected abstract shown(): Shown | null;
  /** Earlier steps that the reader can go back to one by one, ascending. */
  protected abstract stops(shown: Shown): readonly number[];
  protected abstract problems(settings: Settings): SettingProblem[];
  /** In nats per token by arm, as `tied-step` carries them. */
  protected abstract spokenLosses(): Record<string, number>;
  /** Says of a finished run how it was done. */
  protected abstract computed(steps: string): string;
  /** A sentence about what went wrong while training. */
  abstract trainingFailure(error: unknown, step: number): string | null;
  abstract facts(): TemplateResult;
  abstract drawings(): TemplateResult;
  abstract settingsPanel(): TemplateResult;
  abstract readOut(asked: boolean): Phrase[];
  abstract tables(): TemplateResult;

  // ------------------------------------------------------------ for it to use

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

  /** How the reader looks at what is drawn. */
  protected looking(): Pick<ShownRun, 'texts' | 'look' | 'onLook' | 'onView'> {
    return {
      texts: this.texts,
      look: this.lab,
      onLook: (changes) => Object.assign(this.lab, changes),
      onView: (step) => void this.view(step),
    };
  }

  /** What is said after how the models stand. */
  protected whatNext({ finished }: Shown): Phrase[] {
    if (finished !== null) return [{ text: ` ${this.texts.drawOver}` }];
    return this.controller.suspended ? [{ text: ` ${this.texts.outOfSight}` }] : [];
  }

  // ------------------------------------------------------------ as the frame sees it

  /** The newest step of the run that is drawn; null where none is. */
  get shownStep(): number | null {
    return this.shown()?.step ?? null;
  }
  /** The earlier step that is looked at; null: the newest. */
  get viewedStep(): number | null {
    const shown = this.shown();
    return shown === null || shown.viewsNewest ? null : shown.viewedStep;
  }
  /** What is drawn is a run that was finished before. */
  get showsFinished(): boolean {
    return this.playback.run !== null;
  }

  configure(source: TextSource): void {
    void this.controller.configure(source, this.settings as RunSettings);
  }

  /** From now on the reader's own run is drawn. */
  beginOwn(): void {
    this.playback.end();
  }

  /** Looks of before are worth nothing for the run that begins. */
  reset(): void {
    this.playback.reset();
  }

  /** The first thing that is wrong with settings; null where they can be run. */
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

  /** Looks at an earlier step; null: the newest. */
  view(step: number | null): void {
    if (this.playback.run === null) this.controller.view(step);
    else this.playback.view(step);
    this.host.redraw();
  }

  /** After the element was drawn. */
  drawn(): void {}
  connected(): void {}
  disconnected(): void {}
}
