/** What the parts of a report share. */
import { html, type TemplateResult } from 'lit';
import type { Content } from '../../shared/figure.js';
import type { ExperimentStrings } from '../experiment.strings.js';
import type { ArmRoles } from '../roles.js';
import { seedTable, type SeedDifference } from '../seed-table.js';
import { shown } from '../value-words.js';
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

/** Columns of values by seed, with their means; a difference has its own summary. */
export function numbersBySeed(
  { words, texts, report }: Shown,
  columns: Parameters<typeof seedTable>[0]['columns'],
  differences: readonly SeedDifference[],
): TemplateResult {
  const deviation = differences.length === 0 ? {} : { deviation: words.deviation };
  const { seeds } = report.spec;
  const table = seedTable({
    ...{ texts, seeds, columns, differences, cell: numberOf, ...deviation },
    frame: { look: 'numbers' },
  });
  return disclosed(words.numbers, table);
}
