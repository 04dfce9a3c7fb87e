import type { TemplateResult } from 'lit';
import type { Summary } from '../../core/types.js';
import { dataTable, type Table, type TableCell } from '../shared/figure.js';
import type { ExperimentStrings } from './experiment.strings.js';
import { isNumber, meanOf, type SeedValues } from './value-words.js';

/** A difference, for the seeds that have both of its values. */
export interface SeedDifference {
  readonly name: string;
  readonly seeds: readonly number[];
  /** Null if no seed has both. */
  readonly difference: Summary | null;
}

/** Columns of values by seed, with their means; a difference has its own summary. */
export function seedTable(options: {
  readonly texts: ExperimentStrings;
  readonly seeds: readonly number[];
  readonly columns: readonly Pick<SeedValues, 'name' | 'values'>[];
  readonly differences: readonly SeedDifference[];
  readonly cell: (value: number | null | undefined) => TableCell;
  /** The name of the row of standard deviations; without, there is none. */
  readonly deviation?: string;
  readonly frame: Pick<Table, 'caption' | 'look'>;
}): TemplateResult {
  const { texts, seeds, columns, differences, cell, deviation, frame } = options;
  const meanOfColumn = (values: SeedValues['values']): TableCell => {
    const there = values.filter(isNumber);
    return cell(there.length === 0 ? null : meanOf(there));
  };
  const rowOf = (name: string, of: (difference: Summary) => number | null): TableCell[] => [
    name,
    ...columns.map(() => ''),
    ...differences.map(({ difference }) => cell(difference && of(difference))),
  ];
  return dataTable({
    ...frame,
    head: ['', ...[...columns, ...differences].map(({ name }) => name)],
    rows: [
      ...seeds.map((seed, at) => [
        texts.seed(String(seed)),
        ...columns.map(({ values }) => cell(values[at])),
        ...differences.map(({ seeds: own, difference }) => cell(difference?.values[own.indexOf(seed)])),
      ]),
      [
        texts.dataMean,
        ...columns.map(({ values }) => meanOfColumn(values)),
        ...differences.map(({ difference }) => cell(difference?.mean)),
      ],
      ...(deviation === undefined ? [] : [rowOf(deviation, ({ standardDeviation }) => standardDeviation)]),
      ...(differences.length === 0 ? [] : [rowOf(texts.dataHalfWidth, ({ halfWidth }) => halfWidth)]),
    ],
  });
}
