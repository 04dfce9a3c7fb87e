import { describe, expect, test } from 'vitest';
import { comparisonLines, comparisons } from '../../../bench/compare.mjs';
import { type Goal } from '../../../bench/goal.js';
import { goals } from '../../../bench/goals.mjs';
import { judge } from '../../../bench/judge.mjs';
import { onlyOf, Results } from '../../../bench/results.mjs';
import { goalRows, headLines } from '../../../bench/report/tables.mjs';
import { asLines } from '../../../bench/report/text.mjs';
import { asMarkdown } from '../../../bench/report/markdown.mjs';
import { resultsFrom, type Sample } from './results.js';

const goalOf = (what: string, label: string, against?: string): Goal =>
  goals.find((goal) => goal.what === what && goal.of?.label === label && goal.against?.label === against)!;

const square = ['product/256x256x256/nn', 'product/512x512x512/nn', 'product/1024x1024x1024/nn'];
const cases = [
  ...square.map((id) => ({ id, operations: 1e9 })),
  { id: 'train/A', operations: 1e9, items: 1000, itemsName: 'tokens' },
];
const ours = (id: string, seconds: number[], more: Partial<Sample> = {}): Sample => ({
  name: 'ours, baseline',
  host: 'Chromium',
  id,
  seconds,
  limit: 50e9,
  ...more,
});
const pytorch = (id: string, seconds: number[]): Sample => ({ name: 'PyTorch', host: 'Python', id, seconds });

test('selected cases of saved results are shown alone', () => {
  const measured = [...square, 'train/A'].map((id) => ours(id, [1, 2, 3]));
  const { data } = resultsFrom(cases, measured);
  const { data: some } = new Results(onlyOf(data, ['train', 'product/256x256x256']));
  expect(some.cases.map(({ id }: { id: string }) => id)).toEqual(['product/256x256x256/nn', 'train/A']);
  expect(some.samples).toHaveLength(6);
  expect(onlyOf(data, [])).toEqual(data);
  // Invalid results are refused afterwards with a message.
  expect(() => new Results(onlyOf({}, ['train']))).toThrow(/does not hold results of this benchmark/);
});

describe('a fraction of the limit', () => {
  const goal = goalOf('products, 256 to 1024', 'baseline');

  test('is determined by the worst case', () => {
    const results = resultsFrom(cases, [
      ours(square[0]!, [1 / 49, 1 / 49, 1 / 48]),
      ours(square[1]!, [1 / 40, 1 / 45, 1 / 40]),
      ours(square[2]!, [1 / 49, 1 / 49, 1 / 49]),
    ]);
    const { value, id, met } = judge(goal, results);
    expect(value).toBeCloseTo(0.8, 10);
    expect([id, met]).toEqual([square[1], false]);
  });

  test('is reached if every case reaches it', () => {
    const results = resultsFrom(
      cases,
      square.map((id) => ours(id, [1 / 47, 1 / 47, 1 / 47])),
    );
    expect(judge(goal, results)).toMatchObject({ met: true });
  });

  test('is not judged if one of its cases is missing', () => {
    const results = resultsFrom(cases, [ours(square[0]!, [1 / 49])]);
    expect(judge(goal, results)).toEqual({ goal, missing: `${square[1]} was not measured` });
  });
});

describe('a multiple of another program', () => {
  const goal = goalOf('train A: V 65, d 64', 'baseline', 'native PyTorch');

  test('is the median over rounds, against the fastest of its kind', () => {
    const results = resultsFrom(cases, [
      ours('train/A', [2, 4, 2]),
      pytorch('train/A', [1, 3, 1.4]),
      { ...pytorch('train/A', [9, 9, 9]), name: 'PyTorch, another optimizer' },
    ]);
    const { value, note, met } = judge(goal, results);
    expect(value).toBeCloseTo(0.7, 10);
    expect(met).toBe(true);
    expect(note).toMatch(/^PyTorch; 4\.50 x PyTorch, another optimizer; \S+ x PyTorch as recorded elsewhere/);
  });

  test('falls back to the recorded result, in proportion to the limit, and says so', () => {
    // 1000 tokens in 1/31.036 s at a limit of 46.1e9 is as fast as the recorded PyTorch; this machine is twice as fast.
    const results = resultsFrom(cases, [ours('train/A', [1 / 31.036], { limit: 2 * 46.1e9 })]);
    const { value, note, met } = judge(goal, results);
    expect(value).toBeCloseTo(0.5, 10);
    expect(met).toBe(false);
    expect(note).toContain('recorded');
  });

  test('ignores a PyTorch whose products are slower than ours', () => {
    const results = resultsFrom(cases, [
      ours('train/A', [1]),
      { name: 'ours', host: 'native', id: square[1]!, seconds: [1], limit: 50e9 },
      pytorch(square[1]!, [5]),
      pytorch('train/A', [100]),
    ]);
    expect(judge(goal, results).note).toContain('recorded');
  });

  test('does not count our own results among peers in the browser', () => {
    const against = goalOf('train A: V 65, d 64', 'relaxed', 'best peer in the browser');
    const relaxed = { ...ours('train/A', [1]), name: 'ours, relaxed' };
    expect(judge(against, resultsFrom(cases, [relaxed, ours('train/A', [2])])).missing).toContain('best peer');
    const peer = { name: 'jax-js', host: 'Chromium', id: 'train/A', seconds: [4] };
    const results = resultsFrom(cases, [relaxed, ours('train/A', [2]), peer]);
    expect(judge(against, results)).toMatchObject({ value: 4, note: 'jax-js', met: true });
  });
});

test('a cold start is measured as the time beyond that of an empty page', () => {
  const goal = goalOf('cold start to the first step, C', 'baseline');
  const empty = { name: 'empty page', host: 'Chromium', id: 'cold/empty', seconds: [0.05, 0.05] };
  const of = (seconds: number) => resultsFrom([], [ours('cold/C', [seconds, seconds]), empty]);
  expect(judge(goal, of(0.14))).toMatchObject({ met: true });
  expect(judge(goal, of(0.14)).value).toBeCloseTo(0.09, 10);
  expect(judge(goal, of(0.16))).toMatchObject({ met: false });
});

test('the size of the package is judged without running anything', () => {
  const goal = goals.find(({ figure }) => figure === 'core.wasm and glue')!;
  expect(judge(goal, resultsFrom([], [], { 'core.wasm and glue': 60_000 }))).toMatchObject({ value: 60, met: true });
  expect(judge(goal, resultsFrom([], [], { 'core.wasm and glue': 60_001 }))).toMatchObject({ met: false });
  expect(judge(goal, resultsFrom([], []))).toEqual({ goal, missing: 'not built' });
});

test('every goal has a row in its table, whatever was measured', () => {
  const results = resultsFrom(cases, [ours('train/A', [1])]);
  const from = (lines: string[]) => lines.slice(lines.indexOf('Goals') + 2).map((line) => line.replace(/ +/g, ' '));
  const all = from(asLines(results));
  expect(all).toHaveLength(goals.length);
  const missing = all.filter((line) => line.includes('not measured'));
  expect(missing.length).toBeLessThan(goals.length);
  const partial = from(asLines(results, { partial: true }));
  expect(partial).toEqual([
    ...all.filter((line) => !line.includes('not measured')),
    `${missing.length} other goals were not part of this run.`,
  ]);
});

test('each goal has one bound, and at least one case or figure', () => {
  for (const goal of goals) {
    expect([goal.atLeast, goal.atMost].filter((bound) => bound !== undefined)).toHaveLength(1);
    expect(goal.figure ?? goal.cases?.[0]).toBeTypeOf('string');
  }
});

test('the head of the report states the limit of each of our builds', () => {
  const lines = headLines(resultsFrom(cases, [ours('train/A', [1])])).join('\n');
  expect(lines).toContain('ours, baseline in Chromium 50.0 GFLOP/s');
});

test('the documentation page has the same rows', () => {
  const page = asMarkdown(resultsFrom(cases, [ours('train/A', [1 / 50])]), { source: 'docs/a.json' });
  expect(page).toContain('--from docs/a.json');
  for (const { what } of goals) expect(page).toContain(`| ${what} |`);
  expect(page).toContain('| `train/A` | 50,000 100% |');
});

test('the page of a partial run counts the goals without a result', () => {
  const results = resultsFrom(cases, [ours('train/A', [1 / 50])]);
  const missing = goalRows(results).filter((row) => row.at(-1)!.startsWith('not measured')).length;
  const page = asMarkdown(results, { source: 'docs/a.json', partial: true });
  expect(page).toContain(`\n${String(missing)} other goals were not part of this run.\n`);
  expect(page).not.toContain('not measured');
});

test('a file of another kind is refused', () => {
  expect(() => new Results({ format: 'something else' })).toThrow('does not hold results of this benchmark');
});

test('two builds are compared case by case, and changes are named', () => {
  const results = resultsFrom(cases, [
    ours('train/A', [1, 1, 1], { name: 'after, ours, baseline' }),
    ours('train/A', [1.2, 1.3, 1.25], { name: 'before, ours, baseline' }),
    ours(square[0]!, [1, 1, 1], { name: 'after, ours, baseline' }),
    ours(square[0]!, [1, 1.1, 0.9], { name: 'before, ours, baseline' }),
  ]);
  expect(comparisons(results).map(({ id, verdict }) => [id, verdict])).toEqual([
    [square[0], 'same'],
    ['train/A', 'faster'],
  ]);
  const lines = comparisonLines(results);
  expect(lines).toContain('slower beyond noise: nothing');
  expect(lines.slice(-2)).toEqual(['faster beyond noise: 1', '  train/A (ours, baseline, Chromium) 1.250 x']);
});
