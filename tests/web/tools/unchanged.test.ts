import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { everything, unlessUnchanged } from '../../../tools/test/unchanged.mjs';

let base: string;
let runs: number;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'unchanged-'));
  runs = 0;
  writeFileSync(join(base, 'a.txt'), 'first');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const phaseThat = (failed: number, also = () => '') =>
  unlessUnchanged(
    {
      title: 'Some tests',
      run: () => {
        runs++;
        return Promise.resolve({ passed: 3, failed, skipped: 1, notes: [] });
      },
    },
    () => ['a.txt', 'b.txt'],
    { base, memory: join(base, 'passed'), also },
  );

test('a phase that passed is not run again on the same files, and reports the same counts', async () => {
  const phase = phaseThat(0);
  const first = await phase.run();
  expect(await phase.run()).toEqual({ ...first, unchanged: true });
  expect(runs).toBe(1);
});

test('a new version of a program that runs the phase runs it again', async () => {
  await phaseThat(0, () => 'Chromium 1').run();
  await phaseThat(0, () => 'Chromium 1').run();
  await phaseThat(0, () => 'Chromium 2').run();
  expect(runs).toBe(2);
});

test('a changed, new or deleted file runs it again', async () => {
  const phase = phaseThat(0);
  await phase.run();
  writeFileSync(join(base, 'a.txt'), 'second');
  await phase.run();
  writeFileSync(join(base, 'b.txt'), 'new');
  await phase.run();
  rmSync(join(base, 'b.txt'));
  await phase.run();
  expect(runs).toBe(4);
});

test('a phase that failed runs again on the same files, even if it passed before', async () => {
  await phaseThat(0).run();
  writeFileSync(join(base, 'a.txt'), 'second');
  const phase = phaseThat(2);
  await phase.run();
  await phase.run();
  writeFileSync(join(base, 'a.txt'), 'first');
  await phase.run();
  expect(runs).toBe(4);
});

test('the unit tests depend on all files of the project and on the built modules', () => {
  const inputs = everything();
  for (const file of ['README.md', 'cpp/base/error.h', 'tests/web/tools/unchanged.test.ts', 'web/wasm']) {
    expect(inputs).toContain(file);
  }
  expect(inputs.filter((path) => path.startsWith('node_modules') || path.startsWith('build/'))).toEqual([]);
});
