/**
 * A tutorial's one-line rule (Brenndoerfer, "Weight tying: sharing embeddings between input and output"), for
 * comparison: tie if one table is more than 15% of an estimate of the untied model; do not below 5%. Real models do not
 * follow it; `ruleAgainstModels` shows where.
 */
import type { Architecture, KnownModel } from './types.js';
import { completeArchitecture } from './architecture-options.js';

/** Fractions above `tie` say tie, fractions up to `doNotTie` say do not tie, between them the rule leaves it open. */
export const RULE_THRESHOLDS = { doNotTie: 0.05, tie: 0.15 } as const;

export type RuleWord = 'tie' | 'optional' | 'do-not-tie';

export interface RuleVerdict {
  /** e / (12 d² L + 2 e), e = V d: one table as a fraction of the rule's estimate of the untied model. */
  share: number;
  says: RuleWord;
}

/** Applies the rule. L counts the layers of both stacks; every layer counts as 12 d², whatever it holds. */
export function ruleOfThumb(architecture: Architecture): RuleVerdict {
  const { vocabSize, dModel, nLayers, nEncoderLayers } = completeArchitecture(architecture);
  const table = vocabSize * dModel;
  const share = table / (12 * dModel * dModel * (nLayers + nEncoderLayers) + 2 * table);
  return { share, says: wordOf(share) };
}

function wordOf(share: number): RuleWord {
  if (share > RULE_THRESHOLDS.tie) return 'tie';
  return share > RULE_THRESHOLDS.doNotTie ? 'optional' : 'do-not-tie';
}

export interface RuleOnModel extends RuleVerdict {
  /** Id of the known model. */
  model: string;
  /** Whether the model's output shares its input's table. */
  tied: boolean;
  /** null: the rule leaves it open. */
  agrees: boolean | null;
}

export interface RuleAgainstModels {
  models: RuleOnModel[];
  /** Numbers of tied and untied models by what the rule says about them. */
  confusion: Record<RuleWord, { tied: number; untied: number }>;
}

/** Compares the rule with the choices of known models. */
export function ruleAgainstModels(models: readonly KnownModel[]): RuleAgainstModels {
  const confusion = {
    tie: { tied: 0, untied: 0 },
    optional: { tied: 0, untied: 0 },
    'do-not-tie': { tied: 0, untied: 0 },
  };
  const verdicts = models.map(({ id, architecture, tying }) => {
    const verdict = ruleOfThumb(architecture);
    const tied = tying !== 'untied' && tying !== 'tied-inputs';
    confusion[verdict.says][tied ? 'tied' : 'untied'] += 1;
    const agrees = verdict.says === 'optional' ? null : (verdict.says === 'tie') === tied;
    return { model: id, ...verdict, tied, agrees };
  });
  return { models: verdicts, confusion };
}
