// The tables of an experiment, as files in a folder, and its report.
import { join } from 'node:path';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { csvOf, jsonLinesOf, packageOf, parquetColumnsOf, tablesOf } from './experiment-runner.js';
import { writeWhole } from './files.mjs';
import { packedReport, reportPage } from './report.mjs';

/** Rows converted to columns at a time. */
const rowGroupSize = 20_000;

/** @param {import('./experiment-runner.js').ExperimentTable} table */
function parquetOf(table) {
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: parquetColumnsOf(table, 0, 0) });
  const parquet = new ParquetWriter({ writer, schema });
  for (let from = 0; from < table.records.length; from += rowGroupSize) {
    parquet.write({ columnData: parquetColumnsOf(table, from, from + rowGroupSize), rowGroupSize });
  }
  parquet.finish();
  return writer.getBytes();
}

/**
 * @param {string} folder
 * @param {import('./experiment-runner.js').ExperimentSpec} spec
 * @param {import('./experiment-runner.js').ExperimentRecords} records
 */
export function writeTables(folder, spec, records) {
  const { claims, problems } = records;
  const put = (/** @type {string} */ name, /** @type {import('./files.mjs').Content} */ content) => {
    writeWhole(join(folder, name), content);
  };
  const tables = tablesOf(records);
  for (const table of tables) {
    put(`${table.name}.jsonl`, jsonLinesOf(table));
    put(`${table.name}.csv`, csvOf(table));
    put(`${table.name}.parquet`, parquetOf(table));
  }
  put('claims.json', `${JSON.stringify({ claims, problems }, null, 2)}\n`);
  put('datapackage.json', `${JSON.stringify(packageOf(spec), null, 2)}\n`);
  const files = [
    ...tables.map(({ name }) => ({ name, formats: ['csv', 'parquet', 'jsonl'] })),
    ...['claims', 'datapackage'].map((name) => ({ name, formats: ['json'] })),
  ];
  put('report.html', reportPage(packedReport(spec, records, files)));
}
