// Its processes read: tools/new, web/charts, web/elements/shared, tests/web/elements, tests/web/core/refusals.ts, .clang-format
// They also read the rest of web: npm run check leaves its changes to npm test, because this takes half a minute.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { planOf, report } from '../../../tools/new/kinds.mjs';
import type { Plan } from '../../../tools/new/plan.mjs';
import { toolchain, toolchainFile } from '../../../tools/setup/paths.mjs';

// A copy is type-checked, and its tests run, in processes of their own.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const plan = (line: string): Promise<Plan> => planOf(root, line.split(' '));

/** A copy of what the stubs touch; the rest of the project is linked. */
let copy = '';
const everyKind = ['figure token-ranks', 'option gradient-noise --of training', 'option value-scale'];
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
    const tests = plans.flatMap(({ created }) => created.filter((path) => path.endsWith('.test.ts')));
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

  test.skipIf(!existsSync(toolchainFile))('have C++ in the project’s format', () => {
    const files = plans
      .flatMap(({ created, edited }) => [...created, ...edited])
      .filter((path) => /\.(cpp|h)$/.test(path));
    expect(files).toContain('tests/cpp/training/test_gradient_noise.cpp');
    const style = `--style=file:${join(root, '.clang-format')}`;
    for (const path of files) {
      const text = readFileSync(join(copy, path), 'utf8');
      const formatted = execFileSync(toolchain().clangFormat, [style, `--assume-filename=${path}`], { input: text });
      expect(formatted.toString(), path).toBe(text);
    }
  });

  test('keep each list as it was, but for their own lines', () => {
    for (const { edited } of plans) {
      for (const path of edited) {
        const before = readFileSync(join(root, path), 'utf8').split('\n');
        const after = readFileSync(join(copy, path), 'utf8').split('\n');
        let at = 0;
        for (const line of after) if (line === before[at]) at++;
        expect(before.slice(at), path).toEqual([]);
        expect(after.length, path).toBeGreaterThan(before.length);
      }
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

test('the C++ of an option is in the lists of its library, before the end of its table and of its struct', () => {
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

describe('refused, with what was expected, before anything is written', () => {
  test.each([
    ['thing token-ranks', "The kind is 'thing'; expected figure, option"],
    ['figure Token', "The name is 'Token'; expected lower-case words with hyphens between them, as in token-ranks"],
    ['figure ../x', "The name is '../x'; expected lower-case words with hyphens between them, as in token-ranks"],
    ['figure', 'The name is missing; expected lower-case words with hyphens between them, as in token-ranks'],
    ['figure one two', 'two follows the name; expected one name, in one word'],
    ['figure lens', 'web/elements/lens/lens.settings.ts exists; expected a new name. Nothing was written.'],
    ['figure map', "The figure's class would be Map, which is taken; expected another name. Nothing was written."],
    ['figure lens-two --of training', "--of is 'training'; expected no --of for a figure"],
    ['option gradient-noise --of heads', "--of is 'heads'; expected model or training"],
    ['option class', "The name is 'class', a word of C++ or TypeScript; expected another"],
    [
      'option label-smoothing --of training',
      'label_smoothing is a member of cpp/training/training_config.h; expected a new name. Nothing was written.',
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
