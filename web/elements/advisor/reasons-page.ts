import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { KnownModel, TyingAdvice, TyingReason } from '../../core/accounting/types.js';
import { formatCompact } from '../../charts/number-format.js';
import { percent } from '../../core/accounting/advice-sentences.js';
import type { TableCell } from '../shared/figure.js';
import { columnsTable } from '../shared/tables.js';
import type { AdvisorStrings } from './advisor.strings.js';
import { weight } from './balance.js';
import { isTied, type JudgedModel } from './practice.js';
import { shownNumbers, type ShownNumber } from './reason-numbers.js';

export interface PageOptions {
  readonly advice: TyingAdvice;
  readonly models: readonly KnownModel[];
  /** Null until the known models have been judged. */
  readonly judged: readonly JudgedModel[] | null;
  /** Heading level of the sides; reasons are one level below. */
  readonly headingLevel: number;
  readonly texts: AdvisorStrings;
}

/** Reasons that restate the saving in other units, folded below it. */
const retold: readonly TyingReason['kind'][] = ['depth', 'width', 'memory'];

/** Reasons grouped by side: the side of the verdict first, and decisive reasons first on each side. */
export function reasonsPage(options: PageOptions): TemplateResult {
  const { advice, headingLevel, texts } = options;
  const sides =
    advice.tie === false ? (['untied', 'tied', 'neither'] as const) : (['tied', 'untied', 'neither'] as const);
  return html`${sides.map((side) => {
    const reasons = advice.reasons.filter(({ favours, kind }) => favours === side && !retold.includes(kind));
    if (reasons.length === 0) return nothing;
    const ordered = [...reasons.filter(({ decisive }) => decisive), ...reasons.filter(({ decisive }) => !decisive)];
    return html`
      <section class="side side-${side}" aria-labelledby="side-${side}">
        <div class="side-title" id="side-${side}" role="heading" aria-level=${headingLevel}>${texts.sides[side]}</div>
        <div class="reasons">
          ${repeat(
            ordered,
            ({ kind }) => kind,
            (reason) => reasonEntry(reason, options),
          )}
        </div>
      </section>
    `;
  })}`;
}

function reasonEntry(reason: TyingReason, options: PageOptions): TemplateResult {
  const { advice, headingLevel, texts } = options;
  const again = reason.kind === 'saved-share' ? advice.reasons.filter(({ kind }) => retold.includes(kind)) : [];
  return html`
    <div class="reason" id="reason-${reason.kind}">
      <div class="reason-title" role="heading" aria-level=${headingLevel + 1}>
        ${texts.reasons[reason.kind]}<span class="weighs minor">${weight(reason, texts)}</span>
      </div>
      <p class="sentence">${texts.reason(reason)}</p>
      ${numbersOf(reason, options)}
      ${
        again.length === 0
          ? nothing
          : html`<details class="retold">
              <summary>${texts.retold}</summary>
              ${again.map(
                (one) => html`
                  <div class="reason again" id="reason-${one.kind}">
                    <p class="sentence">${texts.reason(one)}</p>
                    ${numberList(one, texts)}
                  </div>
                `,
              )}
            </details>`
      }
    </div>
  `;
}

const numberList = (reason: TyingReason, texts: AdvisorStrings): TemplateResult => html`
  <dl class="values">${shownNumbers(reason, texts).map(numberRow)}</dl>
`;

function numbersOf(reason: TyingReason, options: PageOptions): TemplateResult | typeof nothing {
  const { texts } = options;
  if (Object.keys(reason.numbers).length === 0) return nothing;
  const { models = [] } = reason;
  return html`<details>
    <summary>${models.length === 0 ? texts.showNumbers : texts.showModels}</summary>
    ${models.length === 0 ? nothing : nearest(models, options)} ${numberList(reason, texts)}
  </details>`;
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

/** The models that are nearest, with the sizes in which they are near. */
function nearest(ids: readonly string[], { models, judged, texts }: PageOptions): TemplateResult {
  const { nearestHead: head } = texts;
  const adviceOf = ({ id }: KnownModel): TyingAdvice | undefined =>
    judged?.find(({ model }) => model.id === id)?.advice;
  const untiedOf = (advice: TyingAdvice | undefined): number | undefined =>
    advice?.reasons.find(({ kind }) => kind === 'saved-share')?.numbers['untied'];
  const known = (value: number | undefined, written: (value: number) => string): TableCell =>
    value === undefined ? nothing : written(value);
  return columnsTable({
    look: 'numbers nearest',
    items: ids.flatMap((id) => models.filter((model) => model.id === id)),
    columns: [
      [head.model, ({ name }) => name],
      [head.size, (model) => known(untiedOf(adviceOf(model)), formatCompact)],
      [head.saved, (model) => known(adviceOf(model)?.embeddingShare, percent)],
      [
        head.made,
        (model) =>
          isTied(model) ? { content: texts.sharing, look: 'is-tied' } : { content: texts.apart, look: 'is-untied' },
      ],
    ],
  });
}
