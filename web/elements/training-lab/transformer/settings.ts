import { MODEL_DEFAULTS, MODEL_FIELDS, TRAINING_DEFAULTS } from '../../../core/generated/fields.js';
import { LOW_RANK } from '../../../core/model/option-defaults.js';
import type { ComparedModel, ComparedTraining } from '../../../core/training/comparison-types.js';
import type { Tying, TyingSchedule } from '../../../core/model/types.js';
import { choice, number, type Values, type ValuesOf } from '../../shared/settings/setting.js';
import { initialValues } from '../../shared/settings/with-settings.js';
import { armsSetting, mostSteps, problemsOf, shared, whole, type SettingProblem } from '../settings.js';

/**
 * The ways in which a small GPT of the lab can share its embedding. 'untied-later': tied up to a step, then untied.
 * 'untied-between': the same, and tied again after a later step.
 * 'untied-by-share': tied until the input part of the gradient is a small enough share, then untied.
 */
export type ArmKind = Exclude<Tying, 'tied-mlp'> | 'untied-later' | 'untied-between' | 'untied-by-share';

/** The norm of the gradient's input part: of the scattered [V, d] matrix, or over positions. */
export type ShareDefinition = 'matrix' | 'position';

/** The order in which they are offered. */
export const armKinds: readonly ArmKind[] = [
  ...(['tied', 'untied', 'tied-linear', 'tied-low-rank'] as const),
  ...(['untied-later', 'untied-between', 'untied-by-share'] as const),
];

const [leastShare, mostShare] = MODEL_FIELDS['tying.share'].real;
/** Tokens of a batch that are worth 2, 4 and 8 parts: the core computes 512 at once, so parts of as many cost a single core nothing. */
const worthParts = [1024, 2048, 4096];
/** The number of steps over which the share is averaged for that decision. */
const sharesCompared = 10;

const hasArm =
  (...kinds: ArmKind[]) =>
  ({ arms }: Values): boolean =>
    (arms as readonly ArmKind[]).some((kind) => kinds.includes(kind));

/** The settings of a run of small GPTs. Equal settings on the same text give the same run, bit for bit. */
export const transformerSettings = {
  tokenizer: shared.tokenizer('word'),
  /** More than the words of the stories: each of them is a token. */
  vocabSize: shared.vocabSize(1200, 50, 8192),
  dModel: number(48, {
    ...whole(4, 256),
    label: 'dModel',
    control: { step: (_, { nHeads }) => Number(nHeads), atEnd: true },
  }),
  nLayers: number(MODEL_DEFAULTS.nLayers, { ...whole(1, 8), label: 'layers', control: { atEnd: true } }),
  /** Must divide dModel. */
  nHeads: number(MODEL_DEFAULTS.nHeads, { ...whole(1, 32), label: 'heads', control: { atEnd: true } }),
  /** Tokens of one sequence. */
  contextLength: number(MODEL_DEFAULTS.contextLength, {
    ...whole(2, 256),
    label: 'contextLength',
    control: { step: 8, atEnd: true },
  }),
  /** Two different arms. */
  arms: armsSetting<ArmKind>(['tied', 'untied'], armKinds),
  /** The rank of the correction of 'tied-low-rank'. */
  lowRank: number(LOW_RANK, {
    ...whole(1, 256),
    label: 'lowRank',
    control: { atEnd: true },
    shown: hasArm('tied-low-rank'),
  }),
  /** The last step at which 'untied-later' is tied, and the end of the first tied stretch of 'untied-between'. */
  untieAtStep: number(1600, {
    ...whole(1, mostSteps),
    label: 'untieAtStep',
    control: { step: 10, atEnd: true },
    shown: hasArm('untied-later', 'untied-between'),
  }),
  /** The last step at which 'untied-between' is untied. */
  tieAtStep: number(2000, {
    ...whole(2, mostSteps),
    link: 'changed',
    label: 'tieAtStep',
    control: { step: 10, atEnd: true },
    shown: hasArm('untied-between'),
  }),
  /** 'untied-by-share' unties when the mean input share over ten steps is below this. */
  untieBelow: number(0.2, {
    min: leastShare,
    max: mostShare,
    label: 'untieBelow',
    control: { step: 0.05, decimals: 2, atEnd: true },
    shown: hasArm('untied-by-share'),
  }),
  /** Multiplies looked-up rows by the square root of dModel. */
  embeddingScale: choice(MODEL_FIELDS.embeddingScale.words, { link: 'always' }),
  /** Multiplies the input part of the embedding's gradient, in both arms. */
  inputGradientScale: number(TRAINING_DEFAULTS.inputGradientScale, {
    min: 0,
    max: 100,
    link: 'always',
    label: 'inputGradientScale',
    control: { step: 0.5, decimals: 2, atEnd: true },
  }),
  seed: shared.seed,
  learningRate: shared.learningRate(0.006, 0.0005),
  /** Sequences per step. */
  batchSize: number(16, { ...whole(1, 256), label: 'sequences', control: { atEnd: true } }),
  /** Parts of each batch, which several cores can share, at most one per sequence. They change last bits, so without a word there is one. */
  shards: number(1, { ...whole(1, 64), link: 'changed' }),
  steps: shared.steps(2400, 50),
};

/** All settings that affect a run. */
export type TransformerSettings = ValuesOf<typeof transformerSettings>;

/** The training lab's usual model: 171,696 parameters tied, 228,336 untied, on the words of the stories. */
export const transformerDefaults: Readonly<TransformerSettings> = initialValues(transformerSettings);

/** About a tenth of the work, for devices with a small screen or little memory. */
export const smallDevice: Readonly<Partial<TransformerSettings>> = {
  dModel: 32,
  nLayers: 2,
  contextLength: 32,
  batchSize: 12,
  steps: 1000,
  untieAtStep: 667,
  tieAtStep: 833,
};

/** What each of the offered sizes sets. */
export const sizes: Readonly<Record<'full' | 'small', Readonly<Partial<TransformerSettings>>>> = {
  full: Object.fromEntries(Object.keys(smallDevice).map((name) => [name, (transformerDefaults as Values)[name]])),
  small: smallDevice,
};

export const hasSize = (settings: TransformerSettings, size: keyof typeof sizes): boolean =>
  Object.entries(sizes[size]).every(([name, value]) => (settings as Values)[name] === value);

/**
 * A device is small if the shorter side of its screen is below this, in CSS pixels, or its memory, in gigabytes, if the
 * browser reports it.
 */
const phoneSide = 600;
const littleMemory = 2;

export function isSmallDevice(): boolean {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return Math.min(screen.width, screen.height) < phoneSide || (deviceMemory ?? Infinity) <= littleMemory;
}

/** Parts of each batch of a run that nobody has made before. */
export const partsOf = ({
  batchSize,
  contextLength,
}: Pick<TransformerSettings, 'batchSize' | 'contextLength'>): number =>
  1 << worthParts.filter((tokens) => batchSize * contextLength >= tokens).length;

/** Problems in combinations of values that are valid separately. */
function relationProblems(settings: TransformerSettings, trainingTokens: number): SettingProblem[] {
  const { arms, dModel, nHeads, lowRank, untieAtStep, tieAtStep, steps, contextLength } = settings;
  const problems: SettingProblem[] = [];
  const add = (setting: keyof TransformerSettings, kind: string, limit?: number): void => {
    problems.push({ setting, kind, value: settings[setting], ...(limit === undefined ? {} : { limit }) });
  };
  if (arms.length !== 2 || arms[0] === arms[1]) add('arms', 'two-arms');
  if (dModel % nHeads !== 0) add('nHeads', 'heads', dModel);
  if (arms.includes('tied-low-rank') && lowRank > dModel) add('lowRank', 'rank', dModel);
  if (arms.includes('untied-later') && untieAtStep >= steps) add('untieAtStep', 'late', steps);
  if (arms.includes('untied-between')) {
    if (tieAtStep <= untieAtStep) add('tieAtStep', 'early', untieAtStep);
    else if (tieAtStep >= steps) add('tieAtStep', 'tied-late', steps);
  }
  if (contextLength + 1 > trainingTokens) add('contextLength', 'short-text', trainingTokens);
  return problems;
}

/** The problems of `settings` for a text with this many training tokens; empty if they are valid. */
export function transformerProblems(settings: TransformerSettings, trainingTokens = Infinity): SettingProblem[] {
  const problems = problemsOf(transformerSettings, settings);
  return problems.length > 0 ? problems : relationProblems(settings, trainingTokens);
}

/** What determines the models. */
type ModelSettings = Omit<TransformerSettings, 'shards'>;

function tyingOf(settings: ModelSettings, kind: ArmKind): Tying | TyingSchedule {
  const { untieAtStep, tieAtStep } = settings;
  if (kind === 'untied-later') return { untieAtStep };
  if (kind === 'untied-between') return [{ untieAtStep }, { tieAtStep }];
  if (kind !== 'untied-by-share') return kind;
  return { untieWhen: { inputShare: { below: settings.untieBelow }, over: sharesCompared } };
}

export function transformerConfig(settings: ModelSettings, kind: ArmKind): ComparedModel {
  const { dModel, nLayers, nHeads, contextLength, lowRank, embeddingScale } = settings;
  return {
    kind: 'transformer',
    dModel,
    tying: tyingOf(settings, kind),
    nLayers,
    nHeads,
    contextLength,
    embeddingScale,
    ...(kind === 'tied-low-rank' ? { lowRank } : {}),
  };
}

export function transformerTraining(settings: TransformerSettings): ComparedTraining {
  const { learningRate, steps, batchSize, shards, inputGradientScale } = settings;
  return {
    optimizer: 'adamw',
    learningRate,
    // A sixteenth of the run if it is short.
    warmupSteps: Math.min(50, Math.floor(steps / 16)),
    decay: 'cosine',
    totalSteps: steps,
    finalLearningRateFraction: 0.1,
    weightDecay: 0.1,
    gradientClip: 1,
    beta1: 0.9,
    beta2: 0.95,
    batchSize,
    shards: Math.min(shards, batchSize),
    inputGradientScale,
  };
}
