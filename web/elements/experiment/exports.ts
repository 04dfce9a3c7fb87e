/** The records as files, in the format of the command's tables. The Parquet writer is fetched when it is needed. */
import type { ExperimentRecords } from '../../core/types.js';
import { loadRunner } from './plan.js';

export const exportedTables = ['metrics', 'runs', 'clock'] as const;
export type ExportedTable = (typeof exportedTables)[number];
export type ExportFormat = 'csv' | 'parquet';

export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** Everything: the tables as rows, the claims, and what could not be measured. */
export async function jsonFile(name: string, records: ExperimentRecords): Promise<ExportedFile> {
  const { tablesOf, jsonLinesOf } = await loadRunner();
  const tables = tablesOf(records).map(
    (table) => [table.name, JSON.parse(`[${[...jsonLinesOf(table)].join(',')}]`)] as const,
  );
  const { claims, problems } = records;
  const content = JSON.stringify({ ...Object.fromEntries(tables), claims, problems }, null, 2);
  return { name: `${name}.json`, type: 'application/json', content: `${content}\n` };
}

export async function tableFile(
  name: string,
  records: ExperimentRecords,
  wanted: ExportedTable,
  format: ExportFormat,
): Promise<ExportedFile> {
  const { csvOf, parquetColumnsOf, tablesOf } = await loadRunner();
  const table = tablesOf(records).find((one) => one.name === wanted)!;
  const named = `${name}-${wanted}.${format}`;
  if (format === 'csv') return { name: named, type: 'text/csv', content: [...csvOf(table)].join('') };
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const content = new Uint8Array(parquetWriteBuffer({ columnData: parquetColumnsOf(table) }));
  return { name: named, type: 'application/vnd.apache.parquet', content };
}
