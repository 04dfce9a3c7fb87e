/** The tables of an experiment as files. Times are in a separate table, so the others are the same wherever the jobs ran. */
import type { ExperimentRecords } from './types.js';

export type TableName = 'runs' | 'metrics' | 'clock';
type Cell = string | number | null;

/** The Parquet type. */
type ColumnType = 'STRING' | 'INT32' | 'INT64' | 'DOUBLE' | 'TIMESTAMP';

export interface ExperimentTable {
  readonly name: TableName;
  readonly fields: readonly (readonly [name: string, type: ColumnType])[];
  /** The experiment's own records: a table of 10,000 runs is written row by row, without a copy. */
  readonly records: readonly object[];
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
    // Below 2^53.
    seed: 'INT64',
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
  clock: { id: 'STRING', started_at: 'TIMESTAMP', seconds: 'DOUBLE', cpu: 'STRING' },
};

export function tablesOf({ runs, metrics }: Pick<ExperimentRecords, 'runs' | 'metrics'>): ExperimentTable[] {
  const records = { runs, metrics, clock: runs };
  return (Object.keys(columns) as TableName[]).map((name) => ({
    name,
    fields: Object.entries(columns[name]),
    records: records[name],
  }));
}

const cellIn = (record: object, field: string): Cell => (record as Record<string, Cell>)[field] ?? null;

/** Cells in the order of the fields. */
export const rowsOf = ({ fields, records }: ExperimentTable): Cell[][] =>
  records.map((record) => fields.map(([field]) => cellIn(record, field)));

export function* jsonLinesOf({ fields, records }: ExperimentTable): Generator<string> {
  for (const record of records) {
    yield `${JSON.stringify(Object.fromEntries(fields.map(([field]) => [field, cellIn(record, field)])))}\n`;
  }
}

/** RFC 4180, line by line. */
export function* csvOf({ fields, records }: ExperimentTable): Generator<string> {
  yield `${fields.map(([field]) => field).join(',')}\r\n`;
  for (const record of records) yield `${fields.map(([field]) => csvField(cellIn(record, field))).join(',')}\r\n`;
}

function csvField(value: Cell): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type ParquetCell = Cell | bigint | Date;

/** Columns for hyparquet-writer, of the rows from `first` up to but excluding `end`. */
export const parquetColumnsOf = (
  { fields, records }: ExperimentTable,
  first = 0,
  end = records.length,
): { name: string; type: ColumnType; nullable: true; data: ParquetCell[] }[] => {
  const rows = records.slice(first, end);
  return fields.map(([name, type]) => ({
    name,
    type,
    nullable: true,
    data: rows.map((row) => parquetCell(cellIn(row, name), type)),
  }));
};

function parquetCell(value: Cell, type: ColumnType): ParquetCell {
  if (value === null) return null;
  if (type === 'INT64') return BigInt(value);
  return type === 'TIMESTAMP' ? new Date(value) : value;
}

/** The types of Frictionless Data. */
const PACKAGE_TYPES: Readonly<Record<ColumnType, string>> = {
  STRING: 'string',
  INT32: 'integer',
  INT64: 'integer',
  DOUBLE: 'number',
  TIMESTAMP: 'datetime',
};

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
        type: PACKAGE_TYPES[type],
      })),
      primaryKey: table === 'metrics' ? undefined : 'id',
    },
  })),
});
