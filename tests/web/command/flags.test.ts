// Every option of the package's verbs has a flag, with the same choices.
import { describe, expect, test } from 'vitest';
import { architectureOptions, batchOptions, contextOptions } from '../../../command/architecture-flags.mjs';
import { kebab } from '../../../command/declare.mjs';
import { flagsOf, optionsOf, type Option } from '../../../command/option-flags.mjs';
import { modelOptions, trainingOptions } from '../../../command/training-flags.mjs';
import * as architecture from '../../../web/core/accounting/architecture-options.js';
import { SIZED_FAMILIES } from '../../../web/core/accounting/model-families.js';
import { OPTIMIZER_NUMBERS } from '../../../web/core/accounting/count-compute.js';
import { PRECISION } from '../../../web/core/generated/words.js';
import {
  ARCHITECTURE_FIELDS,
  ENCODER_DECODER_DEFAULTS,
  MODEL_FIELDS as model,
  SCHEDULES,
  TRAINING_FIELDS as training,
} from '../../../web/core/generated/fields.js';
import { applies, type Fields } from '../../../web/core/model/option-codec.js';
import { MODEL_OPTIONS } from '../../../web/core/model/model-options.js';
import { TRAINING_OPTIONS } from '../../../web/core/training/training-options.js';

/** The choices among the fields of the core that a transformer and its training have. */
const wordsOf = (fields: Fields): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([path, field]) =>
      field.words && !path.includes('.') && applies(field, { kind: 'transformer', optimizer: 'muon' })
        ? [[path, field.words]]
        : [],
    ),
  );
const choicesOf = (options: Readonly<Record<string, Option>>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(options).flatMap(([name, { of }]) => (of === undefined ? [] : [[name, of]])));

describe('flags', () => {
  test('of an architecture match its options', () => {
    expect(Object.keys(architectureOptions).sort()).toEqual(
      architecture.ARCHITECTURE_OPTIONS.filter((name) => name !== 'tensors').sort(),
    );
    expect(choicesOf(architectureOptions)).toEqual({
      family: SIZED_FAMILIES,
      ...wordsOf(ARCHITECTURE_FIELDS),
    });
  });

  test('of training ask for at least one step, and let a warm-up have none', () => {
    expect(flagsOf(trainingOptions, 'Training')).toMatchObject({ steps: { least: 1 }, 'warmup-steps': { least: 0 } });
  });

  test('of a batch and of advice have the choices of their options', () => {
    expect(choicesOf(batchOptions)).toEqual({ precision: PRECISION, optimizer: Object.keys(OPTIMIZER_NUMBERS) });
    expect(Object.keys(contextOptions)).toEqual(['startsFrom', 'lossDifference', 'parameterBudget']);
  });

  test('of a model match its options, except for the vocabulary (from the tokenizer), and head and n-grams (objects, from a file)', () => {
    // The command trains on texts, which encoder-decoders do not.
    const ofPairs = [...Object.keys(ENCODER_DECODER_DEFAULTS), 'nDecoderLayers'];
    const flags = [...Object.keys(modelOptions), 'vocabSize', 'head', 'ngrams', ...ofPairs];
    expect(flags.sort()).toEqual([...MODEL_OPTIONS].sort());
    expect(choicesOf(modelOptions)).toEqual({
      ...wordsOf(model),
      kind: model.kind.words.filter((kind) => kind !== 'encoder-decoder'),
    });
  });

  test('of training match its options and the steps, except for rates by role (objects, from a file)', () => {
    expect([...Object.keys(trainingOptions), 'learningRateMultipliers'].sort()).toEqual(
      [...TRAINING_OPTIONS, 'steps'].sort(),
    );
    expect(choicesOf(trainingOptions)).toEqual(wordsOf(training));
  });

  test('take fractions where their options do, and only there', () => {
    const table: Fields = { ...ARCHITECTURE_FIELDS, ...model, ...training };
    const factors = Object.keys(SCHEDULES);
    const flags = { ...architectureOptions, ...batchOptions, ...contextOptions, ...modelOptions, ...trainingOptions };
    for (const [name, { of, kind = of === undefined ? 'integer' : 'text' }] of Object.entries<Option>(flags)) {
      const field = table[name];
      const expected = field?.real || factors.includes(name) ? 'number' : field?.whole ? 'integer' : kind;
      expect(kind, name).toBe(expected);
    }
  });

  test('convert back to the options, with words replaced by their values', () => {
    const options: Record<string, Option> = {
      finalNorm: { kind: 'boolean', summary: '' },
      dModel: { summary: '' },
      norm: { of: ['a', 'b'], summary: '' },
    };
    expect(Object.keys(flagsOf(options, 'Model'))).toEqual(['final-norm', 'd-model', 'norm']);
    expect(optionsOf(options, { 'final-norm': 'false', 'd-model': 3 })).toEqual({ finalNorm: false, dModel: 3 });
  });

  test('have names in kebab case', () => {
    expect(kebab('nKeyValueHeads')).toBe('n-key-value-heads');
  });
});
