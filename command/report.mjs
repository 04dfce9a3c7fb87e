// The report of an experiment: a single page, with its script and data inside, that opens from disk.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { rowsOf, tablesOf } from './experiment-runner.js';

/** Built beside the command from web/elements/experiment/report. */
const script = () => gunzipSync(readFileSync(new URL('experiment-report.js.gz', import.meta.url))).toString();

const style = `html { color-scheme: light dark; background: #fdfcf9; }
body { margin: 0; }
@media (prefers-color-scheme: dark) { html { background: #15171b; } }`;

const source = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @typedef {import('../web/elements/experiment/report/report-data.js').PackedReport} PackedReport */
/** @typedef {import('./experiment-runner.js').ExperimentRecords} ExperimentRecords */

/**
 * @param {import('./experiment-runner.js').ExperimentSpec} spec
 * @param {ExperimentRecords} records
 * @param {PackedReport['files']} files
 * @returns {PackedReport}
 */
export function packedReport(spec, { runs, metrics, claims, problems }, files) {
  const [table] = tablesOf({ runs, metrics: [] });
  const places = new Map(runs.map(({ id }, place) => [id, place]));
  const packed = new Map();
  for (const { id, step, metric, layer, band, value, unit } of metrics) {
    const key = `${metric} ${layer} ${band}`;
    if (!packed.has(key)) packed.set(key, { metric, layer, band, unit, rows: [] });
    packed.get(key).rows.push([places.get(id), step, value]);
  }
  return {
    spec,
    runs: { fields: table.fields.map(([name]) => name), rows: rowsOf(table) },
    metrics: [...packed.values()],
    claims,
    problems,
    files,
  };
}

/**
 * The page fetches nothing, and its content security policy forbids it.
 *
 * @param {PackedReport} report
 */
export function reportPage(report, code = script()) {
  const data = JSON.stringify(report).replaceAll('<', '\\u003c');
  const name = escaped(report.spec.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${source(code)}; style-src ${source(style)}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}: report of an experiment</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main><noscript>A script draws the report of ${name}; the tables beside it contain every number.</noscript></main>
<script type="application/json" id="records">${data}</script>
<script>${code}</script>
</body>
</html>
`;
}
