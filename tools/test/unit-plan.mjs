// Which unit tests `npm run check` runs, and what it remembers of them. `npm test` writes the same record, so that the first check knows
// what each test reads and how long it takes.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { capture } from '../lib/run.mjs';
import { writeIfChanged } from '../lib/stamps.mjs';
import {
  BINDINGS,
  addedOrRemoved,
  affectedTests,
  changedPaths,
  hashes,
  readsIn,
  unitTests,
  withinTime,
} from './affected.mjs';
import { asCommitted, sinceLastCommit } from './last-commit.mjs';
import { longUnitFiles } from './sets.mjs';
import { runVitest, secondsOf } from './vitest.mjs';

/**
 * The hashes of all files when the unit tests last passed, what each test read, how long it took, and which are left to run. `before` is missing if they
 * never passed here, and `isProved` says whether all did.
 */
const memory = join(root, 'build/passed/unit-files.json');
const readsFolder = join(root, 'build/unit-reads');
/** How long the unit tests of one check may take, in seconds of one core. */
const UNIT_SECONDS = 10;
/** Of those that take half a minute, until they have been timed. */
const LONG_SECONDS = 30;

const remembered = () => (existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {});

/**
 * Whether the modules in web/wasm/ are built from the C++ as it is. If not, building them takes a minute or more: only a change of the bindings, which
 * nothing else tests, is worth that in a check.
 */
async function areModulesFresh() {
  // It needs a package, which the set-up may have to install first.
  const { baselineFiles, stemOf } = await import('../lib/modules.mjs');
  const stems = baselineFiles.map(stemOf);
  const plan = await capture('ninja', ['-C', join(root, 'build/wasm'), '-n', ...stems]);
  return plan !== undefined && /no work to do/.test(plan);
}

/**
 * What has changed since the unit tests last passed, or since the last commit if they never did, and which of them it can affect: `due` now, `left` to
 * the next check, `unknown` if they never ran here and nothing says whether they read what has changed, and `unbuilt` if they need modules that have
 * to be built first.
 */
export async function planUnits() {
  const now = hashes();
  const known = remembered();
  const { reads = {}, seconds = {}, left: waiting = [] } = known;
  const since = known.before === undefined ? sinceLastCommit() : undefined;
  const before = known.before ?? (since && asCommitted(now, since)) ?? {};
  const changed = changedPaths(before, now);
  const plan = { now, isProved: known.isProved, due: [], left: [], unknown: [], unbuilt: [], useModules: false };
  if (changed.length === 0 && waiting.length === 0) return plan;
  const all = unitTests();
  const listed = addedOrRemoved(changed, before, now);
  const { tests, unknown, usesModules } = await affectedTests(changed, { reads, listed });
  const affected = [...new Set([...tests, ...waiting.filter((test) => all.includes(test))])];
  const areUsable = changed.some((path) => BINDINGS.test(path)) || (await areModulesFresh());
  const unbuilt = areUsable ? [] : affected.filter(usesModules);
  const usable = affected.filter((test) => !unbuilt.includes(test));
  const long = Object.fromEntries(longUnitFiles.map((test) => [test, LONG_SECONDS]));
  const { due, left } = withinTime(usable, { ...long, ...seconds }, UNIT_SECONDS);
  return { ...plan, due, left, unknown, unbuilt, useModules: due.some(usesModules) };
}

/**
 * Runs unit tests and remembers what they read. If all pass, they have passed on the hashes `now`, and `left` are due at the next check; if one fails, all
 * are compared with the last record again.
 * @param {string[]} tests @param {{ now: object, left?: string[], isProved?: boolean, env?: Record<string, string> }} options
 */
export async function runUnits(tests, { now, left = [], isProved = false, env = {} }) {
  rmSync(readsFolder, { recursive: true, force: true });
  mkdirSync(readsFolder, { recursive: true });
  const result = await runVitest('unit', tests, { READS_FOLDER: readsFolder, ...env });
  const known = remembered();
  const passed = result.failed === 0;
  writeIfChanged(
    memory,
    JSON.stringify({
      ...known,
      seconds: { ...known.seconds, ...secondsOf('unit') },
      reads: { ...known.reads, ...readsIn(readsFolder, passed ? tests : []) },
      ...(passed ? { before: now, left, isProved: isProved || known.isProved === true } : {}),
    }),
  );
  return result;
}
