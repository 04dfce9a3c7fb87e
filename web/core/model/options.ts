/**
 * Checks of options, here and in model-options.ts and training-options.ts; fields and their defaults are in
 * generated/fields.ts.
 * Completed options have every field that applies. Zero means "absent" if the core has no other use for it, as noted
 * at each.
 */
import { TiedError } from '../runtime/errors.js';
import { MODEL_FIELDS, SCHEDULES, TRAINING_FIELDS } from '../generated/fields.js';
import { ALPHABET } from '../generated/words.js';
import { namesInCore } from './option-codec.js';
import type { ModelConfig } from './types.js';
import type { TokenizerKind, TokenizerOptions } from '../text/types.js';
import { checkAbsent, checkChoice, checkOptions, checkInteger } from '../runtime/validate.js';

export const TOKENIZER_KINDS: readonly TokenizerKind[] = ['character', 'word', 'bpe'];

/** The caller's names of options in the core's errors. */
export const TRAINER_NAMES: Readonly<Record<string, string>> = {
  ...namesInCore('model', MODEL_FIELDS),
  ...namesInCore('training', { ...TRAINING_FIELDS, ...SCHEDULES }),
  ...Object.fromEntries(['tokenIds', 'validationTokenIds', 'bigramCounts'].map((name) => [name, `options.${name}`])),
  furtherChanges: 'model.tying',
};

/** The same for an encoder-decoder. */
export const PAIR_NAMES: Readonly<Record<string, string>> = {
  ...TRAINER_NAMES,
  nLayers: 'model.nDecoderLayers',
  pairs: 'options.pairs',
  validationPairs: 'options.validationPairs',
};

export interface CompleteTokenizer {
  kind: TokenizerKind;
  /** 0 = the kind's default. */
  vocabSize: number;
  alphabet: (typeof ALPHABET)[number];
}

export function completeTokenizer(options: TokenizerOptions, argument = 'options'): CompleteTokenizer {
  const given = checkOptions(argument, options, ['kind', 'vocabSize', 'alphabet']);
  const kind = checkChoice(`${argument}.kind`, given.kind, TOKENIZER_KINDS);
  if (kind !== 'bpe') checkAbsent(`${argument}.alphabet`, given.alphabet, "kind 'bpe'");
  const { alphabet: chosen = 'bytes' } = given;
  const alphabet = checkChoice(`${argument}.alphabet`, chosen, ALPHABET);
  const smallest = kind === 'bpe' && alphabet === 'bytes' ? 256 : 2;
  const vocabSize =
    given.vocabSize === undefined ? 0 : checkInteger(`${argument}.vocabSize`, given.vocabSize, smallest);
  return { kind, vocabSize, alphabet };
}

/** `from` and `to` of verbs that take token ids: each id below the vocabulary size. */
export function checkIdsBelow(argument: string, ids: Uint32Array, vocabSize: number): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (id >= vocabSize) {
      throw new TiedError('invalid-argument', `${argument}[${i}] is ${id}; expected a token id below ${vocabSize}`);
    }
  }
}

/** Refuses a model that predicts hidden tokens. */
export function checkPredictsNext({ objective = 'next-token' }: Pick<ModelConfig, 'objective'>): void {
  if (objective === 'next-token') return;
  throw new TiedError(
    'unsupported',
    `model.objective is '${objective}'; expected 'next-token': this needs a model that predicts what follows`,
  );
}

/** The same, and a model that reads pairs. */
export function checkContinues(model: ModelConfig): void {
  checkPredictsNext(model);
  if (model.kind !== 'encoder-decoder') return;
  throw new TiedError('unsupported', `the model is of kind '${model.kind}'; expected one that continues a text`);
}

/** The index of a layer of the model, 0 the first. */
export function checkLayer(argument: string, value: unknown, { kind, nLayers = 0 }: ModelConfig): number {
  if (kind === 'transformer') return checkInteger(argument, value, 0, nLayers - 1);
  throw new TiedError(
    'unsupported',
    `the model is of kind '${kind}'; expected 'transformer': ${argument} is the index of a layer`,
  );
}
