import type { ModelConfig, TokenizerKind, TrainingConfig, Tying, TyingSchedule } from '../../../core/types.js';
import { limits as directPathLimits } from '../settings.js';

/** The ways in which a small GPT of the lab can share its embedding. 'untied-later': tied until a step, then apart. */
export type ArmKind = Exclude<Tying, 'tied-mlp'> | 'untied-later';

/** The order in which they are offered. */
export const armKinds: readonly ArmKind[] = ['tied', 'untied', 'tied-linear', 'tied-low-rank', 'untied-later'];

/** Everything that decides how a run goes. Two equal settings on the same text give the same run, bit for bit. */
export interface TransformerSettings {
  tokenizer: TokenizerKind;
  /** Most tokens wanted; for words and byte pairs. Characters are all taken. */
  vocabSize: number;
  dModel: number;
  nLayers: number;
  /** Divides dModel. */
  nHeads: number;
  /** Tokens of one sequence. */
  contextLength: number;
  /** Two different ones. */
  arms: readonly ArmKind[];
  /** Of the correction of 'tied-low-rank'. */
  lowRank: number;
  /** The last step at which 'untied-later' is tied. */
  untieAtStep: number;
  /** Multiplies looked-up rows by the square root of dModel. */
  embeddingScale: 'none' | 'sqrt-d-model';
  /** Multiplies the input part of the embedding's gradient, in both arms. */
  inputGradientScale: number;
  seed: number;
  learningRate: number;
  /** Sequences per step. */
  batchSize: number;
  /** Where play stops and where the learning rate's cosine ends. */
  steps: number;
}

/** The laboratory's usual model: 235,328 numbers tied, 268,096 untied. */
export const transformerDefaults: Readonly<TransformerSettings> = {
  tokenizer: 'bpe',
  vocabSize: 512,
  dModel: 64,
  nLayers: 4,
  nHeads: 4,
  contextLength: 64,
  arms: ['tied', 'untied'],
  lowRank: 8,
  untieAtStep: 533,
  embeddingScale: 'none',
  inputGradientScale: 1,
  seed: 1,
  learningRate: 0.003,
  batchSize: 16,
  steps: 800,
};

/** About a tenth of the work: for devices with a small screen or little memory. */
export const smallDevice: Readonly<Partial<TransformerSettings>> = {
  vocabSize: 256,
  dModel: 32,
  nLayers: 2,
  contextLength: 32,
  batchSize: 12,
  steps: 500,
  untieAtStep: 333,
};

export const hasSize = (settings: TransformerSettings, size: Partial<TransformerSettings>): boolean =>
  Object.entries(size).every(([name, value]) => settings[name as keyof TransformerSettings] === value);

/** The shorter side of a phone's screen in CSS pixels is less than this; memory in gigabytes, where the browser tells. */
const phoneSide = 600;
const littleMemory = 2;

export function isSmallDevice(): boolean {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return Math.min(screen.width, screen.height) < phoneSide || (deviceMemory ?? Infinity) <= littleMemory;
}

export const transformerLimits = {
  vocabSize: directPathLimits.vocabSize,
  dModel: { min: 4, max: 256 },
  nLayers: { min: 1, max: 8 },
  nHeads: { min: 1, max: 32 },
  contextLength: { min: 2, max: 256 },
  lowRank: { min: 1, max: 256 },
  untieAtStep: { min: 1, max: directPathLimits.steps.max },
  inputGradientScale: { min: 0, max: 100 },
  seed: directPathLimits.seed,
  learningRate: { min: 0.000001, max: 10 },
  batchSize: { min: 1, max: 256 },
  steps: directPathLimits.steps,
} as const;

export type TransformerNumber = keyof typeof transformerLimits;

const fractions: readonly TransformerNumber[] = ['inputGradientScale', 'learningRate'];

export interface TransformerProblem {
  setting: keyof TransformerSettings;
  kind:
    | 'not-a-number'
    | 'not-whole'
    | 'too-small'
    | 'too-large'
    | 'unknown'
    | 'two-arms'
    | 'heads'
    | 'rank'
    | 'late'
    | 'short-text';
  value: unknown;
  /** What was passed: a limit, the dimensions, the steps, the tokens that there are. */
  limit?: number;
}

function numberProblem(settings: TransformerSettings, setting: TransformerNumber): TransformerProblem | null {
  const value: unknown = settings[setting];
  const { min, max } = transformerLimits[setting];
  if (typeof value !== 'number' || !Number.isFinite(value)) return { setting, kind: 'not-a-number', value };
  if (value < min) return { setting, kind: 'too-small', value, limit: min };
  if (value > max) return { setting, kind: 'too-large', value, limit: max };
  if (!fractions.includes(setting) && !Number.isInteger(value)) return { setting, kind: 'not-whole', value };
  return null;
}

/** What does not fit together, each number being possible by itself. */
function relationProblems(settings: TransformerSettings, trainingTokens: number): TransformerProblem[] {
  const { arms, dModel, nHeads, lowRank, untieAtStep, steps, contextLength } = settings;
  const problems: TransformerProblem[] = [];
  const add = (setting: keyof TransformerSettings, kind: TransformerProblem['kind'], limit?: number): void => {
    problems.push({ setting, kind, value: settings[setting], ...(limit === undefined ? {} : { limit }) });
  };
  if (arms.length !== 2 || arms[0] === arms[1]) add('arms', 'two-arms');
  if (dModel % nHeads !== 0) add('nHeads', 'heads', dModel);
  if (arms.includes('tied-low-rank') && lowRank > dModel) add('lowRank', 'rank', dModel);
  if (arms.includes('untied-later') && untieAtStep >= steps) add('untieAtStep', 'late', steps);
  if (contextLength + 1 > trainingTokens) add('contextLength', 'short-text', trainingTokens);
  return problems;
}

/** All that is wrong with `settings`, for a text of so many tokens to train on; empty when they can be run. */
export function transformerProblems(settings: TransformerSettings, trainingTokens = Infinity): TransformerProblem[] {
  const problems: TransformerProblem[] = [];
  if (!['character', 'word', 'bpe'].includes(settings.tokenizer)) {
    problems.push({ setting: 'tokenizer', kind: 'unknown', value: settings.tokenizer });
  }
  if (!['none', 'sqrt-d-model'].includes(settings.embeddingScale)) {
    problems.push({ setting: 'embeddingScale', kind: 'unknown', value: settings.embeddingScale });
  }
  for (const arm of settings.arms) {
    if (!armKinds.includes(arm)) problems.push({ setting: 'arms', kind: 'unknown', value: arm });
  }
  for (const setting of Object.keys(transformerLimits) as TransformerNumber[]) {
    const problem = numberProblem(settings, setting);
    if (problem !== null) problems.push(problem);
  }
  return problems.length > 0 ? problems : relationProblems(settings, trainingTokens);
}

function tyingOf(settings: TransformerSettings, kind: ArmKind): Tying | TyingSchedule {
  return kind === 'untied-later' ? { untieAtStep: settings.untieAtStep } : kind;
}

export function transformerConfig(settings: TransformerSettings, vocabSize: number, kind: ArmKind): ModelConfig {
  const { dModel, nLayers, nHeads, contextLength, lowRank, embeddingScale } = settings;
  return {
    kind: 'transformer',
    vocabSize,
    dModel,
    tying: tyingOf(settings, kind),
    nLayers,
    nHeads,
    contextLength,
    embeddingScale,
    ...(kind === 'tied-low-rank' ? { lowRank } : {}),
  };
}

export function transformerTraining(settings: TransformerSettings): TrainingConfig {
  const { learningRate, steps, batchSize, inputGradientScale, seed } = settings;
  return {
    optimizer: 'adamw',
    learningRate,
    // A sixteenth of the run where that is short.
    warmupSteps: Math.min(50, Math.floor(steps / 16)),
    decay: 'cosine',
    totalSteps: steps,
    finalLearningRateFraction: 0.1,
    weightDecay: 0.1,
    gradientClip: 1,
    beta1: 0.9,
    beta2: 0.95,
    batchSize,
    inputGradientScale,
    seed,
  };
}
