import { expect, test, vi } from 'vitest';
import { linesOfLeft, phasesAtATime, runPhases } from '../../../tools/test/report.mjs';
import { reasonsToSkip, verdictOnSkips } from '../../../tools/test/skips.mjs';

const passed = { passed: 2, failed: 0, skipped: 0, notes: [] };

test('all phases run even if some fail, each prints a line when it ends, and results keep the order of the list', async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  try {
    const broken = { title: 'Build', run: () => Promise.reject(new Error('no compiler')) };
    const after = { title: 'Tests', needs: [broken], run: () => Promise.resolve(passed) };
    const same = { title: 'Types', run: () => Promise.resolve({ ...passed, unchanged: true }) };
    const results = await runPhases([broken, after, same], { count: 5, done: 2, limit: 2 });
    expect(results.map(({ title }: { title: string }) => title)).toEqual(['Build', 'Tests', 'Types']);
    expect(results[0]).toMatchObject({ passed: 0, failed: 1 });
    expect(results[0]?.notes.join()).toContain('no compiler');
    expect(results[1]).toMatchObject(passed);
  } finally {
    write.mockRestore();
  }
  const ended = lines.join('');
  expect(ended).toMatch(/\[3\/5\] (Build|Types) /);
  expect(ended).toMatch(/Build \.\.\. 0 passed, 1 failed \(.* s\)\n/);
  expect(ended).toMatch(/\[5\/5\] Tests \.\.\. 2 passed, 0 failed \(.* s\)\n/);
  expect(ended).toContain('Types ... 2 passed, 0 failed (unchanged)\n');
});

test('one more phase than there are cores may run at a time, but never more than four', () => {
  expect([1, 2, 3, 8].map((cores) => phasesAtATime(cores))).toEqual([2, 3, 4, 4]);
});

test('a skipped test is a failure where the set-up installs everything, and elsewhere a line says why it may be', () => {
  const full = { debian: 12, arch: 'x64', isRoot: true, hasData: true } as const;
  expect(reasonsToSkip(full)).toEqual([]);
  const less = [{ debian: 11 }, { debian: 0 }, { arch: 'arm64' }, { isRoot: false }, { hasData: false }] as const;
  expect(less.map((one) => reasonsToSkip({ ...full, ...one } as never).length)).toEqual([1, 1, 1, 1, 1]);
  expect(verdictOnSkips(0, [])).toEqual({ fails: false, says: undefined });
  expect(verdictOnSkips(1, [])).toMatchObject({
    fails: true,
    says: expect.stringContaining('are failures here') as string,
  });
  expect(verdictOnSkips(3, reasonsToSkip({ ...full, hasData: false }))).toMatchObject({
    fails: false,
    says: expect.stringContaining('../shared/data') as string,
  });
});

test('a check ends with what it has left to the next one and to npm test; a run of everything leaves nothing', () => {
  const results = [{ later: ['3 files'], leaves: ['a'] }, {}, { later: [], leaves: ['b'] }, { later: ['C++'] }];
  expect(linesOfLeft(results, ['the browser'])).toEqual([
    'Left to the next npm run check: 3 files; C++.',
    'Left to npm test: a; b; the browser.',
  ]);
  expect(linesOfLeft([{}], ['the browser'])).toEqual(['Left to npm test: the browser.']);
  expect(linesOfLeft([{}], [])).toEqual([]);
});
