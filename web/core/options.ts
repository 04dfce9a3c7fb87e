/**
 * The one place where options get their checks and their defaults. What comes out has every field set, and crosses into
 * wasm as it is. Zero stands for "absent" where the core has no use for a zero: noted at each.
 */
import { invalidArgument, TiedError } from './errors.js';
import type { ModelConfig, TokenizerKind, TokenizerOptions, TrainingConfig, Tying } from './types.js';
import {
  checkBoolean,
  checkChoice,
  checkNotNegative,
  checkOptions,
  checkPositive,
  checkRange,
  checkSeed,
  checkWhole,
} from './validate.js';

export const TYINGS: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-mlp'];
const MODEL_KINDS: readonly ModelConfig['kind'][] = ['direct-path'];
export const OPTIMIZERS = ['adamw', 'sgd'] as const;
export const DECAYS = ['constant', 'cosine'] as const;
export const TOKENIZER_KINDS: readonly TokenizerKind[] = ['character', 'word', 'bpe'];

/** Defaults of the optimizer. */
export const ADAMW = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 } as const;

const MODEL_OPTIONS = ['kind', 'vocabSize', 'dModel', 'tying', 'outputBias', 'initStd', 'dFeedForward'] as const;
const TRAINING_OPTIONS = [
  'optimizer',
  'learningRate',
  'warmupSteps',
  'decay',
  'totalSteps',
  'finalLearningRateFraction',
  'weightDecay',
  'gradientClip',
  'momentum',
  'beta1',
  'beta2',
  'epsilon',
  'batchSize',
  'inputGradientScale',
  'seed',
  'initSeed',
] as const satisfies readonly (keyof TrainingConfig)[];

/** What the core says of options, under the names that they have here. */
export const TRAINER_NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...MODEL_OPTIONS.map((name) => [name, `model.${name}`]),
  ...TRAINING_OPTIONS.map((name) => [name, `training.${name}`]),
  ...['tokenIds', 'validationTokenIds', 'bigramCounts'].map((name) => [name, `options.${name}`]),
]);

/** Options with their defaults filled in. What does not apply stays absent, so that they can be given again as they are. */
export type CompleteModel = Required<Omit<ModelConfig, 'dFeedForward'>> & Pick<ModelConfig, 'dFeedForward'>;
type Sometimes = 'totalSteps' | 'gradientClip' | 'momentum' | 'beta1' | 'beta2' | 'epsilon' | 'batchSize';
export type CompleteTraining = Required<Omit<TrainingConfig, Sometimes>> & Pick<TrainingConfig, Sometimes>;

// Limits of the core, stated in model/config.cpp and training/training_config.cpp.
/** Widest d_model and hidden layer. */
const LARGEST_WIDTH = 2 ** 20;
/** Keeps any sum of squares of what is drawn far from infinity. */
const LARGEST_INIT_STD = 1e6;
/** Rates, scales and the like: far from overflow in single precision. */
const LARGEST_RATE = 1e30;
const LARGEST_BATCH = 2 ** 22;
const SMALLEST_EPSILON = 1e-300;

// Defaults stand where options are taken apart and nowhere else: they are for what is absent, and null is not.

export function completeModel(model: ModelConfig): CompleteModel {
  const given = checkOptions('model', model, MODEL_OPTIONS);
  const { outputBias = false, initStd = 0.02 } = given;
  const kind = checkChoice('model.kind', given.kind, MODEL_KINDS);
  const vocabSize = checkWhole('model.vocabSize', given.vocabSize, 2);
  const dModel = checkWhole('model.dModel', given.dModel, 1, LARGEST_WIDTH);
  const tying = checkChoice('model.tying', given.tying, TYINGS);
  const complete: CompleteModel = {
    kind,
    vocabSize,
    dModel,
    tying,
    outputBias: checkBoolean('model.outputBias', outputBias),
    initStd: checkPositive('model.initStd', initStd, LARGEST_INIT_STD),
  };
  if (tying === 'tied-mlp') {
    const { dFeedForward = 4 * dModel } = given;
    complete.dFeedForward = checkWhole('model.dFeedForward', dFeedForward, 1, LARGEST_WIDTH);
  } else {
    refuse('model.dFeedForward', given.dFeedForward, "tying 'tied-mlp'");
  }
  return complete;
}

/** `wholeTable`: trained on bigram counts, where there is no batch to size. */
export function completeTraining(training: TrainingConfig, wholeTable: boolean): CompleteTraining {
  const given = checkOptions('training', training, TRAINING_OPTIONS);
  const {
    optimizer = 'adamw',
    warmupSteps = 0,
    decay = 'constant',
    finalLearningRateFraction = 0,
    weightDecay = 0,
    inputGradientScale = 1,
    seed,
    initSeed = seed,
  } = given;
  const complete: CompleteTraining = {
    optimizer: checkChoice('training.optimizer', optimizer, OPTIMIZERS),
    learningRate: checkPositive('training.learningRate', given.learningRate, LARGEST_RATE),
    warmupSteps: checkWhole('training.warmupSteps', warmupSteps, 0),
    decay: checkChoice('training.decay', decay, DECAYS),
    finalLearningRateFraction: checkRange('training.finalLearningRateFraction', finalLearningRateFraction, 0, 1),
    weightDecay: checkNotNegative('training.weightDecay', weightDecay, LARGEST_RATE),
    inputGradientScale: checkNotNegative('training.inputGradientScale', inputGradientScale, LARGEST_RATE),
    seed: checkSeed('training.seed', seed),
    initSeed: checkSeed('training.initSeed', initSeed),
  };
  if (complete.decay === 'cosine' || given.totalSteps !== undefined) {
    complete.totalSteps = checkWhole('training.totalSteps', given.totalSteps, 1);
  }
  if (given.gradientClip !== undefined) {
    complete.gradientClip = checkPositive('training.gradientClip', given.gradientClip, LARGEST_RATE);
  }
  if (!wholeTable) complete.batchSize = checkWhole('training.batchSize', given.batchSize, 1, LARGEST_BATCH);
  completeOptimizer(complete, given);
  return complete;
}

/** Each optimizer has options of its own; those of the other are refused and not passed over in silence. */
function completeOptimizer(complete: CompleteTraining, given: TrainingConfig): void {
  if (complete.optimizer === 'sgd') {
    const { momentum = 0 } = given;
    complete.momentum = checkRange('training.momentum', momentum, 0, 1, true);
    for (const name of ['beta1', 'beta2', 'epsilon'] as const) {
      refuse(`training.${name}`, given[name], "optimizer 'adamw'");
    }
  } else {
    const { beta1 = ADAMW.beta1, beta2 = ADAMW.beta2, epsilon = ADAMW.epsilon } = given;
    complete.beta1 = checkRange('training.beta1', beta1, 0, 1, true);
    complete.beta2 = checkRange('training.beta2', beta2, 0, 1, true);
    complete.epsilon = checkRange('training.epsilon', epsilon, SMALLEST_EPSILON, LARGEST_RATE);
    refuse('training.momentum', given.momentum, "optimizer 'sgd'");
  }
}

function refuse(argument: string, value: unknown, owner: string): void {
  if (value !== undefined) throw invalidArgument(argument, value, `it to be absent; only ${owner} has it`);
}

export interface CompleteTokenizer {
  kind: TokenizerKind;
  /** 0 = the kind's own default. */
  vocabSize: number;
}

export function completeTokenizer(options: TokenizerOptions): CompleteTokenizer {
  const given = checkOptions('options', options, ['kind', 'vocabSize']);
  const kind = checkChoice('options.kind', given.kind, TOKENIZER_KINDS);
  const smallest = kind === 'bpe' ? 256 : 2;
  const vocabSize = given.vocabSize === undefined ? 0 : checkWhole('options.vocabSize', given.vocabSize, smallest);
  return { kind, vocabSize };
}

/** `from` and `to` of verbs that take a list of token ids: each below the vocabulary. */
export function checkIdsBelow(argument: string, ids: Uint32Array, vocabSize: number): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (id >= vocabSize) {
      throw new TiedError('invalid-argument', `${argument}[${i}] is ${id}; expected a token id below ${vocabSize}`);
    }
  }
}
