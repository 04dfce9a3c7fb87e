import { expect, test } from 'vitest';
import { withoutPrecompiled } from '../../../tools/test/clang-tidy.mjs';

test('clang-tidy reads sources without what is precompiled, so that a missing #include is an error', () => {
  const header = '/a/build/CMakeFiles/tied_core_headers.dir/cmake_pch.hxx';
  const included = `-Xclang -include-pch -Xclang ${header}.pch -Xclang -include -Xclang ${header}`;
  const command = `clang++ -O2 -Xclang -fno-pch-timestamp ${included} -o a.o -c /a/cpp/base/a.cpp`;
  expect(withoutPrecompiled(command)).toBe('clang++ -O2 -Xclang -fno-pch-timestamp -o a.o -c /a/cpp/base/a.cpp');
});
