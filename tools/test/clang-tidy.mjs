// clang-tidy on what has changed: a file's result is kept under the hash of the file, of our headers that it includes
// (directly or not), and of the checks.
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

/**
 * The compile commands of native-release without precompiled headers: a source that lacks an #include fails here. The checks
 * are faster that way, too, because they look at everything that a precompiled header declares.
 */
function commandsWithoutPrecompiled() {
  const folder = join(root, 'build/clang-tidy');
  const commands = readFileSync(join(root, 'build/native-release/compile_commands.json'), 'utf8');
  writeIfChanged(join(folder, 'compile_commands.json'), withoutPrecompiled(commands));
  return folder;
}

/** `text` of a compile_commands.json without the flags by which CMake includes a precompiled header. */
export const withoutPrecompiled = (text) =>
  text.replaceAll(/ -Xclang -include(?:-pch)? -Xclang \S+\/cmake_pch\.hxx(?:\.pch)?/g, '');

/** Checks cpp/ (bindings apart, which only Emscripten compiles); resolves with { checked, failed: [path] }. */
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
  const commands = commandsWithoutPrecompiled();
  const failed = [];
  const queue = [...due];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const log = `clang-tidy-${next.path.replaceAll('/', '-')}`;
      const args = ['--quiet', '-p', commands, next.path];
      const { code } = await run(toolchain().clangTidy, args, { log, allowFailure: true });
      if (code === 0) writeIfChanged(next.stamp, next.hash);
      else failed.push(next.path);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { checked: due.length, failed };
}
