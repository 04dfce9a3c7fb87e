// The tables of an experiment. What the clock says has a table of its own: the others are the same wherever the jobs ran.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';

const clock = ['started_at', 'seconds', 'cpu'];

/** Columns with their types, as Parquet and Frictionless Data call them. */
const columns = {
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

/** @param {string} folder */
export function writeTables(folder, spec, { runs, metrics, claims, problems }) {
  mkdirSync(folder, { recursive: true });
  const put = (name, content) => {
    writeFileSync(join(folder, name), content);
  };
  const withoutClock = runs.map((run) =>
    Object.fromEntries(Object.entries(run).filter(([name]) => !clock.includes(name))),
  );
  const tables = { runs: withoutClock, metrics, clock: runs };
  for (const [name, rows] of Object.entries(tables)) {
    const fields = Object.entries(columns[name]);
    const lines = rows.map((row) => fields.map(([field]) => row[field] ?? null));
    put(
      `${name}.jsonl`,
      rows
        .map((row) => `${JSON.stringify(Object.fromEntries(fields.map(([field]) => [field, row[field] ?? null])))}\n`)
        .join(''),
    );
    put(
      `${name}.csv`,
      [fields.map(([field]) => field), ...lines].map((line) => `${line.map(csvField).join(',')}\r\n`).join(''),
    );
    const columnData = fields.map(([field, type], at) => ({
      name: field,
      type,
      nullable: true,
      data: lines.map((line) => line[at]),
    }));
    put(`${name}.parquet`, Buffer.from(parquetWriteBuffer({ columnData })));
  }
  put('claims.json', `${JSON.stringify({ claims, problems }, null, 2)}\n`);
  put('datapackage.json', `${JSON.stringify(packageOf(spec), null, 2)}\n`);
}

/** RFC 4180. */
function csvField(value) {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const packageOf = ({ name }) => ({
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
