// The same jobs in three releases of Node, in Chromium, Firefox and WebKit, and under Slurm give the same hashes of weights, the
// same records, byte for byte, and the same bits of elementary functions.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { serve } from '../../tools/serve/server.mjs';
import { slurmObstacle } from '../../tools/setup/schedulers.mjs';
import { otherBrowsers } from '../engines/browsers.js';
import { nodes, obstacle as noNodes } from '../judges/programs.js';
import { ELEMENTARY_BITS } from '../web/elementary-bits.js';
import { paths, transformers, translators } from '../web/experiment/specs.js';
import { Slurm } from './slurm.js';

/** Experiments with models on a text, with every metric, with models on pairs, and with claims about intervals over seeds. */
const specs = [transformers, { ...translators, seeds: [1] }, paths];

interface Records {
  runs: Record<string, unknown>[];
  metrics: unknown[];
  claims: unknown[];
}

const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-same-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const command = join(root, 'dist/command.js');

/** A module of the functions in TypeScript that compute what is recorded, with the hash of their bits. */
const elementary = join(folder, 'elementary.mjs');
beforeAll(async () => {
  const contents = `import * as functions from './web/core/runtime/elementary.ts';
    import { elementaryBits } from './tests/web/elementary-bits.ts';
    export const bits = () => elementaryBits(functions);`;
  const stdin = { contents, resolveDir: root, loader: 'ts' as const };
  await build({ stdin, bundle: true, format: 'esm', outfile: elementary, logLevel: 'silent' });
});

interface Found {
  records: Records[];
  /** Null where only records are compared. */
  bits: string | null;
}

/** Without the values that depend on time and machine. */
const timeless = (records: readonly Records[]): Records[] =>
  records.map(({ runs, metrics, claims }) => ({
    runs: runs.map((run) =>
      Object.fromEntries(Object.entries(run).filter(([name]) => !['started_at', 'seconds', 'cpu'].includes(name))),
    ),
    metrics,
    claims,
  }));

const ended = async (words: readonly string[], environment = process.env): Promise<string> => {
  const child = spawn(words[0]!, words.slice(1), { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  const code = await new Promise((resolve) => child.on('exit', resolve));
  return code === 0 ? '' : `${words.join(' ')} ended with ${String(code)}: ${said}`;
};

/** A folder for each experiment. */
const placesOf = (engine: string): string[] =>
  specs.map((spec, i) => {
    const place = join(folder, engine, String(i));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'claim.json'), JSON.stringify(spec));
    return place;
  });

/** The contents of the folder after all jobs have run. */
async function collected(place: string, program = process.execPath): Promise<Records> {
  expect(await ended([program, command, 'experiment', 'collect', join(place, 'claim.json'), '--quiet'])).toBe('');
  const rows = (table: string): never[] =>
    readFileSync(join(place, 'tables', `${table}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as never);
  const { claims } = JSON.parse(readFileSync(join(place, 'tables', 'claims.json'), 'utf8')) as Pick<Records, 'claims'>;
  return { runs: rows('runs'), metrics: rows('metrics'), claims };
}

const bitsIn = (program: string): string => {
  const asked = `import { bits } from ${JSON.stringify(pathToFileURL(elementary).href)}; process.stdout.write(bits());`;
  return execFileSync(program, ['--input-type=module', '-e', asked], { encoding: 'utf8' });
};

async function inNode(program: string): Promise<Found> {
  const places = placesOf(`node-${execFileSync(program, ['-p', 'process.version'], { encoding: 'utf8' }).trim()}`);
  for (const place of places) {
    const words = ['experiment', 'run', join(place, 'claim.json'), '--jobs', '2', '--quiet'];
    expect(await ended([program, command, ...words])).toBe('');
  }
  return { records: await Promise.all(places.map((place) => collected(place, program))), bits: bitsIn(program) };
}

/** Null if its daemons do not start. */
async function underSlurm(): Promise<Found | null> {
  const slurm = await Slurm.start(mkdtempSync(join(folder, 'slurm-'))).catch(() => null);
  if (slurm === null) return null;
  try {
    const places = placesOf('jobs');
    for (const [i, place] of places.entries()) {
      const task = `"${process.execPath}" "${command}" experiment run claim.json --shard auto --quiet`;
      const most = specs[i]!.seeds.length * Object.keys(specs[i]!.arms).length - 1;
      const about = [`--array=0-${most}`, `--chdir=${place}`, '--mem=256M', '--output=/dev/null', '--wait'];
      expect(await ended(['sbatch', ...about, '--wrap', task], slurm.environment)).toBe('');
    }
    return { records: await Promise.all(places.map((place) => collected(place))), bits: null };
  } finally {
    await slurm.stop();
  }
}

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The same jobs</title>
<link rel="icon" href="data:,"><script type="module" src="/page.js"></script></head><body></body></html>`;
const script = `
import { createLab } from '/dist/tied-embeddings.js';
import { bits } from '/elementary.js';
const post = (name, text) => fetch(name, { method: 'POST', body: text });
await post('/begun', '');
try {
  const lab = await createLab();
  const found = [];
  for (const spec of ${JSON.stringify(specs)}) found.push(await lab.runExperiment(spec));
  await post('/report', JSON.stringify({ records: found, bits: bits() }));
} catch (error) {
  await post('/report', JSON.stringify(String(error)));
}
`;

/** How long a browser may take to open the page before it counts as unavailable here. */
const beginLimitMs = 60_000;

/** Null if the browser does not open a page here. */
async function inBrowser(open: (url: string) => Promise<{ ended: Promise<unknown>; close: () => Promise<void> }>) {
  const served = mkdtempSync(join(folder, 'page-'));
  writeFileSync(join(served, 'page.js'), script);
  copyFileSync(elementary, join(served, 'elementary.js'));
  const posts: Record<string, (text: string) => void> = {};
  const [begun, report] = ['/begun', '/report'].map(
    (name) => new Promise<string>((resolve) => (posts[name] = resolve)),
  );
  const folders = { '/dist/': join(root, 'dist'), '/': served };
  const server = await serve({ folders, pages: { '/': page }, posts });
  const browser = await open(server.url);
  try {
    const limit = new Promise((resolve) => setTimeout(resolve, beginLimitMs).unref());
    const isHere = await Promise.race([begun!.then(() => true), browser.ended, limit]);
    return isHere === true ? (JSON.parse(await report!) as Found) : null;
  } finally {
    await browser.close();
    await server.close();
  }
}

async function openChromium(url: string): Promise<{ ended: Promise<unknown>; close: () => Promise<void> }> {
  const browser = await chromium.connect(inject('chromium')[0]!);
  const opened = await browser.newPage();
  await opened.goto(url);
  return { ended: new Promise((resolve) => browser.once('disconnected', resolve)), close: () => browser.close() };
}

/** Each row as text, with its columns in one order. */
function linesOf(of: readonly Records[]): string[] {
  const sorted = (_: string, value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return of.flatMap(({ runs, metrics, claims }) =>
    [...runs, ...metrics, ...claims].map((row) => JSON.stringify(row, sorted)),
  );
}

test('a job has the same hashes and records in every available engine', { timeout: 300_000 }, async ({ annotate }) => {
  const { records, bits } = await inNode(process.execPath);
  const expected = timeless(records);
  expect(bits).toBe(ELEMENTARY_BITS);
  expect(expected.map(({ runs }) => runs.map(({ status, engine }) => [status, engine]))).toEqual([
    Array(2).fill(['done', 'wasm-simd128']),
    Array(3).fill(['done', 'wasm-simd128']),
    Array(6).fill(['done', 'wasm-simd128']),
  ]);
  expect(expected[2]!.claims).toMatchObject([{ verdict: 'holds' }, { verdict: 'holds' }]);
  const engines: [name: string, obstacle: string | undefined, run: () => Promise<Found | null>][] = [
    ...nodes.map(({ release, program }): (typeof engines)[number] => [
      `Node ${release}`,
      noNodes,
      () => inNode(program),
    ]),
    ['Chromium', undefined, () => inBrowser(openChromium)],
    ...otherBrowsers.map(({ name, here, open }): (typeof engines)[number] => [
      name,
      here ? undefined : `no ${name}`,
      () => inBrowser(open),
    ]),
    ['Slurm', slurmObstacle(), underSlurm],
  ];
  const hashes = (of: readonly Records[]) =>
    of.map(({ runs }) => runs.map(({ id, weights_sha256: weights }) => [id, weights]));
  const all = await Promise.all(
    engines.map(
      async ([name, obstacle, run]) => [name, obstacle, obstacle === undefined ? await run() : null] as const,
    ),
  );
  for (const [name, obstacle, there] of all) {
    if (obstacle !== undefined || (there === null && name !== 'Chromium')) {
      await annotate(`not compared: ${obstacle ?? `${name} does not run here`}`);
      continue;
    }
    expect(there, name).not.toBe(null);
    expect(there!.bits ?? ELEMENTARY_BITS, name).toBe(ELEMENTARY_BITS);
    const found = timeless(there!.records);
    expect(hashes(found), name).toEqual(hashes(expected));
    expect(found, name).toEqual(expected);
    // Every digit of every number, in one line each, so that a difference is found.
    expect(linesOf(found), name).toEqual(linesOf(expected));
  }
});
