import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { checkTogether, flagsOf } from '../../../tools/test/clang-tidy.mjs';

test('clang-tidy reads sources without what is precompiled, so that a missing #include is an error', () => {
  const header = '/a/build/CMakeFiles/tied_core_headers.dir/cmake_pch.hxx';
  const included = `-Xclang -include-pch -Xclang ${header}.pch -Xclang -include -Xclang ${header}`;
  const command = `clang++ -O2 -Xclang -fno-pch-timestamp ${included} -o a.o -c /a/cpp/base/a.cpp`;
  expect(flagsOf(command)).toEqual(['-O2', '-Xclang', '-fno-pch-timestamp']);
});

/** Tools that find something in each list of `wrong`, joined; and what they were asked. */
function tools({ dangerous = [] as string[], wrong = [] as string[] }) {
  const asked: string[] = [];
  return {
    asked,
    analyze: (path: string) => Promise.resolve(!dangerous.includes(path)),
    check: (paths: string[]) => {
      asked.push(paths.join('+'));
      return Promise.resolve(!wrong.includes(paths.join('+')));
    },
  };
}

test('sources of a folder are checked in one go', async () => {
  const clean = tools({});
  expect(await checkTogether(['a', 'b', 'c'], clean)).toEqual([]);
  expect(clean.asked).toEqual(['a+b+c']);
});

test('where something is found in several sources, it is said in which', async () => {
  expect(await checkTogether(['a', 'b', 'c'], tools({ wrong: ['a+b+c', 'b'] }))).toEqual(['b']);
});

test('a name that two sources have is no mistake', async () => {
  expect(await checkTogether(['a', 'b'], tools({ wrong: ['a+b'] }))).toEqual([]);
});

test('what only the analyzer finds, or only a source by itself, is found', async () => {
  expect(await checkTogether(['a', 'b'], tools({ dangerous: ['b'], wrong: ['b'] }))).toEqual(['b']);
});

test('findings in sources that another one includes are reported, as those in headers are', () => {
  const pattern = /^HeaderFilterRegex: '(.+)'$/m.exec(readFileSync(join(root, '.clang-tidy'), 'utf8'))?.[1] ?? '';
  expect('/project/cpp/base/error.h').toMatch(new RegExp(pattern));
  expect('/project/cpp/base/error.cpp').toMatch(new RegExp(pattern));
  expect('/project/.toolchain/include/doctest/doctest.h').not.toMatch(new RegExp(pattern));
});
