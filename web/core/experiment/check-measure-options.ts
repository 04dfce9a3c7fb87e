/** Checks the options of a measure, apart from when and where. Its verb checks the same, but only after the models have been trained. */
import { invalidArgument } from '../runtime/errors.js';
import type { AlignmentMethod } from '../types.js';
import {
  checkAbsent,
  checkBoolean,
  checkChoice,
  checkInteger,
  checkPositive,
  checkRange,
  checkSeed,
  LARGEST_RATE,
  readList,
} from '../runtime/validate.js';
import { LOST } from './lost-table.js';
import type { Options } from './metric-kinds.js';
import { PACKINGS } from './packed-tables.js';
import { LEAST_BITS, MOST_BITS } from './rounded-tables.js';

type Check = (argument: string, value: unknown, options: Options) => unknown;

const METHODS = ['identity', 'orthogonal', 'linear', 'ridge'] as const satisfies readonly AlignmentMethod[];
const MOST_STEPS = 1e6;
const MOST_LAYERS = 1000;

const integer =
  (least: number, most?: number): Check =>
  (argument, value) =>
    checkInteger(argument, value, least, most);
const choice =
  (...choices: readonly string[]): Check =>
  (argument, value) =>
    checkChoice(argument, value, choices);

/** Checks for all measures; what only the text determines, such as the number of rows, is left to the verb. */
const CHECKS: Readonly<Record<string, Check>> = {
  bins: integer(1, 1000),
  bits: integer(LEAST_BITS, MOST_BITS),
  center: checkBoolean,
  dimensions: integer(1),
  finalNorm: checkBoolean,
  holdOut: (argument, value) => checkRange(argument, value, 0, 1, true),
  k: integer(1),
  layers: checkLayers,
  lost: choice(...LOST),
  learningRate: (argument, value) => checkPositive(argument, value, LARGEST_RATE),
  method: choice(...METHODS),
  mlp0: checkBoolean,
  norm: choice('after', 'before'),
  nullRuns: integer(0, 1000),
  packing: choice(...PACKINGS),
  pairs: integer(1),
  penalty: (argument, value, { method }) => {
    if (method !== 'ridge') checkAbsent(argument, value, 'a ridge map');
    checkPositive(argument, value, LARGEST_RATE);
  },
  project: (argument, value, { center }) => {
    if (checkBoolean(argument, value) && center === false)
      throw invalidArgument(argument, value, 'false if center is false, because projected rows have no mean');
  },
  sample: integer(1),
  seed: checkSeed,
  similarity: choice('cosine', 'centered-cosine'),
  steps: integer(1, MOST_STEPS),
  targets: choice('predicted', 'next'),
  token: (argument, value) => (typeof value === 'string' ? value : checkInteger(argument, value, 0)),
  tokens: integer(2),
  tolerance: (argument, value) => checkPositive(argument, value, LARGEST_RATE),
  tokensPerStep: integer(1, MOST_STEPS),
};

/** Stricter checks of some measures. */
const OWN: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  'bigram-bounds': { nullRuns: integer(2, 1000) },
  'spectral-distance': { nullRuns: integer(0, 100) },
  'tied-floor': { steps: integer(1, 100_000), tolerance: (argument, value) => checkPositive(argument, value, 1000) },
};

/** Options without which nothing can be measured. */
const NEEDED: Readonly<Record<string, string>> = {
  'packed-loss': 'packing',
  'rounded-loss': 'bits',
  neighbors: 'token',
};

/** @param names - the options that the metric has */
export function checkMeasureOptions(
  argument: string,
  metric: string,
  names: readonly string[],
  options: Options,
): void {
  for (const name of names) {
    const value = options[name];
    if (value === undefined && NEEDED[metric] !== name) continue;
    const check = OWN[metric]?.[name] ?? CHECKS[name];
    check?.(`${argument}.${name}`, value, options);
  }
}

function checkLayers(argument: string, value: unknown): void {
  if (value === 'all') return;
  const list = Array.isArray(value) ? readList(value, 1, MOST_LAYERS) : [value];
  const isLayer = (one: unknown): boolean => Number.isInteger(one) && Number(one) >= 0 && Number(one) <= MOST_LAYERS;
  if (list?.every(isLayer) !== true)
    throw invalidArgument(argument, value, "'all', a layer from 0 on, or a list of these");
}
