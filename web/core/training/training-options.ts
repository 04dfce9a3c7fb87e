/** Checks and defaults of training options. The completed options are valid input. */
import { invalidArgument } from '../runtime/errors.js';
import {
  MAX_SCHEDULE_POINTS,
  MUON_MOMENTUM,
  SCHEDULES,
  TRAINING_DEFAULTS,
  TRAINING_FIELDS,
} from '../generated/fields.js';
import {
  applies,
  checkField,
  optionNames,
  ownerOf,
  present,
  type Field,
  type FlatOptions,
} from '../model/option-codec.js';
import type { FactorSchedule, TrainingConfig } from '../model/types.js';
import {
  checkAbsent,
  checkInteger,
  checkNotNegative,
  checkOptions,
  checkSeed,
  LARGEST_RATE,
  readList,
} from '../runtime/validate.js';

/** A role of parameters whose rate has a schedule in the core. */
type Role = keyof {
  [Path in keyof typeof SCHEDULES as Path extends `learningRateMultipliers.${infer Name}` ? Name : never]: unknown;
};
export const TRAINING_OPTIONS = optionNames({
  ...TRAINING_FIELDS,
  ...SCHEDULES,
}) as readonly (keyof TrainingConfig)[];

const FACTORS: Readonly<Record<Role, FactorSchedule>> = { embedding: 1, unembedding: 1, inner: 1 };
const ROLES = Object.keys(FACTORS) as Role[];

/** Completed options; those that do not apply, or change nothing, are absent. */
type Sometimes =
  | 'labelSmoothing'
  | 'temperature'
  | 'totalSteps'
  | 'gradientClip'
  | 'momentum'
  | 'muonLearningRate'
  | 'muonScale'
  | 'beta1'
  | 'beta2'
  | 'epsilon'
  | 'batchSize'
  | 'gradientAccumulation'
  | 'shards'
  | 'outputGradientScale';
export type CompleteTraining = Required<Omit<TrainingConfig, Sometimes | 'learningRateMultipliers'>> &
  Pick<TrainingConfig, Sometimes> & { learningRateMultipliers: Record<Role, FactorSchedule> };

/** `wholeTable`: every step trains on all bigram counts, without batches. */
export function completeTraining(training: TrainingConfig, wholeTable: boolean): CompleteTraining {
  const given = checkOptions('training', training, TRAINING_OPTIONS);
  const options: FlatOptions = {
    ...TRAINING_DEFAULTS,
    ...(given.optimizer === 'muon' && { momentum: MUON_MOMENTUM }),
    learningRateMultipliers: FACTORS,
    ...present(given),
  };
  const { optimizer, decay, seed, initSeed = seed } = options;
  const values: FlatOptions = {};
  const isRequired = (name: string): boolean =>
    name === 'batchSize' ? !wholeTable : name === 'totalSteps' && decay === 'cosine';
  for (const [name, field] of Object.entries<Field>(TRAINING_FIELDS)) {
    const argument = `training.${name}`;
    if (!applies(field, { optimizer })) {
      checkAbsent(argument, given[name as keyof TrainingConfig], ownerOf(field));
    } else if (!name.endsWith('eed')) {
      if (options[name] === undefined && field.omitted !== undefined && !isRequired(name)) continue;
      const most = name === 'shards' ? mostShards(wholeTable ? 1 : (values['batchSize'] as number)) : undefined;
      const value = checkField(argument, options[name], field, most);
      if (value !== field.omitted) values[name] = value;
    }
  }
  // Batch sizes have no effect here, but an invalid one is still an error.
  if (wholeTable) {
    delete values['batchSize'];
    delete values['gradientAccumulation'];
  }
  const { outputGradientScale = 1 } = options;
  return {
    ...(values as unknown as CompleteTraining),
    inputGradientScale: checkSchedule('training.inputGradientScale', options['inputGradientScale']),
    ...(outputGradientScale !== 1 && {
      outputGradientScale: checkSchedule('training.outputGradientScale', outputGradientScale),
    }),
    learningRateMultipliers: checkMultipliers(options['learningRateMultipliers']),
    seed: checkSeed('training.seed', seed),
    initSeed: checkSeed('training.initSeed', initSeed),
  };
}

const mostShards = (batchSize: number): number => Math.min(batchSize, TRAINING_FIELDS.shards.whole[1]);

function checkSchedule(name: string, schedule: unknown): FactorSchedule {
  if (typeof schedule !== 'object' || schedule === null) return checkNotNegative(name, schedule, LARGEST_RATE);
  const points = readList(schedule, 1, MAX_SCHEDULE_POINTS);
  if (!points) throw invalidArgument(name, schedule, `a number, or 1 to ${MAX_SCHEDULE_POINTS} pairs [step, value]`);
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
  const filled = { ...FACTORS, ...present(given) };
  const checked = (role: Role): FactorSchedule => checkSchedule(`${name}.${role}`, filled[role]);
  return { embedding: checked('embedding'), unembedding: checked('unembedding'), inner: checked('inner') };
}
