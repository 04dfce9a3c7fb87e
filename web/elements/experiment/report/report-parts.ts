/** What the parts of a report share. */
import { html, type TemplateResult } from 'lit';
import type { Summary } from '../../../core/types.js';
import { dataTable, type Content, type TableCell } from '../../shared/figure.js';
import type { ExperimentStrings } from '../experiment.strings.js';
import type { ArmRoles } from '../roles.js';
import { isNumber, meanOf, shown } from '../value-words.js';
import type { Report } from './report-data.js';
import type { ReportStrings } from './report.strings.js';

export interface Shown {
  readonly report: Report;
  readonly texts: ExperimentStrings;
  readonly words: ReportStrings;
  readonly roles: ArmRoles;
  /** The width of a drawing, in CSS pixels. */
  readonly width: number;
}

/** A number, rounded for readers and in full as in the records. */
export const numberOf = (value: number | null | undefined): TemplateResult | string =>
  typeof value === 'number' && Number.isFinite(value) ? html`<data value=${String(value)}>${shown(value)}</data>` : '–';

export const section = (id: string, title: string, content: Content): TemplateResult => html`
  <section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${content}
  </section>
`;

export const disclosed = (title: string, table: TemplateResult): TemplateResult => html`
  <details>
    <summary>${title}</summary>
    <div class="scrolls" tabindex="0" role="group" aria-label=${title}>${table}</div>
  </details>
`;

export interface Column {
  readonly name: string;
  readonly values: readonly (number | null | undefined)[];
}

/** Columns of values by seed, with their means; a difference has its own summary. */
export function seedTable(
  { words, texts, report }: Shown,
  columns: readonly Column[],
  differences: readonly (Column & { readonly difference: Summary | null })[],
): TemplateResult {
  const { seeds } = report.spec;
  const all = [...columns, ...differences];
  const rowOf = (name: string, of: (difference: Summary | null) => number | null | undefined): TableCell[] => [
    name,
    ...columns.map(() => ''),
    ...differences.map(({ difference }) => numberOf(of(difference))),
  ];
  const meanOrNone = (values: Column['values']): number | null => {
    const there = values.filter(isNumber);
    return there.length === 0 ? null : meanOf(there);
  };
  const table = dataTable({
    look: 'numbers',
    head: ['', ...all.map(({ name }) => name)],
    rows: [
      ...seeds.map((seed, at) => [texts.seed(String(seed)), ...all.map(({ values }) => numberOf(values[at]))]),
      [
        words.meanLabel,
        ...columns.map(({ values }) => numberOf(meanOrNone(values))),
        ...differences.map(({ difference }) => numberOf(difference?.mean)),
      ],
      ...(differences.length === 0
        ? []
        : [
            rowOf(words.deviation, (difference) => difference?.standardDeviation),
            rowOf(texts.dataHalfWidth, (difference) => difference?.halfWidth),
          ]),
    ],
  });
  return disclosed(words.numbers, table);
}
