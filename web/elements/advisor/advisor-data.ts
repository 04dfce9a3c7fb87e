import { html, type TemplateResult } from 'lit';
import type { TyingAdvice } from '../../core/accounting/types.js';
import { inFull, percent } from '../../core/accounting/advice-sentences.js';
import { dataTable } from '../shared/figure.js';
import { columnsTable } from '../shared/tables.js';
import type { AdvisorStrings } from './advisor.strings.js';
import { weight } from './balance.js';
import { isTied, type JudgedModel } from './practice.js';
import { shownNumbers } from './reason-numbers.js';

/** Every reason with its numbers, and every known model with both verdicts. */
export function advisorData(
  advice: TyingAdvice,
  judged: readonly JudgedModel[] | null,
  texts: AdvisorStrings,
): TemplateResult {
  const { dataHead, modelsHead } = texts;
  const says = { tie: texts.saysTie, optional: texts.saysOpen.rule, 'do-not-tie': texts.saysApart };
  return html`
    ${dataTable({
      caption: texts.dataCaption,
      head: [dataHead.reason, dataHead.favours, dataHead.votes, dataHead.number, dataHead.value],
      rows: advice.reasons.flatMap((reason) =>
        shownNumbers(reason, texts).map(({ name, text }) => [
          texts.reasons[reason.kind],
          texts.sides[reason.favours],
          reason.decisive ? weight(reason, texts) : inFull(reason.votes),
          name,
          text,
        ]),
      ),
    })}
    ${
      judged === null
        ? ''
        : columnsTable({
            caption: texts.modelsCaption,
            items: judged,
            columns: [
              [modelsHead.model, ({ model }) => model.name],
              [modelsHead.made, ({ model }) => (isTied(model) ? texts.sharing : texts.apart)],
              [modelsHead.share, ({ advice: { embeddingShare } }) => percent(embeddingShare)],
              [modelsHead.rule, ({ advice: { rule } }) => says[rule.says]],
              [
                modelsHead.advice,
                ({ advice: { tie } }) => (tie === null ? texts.saysOpen.advice : tie ? says.tie : texts.saysApart),
              ],
            ],
          })
    }
  `;
}
