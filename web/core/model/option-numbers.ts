/**
 * Converts options to the arrays of numbers that the core reads, in the order of the tables in config.cpp and
 * training_config.cpp; and back.
 */
import {
  applies,
  BIASES,
  EMBEDDING_SCALES,
  FEED_FORWARDS,
  LOGIT_SCALES,
  MODEL_KINDS,
  NORMS,
  POSITIONS,
  type AnyModel,
  type CompleteModel,
} from './model-options.js';
import { headNumbers, headOf } from './head-options.js';
import { ngramNumbers, ngramsOf } from './ngram-options.js';
import { nextOf, type Next } from '../runtime/next-number.js';
import { pairTyingNumbers, pairTyingOf } from './pair-tying.js';
import { furtherNumbers, scheduleOf, TYINGS, tyingNumbers, withFurther, type TyingNumbers } from './tying-options.js';
import { DECAYS, MAX_POINTS, OPTIMIZERS, ROLES, type CompleteTraining } from '../training/training-options.js';
import { ENCODER_DECODER_DEFAULTS, filledIn, MODEL_DEFAULTS, TRAINING_DEFAULTS } from './option-defaults.js';
import type { FactorSchedule, PairTying, Tying, TyingSchedule } from '../types.js';

/**
 * A hash of the tables whose order the numbers here follow, as `options_version` in option_numbers.cpp computes it. When a
 * field is added, every module is refused until this has the new value, which the test for stale modules prints.
 */
export const OPTIONS_VERSION = 570134359;

/** The core checks every number, so options that do not apply get the core's own defaults. */
export function modelNumbers(model: CompleteModel): Float64Array {
  const defaults = { ...MODEL_DEFAULTS, ...ENCODER_DECODER_DEFAULTS };
  const filled = filledIn<AnyModel, typeof defaults>(model, defaults);
  const pairs = model.kind === 'encoder-decoder';
  const { decoder, encoderTable } = pairTyingNumbers(pairs ? (model.tying as PairTying) : 'none');
  const tying = pairs ? (decoder ? 'tied' : 'untied') : (model.tying as Tying | TyingSchedule);
  const { first, untieAtStep, tieAtStep, condition, share, over, from } = tyingNumbers(tying);
  return Float64Array.of(
    MODEL_KINDS.indexOf(model.kind),
    model.vocabSize,
    model.dModel,
    TYINGS.indexOf(first),
    model.lowRank ?? 0,
    untieAtStep,
    tieAtStep,
    condition,
    share,
    over,
    from,
    EMBEDDING_SCALES.indexOf(model.embeddingScale),
    Number(model.outputBias),
    model.initStd,
    // 0 stands for this width, which may exceed the limit of an explicit one.
    model.dFeedForward === 4 * model.dModel ? 0 : (model.dFeedForward ?? 0),
    pairs ? filled.nDecoderLayers : filled.nLayers,
    filled.nHeads,
    model.nKeyValueHeads ?? 0,
    filled.contextLength,
    NORMS.indexOf(filled.norm),
    filled.normEpsilon,
    POSITIONS.indexOf(filled.positions),
    filled.rotaryBase,
    FEED_FORWARDS.indexOf(filled.feedForward),
    Number(filled.finalNorm),
    BIASES.indexOf(filled.biases),
    filled.dropout,
    encoderTable,
    filled.nEncoderLayers,
    filled.sourceLength,
    filled.startToken,
    filled.endToken,
    LOGIT_SCALES.indexOf(filled.logitScale),
    ...headNumbers(model.head),
    model.tableRank ?? 0,
    ...ngramNumbers(model.ngrams),
    ...furtherNumbers(tying),
  );
}

/** The number of points, then their steps and their values. */
function scheduleNumbers(schedule: FactorSchedule): number[] {
  const points = typeof schedule === 'number' ? [[0, schedule]] : schedule;
  const steps = Array.from({ length: MAX_POINTS }, (_, i) => points[i]?.[0] ?? 0);
  const values = Array.from({ length: MAX_POINTS }, (_, i) => points[i]?.[1] ?? 1);
  return [points.length, ...steps, ...values];
}

function nextSchedule(next: Next): FactorSchedule {
  const points = next();
  const steps = Array.from({ length: MAX_POINTS }, next);
  const values = Array.from({ length: MAX_POINTS }, next);
  if (points === 1) return values[0]!;
  return Object.freeze(steps.slice(0, points).map((step, i) => Object.freeze([step, values[i]!] as const)));
}

export function trainingNumbers(training: CompleteTraining): Float64Array {
  const { inputGradientScale, learningRateMultipliers } = training;
  return Float64Array.of(
    OPTIMIZERS.indexOf(training.optimizer),
    training.learningRate,
    training.warmupSteps,
    DECAYS.indexOf(training.decay),
    training.totalSteps ?? 0,
    training.finalLearningRateFraction,
    training.weightDecay,
    training.gradientClip ?? 0,
    training.momentum ?? TRAINING_DEFAULTS.momentum,
    training.beta1 ?? TRAINING_DEFAULTS.beta1,
    training.beta2 ?? TRAINING_DEFAULTS.beta2,
    training.epsilon ?? TRAINING_DEFAULTS.epsilon,
    training.batchSize ?? 0,
    training.gradientAccumulation ?? TRAINING_DEFAULTS.gradientAccumulation,
    Number(training.decayEmbeddings),
    training.labelSmoothing ?? 0,
    training.temperature ?? 1,
    training.seed,
    training.initSeed,
    ...scheduleNumbers(inputGradientScale),
    ...ROLES.flatMap((role) => scheduleNumbers(learningRateMultipliers[role])),
  );
}

export interface TrainerFacts {
  model: CompleteModel;
  training: CompleteTraining;
  tokensPerStep: number;
}

/** The core's description of a trainer: complete, also for one loaded from a file. */
export function trainerFacts(numbers: Float64Array): TrainerFacts {
  const next = nextOf(numbers);
  const choice = <T>(choices: readonly T[]): T => choices[next()]!;
  const model = modelOf(next, choice);
  const training = trainingOf(next, choice);
  const tokensPerStep = next();
  // core.wasm does not report further changes, and an encoder-decoder has none.
  const tying = withFurther(model.tying as Tying | TyingSchedule, next() || 0, next);
  return { model: tying === model.tying ? model : Object.freeze({ ...model, tying }), training, tokensPerStep };
}

type Choice = <T>(choices: readonly T[]) => T;

// Properties are evaluated in source order.

function modelOf(next: Next, choice: Choice): CompleteModel {
  const kind = choice(MODEL_KINDS);
  const [vocabSize, dModel] = [next(), next()];
  const first = choice(TYINGS);
  const lowRank = next();
  const numbers: TyingNumbers = {
    first,
    untieAtStep: next(),
    tieAtStep: next(),
    condition: next(),
    share: next(),
    over: next(),
    from: next(),
  };
  const model: CompleteModel = {
    kind,
    vocabSize,
    dModel,
    tying: scheduleOf(numbers),
    lowRank,
    embeddingScale: choice(EMBEDDING_SCALES),
    outputBias: next() === 1,
    initStd: next(),
    dFeedForward: next(),
    nLayers: next(),
    nHeads: next(),
    nKeyValueHeads: next(),
    contextLength: next(),
    norm: choice(NORMS),
    normEpsilon: next(),
    positions: choice(POSITIONS),
    rotaryBase: next(),
    feedForward: choice(FEED_FORWARDS),
    finalNorm: next() === 1,
    biases: choice(BIASES),
    dropout: next(),
  };
  const encoderTable = next();
  Object.assign(model, {
    nEncoderLayers: next(),
    nDecoderLayers: model.nLayers,
    sourceLength: next(),
    startToken: next(),
    endToken: next(),
    logitScale: choice(LOGIT_SCALES),
  } satisfies Partial<CompleteModel>);
  if (kind === 'encoder-decoder') model.tying = pairTyingOf({ decoder: first === 'tied', encoderTable });
  const head = headOf(next);
  if (head) model.head = head;
  const tableRank = next();
  if (tableRank > 0) model.tableRank = tableRank;
  const ngrams = ngramsOf(next);
  if (ngrams) model.ngrams = ngrams;
  const deciding = { ...model };
  for (const name of Object.keys(model) as (keyof AnyModel)[]) if (!applies(name, deciding)) delete model[name];
  return Object.freeze(model);
}

function trainingOf(next: Next, choice: Choice): CompleteTraining {
  const optimizer = choice(OPTIMIZERS);
  const common = {
    optimizer,
    learningRate: next(),
    warmupSteps: next(),
    decay: choice(DECAYS),
  };
  const totalSteps = next();
  const rates = { finalLearningRateFraction: next(), weightDecay: next() };
  const gradientClip = next();
  const momentum = next();
  const adamw = { beta1: next(), beta2: next(), epsilon: next() };
  const [batchSize, gradientAccumulation] = [next(), next()];
  const decayEmbeddings = next() === 1;
  const [labelSmoothing, temperature] = [next(), next()];
  const [seed, initSeed] = [next(), next()];
  const training: CompleteTraining = {
    ...common,
    ...rates,
    inputGradientScale: nextSchedule(next),
    learningRateMultipliers: Object.freeze({
      embedding: nextSchedule(next),
      unembedding: nextSchedule(next),
      inner: nextSchedule(next),
    }),
    decayEmbeddings,
    seed,
    initSeed,
  };
  if (labelSmoothing !== 0) training.labelSmoothing = labelSmoothing;
  if (temperature !== 1) training.temperature = temperature;
  if (totalSteps > 0) training.totalSteps = totalSteps;
  if (gradientClip > 0) training.gradientClip = gradientClip;
  if (batchSize > 0) Object.assign(training, { batchSize, gradientAccumulation });
  Object.assign(training, optimizer === 'sgd' ? { momentum } : adamw);
  return Object.freeze(training);
}
