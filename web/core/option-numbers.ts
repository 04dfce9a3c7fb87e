/** Options as the arrays of numbers that cross into the core, in the order of the structures in bind_training.cpp. */
import { ADAMW, DECAYS, OPTIMIZERS, TYINGS, type CompleteModel, type CompleteTraining } from './options.js';

const MODEL_NUMBERS = 6;

export function modelNumbers(model: CompleteModel): Float64Array {
  return Float64Array.of(
    model.vocabSize,
    model.dModel,
    TYINGS.indexOf(model.tying),
    Number(model.outputBias),
    model.initStd,
    model.dFeedForward ?? 0,
  );
}

/** What is absent has a value that the core has no use for: it checks all of them all the same. */
export function trainingNumbers(training: CompleteTraining): Float64Array {
  return Float64Array.of(
    OPTIMIZERS.indexOf(training.optimizer),
    training.learningRate,
    training.warmupSteps,
    DECAYS.indexOf(training.decay),
    training.totalSteps ?? 0,
    training.finalLearningRateFraction,
    training.weightDecay,
    training.gradientClip ?? 0,
    training.momentum ?? 0,
    training.beta1 ?? ADAMW.beta1,
    training.beta2 ?? ADAMW.beta2,
    training.epsilon ?? ADAMW.epsilon,
    training.batchSize ?? 0,
    training.inputGradientScale,
    training.seed,
    training.initSeed,
  );
}

export interface TrainerFacts {
  model: CompleteModel;
  training: CompleteTraining;
  tokensPerStep: number;
}

/** What the core says of a trainer: complete, and right for one that came from a file as well. */
export function trainerFacts(numbers: Float64Array): TrainerFacts {
  const [vocabSize, dModel, tying, outputBias, initStd, dFeedForward] = numbers as unknown as number[];
  const rest = numbers.subarray(MODEL_NUMBERS) as unknown as number[];
  const [optimizer, learningRate, warmupSteps, decay, totalSteps, finalLearningRateFraction, weightDecay] = rest;
  const [gradientClip, momentum, beta1, beta2, epsilon, batchSize, inputGradientScale, seed, initSeed, tokensPerStep] =
    numbers.subarray(MODEL_NUMBERS + 7) as unknown as number[];
  const model: CompleteModel = {
    kind: 'direct-path',
    vocabSize: vocabSize!,
    dModel: dModel!,
    tying: TYINGS[tying!]!,
    outputBias: outputBias === 1,
    initStd: initStd!,
  };
  if (model.tying === 'tied-mlp') model.dFeedForward = dFeedForward!;
  const training: CompleteTraining = {
    optimizer: OPTIMIZERS[optimizer!]!,
    learningRate: learningRate!,
    warmupSteps: warmupSteps!,
    decay: DECAYS[decay!]!,
    finalLearningRateFraction: finalLearningRateFraction!,
    weightDecay: weightDecay!,
    inputGradientScale: inputGradientScale!,
    seed: seed!,
    initSeed: initSeed!,
  };
  if (totalSteps! > 0) training.totalSteps = totalSteps!;
  if (gradientClip! > 0) training.gradientClip = gradientClip!;
  if (batchSize! > 0) training.batchSize = batchSize!;
  if (training.optimizer === 'sgd') {
    training.momentum = momentum!;
  } else {
    training.beta1 = beta1!;
    training.beta2 = beta2!;
    training.epsilon = epsilon!;
  }
  return { model: Object.freeze(model), training: Object.freeze(training), tokensPerStep: tokensPerStep! };
}
