// The C++ of `npm run check`: compiles what a change has made stale, the nearest first, and runs the tests of the folders that it can affect.
// Each ends as soon as its time is over, so that a header that all sources include does not take minutes.
import { availableParallelism } from 'node:os';
import { buildPreset, configurePreset } from '../build/cmake.mjs';
import { capture } from '../lib/run.mjs';
import { ALLOCATIONS, doctestPrograms, foldersAffected, runDoctests } from './doctest.mjs';

const PRESET = 'native-release';
/** Seconds in which a compiler may still be started, and tests of one more folder. */
const COMPILE_SECONDS = 8;
const TEST_SECONDS = 5;

/** The objects that Ninja would make again, from what it prints in a dry run; those of precompiled headers are made with the first that needs them. */
export const staleObjects = (plan) =>
  [...plan.matchAll(/^\[\d+\/\d+\] Building CXX object (\S+\.cpp\.o|\S+_cxx\.cxx\.o)$/gm)]
    .map(([, path]) => path)
    .filter((path) => !path.includes('_headers.dir/'));

const folderOf = (path) => /^(?:tests\/)?cpp\/(\w+)\//.exec(path)?.[1];
const stemOf = (path) => path.replace(/^.*\//, '').replace(/\..*$/, '');

/** The folder whose tests or sources an object has: tests of a folder are compiled together, in sources named after it. */
const folderOfObject = (path) =>
  /\/unity_(\w+?)_\d+_cxx\.cxx\.o$/.exec(path)?.[1] ?? folderOf(path) ?? path.split('/').at(-2);

/**
 * Objects in the order in which they are worth compiling after a change: of a source itself or that of a header, of its folder, of the
 * tests of its folder, and all others.
 * @param {readonly string[]} objects @param {readonly string[]} changed
 */
export function nearestFirst(objects, changed) {
  const stems = new Set(changed.filter((path) => folderOf(path)).map((path) => `${folderOf(path)} ${stemOf(path)}`));
  const folders = new Set(changed.map(folderOf));
  const distance = (path) => {
    if (stems.has(`${folderOfObject(path)} ${stemOf(path)}`)) return 0;
    if (!folders.has(folderOfObject(path))) return 3;
    return path.startsWith('tests/') ? 2 : 1;
  };
  const distances = new Map(objects.map((path) => [path, distance(path)]));
  return [...objects].sort((one, other) => distances.get(one) - distances.get(other));
}

/**
 * Takes from `queue` as many at a time as there are cores, for `work`, until the time is over; resolves with what is left. The first are taken in
 * any case.
 * @template T @param {readonly T[]} queue @param {(some: T[]) => Promise<unknown>} work @param {number} seconds
 * @param {{ at?: number, now?: () => number }} [options]
 */
export async function untilOver(queue, work, seconds, { at = availableParallelism(), now = Date.now } = {}) {
  const [end, left] = [now() + 1000 * seconds, [...queue]];
  do await work(left.splice(0, at));
  while (left.length > 0 && now() < end);
  return left;
}

/** The parts of the tests that a change can affect, those of its own folders first, and that which counts allocations last. */
export function partsAffected(changed) {
  const own = new Set(changed.map(folderOf));
  const folders = foldersAffected(changed);
  if (folders.length === 0) return [];
  return [...folders.filter((folder) => own.has(folder)), ...folders.filter((folder) => !own.has(folder)), ALLOCATIONS];
}

/**
 * Checks the C++ after `changed`; `waiting` are parts of the tests that an earlier check has left. Resolves with the counts, with the parts that are
 * left now, and with `uncompiled` if sources are left: then no test has run.
 */
export async function checkNative(changed, waiting = []) {
  const folder = await configurePreset(PRESET);
  // Configures again if a CMakeLists.txt has changed, so that the plan is about the sources that are listed now.
  await buildPreset(PRESET, ['build.ninja']);
  const plan = await capture('ninja', ['-C', folder, '-n', ...doctestPrograms]);
  const stale = nearestFirst(staleObjects(plan ?? ''), changed);
  const compile = (objects) => buildPreset(PRESET, objects);
  const uncompiled = stale.length === 0 ? [] : await untilOver(stale, compile, COMPILE_SECONDS);
  if (uncompiled.length > 0) {
    const says = `compiled ${stale.length - uncompiled.length} of ${stale.length} sources, and ran no test`;
    return { passed: 0, failed: 0, skipped: 0, notes: [], instead: says, parts: [], uncompiled };
  }
  await buildPreset(PRESET, doctestPrograms);
  const end = Date.now() + 1000 * TEST_SECONDS;
  const parts = [...new Set([...partsAffected(changed), ...waiting])];
  const { left, ...counts } = await runDoctests(PRESET, { parts, isOver: () => Date.now() > end });
  // Tests of folders that the change cannot affect are not skipped: `npm test` runs them.
  return { ...counts, skipped: 0, parts: left, uncompiled };
}
