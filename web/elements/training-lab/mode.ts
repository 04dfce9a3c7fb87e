import type { TemplateResult } from 'lit';
import type { LabSource } from '../shared/lab-lease.js';
import type { CommonStrings } from '../shared/strings.js';
import type { FinishedRun } from './finished-run.js';
import type { PreparationStage } from './text.js';
import type { ControllerOptions, LabFailure, Phase } from './running.js';
import type { Changes, ModelKind, Refusal, SettingsElement } from './settings-element.js';
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
  /** Something to draw has changed: drawn at most once per frame. */
  redraw: () => void;
  /** A frame of steps is done; losses by arm in nats per token, as `tied-step` carries them. */
  stepped: (losses: Readonly<Record<string, number>>) => void;
}

/** What the transport and the frame need of a controller, whatever its models are. */
export interface Runner {
  readonly phase: Phase;
  readonly stage: PreparationStage | null;
  readonly failure: LabFailure | null;
  readonly step: number;
  readonly suspended: boolean;
  readonly secondsLeft: number | null;
  readonly source: TextSource | null;
  readonly settings: object | null;
  play(stepsPerSecond: number): Promise<void>;
  runTo(target: number): Promise<void>;
  changeSpeed(stepsPerSecond: number): Promise<void>;
  stepOnce(): Promise<void>;
  pause(): void;
  suspend(): void;
  resume(): Promise<void>;
  rewind(): Promise<void>;
  cancel(): void;
  idle(): Promise<void>;
  dispose(): void;
}

/** Whose run is drawn, marked by a badge, and a sentence about it. */
export interface RunState {
  readonly finished: boolean;
  readonly words: string;
}

/** One kind of model in the training lab: what is its own of the figure, within the frame that all kinds share. */
export interface Mode {
  readonly kind: ModelKind;
  readonly controller: Runner;
  readonly title: string;
  readonly caption: string;
  readonly keys: string;
  /** Steps are slow enough by themselves, so that no speed is offered. */
  readonly hasSpeeds: boolean;
  /** False where there is something to see without any text having been read. */
  readonly needsText: boolean;
  /** The newest step of the run that is drawn; null where none is. */
  readonly shownStep: number | null;
  /** The earlier step that is looked at; null: the newest. */
  readonly viewedStep: number | null;
  /** What is drawn is a run that was finished before. */
  readonly showsFinished: boolean;
  configure(source: TextSource): void;
  /** From now on the reader's own run is drawn. */
  beginOwn(): void;
  /** About how many multiply-adds so many steps take. */
  work(steps: number): number;
  state(): RunState;
  facts(): TemplateResult;
  drawings(): TemplateResult;
  settingsPanel(): TemplateResult;
  readOut(asked: boolean): Phrase[];
  tables(): TemplateResult;
  /** The first thing that is wrong with settings; null where they can be run. */
  refusal(settings: object): Refusal | null;
  /** A sentence about what went wrong while training. */
  trainingFailure(error: unknown, step: number): string | null;
  lookBack(): void;
  /** Looks at an earlier step; null: the newest. */
  view(step: number | null): void;
  viewNewest(): void;
  /** After the element was drawn. */
  drawn(): void;
  /** Looks of before are worth nothing for the run that begins. */
  reset(): void;
  connected(): void;
  disconnected(): void;
}
