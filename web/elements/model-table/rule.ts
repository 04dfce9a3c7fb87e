import { RULE_THRESHOLDS, ruleOfThumb } from '../../core/accounting/rule-of-thumb.js';
import type { TyingAdvice } from '../../core/accounting/types.js';
import { isTied, type ModelRow } from './model-rows.js';

/** The chart's vertical axis: what tying saves or would save, or the quantity of the rule of thumb. */
export const chartAxes = ['rule', 'saved'] as const;
export type ChartAxis = (typeof chartAxes)[number];

/** The rule of thumb compared with the published choice. */
export interface RuleOfRow {
  /** One table / (12 d² L + two tables). */
  readonly share: number;
  readonly says: TyingAdvice['rule']['says'];
  /** Null if the rule leaves the choice open, or the model has layers of other kinds than the rule counts. */
  readonly agrees: boolean | null;
}

export const thresholds = RULE_THRESHOLDS;

export function ruleOf(row: ModelRow): RuleOfRow {
  const { architecture } = row.model;
  const { share, says } = ruleOfThumb(architecture);
  const isOpen = says === 'optional' || architecture.family === 'listed';
  return { share, says, agrees: isOpen ? null : (says === 'tie') === isTied(row) };
}

/** Models on which the rule and the published choice disagree. */
export function ruleMisses(rows: readonly ModelRow[]): { untied: ModelRow[]; tied: ModelRow[] } {
  const judged = rows.map((row) => ({ row, rule: ruleOf(row) })).sort((a, b) => b.rule.share - a.rule.share);
  const wrong = (says: RuleOfRow['says']): ModelRow[] =>
    judged.filter(({ rule }) => rule.says === says && rule.agrees === false).map(({ row }) => row);
  // The clearest disagreements first: the largest fraction that is untied, the smallest that is tied.
  return { untied: wrong('tie'), tied: wrong('do-not-tie').reverse() };
}
