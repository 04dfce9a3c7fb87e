/** Models and training as the arrays of numbers that the core reads, and back. */
import { POINT, TYING_CHANGE } from '../generated/records.js';
import {
  ENCODER_DECODER_DEFAULTS,
  MODEL_DEFAULTS,
  MODEL_FIELDS,
  SCHEDULES,
  TRAINING_DEFAULTS,
  TRAINING_FIELDS,
} from '../generated/fields.js';
import { fieldNumbers, fieldValues, givenNumbers, nestedOptions, valueAt, type FlatOptions } from './option-codec.js';
import type { CompleteModel } from './model-options.js';
import type { Answer, Read } from '../runtime/answer.js';
import { pairTyingOf, pairTyingValues } from './pair-tying.js';
import type { CompleteTraining } from '../training/training-options.js';
import { furtherChanges, tyingOf, tyingValues, withLater } from './tying-options.js';
import type { FactorSchedule, PairTying, Tying, TyingSchedule } from './types.js';

const DEFAULTS = { ...MODEL_DEFAULTS, ...ENCODER_DECODER_DEFAULTS };

export function modelNumbers(model: CompleteModel): Float64Array {
  const pairs = model.kind === 'encoder-decoder';
  const tying = pairs ? pairTyingValues(model.tying as PairTying) : tyingValues(model.tying as Tying | TyingSchedule);
  const options = {
    ...model,
    ...tying,
    nLayers: pairs ? model.nDecoderLayers : model.nLayers,
    // 0 stands for this width, which may exceed the limit of an explicit one.
    dFeedForward: model.dFeedForward === 4 * model.dModel ? 0 : model.dFeedForward,
  };
  return Float64Array.from([
    ...fieldNumbers(MODEL_FIELDS, DEFAULTS, options),
    ...givenNumbers([TYING_CHANGE], pairs ? [] : furtherChanges(model.tying as Tying | TyingSchedule)),
  ]);
}

function scheduleNumbers(schedule: FactorSchedule): number[] {
  const points = typeof schedule === 'number' ? [[0, schedule] as const] : schedule;
  return givenNumbers(
    [POINT],
    points.map(([step, value]) => ({ step, value })),
  );
}

function nextSchedule(answer: Answer): FactorSchedule {
  const points = answer.read([POINT]);
  if (points.length === 1) return points[0]!.value;
  return Object.freeze(points.map(({ step, value }) => Object.freeze([step, value] as const)));
}

export function trainingNumbers(training: CompleteTraining): Float64Array {
  const { inputGradientScale, outputGradientScale = 1, learningRateMultipliers } = training;
  const schedules: FlatOptions = { inputGradientScale, outputGradientScale, learningRateMultipliers };
  return Float64Array.from([
    ...fieldNumbers(TRAINING_FIELDS, TRAINING_DEFAULTS, { ...training }),
    ...Object.keys(SCHEDULES).flatMap((path) => scheduleNumbers(valueAt(schedules, path) as FactorSchedule)),
  ]);
}

export interface TrainerFacts {
  model: CompleteModel;
  training: CompleteTraining;
  tokensPerStep: number;
}

/** The core's description of a trainer: complete, also for one loaded from a file. */
export function trainerFacts(answer: Answer): TrainerFacts {
  const values = fieldValues(MODEL_FIELDS, answer.next);
  const training = trainingOf(answer);
  const tokensPerStep = answer.read('number');
  return { model: modelOf(values, answer.read([TYING_CHANGE])), training, tokensPerStep };
}

function modelOf(values: FlatOptions, laterChanges: readonly Read<typeof TYING_CHANGE>[]): CompleteModel {
  const pairs = values['kind'] === 'encoder-decoder';
  const tying = pairs ? pairTyingOf(values) : withLater(tyingOf(values), laterChanges);
  const named = Object.entries(values)
    .filter(([path]) => !path.startsWith('tying.') && path !== 'encoderTable')
    .map(([path, value]) => [pairs && path === 'nLayers' ? 'nDecoderLayers' : path, value]);
  return nestedOptions({ ...Object.fromEntries(named), tying }) as unknown as CompleteModel;
}

function trainingOf(answer: Answer): CompleteTraining {
  const values = fieldValues(TRAINING_FIELDS, answer.next);
  for (const path of Object.keys(SCHEDULES)) values[path] = nextSchedule(answer);
  if (values['outputGradientScale'] === 1) delete values['outputGradientScale'];
  // Every step of a table of bigrams uses all of it.
  if (values['batchSize'] === undefined) delete values['gradientAccumulation'];
  return nestedOptions(values) as unknown as CompleteTraining;
}
