import type { SettingProblem } from './settings.js';

/** What is wrong with a setting of a run. */
export function settingProblem(name: string, { kind, value, limit }: SettingProblem): string {
  const [given, most] = [String(value), String(limit)];
  const sentences: Readonly<Record<string, string>> = {
    'not-a-number': `${name} needs a number.`,
    'not-whole': `${name} is ${given}; it needs an integer.`,
    'too-small': `${name} is ${given}; the smallest possible is ${most}.`,
    'too-large': `${name} is ${given}; the largest possible is ${most}.`,
    unknown: `${name} has no choice named “${given}”.`,
    'none-chosen': 'Choose at least one model.',
    'two-arms': 'Choose two different models to compare.',
    heads: `${given} heads do not divide the width, ${most}. Choose a number of heads that does.`,
    rank: `A rank of ${given} is larger than the width, ${most}. Choose a smaller one.`,
    late: `Untying after step ${given} lies beyond the ${most} planned steps. Choose an earlier step.`,
    early: `The step for tying again, ${given}, must come after the step for untying, ${most}.`,
    'tied-late': `Tying again after step ${given} lies beyond the ${most} planned steps. Choose an earlier step.`,
    'short-text': `A context of ${given} needs a text of more than ${given} tokens; this one has ${most} to train on.`,
  };
  return sentences[kind] ?? '';
}
