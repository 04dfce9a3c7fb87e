import { expect, test } from 'vitest';
import { cacheEnvironment } from '../../../tools/build/cmake.mjs';

test.each(['native-release', 'native-sanitize', 'arm64'])(
  'CMake puts ccache in front of the compiler of %s',
  (preset) => {
    const environment = cacheEnvironment(preset, '/bin/ccache');
    expect(environment).toMatchObject({ CMAKE_CXX_COMPILER_LAUNCHER: '/bin/ccache' });
    expect(environment).not.toHaveProperty('EM_COMPILER_WRAPPER');
  },
);

test.each(['wasm', 'wasm-relaxed'])('Emscripten puts ccache in front of its clang for %s', (preset) => {
  const environment = cacheEnvironment(preset, '/bin/ccache');
  expect(environment).toMatchObject({ EM_COMPILER_WRAPPER: '/bin/ccache' });
  expect(environment).not.toHaveProperty('CMAKE_CXX_COMPILER_LAUNCHER');
});

test('nothing is set without ccache', () => {
  expect(cacheEnvironment('wasm', '')).toEqual({});
});
