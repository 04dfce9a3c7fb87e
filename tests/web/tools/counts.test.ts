import { expect, test } from 'vitest';
import { countsOf as countsOfDoctest, sumOfParts } from '../../../tools/test/doctest.mjs';
import { countsOf as countsOfVitest } from '../../../tools/test/vitest.mjs';

test("doctest's summary is read, and a program that ended before it has none", () => {
  const summary =
    '[doctest] test cases:  12 |  9 passed | 2 failed | 1 skipped\n[doctest] assertions: 90 | 88 passed | 2 failed |\n';
  expect(countsOfDoctest(summary)).toEqual({ passed: 9, failed: 2, skipped: 1 });
  expect(countsOfDoctest('Segmentation fault\n')).toBeUndefined();
});

test('tests that one folder of a doctest program leaves to others do not count as skipped, tests that no folder runs do', () => {
  const part = (program: string, passed: number, failed: number, skipped: number, notes: string[] = []) => ({
    program,
    passed,
    failed,
    skipped,
    notes,
  });
  const core = [part('core', 3, 0, 7), part('core', 5, 1, 4, ['linalg'])];
  expect(sumOfParts([...core, part('allocations', 2, 0, 0)])).toEqual({
    passed: 10,
    failed: 1,
    skipped: 1,
    notes: ['linalg'],
  });
});

test("vitest's report is read, and a file that could not be loaded is a failure", () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [{ status: 'failed', fullName: 'adds', failureMessages: ['expected 3'] }],
      },
      { name: 'b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      {
        name: 'c.test.ts',
        status: 'passed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'x' },
          { status: 'skipped', fullName: 'in WebKit' },
        ],
      },
    ],
  };
  const counts = countsOfVitest(report);
  expect(counts).toMatchObject({ passed: 3, failed: 2, skipped: 2 });
  expect(counts.notes).toEqual(['a.test.ts > adds\nexpected 3', 'b.test.ts\nCannot find module', 'skipped: in WebKit']);
});

test('a file whose hook failed, of which the report says nothing, is noted with the end of the log', () => {
  const hung = {
    name: 'a.test.ts',
    status: 'failed',
    message: '',
    assertionResults: [{ status: 'skipped', fullName: 'x' }],
  };
  const report = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [hung] };
  const counts = countsOfVitest(report, 'Hook timed out');
  expect(counts).toMatchObject({ failed: 1, notes: ['skipped: x', 'a.test.ts\nHook timed out'] });
});
