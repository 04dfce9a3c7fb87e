// What passed on the very same files is not run again.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../lib/files.mjs';
import { root } from '../lib/root.mjs';
import { hashOf, hashOfFiles, writeIfChanged } from '../lib/stamps.mjs';
import { toolchain } from '../setup/paths.mjs';

/** All files of the project, with the modules in web/wasm/ and the data that some tests read from beside it. */
export const everything = () => [...projectFiles('.', /./), 'web/wasm', '../shared/data'];

/** Everything that compiles: the native compiler's release, Emscripten's, and the headers of others. */
let compilers;
function compilersHash() {
  if (compilers !== undefined) return compilers;
  const { clangxx, emscriptenRoot, include } = toolchain();
  const release = execFileSync(clangxx, ['--version'], { encoding: 'utf8' });
  compilers = hashOf(release, hashOfFiles([include, join(emscriptenRoot, 'emscripten-version.txt')]));
  return compilers;
}

/** Runs phases whatever is remembered of them: `npm test -- --all`. */
export const runsAll = process.argv.includes('--all');

/**
 * The phase, but for its work where all that it reads (`inputs()`: files and folders, relative to `base`) is as it was when
 * it last passed: then with the counts of that time. What failed is done again in any case. `also()` is what else decides about the result, as text.
 */
export function unlessUnchanged(phase, inputs, options = {}) {
  const { base = root, memory = join(root, 'build', 'passed'), also = () => '' } = options;
  const { title, run } = phase;
  const file = join(memory, `${title.replaceAll(/\W+/g, '-')}.json`);
  return {
    ...phase,
    run: async () => {
      const files = hashOfFiles(inputs().map((path) => join(base, path)));
      const hash = hashOf(title, process.version, compilersHash(), also(), files);
      const last = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
      if (last?.hash === hash && !runsAll) return { ...last.counts, unchanged: true, notes: [] };
      rmSync(file, { force: true });
      const result = await run();
      const { passed, failed, skipped } = result;
      // Files that were changed meanwhile have another hash than this one.
      if (failed === 0) writeIfChanged(file, JSON.stringify({ hash, counts: { passed, failed, skipped } }));
      return result;
    },
  };
}
