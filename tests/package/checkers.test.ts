// What package checkers report about the tarball.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installBundlers } from './bundlers/builders.js';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
let modules: string;
beforeAll(async () => {
  modules = await installBundlers();
  packed = packPackage();
}, 600_000);
afterAll(() => packed.remove());

/** The output of a checker; if it finds problems, it ends with an error, and so does its test. */
function check(script: string, args: readonly string[]): string {
  const options = { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } } as const;
  try {
    return execFileSync(process.execPath, [join(modules, script), ...args], options);
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

test('publint finds no problems and makes no suggestions', () => {
  expect(check('publint/src/cli.js', ['run', packed.tarball, '--strict'])).toContain('All good!');
});

test('are-the-types-wrong finds no problems under any module resolution', () => {
  const wasm = Object.keys(packed.manifest.exports).filter((name) => name.endsWith('.wasm'));
  expect(wasm).toEqual(['./*.wasm']);
  const report = check('@arethetypeswrong/cli/dist/index.js', [
    packed.tarball,
    ...['--format', 'ascii'],
    // CommonJS must import() a package that has only modules; Node 20.19 and newer can also require it.
    ...['--ignore-rules', 'cjs-resolves-to-esm'],
    // What an import of a wasm file returns depends on the bundler.
    ...['--exclude-entrypoints', ...wasm.map((name) => name.slice(2))],
    // One file stands for the pattern, which the checker does not expand.
    ...['--include-entrypoints', 'elements/symmetry-explorer'],
  ]);
  expect(report).toContain('No problems found');
  expect(report).toContain('"tied-embeddings/elements/symmetry-explorer"');
}, 600_000);
