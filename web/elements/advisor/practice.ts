import { html, nothing, type TemplateResult } from 'lit';
import type { KnownModel, TyingAdvice } from '../../core/accounting/types.js';
import { chosenPercent, inFull, percent } from '../../core/accounting/advice-sentences.js';
import { RULE_THRESHOLDS } from '../../core/accounting/rule-of-thumb.js';
import type { LabAccounting } from '../shared/architecture/architecture-element.js';
import { dataTable } from '../shared/figure.js';
import { oncePer } from '../shared/once-per.js';
import type { AdvisorStrings } from './advisor.strings.js';

/** A known model with the verdicts of the rule of thumb and of the reasons. */
export interface JudgedModel {
  readonly model: KnownModel;
  readonly advice: TyingAdvice;
}

/** Whether the output shares a table with an input. */
export const isTied = ({ tying }: KnownModel): boolean => tying !== 'untied' && tying !== 'tied-inputs';

/** Judges every known model. */
export const judgeModels = oncePer(async (lab: LabAccounting): Promise<readonly JudgedModel[]> => {
  const models = await lab.knownModels();
  return Promise.all(models.map(async (model) => ({ model, advice: await lab.adviseTying(model.architecture) })));
});

/** Tie, do not tie, or neither. */
type Word = boolean | null;

const ruleWord = ({ rule }: TyingAdvice): Word => (rule.says === 'optional' ? null : rule.says === 'tie');

interface Verdicts {
  readonly head: string;
  readonly open: string;
  readonly word: (advice: TyingAdvice) => Word;
}

/** The rule of thumb: its verdict here, and how it and the reasons compare with published choices. */
export function practice(options: {
  advice: TyingAdvice;
  judged: readonly JudgedModel[] | null;
  headingLevel: number;
  texts: AdvisorStrings;
}): TemplateResult {
  const { advice, judged, headingLevel, texts } = options;
  const { rule, tie } = advice;
  const shares = [
    percent(rule.share),
    chosenPercent(RULE_THRESHOLDS.tie),
    chosenPercent(RULE_THRESHOLDS.doNotTie),
  ] as const;
  const agrees =
    rule.says === 'optional'
      ? null
      : tie === null
        ? texts.ruleAlone
        : rule.agrees
          ? texts.ruleAgrees
          : texts.ruleDiffers;
  return html`
    <section class="practice" aria-labelledby="rule-title">
      <div class="side-title" id="rule-title" role="heading" aria-level=${headingLevel}>${texts.ruleTitle}</div>
      <p class="rule">${texts.rule(...shares)} ${texts.ruleHere[rule.says]} ${agrees ?? nothing}</p>
      ${
        judged === null
          ? html`<p class="rule waiting">${texts.judging}</p>`
          : html`<details>
              <summary>${texts.practiceTitle}</summary>
              <p class="rule">${texts.practice(inFull(judged.length))}</p>
              <div class="confusions">
                ${confusion(judged, { head: texts.ruleColumn, open: texts.saysOpen.rule, word: ruleWord }, texts)}
                ${confusion(judged, { head: texts.adviceColumn, open: texts.saysOpen.advice, word: ({ tie: word }) => word }, texts)}
              </div>
            </details>`
      }
    </section>
  `;
}

function confusion(
  judged: readonly JudgedModel[],
  { head, open, word }: Verdicts,
  texts: AdvisorStrings,
): TemplateResult {
  const of = (said: Word, tied: boolean): readonly JudgedModel[] =>
    judged.filter(({ model, advice }) => word(advice) === said && isTied(model) === tied);
  const rows: readonly [word: Word, name: string][] = [
    [true, texts.saysTie],
    [null, open],
    [false, texts.saysApart],
  ];
  const against = [...of(true, false), ...of(false, true)].map(({ model }) => model.name);
  return html`
    <div class="confusion">
      ${dataTable({
        look: 'numbers',
        head: [
          head,
          { content: texts.makers.tied, look: 'is-tied' },
          { content: texts.makers.untied, look: 'is-untied' },
        ],
        rows: rows.map(([said, name]) => [
          name,
          ...[true, false].map((tied) => ({
            content: inFull(of(said, tied).length),
            look: said === null ? 'open' : said === tied ? 'agrees' : 'differs',
          })),
        ]),
      })}
      <p class="aside">${against.length === 0 ? texts.noneAgainst : texts.against(against.join(', '))}</p>
    </div>
  `;
}
