// Its processes read: nothing
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toolchain } from '../../../tools/setup/paths.mjs';
import { togetherName } from '../../../tools/test/clang-tidy.mjs';

test('the analyzer finds a mistake in a source that is checked together with others', () => {
  const { clangTidy } = toolchain();
  const folder = mkdtempSync(join(tmpdir(), 'tied-clang-tidy-'));
  try {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const fault = write('fault.cpp', 'int fault(int* p) { return p == nullptr ? *p : 0; }\n');
    const other = write('other.cpp', 'int other() { return 1; }\n');
    const together = write(togetherName('cpp/base'), `#include "${other}"\n#include "${fault}"\n`);
    const args = ['--quiet', '--checks=-*,clang-analyzer-core.*', '--header-filter=.*', together, '--', '-std=c++20'];
    const { stdout } = spawnSync(clangTidy, args, { encoding: 'utf8' });
    expect(stdout).toContain('fault.cpp:1:');
    expect(stdout).toContain('clang-analyzer-core.NullDereference');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
