// npm run bench: measures the core in its hosts, and other programs, and compares the results with the goals (bench/README.md).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hosts as allHosts, isWanted, readOptions, usage } from '../bench/options.mjs';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { program, runSteps, SetupProblem } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

/** Progress: one line, overwritten on a terminal, otherwise one line per round. */
function showProgress() {
  let shown = '';
  const started = Date.now();
  return ({ round, rounds, id, contender }) => {
    const where = round === 0 ? 'warming up' : `round ${round} of ${rounds}`;
    if (process.stdout.isTTY) {
      const text = `${where}: ${id}, ${contender.name} in ${contender.host}`;
      process.stdout.write(`\r${text.padEnd(shown.length)}`);
      shown = text;
    } else if (shown !== where) {
      console.log(`${where} (${Math.round((Date.now() - started) / 1000)} s)`);
      shown = where;
    }
  };
}

async function setUp(options, other) {
  const { buildPreset } = await import('./build/cmake.mjs');
  const { buildSteps } = await import('./build/build.mjs');
  const { presetsOf } = await import('../bench/builds.mjs');
  const wantsBrowser = options.hosts.includes('Chromium');
  const builds = presetsOf(options.hosts).map((preset) => ({
    title: `Building the benchmark, ${preset}`,
    run: async () => void (await buildPreset(preset, ['bench_core'])),
  }));
  // Cold starts, the two arms and the size are measured with the package.
  const steps = options.build ? [...builds, ...(other === undefined ? buildSteps() : [])] : [];
  const all = [...steps, ...(other?.steps ?? [])];
  // Fast if everything is already built.
  if (options.build || all.length > 0) {
    await withLock(() => runSteps([...setupSteps({ chromium: wantsBrowser }), ...all]));
  }
}

/** Reads the output of --json. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(resolve(file), 'utf8'));
  } catch (error) {
    throw new SetupProblem(`--from ${file}: this is not readable output of --json (${error.message}).`);
  }
}

/** Sizes by name; none if the package is not built, as with --compare and --no-build. */
async function sizes() {
  if (!existsSync(join(root, 'web/wasm/core.mjs'))) return {};
  const { measureSizes } = await import('./lib/sizes.mjs');
  return Object.fromEntries(measureSizes().map(({ what, bytes }) => [what.trim(), bytes]));
}

/** Measures, and resolves with the results as plain data. */
async function measure(options, other) {
  const { coreContenders, otherContenders } = await import('../bench/gather.mjs');
  const { launchBrowser } = await import('../bench/hosts/pages.mjs');
  const { load, machine, versions } = await import('../bench/machine.mjs');
  const { resultsOf } = await import('../bench/results.mjs');
  const { measureRounds } = await import('../bench/rounds.mjs');

  const { hosts, rounds, quick, only } = options;
  const browser = hosts.includes('Chromium') ? await launchBrowser() : undefined;
  const contenders = [];
  const absent = [];
  const add = (found) => {
    contenders.push(...found.contenders);
    absent.push(...found.absent);
  };
  try {
    const here = join(root, 'build');
    if (other === undefined) {
      add(await coreContenders({ folder: here, hosts, browser }));
      add(await otherContenders({ hosts, browser, peers: options.peers, before: options.before, log: console.log }));
    } else {
      add(await coreContenders({ folder: here, hosts, browser, rename: (name) => `after, ${name}` }));
      add(await coreContenders({ folder: other.folder, hosts, browser, rename: (name) => `before, ${name}` }));
    }
    // Our programs report the calls per case; for other cases there is only a time.
    const cases = new Map();
    for (const { list = [] } of contenders) for (const one of list) cases.set(one.id, { ...cases.get(one.id), ...one });
    for (const id of contenders.flatMap((one) => one.cases())) if (!cases.has(id)) cases.set(id, { id });
    const ids = [...cases.keys()].filter((id) => isWanted(id, only));
    if (ids.length === 0) {
      const there = [...cases.keys()];
      console.log(
        there.length === 0
          ? `Nothing that was requested can be measured in ${hosts.join(', ')}.${absent.map(({ name, reason }) => `\n  ${name}: ${reason}`).join('')}`
          : `No case starts with ${only.join(' or ')}. Known cases:\n  ${there.join('\n  ')}`,
      );
      return undefined;
    }
    // First, so that a failure here does not lose minutes of measurements.
    const figures = await sizes();
    const loadBefore = load();
    console.log(
      `\n${ids.length} cases, ${contenders.length} contenders, ${rounds} rounds; load ${loadBefore.toFixed(2)}`,
    );
    const failed = [];
    const samples = await measureRounds({
      contenders,
      ids,
      rounds,
      quick,
      progress: showProgress(),
      failed: ({ contender, id, error }) =>
        failed.push({ id, contender: `${contender.name} in ${contender.host}`, message: error.message.split('\n')[0] }),
    });
    if (process.stdout.isTTY) process.stdout.write('\n');
    return resultsOf({
      machine: { ...machine(), loadBefore, loadAfter: load() },
      versions: await versions(browser),
      rounds,
      partial: only.length > 0 || !options.peers || hosts.length < allHosts.length,
      cases: ids.map((id) => cases.get(id)),
      contenders,
      absent,
      failed,
      figures,
      samples,
    });
  } finally {
    await Promise.allSettled(contenders.map((contender) => contender.close()));
    await browser?.close();
  }
}

async function bench(words) {
  const options = readOptions(words);
  let data;
  let other;
  if (options.from === undefined) {
    if (options.compare !== undefined) {
      other = await (await import('../bench/builds.mjs')).otherBuild(options.compare, options.hosts);
      console.log(`before: ${other.title}`);
    }
    await setUp(options, other);
    data = await measure(options, other);
    if (data === undefined) {
      process.exitCode = 1;
      return;
    }
  } else {
    const { onlyOf } = await import('../bench/results.mjs');
    data = onlyOf(readResults(options.from), options.only);
  }
  const { Results } = await import('../bench/results.mjs');
  const results = new Results(data);
  const { partial } = results;
  const lines =
    other === undefined
      ? (await import('../bench/report/text.mjs')).asLines(results, { partial })
      : (await import('../bench/compare.mjs')).comparisonLines(results);
  console.log(['', ...lines].join('\n'));
  const write = (file, text) => {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(resolve(file), text);
    console.log(`\n${file} written`);
  };
  if (options.json !== undefined) write(options.json, (await import('../bench/report/json.mjs')).asText(data));
  if (options.markdown !== undefined) {
    const source = options.json ?? options.from ?? 'FILE';
    write(options.markdown, (await import('../bench/report/markdown.mjs')).asMarkdown(results, { source, partial }));
  }
  if (options.svg !== undefined) write(options.svg, (await import('../bench/report/picture.mjs')).picture(results));
}

await program(bench, { help: usage });
