/**
 * A tutorial's one-line rule (Brenndoerfer, "Weight tying: sharing embeddings between input and output"), for
 * comparison: tie if one table is more than 15% of an estimate of the untied model; do not below 5%. Real models do not
 * follow it; its test shows where.
 */
import type { Architecture } from './types.js';
import { completeArchitecture } from './architecture-options.js';

/** Fractions above `tie` say tie, fractions up to `doNotTie` say do not tie, between them the rule leaves it open. */
export const RULE_THRESHOLDS = { doNotTie: 0.05, tie: 0.15 } as const;

type RuleWord = 'tie' | 'optional' | 'do-not-tie';

interface RuleVerdict {
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
