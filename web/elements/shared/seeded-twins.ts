/** What figures share that train a tied model and its untied twin from a seed, and measure them step by step. */
import { chanceSetting, chanceStrings } from './chance.js';
import type { TwinKind } from './model-twins.js';
import { flag, number, seed } from './settings/setting.js';
import { weightsStrings } from './weights.js';

/** `count` moments are measured; `unset` names the one that is shown until the reader chooses one. */
export const seededTwinSettings = (count: number, unset: string) => ({
  /** Whether the levels for comparison are drawn. */
  chance: chanceSetting,
  seed: seed({ label: 'seed', shown: ({ trains }) => trains !== false }),
  /** Whether the element trains, until the reader chooses the models at `weights`. */
  trainsFirst: flag(false, { link: 'never' }),
  /** The measured step that is shown, counted from 1. */
  moment: number(null, { min: 1, max: count, whole: true, unset }),
});

/** Numbers arrive formatted. */
export const seededTwinStrings = {
  ...weightsStrings,
  ...chanceStrings,
  seed: 'Seed',
  start: 'Train and measure',
  measureNow: 'Measure',
  cancel: 'Cancel',
  otherFile: 'the file does not hold a tied and an untied model',
  trainedHere: 'Trained here',
  ofThisFigure: 'These models were trained by this figure; they are not yours.',
  preparing: 'Writing stories to train on.',
  training: (percent: string) => `Training: ${percent}%.`,
  finishedNote: 'Measured when this page was built. Choose another seed, and your browser can train and measure.',
  other: (seed: string) => `These numbers are of seed ${seed}.`,
  names: { tied: 'Tied', untied: 'Untied' } as Record<TwinKind, string>,
  stepAxis: 'training steps',
  repeatHint: 'In a terminal with Node this command trains and measures the same models, to the same bits.',
  slider: 'Training step',
  atStep: (step: string) => `At step ${step}`,
  inTheseModels: 'In these models',
};
