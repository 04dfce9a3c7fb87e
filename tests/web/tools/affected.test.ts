import { describe, expect, test } from 'vitest';
import { affectedTests, changedPaths, hashes } from '../../../tools/test/affected.mjs';

const LONG = 120_000;

describe('The tests that a change can affect', { timeout: LONG }, () => {
  test('are those that import the changed module, directly or not, and those that read sources', async () => {
    const tests = (await affectedTests(['web/core/pace.ts']))!;
    expect(tests).toContain('tests/web/core/irreversibility.test.ts');
    expect(tests).toContain('tests/web/hygiene.test.ts');
    expect(tests).not.toContain('tests/web/charts/scale.test.ts');
    expect(await affectedTests(['tests/web/charts/scale.test.ts'])).toContain('tests/web/charts/scale.test.ts');
  });

  test('of a page of the documentation are those that read it by its path', async () => {
    const tests = (await affectedTests(['docs/science.md']))!;
    expect(tests).toContain('tests/web/hygiene.test.ts');
    expect(tests).not.toContain('tests/web/core/irreversibility.test.ts');
  });

  test.each(['package-lock.json', 'vitest.config.ts', 'web/wasm/core.wasm', '../shared/data'])(
    'are all where %s has changed',
    async (path) => {
      expect(await affectedTests([path])).toBeNull();
    },
  );
});

test('A file that is added, changed or removed has changed', () => {
  expect(changedPaths({ a: '1', b: '2', c: '3' }, { a: '1', b: '4', d: '5' }).sort()).toEqual(['b', 'c', 'd']);
  expect(changedPaths(hashes(), hashes())).toEqual([]);
});
