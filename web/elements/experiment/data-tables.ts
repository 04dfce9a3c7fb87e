import { html, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { ExperimentRecords } from '../../core/types.js';
import { dataTable } from '../shared/figure.js';
import type { Curves } from './curves.js';
import type { ExperimentStrings } from './experiment.strings.js';
import { seedTable } from './seed-table.js';
import { columnsOf, isNumber, shown } from './value-words.js';

const cell = (value: number | null | undefined): string =>
  isNumber(value) && Number.isFinite(value) ? shown(value) : '–';

/** The drawings as tables: each point of a claim, and each metric over the steps. */
export function dataTables(
  texts: ExperimentStrings,
  { claims }: ExperimentRecords,
  seeds: readonly number[],
  curves: readonly Curves[],
): TemplateResult {
  const claimTables = claims.flatMap(({ id, points }) =>
    points.map(({ point, values, difference, seeds: own }) => {
      const fields = Object.entries(point).map(([field, one]) => `${field} = ${String(one)}`);
      return seedTable({
        ...{ texts, seeds, columns: columnsOf(texts, values), cell },
        differences: [{ name: texts.dataDifference, seeds: own, difference }],
        frame: { caption: texts.dataClaims([id, ...fields].join(', ')) },
      });
    }),
  );
  const curveTables = curves.map(({ metric, series }) =>
    dataTable({
      caption: texts.dataCurves(metric),
      head: [
        texts.step,
        ...series.flatMap(({ label, runs = [] }) => [label, ...runs.map((_, at) => `${label} ${at + 1}`)]),
      ],
      rows: Array.from(series[0]?.x ?? [], (step, at) => [
        formatWhole(step),
        ...series.flatMap(({ y, runs = [] }) => [y[at], ...runs.map((one) => one[at])].map(cell)),
      ]),
    }),
  );
  return html`${claimTables} ${curveTables}`;
}
