import { MODEL_DEFAULTS } from '../../core/generated/fields.js';
import type { TokenizerKind } from '../../core/text/types.js';
import type { Tying } from '../../core/model/types.js';
import {
  choice,
  custom,
  flag,
  number,
  seed,
  segments,
  type Problem,
  type Setting,
  type Settings,
  type Values,
  type ValuesOf,
} from '../shared/settings/setting.js';
import { initialValues, refusedValues } from '../shared/settings/with-settings.js';

/** The order in which models are offered and drawn. */
export const allArms: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-mlp'];

/** A byte-level vocabulary contains the 256 bytes before its first merge. */
const smallestBytePairVocabulary = 256;
// Each copy of a table of 2,048 tokens takes 16 MB.
export const largestVocabulary = 2048;
export const mostSteps = 100_000;

/** An integer that is always in the link. */
export const whole = (min: number | ((values: Values) => number), max: number) =>
  ({ min, max, whole: true, link: 'always' }) as const;

/** "tied untied" <-> ['tied', 'untied']; commas are also accepted. */
export const armsSetting = <Arm extends string>(
  initial: readonly Arm[],
  known: readonly Arm[],
): Setting<readonly Arm[]> =>
  custom<readonly Arm[]>(initial, {
    link: 'always',
    read: (text) => text.split(/[\s,]+/).filter((name) => name !== '') as Arm[],
    write: (arms) => arms.join(' '),
    accepts: (arms) => {
      if (!Array.isArray(arms)) return false;
      const unknown: unknown = arms.find((arm) => !known.includes(arm as Arm));
      if (unknown !== undefined) return { kind: 'unknown', value: unknown };
      return arms.length > 0 || { kind: 'none-chosen' };
    },
    expected: 'models',
  });

/** Settings of both kinds of model; defaults and step sizes differ. */
export const shared = {
  tokenizer: (initial: TokenizerKind) =>
    choice<TokenizerKind, TokenizerKind>(['character', 'word', 'bpe'], {
      initial,
      link: 'always',
      label: 'tokenizer',
      // Not for a chain, which already consists of tokens.
      shown: ({ textSource }) => textSource !== 'markov-chain',
      control: { as: 'segmented', names: 'tokenizers', offered: () => ['word', 'character', 'bpe'] },
    }),
  /** The maximum number of tokens, for words and byte pairs; characters are not limited. */
  vocabSize: (initial: number, step: number, most: number) =>
    number(initial, {
      ...whole(({ tokenizer }) => (tokenizer === 'bpe' ? smallestBytePairVocabulary : 2), most),
      label: 'vocabSize',
      control: { step, atEnd: true },
      // Not for characters, whose number is not limited, or for a chain, whose tokens are its states.
      shown: ({ tokenizer, textSource }) => tokenizer !== 'character' && textSource !== 'markov-chain',
    }),
  seed: seed({ label: 'seed', control: { atEnd: true } }),
  learningRate: (initial: number, step: number) =>
    number(initial, {
      min: 0.000001,
      max: 10,
      link: 'always',
      label: 'learningRate',
      // Typed values are rounded to the decimals shown.
      control: { step, decimals: (rate) => (rate < 0.0001 ? 6 : 4), atEnd: true },
    }),
  /** The step at which play stops and the learning rate's cosine ends. */
  steps: (initial: number, step: number) =>
    number(initial, { ...whole(1, mostSteps), label: 'steps', control: { step, atEnd: true } }),
};

/** Pairs of tokens per step. */
export const pairs = number(256, {
  ...whole(1, 65_536),
  label: 'noLabel',
  control: { step: 32, atEnd: true },
  shown: ({ batchSize }) => batchSize !== 'whole-table',
});

/** The settings of a run of direct paths. Equal settings on the same text give the same curves, bit for bit. */
export const directPathSettings = {
  tokenizer: shared.tokenizer('word'),
  vocabSize: shared.vocabSize(500, 50, largestVocabulary),
  dModel: number(32, { ...whole(1, 256), label: 'dModel', control: { atEnd: true } }),
  /** The models that train together, in the order in which they are drawn. */
  arms: armsSetting(allArms, allArms),
  seed: shared.seed,
  learningRate: shared.learningRate(0.05, 0.005),
  /** Pairs of tokens per step, or the exact expected loss over all pairs of the text at once. */
  batchSize: {
    ...custom<number | 'whole-table'>('whole-table', {
      link: 'always',
      read: (text) => (text === 'whole-table' ? text : Number(text)),
      write: String,
      accepts: (size, values) => size === 'whole-table' || (pairs.problem(size, values) ?? true),
      expected: 'batchSize',
    }),
    control: pairs.control,
  },
  optimizer: segments(['adamw', 'sgd'], 'optimizer', 'optimizers', { link: 'always' }),
  outputBias: flag(MODEL_DEFAULTS.outputBias, { label: 'outputBias' }),
  steps: shared.steps(500, 100),
};

/** All settings that affect a run. */
export type LabSettings = ValuesOf<typeof directPathSettings>;
export const defaultSettings: Readonly<LabSettings> = initialValues(directPathSettings);

export interface SettingProblem extends Problem {
  readonly setting: string;
  readonly value: unknown;
}

export const problemsOf = (declared: Settings, settings: object): SettingProblem[] =>
  refusedValues(declared, settings as Values).map(({ name, value, problem }) => ({ ...problem, setting: name, value }));

/** The problems of `settings`; empty if they are valid. */
export const settingProblems = (settings: LabSettings): SettingProblem[] => problemsOf(directPathSettings, settings);
