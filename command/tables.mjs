// The tables of an experiment, as files in a folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { csvOf, jsonLinesOf, packageOf, parquetColumnsOf, tablesOf } from './experiment-runner.js';

/** @param {string} folder @param {{ name: string }} spec @param {import('./experiment-runner.js').ExperimentRecords} records */
export function writeTables(folder, spec, records) {
  const { claims, problems } = records;
  mkdirSync(folder, { recursive: true });
  const put = (name, content) => {
    writeFileSync(join(folder, name), content);
  };
  for (const table of tablesOf(records)) {
    put(`${table.name}.jsonl`, jsonLinesOf(table));
    put(`${table.name}.csv`, csvOf(table));
    put(`${table.name}.parquet`, Buffer.from(parquetWriteBuffer({ columnData: parquetColumnsOf(table) })));
  }
  put('claims.json', `${JSON.stringify({ claims, problems }, null, 2)}\n`);
  put('datapackage.json', `${JSON.stringify(packageOf(spec), null, 2)}\n`);
}
