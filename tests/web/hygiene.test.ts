// Nothing in the project depends on the machine or network where it was written.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';

const binary = /\.(png|woff2|wasm|safetensors|bin|ico)$/;

function trackedFiles(): string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((path) => path !== '' && !binary.test(path));
}

// Built from parts, so this file does not find itself.
const forbidden: [string, RegExp][] = [
  ['a package registry', new RegExp(['registry', 'npmjs'].join('\\.'))],
  ['a mirror of Debian', new RegExp(['\\b(deb|security|ftp)', 'debian', 'org'].join('\\.'))],
  [
    'a folder of one machine',
    new RegExp(`(^|[\\s"'\`(=:])/(${['root', 'work', 'home', 'Users', 'tmp'].join('|')})/`, 'm'),
  ],
];

function findings(path: string, text: string): string[] {
  return forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${path} names ${what}`);
}

test('no tracked file names a registry, a mirror or a folder of one machine', () => {
  const files = trackedFiles();
  expect(files).toContain('package.json');
  const found = files.flatMap((path) => {
    try {
      return findings(path, readFileSync(join(root, path), 'utf8'));
    } catch {
      return []; // deleted, but not committed yet
    }
  });
  expect(found).toEqual([]);
});

test('the search finds known violations', () => {
  expect(findings('a', ['https://registry', 'npmjs', 'org/x'].join('.'))).toHaveLength(1);
  expect(findings('a', `deb http://${['deb', 'debian', 'org'].join('.')}/debian x main`)).toHaveLength(1);
  expect(findings('a', ['"', 'home', 'someone/x"'].join('/'))).toHaveLength(1);
  expect(findings('a', "import '../work/x.js'; https://example.org/home/")).toEqual([]);
});

test('the lock file has no download URLs and pins every version', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; version?: string; link?: boolean }>;
  };
  const withAddress = Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(withAddress).toEqual([]);
});

test('dependencies are pinned exactly', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const versions = { ...manifest.dependencies, ...manifest.devDependencies };
  const loose = Object.entries(versions).filter(([, version]) => !/^(npm:[\w/@-]+@)?\d+\.\d+\.\d+$/.test(version));
  expect(loose).toEqual([]);
});
