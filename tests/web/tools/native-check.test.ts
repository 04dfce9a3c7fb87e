import { expect, test } from 'vitest';
import { nearestFirst, partsAffected, staleObjects, untilOver } from '../../../tools/test/native-check.mjs';

const object = (folder: string, source: string): string =>
  `cpp/${folder}/CMakeFiles/tied_${folder}.dir/${source}.cpp.o`;
const tests = (folder: string): string => `tests/cpp/CMakeFiles/core_tests.dir/Unity/unity_${folder}_3_cxx.cxx.o`;
const allocations = 'tests/cpp/CMakeFiles/allocation_tests.dir/training/test_allocations.cpp.o';

test('stale objects are those that Ninja would compile, without the precompiled headers that it makes by itself', () => {
  const plan = [
    '[1/6] Building CXX object tests/cpp/CMakeFiles/tied_test_headers.dir/cmake_pch.hxx.pch',
    '[2/6] Building CXX object tests/cpp/CMakeFiles/tied_test_headers.dir/__/__/tied_test_headers.cpp.o',
    `[3/6] Building CXX object ${object('model', 'head')}`,
    `[4/6] Building CXX object ${tests('direct_path')}`,
    '[5/6] Linking CXX static library cpp/model/libtied_model.a',
    '[6/6] Linking CXX executable tests/cpp/core_tests',
  ].join('\n');
  expect(staleObjects(plan)).toEqual([object('model', 'head'), tests('direct_path')]);
  expect(staleObjects('ninja: no work to do.')).toEqual([]);
});

test('after a change of a header, its own source is compiled first, then its folder, the tests of that, and what else includes it', () => {
  const objects = [
    allocations,
    object('training', 'head'),
    tests('model'),
    object('model', 'linear'),
    object('model', 'head'),
  ];
  expect(nearestFirst(objects, ['cpp/model/head.h'])).toEqual([
    ...[object('model', 'head'), object('model', 'linear'), tests('model')],
    ...[allocations, object('training', 'head')],
  ]);
  expect(nearestFirst(objects, ['tests/cpp/training/support.h'])[0]).toBe(object('training', 'head'));
});

test('tests of the changed folder run first, and those that count allocations last; none after a change of bindings', () => {
  const parts = partsAffected(['cpp/model/head.cpp']);
  expect([parts[0], parts.at(-1)]).toEqual(['model', 'allocations']);
  expect(parts).toContain('training');
  expect(parts).not.toContain('text');
  expect(partsAffected(['cpp/bindings/bind_readout.cpp'])).toEqual([]);
});

test('work is begun until the time is over, the first in any case, and the rest is left', async () => {
  let time = 0;
  const done: string[][] = [];
  const work = (some: string[]): Promise<void> => {
    done.push(some);
    time += 3000;
    return Promise.resolve();
  };
  const options = { at: 2, now: () => time };
  expect(await untilOver(['a', 'b', 'c', 'd', 'e', 'f', 'g'], work, 5, options)).toEqual(['e', 'f', 'g']);
  expect(done).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(await untilOver(['a', 'b', 'c'], work, 0, options)).toEqual(['c']);
  expect(await untilOver(['a'], work, 5, options)).toEqual([]);
});
