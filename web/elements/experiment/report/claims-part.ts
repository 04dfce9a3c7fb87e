/** Each claim: its words, its criterion, the outcome and every seed. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ClaimOutcome } from '../../../core/types.js';
import { claimDrawing } from '../claim-drawing.js';
import { fieldsOf } from '../point-chooser.js';
import { criterionInWords } from '../plan-words.js';
import { columnsOf } from '../value-words.js';
import { capital } from '../../shared/in-words.js';
import { numbersBySeed, section, type Shown } from './report-parts.js';

export const claimAnchor = (id: string): string => `claim-${id}`;

export function claimsPart(shown: Shown): TemplateResult {
  const { words, report } = shown;
  const { claims } = report;
  return section(
    'claims',
    words.claimsTitle,
    html`<p class="lead">${claims.length === 0 ? words.noClaims : words.claimsNote}</p>
      ${claims.map((claim) => claimPart(shown, claim))}`,
  );
}

function claimPart(shown: Shown, outcome: ClaimOutcome): TemplateResult {
  const { texts, words, report, roles, width } = shown;
  const { id, says, verdict, because, points } = outcome;
  const claim = report.spec.claims?.find((one) => one.id === id);
  return html`
    <article class="claim-part" id=${claimAnchor(id)}>
      <p class="verdict is-${verdict}">${words.verdicts[verdict]}</p>
      <h3>${claim?.words ?? id}</h3>
      <dl class="facts">
        <dt>${words.saysLabel}</dt>
        <dd><code>${says}</code></dd>
        <dt>${words.criterionLabel}</dt>
        <dd>${criterionInWords(texts, outcome)}</dd>
        <dt>${words.outcomeLabel}</dt>
        <dd class="because">${capital(because.replaceAll(/(?<!\w)-(?=\d)/g, '−'))}.</dd>
      </dl>
      ${points.map((point) => {
        const { values, difference, seeds } = point;
        const at = fieldsOf(point.point);
        return html`
          <div class="point claim">
            ${at === '' ? nothing : html`<h4>${at}: ${words.verdicts[point.verdict].toLowerCase()}</h4>`}
            ${claimDrawing({ texts, point, roles, width })}
            ${numbersBySeed(shown, columnsOf(texts, values), [{ name: texts.dataDifference, seeds, difference }])}
          </div>
        `;
      })}
    </article>
  `;
}
