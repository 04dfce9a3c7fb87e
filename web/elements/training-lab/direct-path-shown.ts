import type { BigramBounds, TokenPair } from '../../core/types.js';
import { pairIn, type Arm, type DirectPathRun, type PairValue, type Snapshot } from './direct-path-run.js';
import type { FinishedPlayback } from './finished-playback.js';
import { finishedArms, finishedSnapshot, finishedValues, knowsTokens, type FinishedRun } from './finished-run.js';
import { storedSteps } from './history.js';
import type { ShownRun } from './mode.js';
import type { LabSettings } from './settings.js';

/** A run of direct paths to draw: the reader's, or a finished one. */
export interface Shown extends ShownRun {
  readonly arms: readonly Arm[];
  readonly bounds: BigramBounds;
  readonly settings: LabSettings;
  /** Whether losses are of single batches, so that a smoothed line is drawn over them. */
  readonly batches: boolean;
  /** Stored steps, ascending; the last is the newest. */
  readonly stops: readonly number[];
  /** The models' predictions at the viewed step for the shown tokens; null if they were not stored. */
  readonly snapshot: Snapshot | null;
  readonly finished: FinishedRun | null;
}

/** How the run is looked at. */
type Looking = Pick<Shown, 'texts' | 'look' | 'onLook' | 'onView'>;

export function shownFinished(
  run: FinishedRun,
  { viewedStep: viewed }: FinishedPlayback,
  controller: DirectPathRun,
  positions: readonly number[],
  looking: Looking,
): Shown {
  const { steps, batchSize } = run.settings;
  const viewedStep = viewed ?? steps;
  const { text, stops } = controller;
  // The run itself has only the probabilities of some tokens at its end; training it again gives the rest.
  const knows = looking.look.mapValues === 'probabilities' && text !== null && knowsTokens(run, text, positions);
  const again = text === null ? null : (stops.find(({ step }) => step === viewedStep) ?? null);
  return {
    ...looking,
    arms: finishedArms(run),
    bounds: run.bounds,
    settings: run.settings,
    batches: batchSize !== 'whole-table',
    step: steps,
    viewedStep,
    viewsNewest: viewedStep === steps,
    stops: storedSteps(steps),
    snapshot: knows && viewedStep === steps ? finishedSnapshot(run, text) : again,
    finished: run,
  };
}

/** The reader's own run; null before it exists. */
export function shownOwn(controller: DirectPathRun, looking: Looking): Shown | null {
  const { text, arms, step, viewed, viewsNewest, settings, stops } = controller;
  if (text === null || settings === null || viewed === null) return null;
  return {
    ...looking,
    arms,
    bounds: text.bounds,
    settings,
    batches: settings.batchSize !== 'whole-table',
    step,
    viewedStep: viewed.step,
    viewsNewest,
    stops: stops.map((stop) => stop.step),
    snapshot: viewed,
    finished: null,
  };
}

/** Each arm's predictions for a pair at the viewed step; null if not known. */
export function valuesOf(shown: Shown, controller: DirectPathRun, pair: TokenPair): readonly PairValue[] | null {
  const { text, stops } = controller;
  if (shown.finished === null || text === null) return controller.valuesOf(pair);
  const atEnd = shown.viewsNewest ? finishedValues(shown.finished, text.tokens, pair) : null;
  const again = stops.find(({ step }) => step === shown.viewedStep);
  return atEnd ?? (again === undefined ? null : pairIn(again, text.mapIds, pair));
}
