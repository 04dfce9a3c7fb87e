// Its processes read: tools/lib
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageSteps } from '../../../tools/build/build.mjs';
import { withLock } from '../../../tools/lib/lock.mjs';
import { root } from '../../../tools/lib/root.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('npm pack first builds everything that the package names, including the relaxed build', () => {
  expect(manifest.scripts.prepack).toContain('tools/build/build.mjs --package');
  expect(packageSteps().map(({ title }) => title)).toEqual([
    'Building the core as wasm',
    'Building the core with relaxed multiply-add',
    'Bundling the package (dist/)',
  ]);
});

test('a build does not wait for a lock held by the program that started it', async () => {
  const lock = pathToFileURL(join(root, 'tools/lib/lock.mjs')).href;
  const script = `import { withLock } from '${lock}'; await withLock(async () => console.log('inside'));`;
  const child = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect((await withLock(child)).stdout).toBe('inside\n');
});

test('the fields for bundlers without package exports name the same files', () => {
  const { exports, alias, typesVersions } = manifest;
  type Target = string | { types: string; default: string };
  const subpaths = Object.entries(exports as Record<string, Target>).filter(
    ([name]) => !['.', './package.json'].includes(name),
  );
  const scripts = subpaths.map(([name, target]) => [name, typeof target === 'string' ? target : target.default]);
  // Parcel writes the match of a star as $1.
  expect(alias).toEqual(Object.fromEntries(scripts.map(([name, file]) => [name, file!.replace('*', '$1')])));
  const typed = subpaths.flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [[name.slice(2), [target.types]]],
  );
  expect(typesVersions).toEqual({ '*': Object.fromEntries(typed) });
});
