// Chooses the unit tests that a change can affect, for `npm run check`; `npm test` runs all of them. A test depends on what
// it imports, directly or indirectly, as found by esbuild's bundler. Tests that read the project's files by path always run.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFiles } from '../lib/files.mjs';
import { root } from '../lib/root.mjs';
import { hashOfFiles } from '../lib/stamps.mjs';

/** Any test may depend on these without importing them. */
const AFFECTS_ALL = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|web\/wasm\/.*|\.\.\/.*)$/;
/** Helpers of the tests that read files, but only web/wasm/ and data beside the project. */
const READS_NO_SOURCES = ['tests/web/core/support.ts', 'tests/web/core/bound-verbs.ts'];
const DATA = '../shared/data';

const unitTests = () =>
  projectFiles('tests/web', /\.test\.ts$/).filter((path) => !path.startsWith('tests/web/relaxed/'));

/** The hash of each file that a unit test may depend on, by path; the data beside the project has one hash. */
export function hashes() {
  const wasm = join(root, 'web/wasm');
  const modules = existsSync(wasm) ? readdirSync(wasm).map((name) => `web/wasm/${name}`) : [];
  const hashed = [...projectFiles('.', /./), ...modules].map((path) => [
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

/** The imports of each module of the unit tests, found for all tests at once. */
async function importsOfTests(tests) {
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
    logLevel: 'silent',
    // Imports of types alone are dropped: some are of .d.ts files, which have no module.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false, experimentalDecorators: true } },
  });
  return metafile.inputs;
}

/** The test files that depend on any of `changed`; null if all may. */
export async function affectedTests(changed) {
  if (changed.some((path) => AFFECTS_ALL.test(path))) return null;
  const tests = unitTests();
  const inputs = await importsOfTests(tests);
  const readsSources = (path) =>
    !path.startsWith('web/') &&
    !READS_NO_SOURCES.includes(path) &&
    inputs[path].imports.some((imported) => imported.path === 'node:fs');
  const isAffected = (test) => {
    const seen = new Set();
    const due = [test];
    for (let path = due.pop(); path !== undefined; path = due.pop()) {
      if (seen.has(path) || inputs[path] === undefined) continue;
      if (changed.includes(path) || readsSources(path)) return true;
      seen.add(path);
      due.push(...inputs[path].imports.map((imported) => imported.path));
    }
    return false;
  };
  return tests.filter(isAffected);
}
