import type { TokenizerKind, Tying } from '../../core/types.js';

/** Everything that decides how a run goes. Two equal settings on the same text give the same curves, bit for bit. */
export interface LabSettings {
  tokenizer: TokenizerKind;
  /** Most tokens wanted; for words and byte pairs. Characters are all taken. */
  vocabSize: number;
  dModel: number;
  /** Which models train side by side, in the order in which they are drawn. */
  arms: readonly Tying[];
  seed: number;
  learningRate: number;
  /** Pairs of tokens a step, or the exact expected loss over all pairs of the text at once. */
  batchSize: number | 'whole-table';
  optimizer: 'adamw' | 'sgd';
  outputBias: boolean;
  /** Where play stops and where the learning rate's cosine ends. */
  steps: number;
}

/** The order in which models are offered and drawn. */
export const allArms: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-mlp'];

export const defaultSettings: Readonly<LabSettings> = {
  tokenizer: 'word',
  vocabSize: 500,
  dModel: 32,
  arms: allArms,
  seed: 1,
  learningRate: 0.05,
  batchSize: 'whole-table',
  optimizer: 'adamw',
  outputBias: false,
  steps: 500,
};

/** Smallest and largest value of each number that a reader can set. A table of 2,048 tokens is 16 MB a copy. */
export const limits = {
  vocabSize: { min: 2, max: 2048 },
  dModel: { min: 1, max: 256 },
  seed: { min: 0, max: 4294967295 },
  learningRate: { min: 0.000001, max: 10 },
  batchSize: { min: 1, max: 65536 },
  steps: { min: 1, max: 100000 },
} as const;

export type NumberSetting = keyof typeof limits;

/** A byte-level vocabulary holds the 256 bytes before its first merge. */
export const smallestBytePairVocabulary = 256;

export interface SettingProblem {
  setting: keyof LabSettings;
  kind: 'not-a-number' | 'not-whole' | 'too-small' | 'too-large' | 'unknown' | 'none-chosen';
  value: unknown;
  /** The limit that was passed, where there is one. */
  limit?: number;
}

function numberProblem(setting: NumberSetting, value: unknown, smallest: number): SettingProblem | null {
  const { max } = limits[setting];
  if (typeof value !== 'number' || !Number.isFinite(value)) return { setting, kind: 'not-a-number', value };
  if (value < smallest) return { setting, kind: 'too-small', value, limit: smallest };
  if (value > max) return { setting, kind: 'too-large', value, limit: max };
  if (setting !== 'learningRate' && !Number.isInteger(value)) return { setting, kind: 'not-whole', value };
  return null;
}

/** All that is wrong with `settings`; empty when they can be run. */
export function settingProblems(settings: LabSettings): SettingProblem[] {
  const problems: (SettingProblem | null)[] = [];
  if (!['character', 'word', 'bpe'].includes(settings.tokenizer)) {
    problems.push({ setting: 'tokenizer', kind: 'unknown', value: settings.tokenizer });
  }
  if (!['adamw', 'sgd'].includes(settings.optimizer)) {
    problems.push({ setting: 'optimizer', kind: 'unknown', value: settings.optimizer });
  }
  for (const arm of settings.arms) {
    if (!allArms.includes(arm)) problems.push({ setting: 'arms', kind: 'unknown', value: arm });
  }
  if (settings.arms.length === 0) problems.push({ setting: 'arms', kind: 'none-chosen', value: '' });
  const smallestVocabulary = settings.tokenizer === 'bpe' ? smallestBytePairVocabulary : limits.vocabSize.min;
  problems.push(numberProblem('vocabSize', settings.vocabSize, smallestVocabulary));
  for (const setting of ['dModel', 'seed', 'learningRate', 'steps'] as const) {
    problems.push(numberProblem(setting, settings[setting], limits[setting].min));
  }
  if (settings.batchSize !== 'whole-table') {
    problems.push(numberProblem('batchSize', settings.batchSize, limits.batchSize.min));
  }
  return problems.filter((problem) => problem !== null);
}

/** True when going from one to the other changes the tokens, so that the text must be read anew. */
export function changesTokens(before: LabSettings, after: LabSettings): boolean {
  return before.tokenizer !== after.tokenizer || before.vocabSize !== after.vocabSize;
}

/** Arms in their fixed order, each once. */
export function orderArms(arms: readonly Tying[]): Tying[] {
  return allArms.filter((arm) => arms.includes(arm));
}
