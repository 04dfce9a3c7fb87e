/**
 * The one-line rule of a well-known tutorial (Brenndoerfer, "Weight tying: sharing embeddings between input and output"),
 * kept to compare: tie where one table is more than 15 % of an estimate of the untied model, not below 5 %. Real models
 * do not follow it; `ruleAgainstModels` says which.
 */
import type { Architecture, KnownModel } from './accounting-types.js';
import { completeArchitecture } from './architecture-options.js';

/** Shares above `tie` say tie, shares of `doNotTie` or less say do not, and what lies between is left open. */
export const RULE_THRESHOLDS = { doNotTie: 0.05, tie: 0.15 } as const;

export type RuleWord = 'tie' | 'optional' | 'do-not-tie';

export interface RuleVerdict {
  /** e / (12 d² L + 2 e), e = V d: one table as a share of the untied model, as the rule estimates it. */
  share: number;
  says: RuleWord;
}

/** What the rule says of a model. L counts the layers of both stacks; every layer counts as 12 d², whatever it holds. */
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
  /** Whether the model's output shares the table of its input. */
  tied: boolean;
  /** null: the rule leaves it open. */
  agrees: boolean | null;
}

export interface RuleAgainstModels {
  models: RuleOnModel[];
  /** How many models are tied, and how many not, among those of which the rule says the same. */
  confusion: Record<RuleWord, { tied: number; untied: number }>;
}

/** The rule beside what models do. */
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
