import type { ComparedArm, CompareOptions, LabCorpus, Tying } from '../../core/types.js';
import type { ModelKind } from './lab-settings.js';
import type { ArmOptions, RunSettings } from './running.js';
import { settingProblems, type LabSettings, type SettingProblem } from './settings.js';
import {
  transformerConfig,
  transformerProblems,
  transformerTraining,
  type TransformerSettings,
} from './transformer/settings.js';

/**
 * What determines the bits of a run besides its text, its seed and its version: the same on the page and in the
 * command.
 */
export interface RunPlan<Settings> {
  /** The fraction of tokens to hold out. */
  readonly validation: number;
  /** For byte pairs: 'text' starts from the bytes that occur, so every row of the table is used. */
  readonly alphabet: 'bytes' | 'text';
  /**
   * When models are measured, and on how many held-out tokens; null if they are measured on what they are trained on.
   */
  measure(settings: Settings): { readonly every: number; readonly tokens: number } | null;
  problems(settings: Settings, trainingTokens?: number): SettingProblem[];
  armOptions(settings: Settings): ArmOptions;
}

/**
 * How many held-out tokens a measurement of small GPTs reads, enough for two decimals, and how many a planned run has.
 */
export const MEASURED_TOKENS = 8192;
const measurements = 16;

export function directPathArm(settings: LabSettings, tying: Tying): ComparedArm {
  const { dModel, outputBias, optimizer, learningRate, steps, batchSize } = settings;
  return {
    model: { kind: 'direct-path', dModel, tying, outputBias },
    training: {
      optimizer,
      learningRate,
      decay: 'cosine',
      totalSteps: steps,
      // Not zero, so a run continues to learn after its planned end.
      finalLearningRateFraction: 0.01,
      ...(batchSize === 'whole-table' ? {} : { batchSize }),
    },
  };
}

export const directPathPlan: RunPlan<LabSettings> = {
  validation: 0,
  alphabet: 'bytes',
  measure: () => null,
  problems: settingProblems,
  armOptions: (settings) => Object.fromEntries(settings.arms.map((tying) => [tying, directPathArm(settings, tying)])),
};

export const transformerPlan: RunPlan<TransformerSettings> = {
  validation: 0.1,
  alphabet: 'text',
  measure: ({ steps }) => ({ every: Math.max(1, Math.round(steps / measurements)), tokens: MEASURED_TOKENS }),
  problems: transformerProblems,
  armOptions: (settings) => {
    const training = transformerTraining(settings);
    return Object.fromEntries(
      settings.arms.map((kind) => [kind, { model: transformerConfig(settings, kind), training }]),
    );
  },
};

/** The options of the comparison that does such a run. */
export function compareOptions<Settings extends RunSettings>(
  plan: RunPlan<Settings>,
  settings: Settings,
  { validationTokens }: Pick<LabCorpus, 'validationTokens'>,
): CompareOptions {
  const { steps, seed } = settings;
  const measure = validationTokens === 0 ? null : plan.measure(settings);
  return { arms: plan.armOptions(settings), steps, seed, ...(measure === null ? {} : { measure }) };
}

/** By kind of model; each one accepts the settings of its kind. */
export const runPlans: Readonly<Record<ModelKind, RunPlan<never>>> = {
  'direct-path': directPathPlan,
  transformer: transformerPlan,
};
