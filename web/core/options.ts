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

export type CompleteModel = Required<ModelConfig>;
/** `gradientClip` stays absent where nothing is clipped, `batchSize` where a whole table is used. */
export type CompleteTraining = Required<Omit<TrainingConfig, 'gradientClip' | 'batchSize'>> &
  Pick<TrainingConfig, 'gradientClip' | 'batchSize'>;

/** Widest d_model and hidden layer. */
const LARGEST_WIDTH = 2 ** 20;

export function completeModel(model: ModelConfig): CompleteModel {
  const given = checkOptions('model', model, MODEL_OPTIONS);
  const kind = checkChoice('model.kind', given.kind, MODEL_KINDS);
  const vocabSize = checkWhole('model.vocabSize', given.vocabSize, 2);
  const dModel = checkWhole('model.dModel', given.dModel, 1, LARGEST_WIDTH);
  const tying = checkChoice('model.tying', given.tying, TYINGS);
  const width = given.dFeedForward ?? 4 * dModel;
  if (given.dFeedForward !== undefined && tying !== 'tied-mlp') {
    throw invalidArgument('model.dFeedForward', width, `no such option for tying '${tying}'; only 'tied-mlp' has one`);
  }
  return {
    kind,
    vocabSize,
    dModel,
    tying,
    outputBias: checkBoolean('model.outputBias', given.outputBias ?? false),
    initStd: checkNotNegative('model.initStd', given.initStd ?? 0.02),
    dFeedForward: checkWhole('model.dFeedForward', width, 1, tying === 'tied-mlp' ? LARGEST_WIDTH : 4 * LARGEST_WIDTH),
  };
}

/** `wholeTable`: trained on bigram counts, where there is no batch to size. */
export function completeTraining(training: TrainingConfig, wholeTable: boolean): CompleteTraining {
  const given = checkOptions('training', training, TRAINING_OPTIONS);
  const optimizer = checkChoice('training.optimizer', given.optimizer ?? 'adamw', OPTIMIZERS);
  const decay = checkChoice('training.decay', given.decay ?? 'constant', DECAYS);
  if (optimizer !== 'sgd' && given.momentum !== undefined) {
    throw invalidArgument('training.momentum', given.momentum, "no such option for 'adamw'; only 'sgd' has one");
  }
  const seed = checkSeed('training.seed', given.seed);
  const complete: CompleteTraining = {
    optimizer,
    learningRate: checkPositive('training.learningRate', given.learningRate),
    warmupSteps: checkWhole('training.warmupSteps', given.warmupSteps ?? 0, 0),
    decay,
    totalSteps: checkTotalSteps(given.totalSteps, decay),
    finalLearningRateFraction: checkRange(
      'training.finalLearningRateFraction',
      given.finalLearningRateFraction ?? 0,
      0,
      1,
    ),
    weightDecay: checkNotNegative('training.weightDecay', given.weightDecay ?? 0),
    momentum: checkRange('training.momentum', given.momentum ?? 0, 0, 1, true),
    beta1: checkRange('training.beta1', given.beta1 ?? 0.9, 0, 1, true),
    beta2: checkRange('training.beta2', given.beta2 ?? 0.999, 0, 1, true),
    epsilon: checkPositive('training.epsilon', given.epsilon ?? 1e-8),
    inputGradientScale: checkNotNegative('training.inputGradientScale', given.inputGradientScale ?? 1),
    seed,
    initSeed: checkSeed('training.initSeed', given.initSeed ?? seed),
  };
  if (given.gradientClip !== undefined)
    complete.gradientClip = checkPositive('training.gradientClip', given.gradientClip);
  if (!wholeTable) complete.batchSize = checkWhole('training.batchSize', given.batchSize, 1);
  return complete;
}

function checkTotalSteps(totalSteps: number | undefined, decay: string): number {
  if (decay === 'cosine') return checkWhole('training.totalSteps', totalSteps, 1);
  return totalSteps === undefined ? 0 : checkWhole('training.totalSteps', totalSteps, 1);
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
