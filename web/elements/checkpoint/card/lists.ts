import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../charts/number-format.js';
import type { CardToken, IdentityCardData } from '../../../core/types.js';
import { dataTable, type Content } from '../../shared/figure.js';
import type { CardStrings } from './card.strings.js';
import { pairsPlot, profileOf, tokenInWords } from './charts.js';
import { levelsOf, measuredTables } from './levels.js';
import { profile } from './profile.js';

/** Sampled tokens whose neighbors are shown beside the drawings; the data has all. */
const shownNeighbors = 8;

const cosine = (value: number): string => formatNumber(value, { decimals: 2 });

/** The token as the file spells it, never as markup. */
const chip = (token: CardToken, texts: CardStrings): TemplateResult =>
  html`<code title=${texts.unnamed(formatWhole(token.id))}>${tokenInWords(token, texts)}</code>`;

/** Tokens that the reader has `named` come first. */
export function neighborsTable(
  { neighbors, neighborsNull }: IdentityCardData,
  named: ReadonlySet<number>,
  texts: CardStrings,
): Content {
  if (neighbors.length === 0) return nothing;
  const first = neighbors.filter(({ token }) => named.has(token.id));
  const others = neighbors.filter(({ token }) => !named.has(token.id));
  const step = Math.max(1, Math.floor(others.length / shownNeighbors));
  const some = [...first, ...others.filter((_, at) => at % step === 0).slice(0, shownNeighbors)];
  return html`<div class="neighbors">
    ${dataTable({
      caption: texts.neighborsTitle(Number.isFinite(neighborsNull) ? cosine(neighborsNull) : '–'),
      head: [texts.token, texts.nearest],
      rows: some.map(({ token, nearest }) => [
        chip(token, texts),
        html`${nearest.map(
          ({ token: near, cosine: value }) =>
            html`<span class="near">${chip(near, texts)} <span class="cosine">${cosine(value)}</span></span> `,
        )}`,
      ]),
    })}
  </div>`;
}

/** Rows that are much shorter than most. */
export function shortLists(data: IdentityCardData, texts: CardStrings): Content {
  const tables = measuredTables(data);
  if (tables.every(([, { shortRows }]) => shortRows.count === 0)) return html`<p class="aside">${texts.shortNone}</p>`;
  return tables.map(
    ([
      role,
      {
        shortRows: { count, tokens },
      },
    ]) =>
      count === 0
        ? nothing
        : html`<p class="aside token-sample">
            ${texts.shortTitle(formatWhole(count), texts.shortTable[role])}
            ${tokens.map(({ token }) => html`${chip(token, texts)} `)}
          </p>`,
  );
}

/** The card as tables. */
export function cardData(data: IdentityCardData, texts: CardStrings): Content {
  const tables = measuredTables(data);
  const { oneWay, neighbors, text } = data;
  const number = (value: number): string => formatNumber(value);
  const numbers = profile(levelsOf(data, texts), texts, 0).table;
  const textRows =
    text === null
      ? []
      : [
          [texts.textLabel, number(text.loss), number(text.uniform)],
          ...(text.withNorm === null ? [] : [[texts.measures.folded, number(text.withNorm), number(text.uniform)]]),
        ];
  return html`
    ${dataTable({ ...numbers, rows: [...numbers.rows, ...textRows] })}
    ${tables.map(([role, { normBands }]) =>
      dataTable({
        caption: `${texts.normsData}: ${texts.tableNames[role]}`,
        head: [texts.ids, texts.least, texts.median, texts.greatest],
        rows: normBands.map(({ from, to, least, median, greatest }) => [
          to - from === 1 ? formatWhole(from) : `${formatWhole(from)} – ${formatWhole(to - 1)}`,
          ...[least, median, greatest].map(number),
        ]),
      }),
    )}
    ${dataTable({
      caption: texts.spectrumData,
      head: [texts.rank, ...tables.map(([role]) => texts.tableNames[role])],
      rows: profileOf(tables[0]![1]).map((_, at) => [
        formatWhole(at + 1),
        ...tables.map(([, table]) => number(profileOf(table)[at] ?? NaN)),
      ]),
    })}
    ${oneWay.length === 0 ? nothing : dataTable(pairsPlot(data, texts, 0).table)}
    ${
      neighbors.length === 0
        ? nothing
        : dataTable({
            caption: texts.neighborsData,
            head: [texts.token, texts.nearest],
            rows: neighbors.map(({ token, nearest }) => [
              tokenInWords(token, texts),
              nearest
                .map(({ token: near, cosine: value }) => `${tokenInWords(near, texts)} ${cosine(value)}`)
                .join(', '),
            ]),
          })
    }
    ${tables.map(
      ([
        role,
        {
          shortRows: { tokens },
        },
      ]) =>
        tokens.length === 0
          ? nothing
          : dataTable({
              caption: `${texts.shortData}: ${texts.tableNames[role]}`,
              head: [texts.token, texts.rowLength],
              rows: tokens.map(({ token, norm }) => [tokenInWords(token, texts), number(norm)]),
            }),
    )}
  `;
}
