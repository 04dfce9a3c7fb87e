import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { ModelTableStrings } from './model-table.strings.js';
import type { ModelRow } from './model-rows.js';
import { ruleOf } from './rule.js';
import { webLink } from '../shared/web-link.js';
import { percentText } from './columns.js';

/** The sources of a row's numbers, and how our count compares with the published one. */
export function rowDetails(row: ModelRow, texts: ModelTableStrings): TemplateResult {
  const { model } = row;
  const rule = ruleOf(row);
  const entries: [string, TemplateResult | string][] = [
    [texts.counted, countedText(row, texts)],
    [texts.publishedTotal, withLinks(publishedText(row, texts))],
    [texts.sizesSource, withLinks(model.sources.sizes)],
    ...(model.sources.tying === model.sources.sizes
      ? []
      : [[texts.tyingSource, withLinks(model.sources.tying)] satisfies [string, TemplateResult]]),
    [texts.rule, texts.ruleSays(percentText(rule.share), rule.says, rule.agrees)],
    ...(model.note === undefined ? [] : [[texts.noteName, withLinks(model.note)] satisfies [string, TemplateResult]]),
  ];
  return html`<dl class="details">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function countedText({ shares, total, tied, untied }: ModelRow, texts: ModelTableStrings): string {
  const stored = formatWhole(total);
  const shared = formatWhole(tied ?? 0);
  const apart = formatWhole(untied);
  if (tied === null) return texts.countedApart(stored);
  if (shares === 'all') return texts.countedTied(stored, apart);
  return shares === 'none' ? texts.countedUntied(stored, shared) : texts.countedBetween(stored, shared, apart);
}

export function publishedText({ model, total }: ModelRow, texts: ModelTableStrings): string {
  const { published } = model;
  if (published === null) return texts.notPublished;
  const difference = total / published.total - 1;
  const apart =
    difference === 0 ? texts.sameAsOurs : texts.apart(formatNumber(difference * 100, { significant: 2, plus: true }));
  return texts.publishedAs(formatWhole(published.total), apart, published.source);
}

/** Turns URLs within a source into links. */
function withLinks(text: string): TemplateResult {
  const parts = text.split(/(https?:\/\/[^\s,;)]*[^\s,;).])/);
  return html`${parts.map((part, at) =>
    part === ''
      ? nothing
      : at % 2 === 1
        ? html`<a href=${webLink(part) ?? nothing} rel="noopener">${part.replace(/^https?:\/\//, '')}</a>`
        : part,
  )}`;
}
