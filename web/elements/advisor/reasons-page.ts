import { html, nothing, type TemplateResult } from 'lit';
import type { KnownModel, TyingAdvice, TyingReason } from '../../core/accounting-types.js';
import { formatCompact } from '../../charts/number-format.js';
import { percent } from '../../core/advice-sentences.js';
import type { AdvisorStrings } from './advisor.strings.js';
import { weight } from './balance.js';
import { isTied, type JudgedModel } from './practice.js';
import { shownNumbers, type ShownNumber } from './reason-numbers.js';

export interface PageOptions {
  readonly advice: TyingAdvice;
  readonly models: readonly KnownModel[];
  /** Null until the known models have been asked about. */
  readonly judged: readonly JudgedModel[] | null;
  /** Of the headings of sides; reasons are one below. */
  readonly headingLevel: number;
  readonly texts: AdvisorStrings;
}

/** Reasons under what they favour, the side of the verdict first; the settling ones first; the saving told in other units after the saving. */
export function reasonsPage(options: PageOptions): TemplateResult {
  const { advice, headingLevel, texts } = options;
  const sides =
    advice.tie === false ? (['untied', 'tied', 'neither'] as const) : (['tied', 'untied', 'neither'] as const);
  return html`${sides.map((side) => {
    const reasons = advice.reasons.filter(({ favours }) => favours === side);
    if (reasons.length === 0) return nothing;
    const ordered = [...reasons.filter(({ decisive }) => decisive), ...reasons.filter(({ decisive }) => !decisive)];
    return html`
      <section class="side side-${side}" aria-labelledby="side-${side}">
        <div class="side-title" id="side-${side}" role="heading" aria-level=${headingLevel}>${texts.sides[side]}</div>
        ${ordered.map((reason) => reasonEntry(reason, options))}
      </section>
    `;
  })}`;
}

const retold: readonly TyingReason['kind'][] = ['depth', 'width', 'memory'];

function reasonEntry(reason: TyingReason, options: PageOptions): TemplateResult {
  const { headingLevel, texts } = options;
  const again = retold.includes(reason.kind);
  return html`
    <div class="reason ${again ? 'again' : ''}" id="reason-${reason.kind}">
      <div class="words">
        <div class="reason-title" role="heading" aria-level=${headingLevel + 1}>
          ${texts.reasons[reason.kind]}<span class="weighs">${again ? texts.sameFact : weight(reason, texts)}</span>
        </div>
        <p class="sentence">${texts.reason(reason)}</p>
        ${reason.models === undefined || reason.models.length === 0 ? nothing : nearest(reason.models, options)}
      </div>
      <dl class="numbers">${shownNumbers(reason, texts).map(numberRow)}</dl>
    </div>
  `;
}

const numberRow = ({ name, text, share }: ShownNumber): TemplateResult => html`
  <div class="number">
    <dt>${name}</dt>
    <dd>${text}</dd>
    ${
      share === null
        ? nothing
        : html`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" width="100" height="4"></rect>
            <rect class="part" width=${Math.min(100, share * 100)} height="4"></rect>
          </svg>`
    }
  </div>
`;

/** The models that were asked, with what they are near in. */
function nearest(ids: readonly string[], { models, judged, texts }: PageOptions): TemplateResult {
  const head = texts.nearestHead;
  return html`
    <table class="nearest">
      <thead>
        <tr>
          <th scope="col">${head.model}</th>
          <th scope="col">${head.size}</th>
          <th scope="col">${head.saved}</th>
          <th scope="col">${head.made}</th>
        </tr>
      </thead>
      <tbody>
        ${ids.map((id) => {
          const model = models.find((known) => known.id === id);
          if (model === undefined) return nothing;
          const advice = judged?.find((one) => one.model.id === id)?.advice;
          const untied = advice?.reasons.find(({ kind }) => kind === 'saved-share')?.numbers['untied'];
          const tied = isTied(model);
          return html`<tr>
            <th scope="row">${model.name}</th>
            <td>${untied === undefined ? nothing : formatCompact(untied)}</td>
            <td>${advice === undefined ? nothing : percent(advice.embeddingShare)}</td>
            <td class=${tied ? 'is-tied' : 'is-untied'}>${tied ? texts.sharing : texts.apart}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  `;
}
