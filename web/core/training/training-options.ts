/** Checks and defaults of training options. The completed options are valid input. */
import { invalidArgument } from '../runtime/errors.js';
import { filledIn, TRAINING_DEFAULTS } from '../model/option-defaults.js';
import type { FactorSchedule, TrainingConfig } from '../types.js';
import {
  checkAbsent,
  checkBoolean,
  checkChoice,
  checkNotNegative,
  checkOptions,
  checkPositive,
  checkRange,
  checkSeed,
  checkInteger,
  LARGEST_RATE,
  readList,
} from '../runtime/validate.js';

export const OPTIMIZERS = ['adamw', 'sgd', 'coupled-adamw'] as const;
export const DECAYS = ['constant', 'cosine'] as const;
/** Roles of parameters, in the order of their multipliers in the core. */
export const ROLES = ['embedding', 'unembedding', 'inner'] as const;

export const TRAINING_OPTIONS = [
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
  'gradientAccumulation',
  'inputGradientScale',
  'learningRateMultipliers',
  'decayEmbeddings',
  'labelSmoothing',
  'temperature',
  'seed',
  'initSeed',
] as const satisfies readonly (keyof TrainingConfig)[];

/** Completed options; those that do not apply, or change nothing, are absent. */
type Sometimes =
  | 'labelSmoothing'
  | 'temperature'
  | 'totalSteps'
  | 'gradientClip'
  | 'momentum'
  | 'beta1'
  | 'beta2'
  | 'epsilon'
  | 'batchSize'
  | 'gradientAccumulation';
export type CompleteTraining = Required<Omit<TrainingConfig, Sometimes | 'learningRateMultipliers'>> &
  Pick<TrainingConfig, Sometimes> & { learningRateMultipliers: Record<(typeof ROLES)[number], FactorSchedule> };

// Limits of the core, defined in training/training_config.
const LARGEST_BATCH = 2 ** 22;
const SMALLEST_EPSILON = 1e-30;
export const MAX_POINTS = 16;

/** `wholeTable`: every step trains on all bigram counts, without batches. */
export function completeTraining(training: TrainingConfig, wholeTable: boolean): CompleteTraining {
  const given = checkOptions('training', training, TRAINING_OPTIONS);
  const filled = filledIn(given, TRAINING_DEFAULTS);
  const { seed, initSeed = seed } = given;
  const complete: CompleteTraining = {
    optimizer: checkChoice('training.optimizer', filled.optimizer, OPTIMIZERS),
    learningRate: checkPositive('training.learningRate', given.learningRate, LARGEST_RATE),
    warmupSteps: checkInteger('training.warmupSteps', filled.warmupSteps, 0),
    decay: checkChoice('training.decay', filled.decay, DECAYS),
    finalLearningRateFraction: checkRange('training.finalLearningRateFraction', filled.finalLearningRateFraction, 0, 1),
    weightDecay: checkNotNegative('training.weightDecay', filled.weightDecay, LARGEST_RATE),
    inputGradientScale: checkSchedule('training.inputGradientScale', filled.inputGradientScale),
    learningRateMultipliers: checkMultipliers(filled.learningRateMultipliers),
    decayEmbeddings: checkBoolean('training.decayEmbeddings', filled.decayEmbeddings),
    seed: checkSeed('training.seed', seed),
    initSeed: checkSeed('training.initSeed', initSeed),
  };
  if (complete.decay === 'cosine' || given.totalSteps !== undefined) {
    complete.totalSteps = checkInteger('training.totalSteps', given.totalSteps, 1);
  }
  if (given.gradientClip !== undefined) {
    complete.gradientClip = checkPositive('training.gradientClip', given.gradientClip, LARGEST_RATE);
  }
  if (given.labelSmoothing !== undefined) {
    const share = checkRange('training.labelSmoothing', given.labelSmoothing, 0, 1, true);
    if (share !== 0) complete.labelSmoothing = share;
  }
  if (given.temperature !== undefined) {
    const temperature = checkRange('training.temperature', given.temperature, 1e-3, 1e3);
    if (temperature !== 1) complete.temperature = temperature;
  }
  // Batch sizes have no effect here, but an invalid one is still an error.
  const { batchSize, gradientAccumulation } = filled;
  const sizes: Pick<CompleteTraining, 'batchSize' | 'gradientAccumulation'> = {};
  if (!wholeTable || batchSize !== undefined) {
    sizes.batchSize = checkInteger('training.batchSize', batchSize, 1, LARGEST_BATCH);
  }
  sizes.gradientAccumulation = checkInteger('training.gradientAccumulation', gradientAccumulation, 1, LARGEST_BATCH);
  if (!wholeTable) Object.assign(complete, sizes);
  completeOptimizer(complete, given);
  return complete;
}

function checkSchedule(name: string, schedule: unknown): FactorSchedule {
  if (typeof schedule !== 'object' || schedule === null) return checkNotNegative(name, schedule, LARGEST_RATE);
  const points = readList(schedule, 1, MAX_POINTS);
  if (!points) throw invalidArgument(name, schedule, `a number, or 1 to ${MAX_POINTS} pairs [step, value]`);
  let last = -1;
  return points.map((point, i) => {
    const pair = readList(point, 2, 2);
    if (!pair) throw invalidArgument(`${name}[${i}]`, point, 'a pair [step, value]');
    const step = checkInteger(`${name}[${i}][0]`, pair[0], 0);
    const value = checkNotNegative(`${name}[${i}][1]`, pair[1], LARGEST_RATE);
    if (step <= last) throw invalidArgument(`${name}[${i}][0]`, step, `a step after the one before it, ${last}`);
    last = step;
    return [step, value] as const;
  });
}

function checkMultipliers(multipliers: unknown): CompleteTraining['learningRateMultipliers'] {
  const name = 'training.learningRateMultipliers';
  const given = checkOptions(name, multipliers as NonNullable<TrainingConfig['learningRateMultipliers']>, ROLES);
  const filled = filledIn(given, TRAINING_DEFAULTS.learningRateMultipliers);
  const checked = (role: (typeof ROLES)[number]): FactorSchedule => checkSchedule(`${name}.${role}`, filled[role]);
  return { embedding: checked('embedding'), unembedding: checked('unembedding'), inner: checked('inner') };
}

/** Each optimizer has its own options; options of the other are refused. */
function completeOptimizer(complete: CompleteTraining, given: TrainingConfig): void {
  const { momentum, beta1, beta2, epsilon } = filledIn(given, TRAINING_DEFAULTS);
  if (complete.optimizer === 'sgd') {
    complete.momentum = checkRange('training.momentum', momentum, 0, 1, true);
    for (const name of ['beta1', 'beta2', 'epsilon'] as const) {
      checkAbsent(`training.${name}`, given[name], "an optimizer 'adamw' or 'coupled-adamw'");
    }
  } else {
    complete.beta1 = checkRange('training.beta1', beta1, 0, 1, true);
    complete.beta2 = checkRange('training.beta2', beta2, 0, 1, true);
    complete.epsilon = checkRange('training.epsilon', epsilon, SMALLEST_EPSILON, LARGEST_RATE);
    checkAbsent('training.momentum', given.momentum, "optimizer 'sgd'");
  }
}
