/** The tables of an experiment as files. What the clock says has a table of its own: the others are the same wherever the jobs ran. */
import type { ExperimentRecords } from '../experiment-types.js';

export type TableName = 'runs' | 'metrics' | 'clock';
type Cell = string | number | null;

/** As Parquet calls it. */
type ColumnType = 'STRING' | 'INT32' | 'DOUBLE';

export interface ExperimentTable {
  readonly name: TableName;
  readonly fields: readonly (readonly [name: string, type: ColumnType])[];
  /** Cells in the order of the fields. */
  readonly rows: readonly (readonly Cell[])[];
}

const columns: Readonly<Record<TableName, Readonly<Record<string, ColumnType>>>> = {
  runs: {
    id: 'STRING',
    experiment: 'STRING',
    spec_hash: 'STRING',
    arm: 'STRING',
    tying: 'STRING',
    vocab_size: 'INT32',
    d_model: 'INT32',
    n_layers: 'INT32',
    seed: 'DOUBLE',
    point: 'STRING',
    tokenizer: 'STRING',
    text_sha256: 'STRING',
    parameters: 'INT32',
    steps: 'INT32',
    weights_sha256: 'STRING',
    status: 'STRING',
    error: 'STRING',
    package_version: 'STRING',
    engine: 'STRING',
  },
  metrics: {
    id: 'STRING',
    step: 'INT32',
    metric: 'STRING',
    layer: 'INT32',
    band: 'DOUBLE',
    value: 'DOUBLE',
    unit: 'STRING',
  },
  clock: { id: 'STRING', started_at: 'STRING', seconds: 'DOUBLE', cpu: 'STRING' },
};

export function tablesOf({ runs, metrics }: Pick<ExperimentRecords, 'runs' | 'metrics'>): ExperimentTable[] {
  const rows = { runs, metrics, clock: runs };
  return (Object.keys(columns) as TableName[]).map((name) => {
    const fields = Object.entries(columns[name]);
    const cells = (row: object): Cell[] => fields.map(([field]) => (row as Record<string, Cell>)[field] ?? null);
    return { name, fields, rows: (rows[name] as readonly object[]).map(cells) };
  });
}

export const jsonLinesOf = ({ fields, rows }: ExperimentTable): string =>
  rows.map((row) => `${JSON.stringify(Object.fromEntries(fields.map(([name], at) => [name, row[at]])))}\n`).join('');

/** RFC 4180. */
export const csvOf = ({ fields, rows }: ExperimentTable): string =>
  [fields.map(([name]) => name), ...rows].map((line) => `${line.map(csvField).join(',')}\r\n`).join('');

function csvField(value: Cell): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What hyparquet-writer takes. */
export const parquetColumnsOf = ({
  fields,
  rows,
}: ExperimentTable): { name: string; type: ColumnType; nullable: true; data: Cell[] }[] =>
  fields.map(([name, type], at) => ({ name, type, nullable: true, data: rows.map((row) => row[at] ?? null) }));

/** A description of the tables for Frictionless Data. */
export const packageOf = ({ name }: { readonly name: string }): object => ({
  name: name.toLowerCase(),
  profile: 'tabular-data-package',
  resources: Object.entries(columns).map(([table, fields]) => ({
    name: table,
    path: `${table}.csv`,
    profile: 'tabular-data-resource',
    schema: {
      fields: Object.entries(fields).map(([field, type]) => ({
        name: field,
        type: type === 'STRING' ? 'string' : type === 'INT32' ? 'integer' : 'number',
      })),
      primaryKey: table === 'metrics' ? undefined : 'id',
    },
  })),
});
