// Chooses the unit tests that a change can affect, for `npm run check`; `npm test` runs all of them. A test depends on what
// it imports, directly or indirectly, as found by esbuild's bundler, on what it read by path when it last passed
// (reads.mjs), and on what its text names. C++ is judged by its own tests, which compute natively what the modules
// in web/wasm/ compute; only its bindings have no others than those of web/core.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandModules, importOf } from '../lib/command-modules.mjs';
import { projectFiles } from '../lib/files.mjs';
import { root } from '../lib/root.mjs';
import { hashOfFiles } from '../lib/stamps.mjs';

/** Any test may depend on these without importing them. */
const AFFECTS_ALL =
  /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|tools\/test\/(reads|equality).*|\.\.\/.*)$/;
/** What the native tests leave out, and which tests run instead. */
export const BINDINGS = /^cpp\/bindings\//;
const OF_BINDINGS = /^tests\/web\/core\//;
const DATA = '../shared/data';

export const unitTests = () =>
  projectFiles('tests/web', /\.test\.ts$/).filter((path) => !path.startsWith('tests/web/relaxed/'));

/** The hash of each file that a unit test may depend on, by path; the data beside the project has one hash. */
export function hashes() {
  const hashed = projectFiles('.', /./).map((path) => [
    path,
    createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex'),
  ]);
  return { ...Object.fromEntries(hashed), [DATA]: hashOfFiles([join(root, DATA)]) };
}

/** Paths whose hashes differ, including added and removed files. */
export const changedPaths = (before, now) =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => before[path] !== now[path]);

/** @type {import('esbuild').Plugin} */
const ofCommand = {
  name: 'of-command',
  setup: ({ onResolve }) => {
    for (const [name, file] of Object.entries(commandModules)) {
      onResolve({ filter: importOf(name) }, ({ importer }) =>
        importer.startsWith(join(root, 'command')) ? { path: join(root, file) } : undefined,
      );
    }
  },
};

/** The imports of each module of the unit tests, found for all tests at once. */
export async function importsOfTests(tests = unitTests()) {
  // The set-up may have to install it first.
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: tests.map((path) => `import './${path}';`).join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Generated, and built by `npm run test:all` alone.
    external: ['*-relaxed-bytes.mjs'],
    logLevel: 'silent',
    plugins: [ofCommand],
    // Type-only imports are dropped: some refer to .d.ts files, which have no module.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false, experimentalDecorators: true } },
  });
  return metafile.inputs;
}

/**
 * A module that starts processes or threads may declare which of the project's files they read: `// Its processes read: a, b`,
 * or `nothing`. What they actually read is not checked.
 */
const SAID = /^\/\/ Its processes read: (.+)$/m;

/** What the processes of a test read, as its modules declare it; undefined if none does. */
function readByProcesses(modules) {
  const ours = modules.filter((path) => /^(tests|tools)\//.test(path) && existsSync(join(root, path)));
  const said = ours.map((path) => SAID.exec(readFileSync(join(root, path), 'utf8'))?.[1]).filter((list) => list);
  return said.length === 0 ? undefined : said.flatMap((list) => list.split(', '));
}

const sources = new Map();
/** The text of a test or of what tests share; '' for other modules, whose names are no inputs. */
function sourceOf(path) {
  if (!/^(tests|tools)\//.test(path)) return '';
  if (!sources.has(path)) {
    const file = join(root, path);
    sources.set(path, existsSync(file) ? readFileSync(file, 'utf8') : '');
  }
  return sources.get(path);
}

/** How many folders from a changed file a name in quotes is: 0 for its own path, 1 for its folder; Infinity if none is named, nor all files listed. */
function namedIn(text, path) {
  const parts = path.split('/');
  for (let up = 0; up < parts.length; up++) {
    const name = parts.slice(0, parts.length - up).join('/');
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
      if (/['"`/]/.test(text[at - 1] ?? '') && /^\/?['"`]/.test(text.slice(at + name.length, at + name.length + 2)))
        return up;
  }
  return /projectFiles\('\.'|ls-files/.test(text) ? parts.length : Infinity;
}

const stemOf = (path) => basename(path).replace(/\..*/, '');
const isIn = (folder, path) => folder === '' || path === folder || path.startsWith(`${folder}/`);

/** A test and all modules that it imports, directly or indirectly, by the number of imports between. */
function modulesOf(test, inputs) {
  const seen = new Map([[test, 0]]);
  for (const [path, steps] of seen)
    for (const { path: imported } of inputs[path]?.imports ?? [])
      if (!seen.has(imported)) seen.set(imported, steps + 1);
  return seen;
}

/** How near to `path` the names in a test's own text and in those of its modules are. */
const namedBy = (modules, path) => Math.min(...[...modules.keys()].map((module) => namedIn(sourceOf(module), path)));

/** Beyond all imports: of a test that may depend on any file. */
const FAR = 1000;

/**
 * The test files that depend on any of `changed`, the nearest first, and which of them use the modules in web/wasm/. Nearest are those that
 * changed themselves or have the name of a changed file, then those that read one, name it, or import it with the fewest
 * imports between; last, if `changed` has settings on which all depend, all others. `reads` is what each test read when it last passed (recordReads), `listed`
 * are those of `changed` that were added or removed, and `inputs` the imports of each module. `unknown` are tests that never passed here, and neither import nor name what changed:
 * they may read it all the same.
 * @param {string[]} changed
 * @param {{ reads?: object, listed?: string[], inputs?: Awaited<ReturnType<typeof importsOfTests>> }} [known]
 * @returns {Promise<{ tests: string[], unknown: string[], usesModules: (test: string) => boolean }>}
 */
export async function affectedTests(changed, { reads = {}, listed = changed, inputs: known } = {}) {
  const ofAll = changed.some((path) => AFFECTS_ALL.test(path)) ? FAR : Infinity;
  const ofBindings = changed.some((path) => BINDINGS.test(path));
  const tests = unitTests();
  const inputs = known ?? (await importsOfTests(tests));
  /** Infinity if the test is not affected. */
  const distanceTo = (test) => {
    const modules = modulesOf(test, inputs);
    const imported = changed.filter((path) => modules.has(path));
    if (imported.some((path) => stemOf(path) === stemOf(test))) return 0;
    const read = reads[test];
    const isRead = () => {
      if (ofBindings && OF_BINDINGS.test(test)) return true;
      if (read === undefined) return false;
      if (read.builds) return true;
      if (read.files.some((path) => changed.includes(path))) return true;
      if (read.folders.some((folder) => listed.some((path) => isIn(folder, path)))) return true;
      if (!read.processes) return false;
      const folders = readByProcesses([...modules.keys()]);
      return folders?.some((folder) => changed.some((path) => isIn(folder, path))) ?? true;
    };
    const named = read === undefined ? changed.map((path) => 1 + namedBy(modules, path)) : [];
    return Math.min(...imported.map((path) => modules.get(path)), ...named, isRead() ? 1 : Infinity, ofAll);
  };
  // Bundled workers and commands load modules, too. What reads build outputs is about whatever has been built.
  const usesModules = (test) => {
    const modules = [...modulesOf(test, inputs).keys()];
    const { files = [], processes = true, builds = false } = reads[test] ?? {};
    if (builds) return false;
    const read = [...modules, ...files].some((path) => path.startsWith('web/wasm/'));
    return read || (processes && (readByProcesses(modules) ?? []).some((folder) => isIn('web', folder)));
  };
  const distances = new Map(tests.map((test) => [test, distanceTo(test)]));
  const affected = tests.filter((test) => distances.get(test) < Infinity);
  const unknown = tests.filter((test) => distances.get(test) === Infinity && reads[test] === undefined);
  return { tests: affected.sort((one, other) => distances.get(one) - distances.get(other)), unknown, usesModules };
}

/** Of a test that has not been timed, in seconds; and of starting one. */
const USUAL_SECONDS = 3;
const START_SECONDS = 1;

/**
 * The first of `tests` that fit into a time, and what is left for another. At least one fits. `seconds`: how long each took.
 * @param {string[]} tests @param {Record<string, number>} seconds @param {number} most
 */
export function withinTime(tests, seconds, most) {
  const [due, left] = [[], []];
  let sum = 0;
  for (const test of tests) {
    const time = START_SECONDS + (seconds[test] ?? USUAL_SECONDS);
    const fits = due.length === 0 || sum + time <= most;
    (fits ? due : left).push(test);
    if (fits) sum += time;
  }
  return { due, left };
}

/** Of `changed`, what was added or removed: only this changes what a folder lists. */
export const addedOrRemoved = (changed, before, now) => changed.filter((path) => !(path in before && path in now));

/** What each of `tests` read, by its path, from the records in `folder` (reads-setup.mjs). If all of a file are skipped, there is none. */
export function readsIn(folder, tests) {
  const records = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const skipped = { files: [], folders: [], processes: false, builds: false };
  return Object.fromEntries([
    ...tests.map((test) => [test, skipped]),
    ...records.map(({ test, ...read }) => [test, read]),
  ]);
}
