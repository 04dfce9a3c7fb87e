/** Each metric at one point of the grid: dots by seed, paired differences, and lines over steps, layers or bands. */
import { html, nothing, type TemplateResult } from 'lit';
import { formatWhole } from '../../../charts/number-format.js';
import { dataTable } from '../../shared/figure.js';
import { valuesDrawing } from '../claim-drawing.js';
import { roleOfValue } from '../roles.js';
import { columnsOf, endsInWords, intervalInWords, listOf, valuesInWords } from '../value-words.js';
import { claimAnchor } from './claims-part.js';
import type { Measured, MeasuredLines } from './measured.js';
import { disclosed, numberOf, numbersBySeed, section, type Shown } from './report-parts.js';

export function metricsPart(
  context: Shown,
  measured: readonly Measured[],
  chooser: TemplateResult | null,
): TemplateResult {
  const { words } = context;
  return section(
    'metrics',
    words.metricsTitle,
    html`<p class="lead">${words.metricsNote}</p>
      ${chooser ?? nothing} ${measured.length === 0 ? html`<p>${words.noPoint}</p>` : nothing}
      <div class="metrics">${measured.map((one) => metricPart(context, one))}</div>`,
  );
}

function metricPart(context: Shown, measured: Measured): TemplateResult {
  const { words } = context;
  const { name, unit, step, rows, lines } = measured;
  return html`
    <article class="metric" data-metric=${name}>
      <h3>${name.split(/(?=[.(])/).map((part) => html`${part}<wbr />`)}</h3>
      <p class="part-title">${words.atStep(formatWhole(step), unit)}</p>
      ${rows.length === 0 ? nothing : dots(context, measured)}
      ${lines === null ? nothing : linesChart(context, name, lines)} ${claimsAbout(context, measured)}
    </article>
  `;
}

function dots(context: Shown, { name, rows, differences }: Measured): TemplateResult {
  const { texts, words, roles, width } = context;
  const saidDifferences = differences.map(
    ({ name: pair, difference }) =>
      `${words.differenceName(pair)}: ${listOf(difference.values)}; ${intervalInWords(texts, difference)}.`,
  );
  return html`
    <div class="claim">
      ${valuesDrawing({
        texts,
        width,
        label: words.drawingLabel(`${name}. ${valuesInWords(texts, rows)}`, saidDifferences.join(' ')),
        values: rows.map((row) => ({ ...row, role: roleOfValue(`(${row.name})`, roles) })),
        differences,
      })}
      ${rows.every(({ chance }) => chance === null) ? html`<p class="minor">${words.noChance}</p>` : nothing}
    </div>
    ${numbersBySeed(context, columnsOf(texts, rows), differences)}
  `;
}

function linesChart({ texts, words }: Shown, name: string, { over, series, levels }: MeasuredLines): TemplateResult {
  const arms = series.filter(({ role }) => role !== 'chance');
  return html`
    <div class="lines">
      <p class="part-title">
        ${words.overTitles[over]}. ${words.linesNote}
        ${over === 'band' && series.some(({ x }) => x[0] === 0) ? words.neverOccurs : nothing}
      </p>
      <tied-line-chart
        .series=${series.map((one) => (one.role === 'chance' ? { ...one, label: words.chanceOf(one.label) } : one))}
        .references=${levels.map(({ name: of, value }) => ({ id: of, label: words.chanceOf(of), value }))}
        .label=${words.linesLabel(name, endsInWords(texts, arms))}
        .xTitle=${words.overAxes[over]}
        .xName=${words.overNames[over]}
        .xKind=${over === 'band' ? 'log' : 'linear'}
        .height=${240}
      ></tied-line-chart>
    </div>
    ${over === 'step' ? nothing : linesTable(words, over, series)}
  `;
}

/** For layers and bands, which are few. Values by step are in the file of all numbers. */
const linesTable = (words: Shown['words'], over: 'layer' | 'band', series: MeasuredLines['series']): TemplateResult =>
  disclosed(
    words.numbersBy[over],
    dataTable({
      look: 'numbers',
      head: [
        words.overNames[over],
        ...series.map(({ label, role }) => (role === 'chance' ? words.chanceOf(label) : label)),
      ],
      rows: Array.from(series[0]?.x ?? [], (x, at) => [String(x), ...series.map(({ y }) => numberOf(y[at]))]),
    }),
  );

/** Claims about this value. */
function claimsAbout({ report, words }: Shown, { metric, part }: Measured): TemplateResult | typeof nothing {
  const names = (value: string): boolean =>
    value.startsWith(`${metric}(`) && value.slice(value.lastIndexOf(')') + 1) === (part === '' ? '' : `.${part}`);
  const about = report.claims.filter(({ points }) =>
    points.some(({ values }) => values.some(({ name }) => names(name))),
  );
  if (about.length === 0) return nothing;
  return html`
    <p class="minor">
      ${words.usedBy}
      ${about.map(
        ({ id, verdict }, at) =>
          html`${at === 0 ? '' : ', '}<a href="#${claimAnchor(id)}">${id}</a>: ${words.verdicts[verdict].toLowerCase()}`,
      )}
    </p>
  `;
}
