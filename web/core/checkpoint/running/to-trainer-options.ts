/** The options of `toTrainer`, checked and copied before the first await. */
import type { ModelSettings, ToTrainerOptions } from '../types.js';
import { copyData } from '../../runtime/copy-data.js';
import { MODEL_FIELDS } from '../../generated/fields.js';
import {
  checkChoice,
  checkFunction,
  checkInteger,
  checkOptions,
  checkPositive,
  checkRange,
  checkSignal,
  checkTokenIds,
} from '../../runtime/validate.js';
import type { TrainingConfig } from '../../model/types.js';

const OPTIONS = ['model', 'training', 'tokenIds', 'validationTokenIds', 'tokenizer', 'onProgress', 'signal'] as const;
const SETTINGS = [
  'nHeads',
  'nKeyValueHeads',
  'contextLength',
  'normEpsilon',
  'rotaryBase',
  'feedForward',
  'dropout',
  'tying',
] as const;

export interface CheckedToTrainer {
  readonly model: ModelSettings;
  readonly training: TrainingConfig | undefined;
  readonly tokenIds: Uint32Array | undefined;
  readonly validationTokenIds: Uint32Array | undefined;
  readonly tokenizer: unknown;
  readonly onProgress: ((fraction: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

export function checkToTrainer(options: ToTrainerOptions<unknown> = {}): CheckedToTrainer {
  const given = checkOptions('options', options, OPTIONS);
  const { training, tokenIds, validationTokenIds, tokenizer, onProgress, signal } = given;
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return {
    model: checkSettings(given.model),
    training: copyData(training) as TrainingConfig | undefined,
    tokenIds: tokenIds && checkTokenIds('options.tokenIds', tokenIds, 2).slice(),
    validationTokenIds:
      validationTokenIds && checkTokenIds('options.validationTokenIds', validationTokenIds, 2).slice(),
    tokenizer,
    onProgress,
    signal,
  };
}

function checkSettings(settings: ModelSettings = {}): ModelSettings {
  const given = checkOptions('options.model', settings, SETTINGS);
  for (const setting of ['nHeads', 'nKeyValueHeads', 'contextLength'] as const)
    if (given[setting] !== undefined) checkInteger(`options.model.${setting}`, given[setting], 1, 2 ** 20);
  if (given.normEpsilon !== undefined) checkPositive('options.model.normEpsilon', given.normEpsilon, 1);
  if (given.rotaryBase !== undefined) checkRange('options.model.rotaryBase', given.rotaryBase, 1, 1e12);
  if (given.dropout !== undefined) checkRange('options.model.dropout', given.dropout, 0, 1, true);
  if (given.feedForward !== undefined)
    checkChoice('options.model.feedForward', given.feedForward, MODEL_FIELDS.feedForward.words);
  if (given.tying !== undefined) checkChoice('options.model.tying', given.tying, ['tied', 'untied'] as const);
  return { ...given };
}
