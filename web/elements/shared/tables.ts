/** Tables of data for some figures; `dataTable` is for all of them. */
import type { TemplateResult } from 'lit';
import { dataTable, type Table, type TableCell } from './figure.js';

/** A table with one row per item. A column has a name and shows one property of the item. */
export const columnsTable = <Item>({
  items,
  columns,
  ...more
}: Pick<Table, 'caption' | 'look' | 'rowLooks'> & {
  readonly items: readonly Item[];
  readonly columns: readonly (readonly [name: TableCell, cell: (item: Item) => TableCell])[];
}): TemplateResult =>
  dataTable({
    ...more,
    head: columns.map(([name]) => name),
    rows: items.map((item) => columns.map(([, cell]) => cell(item))),
  });

/** A square matrix as a table; `cell` returns the text of an entry. */
export const matrixData = (
  caption: string,
  names: readonly string[],
  cell: (row: number, col: number) => string,
): TemplateResult =>
  dataTable({
    caption,
    head: ['', ...names],
    rows: names.map((name, row) => [name, ...names.map((_, col) => cell(row, col))]),
  });
