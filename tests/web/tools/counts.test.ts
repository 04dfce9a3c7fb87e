import { expect, test } from 'vitest';
import { countsOf as countsOfDoctest, foldersAffected, sumOfParts, testFolders } from '../../../tools/test/doctest.mjs';
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

test('a change of C++ affects the tests that include its folder, one of a test those of its folder, and others all', () => {
  expect(foldersAffected(['cpp/diagnostics/lens.cpp'])).toEqual(['diagnostics', 'fields']);
  expect(foldersAffected(['cpp/model/head.cpp'])).toEqual(expect.arrayContaining(['model', 'training', 'checkpoint']));
  expect(foldersAffected(['cpp/model/head.cpp'])).not.toContain('diagnostics');
  expect(foldersAffected(['cpp/model/head.cpp'])).toContain('fields');
  expect(foldersAffected(['cpp/base/hash.cpp'])).toEqual(testFolders());
  expect(foldersAffected(['tests/cpp/text/test_tokenizer.cpp'])).toEqual(['text']);
  // Only Emscripten compiles the bindings.
  expect(foldersAffected(['cpp/bindings/bind_readout.cpp'])).toEqual([]);
  for (const path of ['CMakePresets.json', 'tests/cpp/whole_file.h', 'tests/reference/x.json', 'cpp/CMakeLists.txt'])
    expect(foldersAffected([path])).toEqual(testFolders());
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
