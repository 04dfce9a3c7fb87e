// Its processes read: nothing
import { exec, execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { recordReads } from '../../../tools/test/reads.mjs';

const at = (path: string): string => join(root, path);
let recorded: ReturnType<typeof recordReads>;
beforeEach(() => (recorded = recordReads()));
afterEach(() => recorded.stop());

test('each way to read a file of the project is recorded, including missing files', async () => {
  readFileSync(at('README.md'));
  readFileSync(pathToFileURL(at('LICENSE')));
  await readFile('CHANGELOG.md', 'utf8');
  await (await open(at('CONTRIBUTING.md'))).close();
  await once(createReadStream(at('.gitignore')).resume(), 'close');
  statSync(at('vitest.config.ts'));
  existsSync(at('docs/none.md'));
  // Like TypeScript, whose modules are not ES modules.
  process.getBuiltinModule('node:fs').readFileSync(at('docs/adding.md'));
  const { files, ...others } = recorded.reads;
  expect([...files].sort()).toEqual(
    [
      ...['.gitignore', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md'],
      ...['docs/adding.md', 'docs/none.md', 'vitest.config.ts'],
    ].sort(),
  );
  expect(others).toEqual({ folders: new Set(), processes: false, builds: false });
});

test('a folder is recorded separately, because edits of its files do not change its listing', async () => {
  readdirSync(at('docs'));
  await readdir(root);
  expect(recorded.reads).toMatchObject({ files: new Set(), folders: new Set(['docs', '']) });
});

test('temporary files, packages and files outside the project are not recorded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tied-reads-'));
  for (const path of [folder, at('build/none'), at('node_modules/vitest')]) existsSync(path);
  rmSync(folder, { recursive: true });
  expect(recorded.reads).toEqual({ files: new Set(), folders: new Set(), processes: false, builds: false });
});

test.each(['dist/slim.js', 'site/index.html', '.git/HEAD'])('%s counts as build output', (path) => {
  existsSync(at(path));
  expect(recorded.reads).toMatchObject({ files: new Set(), builds: true });
});

test.each<[string, () => unknown]>([
  ['a program, waited for', () => execFileSync(process.execPath, ['--version'])],
  ['a program', () => promisify(execFile)(process.execPath, ['--version'])],
  ['a command', () => promisify(exec)('true')],
  ['a thread', () => new Promise((done) => new Worker('', { eval: true }).on('exit', done))],
])('%s counts as a process', async (_, start) => {
  expect(recorded.reads.processes).toBe(false);
  await start();
  expect(recorded.reads.processes).toBe(true);
});

test('nothing is recorded afterwards', () => {
  recorded.stop();
  readFileSync(at('README.md'));
  expect(recorded.reads.files).toEqual(new Set());
});
