// Its processes read: tools, bench, package.json
// The help of every script of package.json.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';

// Each starts a process or three.
vi.setConfig({ testTimeout: 60_000 });

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
// npm runs the last one itself, when it packs.
const ours = Object.entries(scripts).filter(([name]) => name !== 'prepack');

/** Without packages, toolchain or builds, as in a fresh clone, so nothing could be started without a failure. */
let clone = '';
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'help-'));
  for (const name of ['tools', 'bench', 'package.json']) {
    cpSync(join(root, name), join(clone, name), { recursive: true });
  }
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const files = (): string[] => (readdirSync(clone, { recursive: true }) as string[]).sort();

function run(command: string, ...words: string[]) {
  const [program, ...given] = command.split(' ');
  expect(program).toBe('node');
  const { status, stdout, stderr } = spawnSync(process.execPath, [...given, ...words], {
    cwd: clone,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.each(ours)('npm run %s helps and starts nothing', (name, command) => {
  const before = files();
  for (const word of ['--help', '-h']) {
    const { status, stdout, stderr } = run(command, word);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`npm (run )?${name}\\b`));
  }
  expect(files()).toEqual(before);
});

test.each(ours)('npm run %s refuses an option that it does not have, in a sentence', (_, command) => {
  const before = files();
  const { status, stdout, stderr } = run(command, '--no-such-option');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('--no-such-option');
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(files()).toEqual(before);
});
