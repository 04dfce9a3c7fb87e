// Checks that judge files: which files, and the settings that decide how they are judged. `npm run check` asks what has changed since the check last
// passed, there or as a phase of `npm test`.
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { cppFiles, projectFiles } from '../lib/files.mjs';
import { changedFiles } from './changed-files.mjs';

/** Inputs of the C++ programs: sources, data, and the scripts that build and run them. */
export const cppInputs = () => [
  ...['cpp', 'tests/cpp', 'tests/reference', 'tests/experiments', 'bench', '../shared/data'],
  ...['CMakeLists.txt', 'CMakePresets.json', 'tools/cmake', 'tools/build/cmake.mjs', 'tools/test/doctest.mjs'],
];

const filesOfCpp = () =>
  cppInputs()
    .filter((path) => !path.startsWith('..'))
    .flatMap((path) => (/\.\w+$/.test(path) ? [path] : projectFiles(path, /./)));

export const scripts = () => projectFiles('.', /\.(ts|mjs|js)$/);
export const elements = () => projectFiles('web', /\.ts$/);

export const checkedFiles = {
  clangFormat: () => changedFiles('clang-format', cppFiles(), ['.clang-format', '.toolchain/env.json']),
  prettier: () =>
    changedFiles('prettier', projectFiles('.', /./), [
      '.prettierrc.json',
      '.prettierignore',
      '.editorconfig',
      'package-lock.json',
    ]),
  lint: () => changedFiles('lint', scripts(), ['.oxlintrc.json', 'tsconfig.json', 'package-lock.json']),
  templates: () =>
    changedFiles('templates', elements(), ['tsconfig.json', 'package-lock.json', 'tools/test/templates.mjs']),
  /** Remembered in the build folder: deleting the folder deletes the record. */
  native: () =>
    changedFiles('native', filesOfCpp(), ['.toolchain/env.json'], { memory: join(root, 'build/native-release') }),
};

/** `phase`, which checks all these files: if it passes, they have passed. */
export const recording = (files, phase) => ({
  ...phase,
  run: async () => {
    const { passed } = files();
    const result = await phase.run();
    if (result.failed === 0) passed({ all: true });
    return result;
  },
});
