// Runs clang-tidy on what has changed: a file's result is stored under the hash of the file, of our headers that it includes,
// directly or indirectly, and of the checks.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { projectFiles } from '../lib/files.mjs';
import { run } from '../lib/run.mjs';
import { hashOf, writeIfChanged } from '../lib/stamps.mjs';
import { toolchain } from '../setup/paths.mjs';

/** Contents of a source file and of all our headers that it includes, each once. */
function closure(path, seen = new Map()) {
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
 * Where the analyzer gives up on a function, in nodes of its graph. The default of 225,000 takes twice as long for all of
 * cpp/ and finds the same; at 50,000 it reports a null pointer that is none.
 */
const maxNodes = ['-Xclang', '-analyzer-config', '-Xclang', 'max-nodes=100000'];

/** A check of sources of `folder`, with the flags of native-release and the checks of .clang-tidy. */
function checkOf(folder) {
  const commands = JSON.parse(readFileSync(join(root, 'build/native-release/compile_commands.json'), 'utf8'));
  const flags = flagsOf(commands.find(({ file }) => file.startsWith(join(root, folder, '/'))).command);
  const passes = async (source, name) => {
    const args = ['--quiet', `--config-file=${join(root, '.clang-tidy')}`, source, '--', ...flags, ...maxNodes];
    const log = `clang-tidy-${name.replaceAll('/', '-')}`;
    return (await run(toolchain().clangTidy, args, { log, allowFailure: true })).code === 0;
  };
  return (paths) => {
    if (paths.length === 1) return passes(paths[0], paths[0]);
    const together = join(root, 'build/clang-tidy', togetherName(folder));
    const include = (path) => `#include "${join(root, path)}"  // NOLINT(bugprone-suspicious-include)\n`;
    writeIfChanged(together, paths.map(include).join(''));
    return passes(together, folder);
  };
}

/**
 * The analyzer follows paths in the file that it is given; in one whose name contains 'UnifiedSource', also in the sources
 * that it includes (isInCodeFile in clang's AnalysisManager.h).
 */
export const togetherName = (folder) => `UnifiedSource-${folder.replaceAll('/', '__')}.cpp`;

/** Checks cpp/, except the bindings, which only Emscripten can compile; resolves with { checked, failed: [path] }. */
export async function clangTidy() {
  const checks = readFileSync(join(root, '.clang-tidy'), 'utf8');
  const due = projectFiles('cpp', /\.cpp$/)
    .filter((path) => !path.startsWith('cpp/bindings/'))
    .map((path) => ({
      path,
      hash: hashOf(checks, [...closure(path)]),
      stamp: join(root, 'build/clang-tidy', `${path.replaceAll('/', '__')}.stamp`),
    }))
    .filter(({ hash, stamp }) => !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash);
  // The largest folder first, so that the last one finishes quickly.
  const folders = [...new Set(due.map(({ path }) => dirname(path)))]
    .map((folder) => ({ folder, sources: due.filter(({ path }) => dirname(path) === folder) }))
    .sort((a, b) => b.sources.length - a.sources.length);
  const failed = [];
  const work = async () => {
    for (let next = folders.shift(); next; next = folders.shift()) {
      const { folder, sources } = next;
      const wrong = await checkTogether(
        sources.map(({ path }) => path),
        checkOf(folder),
      );
      failed.push(...wrong);
      for (const { path, hash, stamp } of sources) if (!wrong.includes(path)) writeIfChanged(stamp, hash);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { checked: due.length, failed };
}
