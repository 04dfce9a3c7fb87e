import { beforeAll, describe, expect, test } from 'vitest';
import {
  addedOrRemoved,
  affectedTests,
  changedPaths,
  hashes,
  importsOfTests,
  unitTests,
  withinTime,
} from '../../../tools/test/affected.mjs';

const nothing = { files: [] as string[], folders: [] as string[], processes: false, builds: false };
const irreversibility = 'tests/web/core/irreversibility.test.ts';
const scale = 'tests/web/charts/scale.test.ts';
const hygiene = 'tests/web/hygiene.test.ts';

describe('the tests that a change can affect', { timeout: 120_000 }, () => {
  const tests = unitTests();
  let inputs: Awaited<ReturnType<typeof importsOfTests>>;
  beforeAll(async () => {
    inputs = await importsOfTests(tests);
  });

  /** With all tests except these having read nothing by path. */
  const affected = async (changed: string[], but: Record<string, object | undefined> = {}, listed = changed) => {
    const reads = { ...Object.fromEntries(tests.map((test) => [test, nothing])), ...but };
    return (await affectedTests(changed, { reads, listed, inputs })).tests;
  };

  test('are those that import the changed module, directly or indirectly', async () => {
    const found = await affected(['web/core/runtime/work.ts']);
    expect(found).toContain(irreversibility);
    expect(found).not.toContain(scale);
    expect(await affected([scale])).toEqual([scale]);
  });

  test('come in order: those of that name, those that import or read it, then those with more imports between', async () => {
    const own = 'tests/web/core/self-transitions.test.ts';
    const changed = ['web/core/diagnostics/self-transitions.ts', 'web/charts/plot.ts'];
    const found = await affected(changed, { [hygiene]: { ...nothing, files: ['web/charts/plot.ts'] } });
    const order = ['tests/web/charts/plot.test.ts', own, hygiene, irreversibility].map((path) => found.indexOf(path));
    expect(order.slice(0, 2)).toEqual([0, 1]);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(found.length).toBeGreaterThan(100);
  });

  test('in one figure are those of that figure and of all figures, but not of other single figures', async () => {
    const found = await affected(['web/elements/symmetry-explorer/summary.ts']);
    expect(found).toContain('tests/web/elements/every-element/symmetry-explorer.test.ts');
    expect(found).toContain('tests/web/elements/settings.test.ts');
    expect(found.filter((path) => /every-element\/(bigrams|training-lab)/.test(path))).toEqual([]);
  });

  test('are those that read the changed file by its path', async () => {
    const but = { [scale]: { ...nothing, files: ['docs/science.md'] } };
    expect(await affected(['docs/science.md'], but)).toEqual([scale]);
    expect(await affected(['docs/notation.md'], but)).toEqual([]);
  });

  test('are those that listed the folder of a file that was added or removed, but not of one that was edited', async () => {
    const but = { [scale]: { ...nothing, folders: ['web/elements'] } };
    const path = 'web/elements/new/new.define.ts';
    expect(await affected([path], but)).toEqual([scale]);
    expect(await affected([path], but, [])).toEqual([]);
    expect(await affected(['web/texts/new.ts'], but)).toEqual([]);
    expect(await affected(['README.md'], { [scale]: { ...nothing, folders: [''] } })).toEqual([scale]);
  });

  test('are those that read build output, which the files alone do not determine', async () => {
    expect(await affected(['README.md'], { [scale]: { ...nothing, builds: true } })).toEqual([scale]);
  });

  test('are those that name the file or a folder of it, the nearest first, if what they read is not known; others are told apart', async () => {
    const reads = Object.fromEntries(tests.map((test) => [test, nothing]));
    const docs = 'tests/web/docs.test.ts';
    const known = { reads: { ...reads, [scale]: undefined, [docs]: undefined }, listed: [], inputs };
    expect(await affectedTests(['docs/science.md'], known)).toMatchObject({ tests: [docs], unknown: [scale] });
    // It imports what has changed; the other one lists all files.
    const found = await affectedTests(['web/charts/scale.ts'], known);
    expect([found.tests[0], found.tests.includes(docs), found.unknown]).toEqual([scale, true, []]);
    expect((await affectedTests(['docs/science.md'], { ...known, reads })).unknown).toEqual([]);
  });

  test('are those that start processes, unless they declare that these read something else', async () => {
    const ran = { ...nothing, processes: true };
    const [worker, templates] = ['tests/web/worker/worker.test.ts', 'tests/web/tools/templates.test.ts'];
    const but = { [hygiene]: ran, [worker]: ran, [templates]: ran };
    expect(await affected(['README.md'], but)).toEqual([hygiene]);
    // The bundled worker is not a module that its tests import.
    expect(await affected(['web/worker/entry.ts'], but)).toEqual(expect.arrayContaining([hygiene, worker]));
    expect(await affected(['web/worker/entry.ts'], but)).not.toContain(templates);
  });

  test('after a change of C++ are those that read it; of its bindings, which have no tests in C++, all of web/core', async () => {
    const reads = {
      ...Object.fromEntries(tests.map((test) => [test, nothing])),
      [scale]: { ...nothing, files: ['cpp/base/hash.h'] },
    };
    const ofHash = await affectedTests(['cpp/base/hash.h'], { reads, inputs });
    expect(ofHash.tests).toEqual([scale]);
    expect(ofHash.tests.some(ofHash.usesModules)).toBe(false);
    const ofBindings = await affectedTests(['cpp/bindings/trainer.cpp'], { reads, inputs });
    expect(ofBindings.tests).toEqual(tests.filter((test) => test.startsWith('tests/web/core/')));
    expect(ofBindings.tests.some(ofBindings.usesModules)).toBe(true);
  });

  test('need the modules if they import them, directly or indirectly, or a worker of theirs does', async () => {
    const reads = Object.fromEntries(tests.map((test) => [test, nothing]));
    const needs = async (path: string, more: object = {}) => {
      const found = await affectedTests([path], { reads: { ...reads, ...more }, inputs });
      return found.tests.some(found.usesModules);
    };
    expect(await needs(scale)).toBe(false);
    expect(await needs(irreversibility)).toBe(true);
    expect(await needs('README.md', { [scale]: { ...nothing, files: ['README.md', 'web/wasm/core.wasm'] } })).toBe(
      true,
    );
    const ran = { ...nothing, files: ['README.md'], processes: true };
    expect(await needs('README.md', { 'tests/web/worker/worker.test.ts': ran })).toBe(true);
    expect(await needs('README.md', { 'tests/web/tools/templates.test.ts': ran })).toBe(false);
  });

  test.each([
    'package-lock.json',
    'vitest.config.ts',
    'tools/test/reads.mjs',
    'tools/test/equality-setup.mjs',
    '../shared/data',
  ])('are all tests if %s has changed, those that read it first', async (path) => {
    const found = await affected([path], { [hygiene]: { ...nothing, files: [path] } });
    // Of a tool, its own tests are nearer still.
    expect(found.slice(0, 2)).toContain(hygiene);
    expect([...found].sort()).toEqual([...tests].sort());
  });
});

test('as many tests as fit into the time run, in their order, but at least one; the others are left', () => {
  const seconds = { a: 2, b: 9, c: 4, d: 1 };
  // Starting a file takes a second; one without a record counts as three.
  expect(withinTime(['a', 'b', 'c', 'd'], seconds, 10)).toEqual({ due: ['a', 'c', 'd'], left: ['b'] });
  expect(withinTime(['b', 'a'], seconds, 5)).toEqual({ due: ['b'], left: ['a'] });
  expect(withinTime(['new', 'd', 'c'], seconds, 6)).toEqual({ due: ['new', 'd'], left: ['c'] });
  expect(withinTime([], seconds, 5)).toEqual({ due: [], left: [] });
});

test('a file that is added, changed or removed has changed', () => {
  const [before, now] = [
    { a: '1', b: '2', c: '3' },
    { a: '1', b: '4', d: '5' },
  ];
  expect(changedPaths(before, now).sort()).toEqual(['b', 'c', 'd']);
  expect(addedOrRemoved(['b', 'c', 'd'], before, now)).toEqual(['c', 'd']);
  expect(changedPaths(hashes(), hashes())).toEqual([]);
});
