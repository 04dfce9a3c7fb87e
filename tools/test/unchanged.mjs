// Skips phases that have passed and whose inputs have not changed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../lib/files.mjs';
import { root } from '../lib/root.mjs';
import { hashOf, hashOfFiles, writeIfChanged } from '../lib/stamps.mjs';
import { toolchain } from '../setup/paths.mjs';

/** All files of the project, the modules in web/wasm/, and the data beside the project that some tests read. */
export const everything = () => [...projectFiles('.', /./), 'web/wasm', '../shared/data'];

/** Versions of the native compiler and of Emscripten, and the third-party headers. */
let compilers;
function compilersHash() {
  if (compilers !== undefined) return compilers;
  const { clangxx, emscriptenRoot, include } = toolchain();
  const release = execFileSync(clangxx, ['--version'], { encoding: 'utf8' });
  compilers = hashOf(release, hashOfFiles([include, join(emscriptenRoot, 'emscripten-version.txt')]));
  return compilers;
}

/** Runs phases even if they are unchanged: `npm test -- --all`. */
export const runsAll = process.argv.includes('--all');

const notHashed = /node_modules|\.DS_Store/;

/**
 * Wraps a phase: if its inputs (`inputs()`: files and folders, relative to `base`) have not changed since it last passed, its
 * stored counts are returned instead of running it. Failed phases always run again. `also()` returns other inputs as text; files whose
 * paths match `ignore` are none.
 */
export function unlessUnchanged(phase, inputs, options = {}) {
  const { base = root, memory = join(root, 'build', 'passed'), also = () => '', ignore } = options;
  const { title, run } = phase;
  const file = join(memory, `${title.replaceAll(/\W+/g, '-')}.json`);
  return {
    ...phase,
    record: file,
    inputs,
    run: async () => {
      const paths = inputs().map((path) => join(base, path));
      const files = hashOfFiles(paths, {
        ignore: ignore ? new RegExp(`${notHashed.source}|${ignore.source}`) : notHashed,
      });
      const hash = hashOf(title, process.version, compilersHash(), also(), files);
      const last = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
      if (last?.hash === hash && !runsAll) return { ...last.counts, unchanged: true, notes: [] };
      // Not removed, so that a failed phase counts as one that runs here (hasRun).
      writeIfChanged(file, JSON.stringify({ hash: null }));
      const result = await run();
      const { passed, failed, skipped } = result;
      // Hashed before the run, so files that change during it do not count as checked.
      if (failed === 0) writeIfChanged(file, JSON.stringify({ hash, counts: { passed, failed, skipped } }));
      return result;
    },
  };
}

/** Whether a phase of unlessUnchanged has ever begun in this checkout. */
export const hasRun = ({ record }) => existsSync(record);
