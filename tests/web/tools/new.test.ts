// Its processes read: tools/new, web/charts, web/elements/shared, tests/web/elements, tests/web/core/refusals.ts, .clang-format
// They also read the rest of web: npm run check leaves its changes to npm run test:all, because this takes half a minute.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { planOf, report } from '../../../tools/new/kinds.mjs';
import type { Plan } from '../../../tools/new/plan.mjs';
import { toolchain, toolchainFile } from '../../../tools/setup/paths.mjs';

// A copy is type-checked, and its tests run, in processes of their own.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const plan = (line: string): Promise<Plan> => planOf(root, line.split(' '));

/** A copy of what the stubs touch; the rest of the project is linked. */
let copy = '';
const everyKind = [
  'figure token-ranks',
  'option gradient-noise --of training',
  'option value-scale',
  'diagnostic row-share',
  'diagnostic text-loss --of trainer',
  'format tensor-pack',
];
/** Its verb calls a function that the modules have after a build only. */
const afterBuild = ['tests/web/core/row-share.test.ts'];
const plans: Plan[] = [];

beforeAll(async () => {
  // Inside the project, so packages are found.
  mkdirSync(join(root, 'build'), { recursive: true });
  copy = mkdtempSync(join(root, 'build/new-'));
  for (const name of ['web', 'tests', 'cpp', 'command', 'tools', 'package.json', 'vitest.config.ts', 'bench']) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules') && path !== join(root, 'web/wasm'),
    });
  }
  for (const name of ['tsconfig.json', 'tsconfig.tests.json']) cpSync(join(root, name), join(copy, name));
  symlinkSync(join(root, 'web/wasm'), join(copy, 'web/wasm'));
  // One after the other: each finds the lines of those before it.
  for (const line of everyKind) {
    const made = await planOf(copy, line.split(' '));
    made.write();
    plans.push(made);
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the stubs of every kind', () => {
  test('have types that fit', () => {
    const config = join(copy, 'tsconfig.stubs.json');
    // What two test set-ups provide is declared by both.
    const setups = ['tests/browser/chromium.ts', 'tests/package/packing.ts'];
    const touched = plans.flatMap(({ created, edited }) => [...created, ...edited]);
    const files = [...setups, ...touched].filter((path) => path.endsWith('.ts'));
    writeFileSync(
      config,
      JSON.stringify({ extends: './tsconfig.tests.json', include: [], files: [...new Set(files)] }),
    );
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', config, '--noEmit'], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  test('have tests that pass, and so have the lists of figures', () => {
    const lists = ['import', 'links', 'settings'].map((name) => `tests/web/elements/${name}.test.ts`);
    const written = plans.flatMap(({ created }) => created.filter((path) => path.endsWith('.test.ts')));
    const tests = written.filter((path) => !afterBuild.includes(path));
    expect(tests.length).toBe(written.length - afterBuild.length);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--project', 'unit', '--reporter', 'json', ...tests, ...lists];
    const env = { ...process.env, SHARE_MODULES: '' };
    const { stdout } = spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8', maxBuffer: 1 << 28 });
    const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      testResults: { name: string; status: string; message: string; assertionResults: unknown[] }[];
    };
    const failed = testResults.filter(({ status }) => status !== 'passed');
    expect(failed.map(({ name, message }) => `${name}: ${message}`)).toEqual([]);
    expect(testResults.map(({ name }) => name.slice(copy.length + 1)).sort()).toEqual([...tests, ...lists].sort());
    for (const { assertionResults } of testResults) expect(assertionResults.length).toBeGreaterThan(0);
  });

  test('leave every comment with its declaration', () => {
    const apart = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8').match(/\*\/\s*\/\*\*.*/g);
    for (const path of plans.flatMap(({ edited }) => edited))
      expect(apart(copy, path), path).toEqual(apart(root, path));
  });

  const cppFiles = (of: 'created' | 'edited') =>
    plans.flatMap(({ [of]: paths }) => paths.filter((path) => /\.(cpp|h)$/.test(path)));

  test.skipIf(!existsSync(toolchainFile))('have C++ in the project’s format', () => {
    const files = [...cppFiles('created'), ...cppFiles('edited')];
    expect(files).toContain('tests/cpp/training/test_gradient_noise.cpp');
    const style = `--style=file:${join(root, '.clang-format')}`;
    for (const path of files) {
      const text = readFileSync(join(copy, path), 'utf8');
      const formatted = execFileSync(toolchain().clangFormat, [style, `--assume-filename=${path}`], { input: text });
      expect(formatted.toString(), path).toBe(text);
    }
  });

  test.skipIf(!existsSync(toolchainFile))('have C++ that compiles without a warning', () => {
    const { clangxx, include } = toolchain();
    const simd = process.arch === 'x64' ? ['-msse4.2'] : [];
    const folders = ['-Icpp', '-Itests', '-Itests/cpp/diagnostics', '-isystem', include];
    const args = [
      '-fsyntax-only',
      '-std=c++20',
      '-fno-exceptions',
      '-DDOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS',
      '-Wall',
      '-Wextra',
      '-Werror',
      ...simd,
      ...folders,
    ];
    const files = cppFiles('created').filter((path) => path.endsWith('.cpp'));
    const { status, stderr } = spawnSync(clangxx, [...args, ...files], { cwd: copy, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test('keep every word of the files that they extend', () => {
    for (const path of new Set(plans.flatMap(({ edited }) => edited))) {
      const [before, after] = [root, copy].map((folder) => readFileSync(join(folder, path), 'utf8').split(/\s+/));
      let at = 0;
      for (const word of after!) if (word.replace(/;$/, '') === before![at]?.replace(/;$/, '')) at++;
      expect(before!.slice(at), path).toEqual([]);
      expect(after!.length, path).toBeGreaterThan(before!.length);
    }
  });

  test('say what to fill in, in a report that names every file', () => {
    for (const made of plans) {
      const said = report(made);
      for (const path of [...made.created, ...made.edited]) expect(said).toContain(path);
      expect(made.marks.length).toBeGreaterThan(3);
      for (const [path, line, what] of made.marks) {
        expect(made.textOf(path)!.split('\n')[line - 1], path).toContain(`Fill in: ${what}`);
      }
    }
  });
});

describe('C++ is in the lists of its library', () => {
  test('and an option is at the end of its table and of its struct', () => {
    const [, training] = plans;
    expect(training!.textOf('tests/cpp/training/CMakeLists.txt')).toMatch(
      /SOURCES\n( {4}test_\w+\.cpp\n)* {4}test_gradient_noise\.cpp\n/,
    );
    expect(training!.textOf('cpp/training/training_config.cpp')).toMatch(
      /Field\{TIED_FIELD\(TrainingConfig, gradient_noise\)\}\.range\(0, 0\)\.omitted\(\),\n\};/,
    );
    expect(training!.textOf('cpp/training/training_config.h')).toMatch(
      /double gradient_noise = 0;\n\n {2}friend bool operator==\(const TrainingConfig&/,
    );
  });

  test('and a diagnostic is bound as its declaration says', () => {
    const table = plans[3]!;
    expect(table.textOf('cpp/diagnostics/CMakeLists.txt')).toMatch(/SOURCES\n( {4}\w+\.cpp\n)* {4}row_share\.cpp\n/);
    expect(table.textOf('tests/cpp/diagnostics/CMakeLists.txt')).toMatch(
      /SOURCES\n( {4}test_\w+\.cpp\n)* {4}test_row_share\.cpp\n/,
    );
    const bound = table.textOf('cpp/bindings/bind_diagnostics.cpp');
    expect(bound).toContain('#include "diagnostics/row_share.h"\n');
    expect(bound).toContain('function("startRowShare", &start_row_share);\n');
    expect(bound).toContain('start_row_share(Address table, Address rows, Address cols)');
    expect(table.textOf('web/core/runtime/diagnostics-modules.ts')).toContain(
      'startRowShare(table: Address, rows: number, cols: number): HandleAddress;',
    );
  });
});

describe('refused, with what was expected, before anything is written', () => {
  test.each([
    ['thing token-ranks', "The kind is 'thing'; expected figure, option, diagnostic, format"],
    ['figure Token', "The name is 'Token'; expected lower-case words with hyphens between them, as in token-ranks"],
    ['figure ../x', "The name is '../x'; expected lower-case words with hyphens between them, as in token-ranks"],
    ['figure', 'The name is missing; expected lower-case words with hyphens between them, as in token-ranks'],
    ['figure one two', 'two follows the name; expected one name, in one word'],
    ['figure lens', 'web/elements/lens/lens.settings.ts exists; expected a new name. Nothing was written.'],
    ['figure map', "The figure's class would be Map, which is taken; expected another name. Nothing was written."],
    ['figure lens-two --of training', "--of is 'training'; expected no --of for a figure"],
    ['option gradient-noise --of heads', "--of is 'heads'; expected model or training"],
    ['option class', "The name is 'class', a word of C++ or TypeScript; expected another"],
    ['format npy', "web/core/checkpoint/file-types.ts declares 'npy'; expected a new name. Nothing was written."],
    [
      'diagnostic spectrum',
      'web/core/diagnostics/types.ts declares spectrum; expected a new name. Nothing was written.',
    ],
    [
      'option label-smoothing --of training',
      'cpp/training/training_config.h declares label_smoothing; expected a new name. Nothing was written.',
    ],
  ])('%s', async (line, message) => {
    await expect(plan(line)).rejects.toThrow(message);
  });
});

test('the command helps, and fails with the same message and nothing else', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'tools/new.mjs'), ...words], { cwd: root, encoding: 'utf8' });
  for (const words of [[], ['--help'], ['figure', '--help']]) {
    const { status, stdout } = run(...words);
    expect(status).toBe(0);
    expect(stdout).toContain('npm run new -- figure token-ranks');
  }
  const { status, stdout, stderr } = run('figure', 'lens');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim()).toBe('web/elements/lens/lens.settings.ts exists; expected a new name. Nothing was written.');
});
