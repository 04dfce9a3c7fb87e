import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { checkTogether, dueOf, flagsOf, onlyForFloat, together } from '../../../tools/test/clang-tidy.mjs';

test('clang-tidy gets the flags of a compile command', () => {
  expect(flagsOf('clang++ -O2 -std=c++20 -o a.o -c /a/cpp/base/a.cpp')).toEqual(['-O2', '-std=c++20']);
});

/** A check that reports findings for each list of `wrong`, joined; and its calls. */
function checkThatFinds(...wrong: string[]) {
  const asked: string[] = [];
  const check = (paths: string[]) => {
    asked.push(paths.join('+'));
    return Promise.resolve(!wrong.includes(paths.join('+')));
  };
  return { asked, check };
}

test('sources of a folder are checked together', async () => {
  const { asked, check } = checkThatFinds();
  expect(await checkTogether(['a', 'b', 'c'], check)).toEqual([]);
  expect(asked).toEqual(['a+b+c']);
});

test('findings in sources that are checked together name the source', async () => {
  expect(await checkTogether(['a', 'b', 'c'], checkThatFinds('a+b+c', 'b').check)).toEqual(['b']);
});

test('the same name in two sources is not a mistake', async () => {
  expect(await checkTogether(['a', 'b'], checkThatFinds('a+b').check)).toEqual([]);
});

test('a single source is checked once', async () => {
  const { asked, check } = checkThatFinds('a');
  expect(await checkTogether(['a'], check)).toEqual(['a']);
  expect(asked).toEqual(['a']);
});

test('sources that the build never joins with others are checked by themselves', () => {
  const due = ['cpp/text/utf8.cpp', 'cpp/model/a.cpp', 'cpp/model/cross_attention.cpp', 'cpp/model/z.cpp'];
  expect(together(due.map((path) => ({ path }))).map(({ sources }) => sources.map(({ path }) => path))).toEqual([
    ['cpp/model/a.cpp', 'cpp/model/z.cpp'],
    ['cpp/text/utf8.cpp'],
    ['cpp/model/cross_attention.cpp'],
  ]);
});

test('findings in sources that another one includes are reported, like those in headers', () => {
  const pattern = /^HeaderFilterRegex: '(.+)'$/m.exec(readFileSync(join(root, '.clang-tidy'), 'utf8'))?.[1] ?? '';
  expect('/project/cpp/base/error.h').toMatch(new RegExp(pattern));
  expect('/project/cpp/base/error.cpp').toMatch(new RegExp(pattern));
  expect('/project/.toolchain/include/doctest/doctest.h').not.toMatch(new RegExp(pattern));
});

test('templates are checked for float, on the same lines', () => {
  const source = [
    'template <class T>',
    'T twice(const T& x) { return 2 * x; }',
    'template class Head<float>;',
    'template class Head<double>;',
    'template double sum(const float*, std::size_t);',
    'template double sum(const double*, std::size_t);',
    'template void scatter(const MatrixView<double>&,',
    '                      std::size_t);',
    'double last;',
  ].join('\n');
  const lines = onlyForFloat(source).split('\n');
  expect(lines.filter((line) => line !== '')).toEqual([
    'template <class T>',
    'T twice(const T& x) { return 2 * x; }',
    'template class Head<float>;',
    'template double sum(const float*, std::size_t);',
    'double last;',
  ]);
  expect(lines.indexOf('double last;')).toBe(8);
});

test('sources are due if they or a header of theirs has changed; in the fast loop only if they were edited, since they passed or since the last commit', () => {
  const source = (path: string, last: string, isCommitted = true) => ({
    path,
    whole: 'w',
    own: 'o',
    last,
    isCommitted,
  });
  const sources = [
    source('same', 'w\no'),
    source('edited', 'v\nn'),
    source('header', 'v\no'),
    source('never', ''),
    source('new', '', false),
  ];
  const paths = (options: { onlyEdited?: boolean }) => dueOf(sources, options).map(({ path }) => path);
  expect(paths({})).toEqual(['edited', 'header', 'never', 'new']);
  expect(paths({ onlyEdited: true })).toEqual(['edited', 'new']);
});
