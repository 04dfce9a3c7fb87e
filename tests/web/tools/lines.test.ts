import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '../../../tools/lib/files.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { budgets, budgetsHeld, countLines, tableOfLines, tablePages } from '../../../tools/test/lines.mjs';

// Whether each folder holds its budget is a phase of every run.
test('no budget is below its goal', () => {
  for (const { lines, goal = 0 } of budgets) expect(lines).toBeGreaterThanOrEqual(goal);
  expect(budgets.map(({ folder }) => folder)).toEqual(
    expect.arrayContaining(['web', 'web/core', 'web/elements', 'cpp', 'docs', 'tests']),
  );
});

test('a folder above its budget is named with both numbers, and the table shows both', () => {
  const rows = [
    { folder: 'a', lines: 10, goal: 5 },
    { folder: 'b', without: ['b/c'], lines: 20 },
  ];
  const count = ({ folder }: { folder: string }): number => (folder === 'a' ? 11 : 20);
  expect(budgetsHeld(rows, count)).toEqual({
    over: ['a: 11 lines; the budget is 10 (tools/test/lines.mjs)'],
    held: ['b'],
  });
  expect(
    tableOfLines(rows, count)
      .split('\n')
      .map((line) => line.trim().split(/\s{2,}/)),
  ).toEqual([
    ['lines', 'now', 'budget', 'goal'],
    ['a', '11', '10', '5'],
    ['b without b/c', '20', '20'],
  ]);
});

test('what is left out of a folder is not counted', () => {
  const [all, some] = [countLines({ folder: 'docs' }), countLines({ folder: 'docs', without: ['docs/decisions'] })];
  expect(all - some).toBe(countLines({ folder: 'docs/decisions' }));
  expect(some).toBeGreaterThan(1000);
});

test('every page of docs is counted once: to read, or as tables that a program wrote', () => {
  const [read, tables, all] = [
    ...budgets.filter(({ folder }) => folder === 'docs'),
    { folder: 'docs', without: ['docs/decisions'], pattern: /\.md$/ },
  ].map((row) => countLines(row));
  expect(read! + tables!).toBe(all);
});

test.each(tablePages)('%s says which program wrote it, and is tables', (path) => {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  expect(lines[2]).toMatch(/^Written by `npm run (claims|bench)\b/);
  const prose = lines.filter((line) => line !== '' && !/^(\||#)/.test(line));
  expect(prose.length).toBeLessThan(lines.length / 6);
});

// Hashes of what a phase reads, checks of imports and lines all begin with this list. What is built is at the top only: folders of sources have the same names.
test('the files of the project include sources in folders named build, and nothing that is built', () => {
  const files = projectFiles('.', /./);
  expect(files).toEqual(expect.arrayContaining(['tools/build/build.mjs', 'web/article/build/facts.mjs']));
  expect(files.filter((path) => /^(build|dist|site|node_modules)\/|(^|\/)(wasm|\.toolchain)\//.test(path))).toEqual([]);
});
