// Runs clang-tidy on what has changed: a file's result is stored under a hash of the file, of our headers that it includes
// (directly or indirectly), and of the checks. Beside it is stored what the file says itself, for the fast loop.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { projectFiles } from '../lib/files.mjs';
import { run } from '../lib/run.mjs';
import { hashOf, writeIfChanged } from '../lib/stamps.mjs';
import { toolchain } from '../setup/paths.mjs';
import { sinceLastCommit } from './last-commit.mjs';

/** Contents of a source file and of all our headers that it includes, each once. */
export function closure(path, seen = new Map()) {
  if (seen.has(path)) return seen;
  const text = readFileSync(join(root, path), 'utf8');
  seen.set(path, text);
  for (const [, include] of text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)) {
    for (const candidate of [`cpp/${include}`, join(dirname(path), include)]) {
      if (existsSync(join(root, candidate))) closure(candidate, seen);
    }
  }
  return seen;
}

/** The flags in a compile command. */
export function flagsOf(command) {
  const [, ...words] = command.split(' ');
  return words.slice(0, words.indexOf('-o'));
}

/**
 * Checks the sources of one folder; resolves with those that have findings. Parsing third-party headers takes most of the
 * time, so `check(paths)` reads the sources together. If there is any finding, even just a name that two sources share, each
 * source is checked separately, and that result counts.
 */
export async function checkTogether(paths, check) {
  if (paths.length > 1 && (await check(paths))) return [];
  const failed = [];
  for (const path of paths) if (!(await check([path]))) failed.push(path);
  return failed;
}

/**
 * The number of graph nodes at which the analyzer gives up on a function. The default of 225,000 takes twice as long for all of
 * cpp/ and finds the same; at 50,000 it reports a null pointer where there is none.
 */
const maxNodes = ['-Xclang', '-analyzer-config', '-Xclang', 'max-nodes=100000'];

/**
 * A source without its explicit instantiations for double. The analyzer follows the paths of each instantiation, and those of
 * `float` and `double` are the same. Lines keep their numbers.
 * @param {string} source
 * @returns {string}
 */
export const onlyForFloat = (source) =>
  source.replaceAll(/^template (?!<)[^;{]*;/gm, (instantiation) =>
    /\bdouble\b/.test(instantiation) && !/\bfloat\b/.test(instantiation)
      ? instantiation.replaceAll(/[^\n]/g, '')
      : instantiation,
  );

/** Writes the sources for float only, and a file that makes clang-tidy read them instead of the project's; returns its path. */
function overlayOf(paths) {
  const folder = join(root, 'build/clang-tidy');
  const roots = paths.map((path) => {
    const contents = join(folder, `only-for-float-${path.replaceAll('/', '__')}`);
    writeIfChanged(contents, onlyForFloat(readFileSync(join(root, path), 'utf8')));
    return { name: join(root, path), type: 'file', 'external-contents': contents };
  });
  const overlay = join(folder, `overlay-${paths[0].replaceAll('/', '__')}-${paths.length}.json`);
  writeIfChanged(overlay, JSON.stringify({ version: 0, 'use-external-names': false, roots }));
  return overlay;
}

/** A check of sources of `folder`, with the flags of native-release and the checks of .clang-tidy. */
function checkOf(folder) {
  const commands = JSON.parse(readFileSync(join(root, 'build/native-release/compile_commands.json'), 'utf8'));
  const flags = flagsOf(commands.find(({ file }) => file.startsWith(join(root, folder, '/'))).command);
  const passes = async (source, name, paths) => {
    const options = [`--config-file=${join(root, '.clang-tidy')}`, `--vfsoverlay=${overlayOf(paths)}`];
    const args = ['--quiet', ...options, source, '--', ...flags, ...maxNodes];
    const log = `clang-tidy-${name.replaceAll('/', '-')}`;
    return (await run(toolchain().clangTidy, args, { log, allowFailure: true })).code === 0;
  };
  return (paths) => {
    if (paths.length === 1) return passes(paths[0], paths[0], paths);
    const together = join(root, 'build/clang-tidy', togetherName(folder));
    const include = (path) => `#include "${join(root, path)}"  // NOLINT(bugprone-suspicious-include)\n`;
    writeIfChanged(together, paths.map(include).join(''));
    return passes(together, folder, paths);
  };
}

/**
 * The analyzer follows paths in the file that it is given; if the name of that file contains 'UnifiedSource', also in the sources
 * that it includes (isInCodeFile in clang's AnalysisManager.h).
 */
export const togetherName = (folder) => `UnifiedSource-${folder.replaceAll('/', '__')}.cpp`;

/** Sources that unity builds compile separately, as their folder's CMakeLists.txt says. */
function compiledAlone() {
  const said = projectFiles('cpp', /CMakeLists\.txt$/).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const lists = text.matchAll(
      /set_source_files_properties\(([^)]+?)\s+PROPERTIES\s+SKIP_UNITY_BUILD_INCLUSION\s+ON\)/g,
    );
    return [...lists].flatMap(([, names]) => names.split(/\s+/).map((name) => `${dirname(path)}/${name}`));
  });
  return new Set(said);
}

/**
 * What is checked together, [{ folder, sources }]: the sources of a folder, and each source that cannot be joined with others
 * by itself. The largest come first, so the last one finishes quickly.
 * @template {{ path: string }} T
 * @param {readonly T[]} due
 * @returns {{ folder: string, sources: T[] }[]}
 */
export function together(due, alone = compiledAlone()) {
  const groups = new Map();
  for (const source of due) {
    const folder = dirname(source.path);
    const key = alone.has(source.path) ? source.path : folder;
    groups.set(key, { folder, sources: [...(groups.get(key)?.sources ?? []), source] });
  }
  return [...groups.values()].sort((a, b) => b.sources.length - a.sources.length);
}

const ownHeader = (path) => path.replace(/\.cpp$/, '.h');

/** A source and its own header, which is what its author works on. */
const ownText = (path) =>
  [path, ownHeader(path)]
    .filter((file) => existsSync(join(root, file)))
    .map((file) => readFileSync(join(root, file), 'utf8'));

/**
 * The sources whose hash (`whole`) differs from the record of their last pass (`last`). With `onlyEdited`, those that are due only
 * because of a header of another source are left out, and those that have no record and are as at the last commit (`isCommitted`): a change in cpp/base, or
 * a fresh clone, would otherwise take minutes.
 * @template {{ whole: string, own: string, last: string, isCommitted?: boolean }} T
 * @param {readonly T[]} sources
 * @returns {T[]}
 */
export const dueOf = (sources, { onlyEdited = false } = {}) =>
  sources.filter(({ whole, own, last, isCommitted }) => {
    const [lastWhole, lastOwn] = last.split('\n');
    return whole !== lastWhole && !(onlyEdited && (last === '' ? isCommitted : own === lastOwn));
  });

const stamps = join(root, 'build/clang-tidy');

/**
 * Checks cpp/, except the bindings, which only Emscripten can compile; resolves with { checked, unchecked, failed: [path] }: how many sources were checked,
 * and how many of the others have not passed as they are.
 * @param {{ onlyEdited?: boolean }} [options] as for dueOf
 */
export async function clangTidy(options = {}) {
  const checks = readFileSync(join(root, '.clang-tidy'), 'utf8');
  const since = sinceLastCommit();
  const edited = new Set(since && [...since.edited, ...since.added]);
  const isAsCommitted = (path) => since !== undefined && ![path, ownHeader(path)].some((file) => edited.has(file));
  const sources = projectFiles('cpp', /\.cpp$/)
    .filter((path) => !path.startsWith('cpp/bindings/'))
    .map((path) => {
      const stamp = join(stamps, `${path.replaceAll('/', '__')}.stamp`);
      const last = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
      const [whole, own] = [hashOf(checks, [...closure(path)]), hashOf(checks, ownText(path))];
      return { path, stamp, last, whole, own, isCommitted: isAsCommitted(path) };
    });
  const due = dueOf(sources, options);
  const unchecked = dueOf(sources).length - due.length;
  const groups = together(due);
  const failed = [];
  const work = async () => {
    for (let next = groups.shift(); next; next = groups.shift()) {
      const { folder, sources } = next;
      const wrong = await checkTogether(
        sources.map(({ path }) => path),
        checkOf(folder),
      );
      failed.push(...wrong);
      for (const { path, whole, own, stamp } of sources)
        if (!wrong.includes(path)) writeIfChanged(stamp, `${whole}\n${own}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { checked: due.length, unchecked, failed };
}
