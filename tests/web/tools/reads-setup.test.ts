// Its processes read: tests/web/tools/clang-tidy.test.ts, tools, .clang-tidy
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { readsIn } from '../../../tools/test/affected.mjs';

test('a run of the unit tests records what each of them read', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tied-reads-'));
  const test = 'tests/web/tools/clang-tidy.test.ts';
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  execFileSync(process.execPath, [vitest, 'run', '--project', 'unit', test], {
    cwd: root,
    env: { ...process.env, READS_FOLDER: folder, SHARE_MODULES: '' },
    stdio: 'pipe',
  });
  const skipped = 'tests/web/checkpoint/llama-cpp.test.ts';
  const reads = readsIn(folder, [test, skipped]) as Record<string, { files: string[]; processes: boolean }>;
  rmSync(folder, { recursive: true });
  expect(Object.keys(reads)).toEqual([test, skipped]);
  expect(reads[skipped]!.files).toEqual([]);
  expect(reads[test]!.files).toContain('.clang-tidy');
  expect(reads[test]!.processes).toBe(false);
});
