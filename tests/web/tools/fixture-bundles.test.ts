// Its processes read: nothing
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { staleBundles } from '../../browser/fixture-bundles.js';

const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-fixtures-'));
afterAll(() => rmSync(folder, { recursive: true }));

function bundlesUsedBy(name: string, processes: readonly number[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const pid of processes) writeFileSync(join(path, `used-by-${pid}`), '');
  return path;
}

test('bundles of older sources are stale, except those that a running process serves', () => {
  // No system assigns process ids as large as this one.
  const gone = 2 ** 30;
  const unused = bundlesUsedBy('unused', []);
  const left = bundlesUsedBy('left', [gone]);
  bundlesUsedBy('served', [gone, process.pid]);
  expect(staleBundles(folder).sort()).toEqual([left, unused].sort());
});
