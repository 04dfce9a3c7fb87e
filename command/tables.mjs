// The tables of an experiment, as files in a folder, and its report.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { csvOf, jsonLinesOf, packageOf, parquetColumnsOf, tablesOf } from './experiment-runner.js';
import { packedReport, reportPage } from './report.mjs';

/**
 * @param {string} folder
 * @param {import('./experiment-runner.js').ExperimentSpec} spec
 * @param {import('./experiment-runner.js').ExperimentRecords} records
 */
export function writeTables(folder, spec, records) {
  const { claims, problems } = records;
  mkdirSync(folder, { recursive: true });
  const put = (name, content) => {
    writeFileSync(join(folder, name), content);
  };
  const tables = tablesOf(records);
  for (const table of tables) {
    put(`${table.name}.jsonl`, jsonLinesOf(table));
    put(`${table.name}.csv`, csvOf(table));
    put(`${table.name}.parquet`, Buffer.from(parquetWriteBuffer({ columnData: parquetColumnsOf(table) })));
  }
  put('claims.json', `${JSON.stringify({ claims, problems }, null, 2)}\n`);
  put('datapackage.json', `${JSON.stringify(packageOf(spec), null, 2)}\n`);
  const files = [
    ...tables.map(({ name }) => ({ name, formats: ['csv', 'parquet', 'jsonl'] })),
    ...['claims', 'datapackage'].map((name) => ({ name, formats: ['json'] })),
  ];
  put('report.html', reportPage(packedReport(spec, records, files)));
}
