// Runs the doctest programs of one preset, folder by folder of tests/cpp, and counts their test cases.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { projectFiles } from '../lib/files.mjs';
import { closure } from './clang-tidy.mjs';
import { relaxedArguments } from '../lib/relaxed-simd.mjs';
import { run, tail } from '../lib/run.mjs';

/** The programs that tests/cpp/CMakeLists.txt makes. */
export const doctestPrograms = ['core_tests', 'allocation_tests'];

/** Folders of tests/cpp that contain at least one source. */
export function testFolders() {
  return projectFiles('tests/cpp', /\.cpp$/)
    .filter((path) => path.split('/').length > 3)
    .map((path) => path.split('/')[2])
    .filter((folder, index, all) => all.indexOf(folder) === index);
}

/** The folder of cpp/ or tests/cpp/ that a C++ source is in; undefined for other files, on which every test may depend. */
const folderOf = (path) => /^(?:tests\/)?cpp\/(\w+)\/[^/]+\.(?:cpp|h)$/.exec(path)?.[1];

/**
 * The folders of tests/cpp whose tests a change can affect: those of changed tests, and those that include, directly or indirectly, a
 * header of the folder of cpp/ with a changed source, in the tests or in what they test.
 */
export function foldersAffected(changed, read = closure) {
  if (changed.some((path) => folderOf(path) === undefined)) return testFolders();
  return testFolders().filter((folder) => {
    const own = ['tests/cpp', 'cpp'].flatMap((parent) => projectFiles(`${parent}/${folder}`, /\.cpp$/));
    const included = new Set(own.flatMap((path) => [...read(path).keys()]).map((path) => path.split('/', 2).join('/')));
    return changed.some((path) =>
      path.startsWith('tests/') ? folderOf(path) === folder : included.has(`cpp/${folderOf(path)}`),
    );
  });
}

/** { passed, failed, skipped } from doctest's own summary, or undefined if the program ended before printing it. */
export function countsOf(output) {
  const match = /test cases:\s*\d+\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped/.exec(output);
  return match ? { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3]) } : undefined;
}

function commandOf(preset, program) {
  const file = join(root, 'build', preset, 'tests/cpp', program);
  if (preset.startsWith('wasm')) {
    return [process.execPath, ...(preset === 'wasm-relaxed' ? relaxedArguments : []), `${file}.cjs`];
  }
  return preset === 'arm64' ? ['qemu-aarch64', file] : [file];
}

/** Runs a program's test cases of one folder, or all of them. */
async function runPart(preset, program, folder) {
  const [command, ...args] = commandOf(preset, program);
  const name = folder ?? program;
  const filter = folder === undefined ? [] : [`--source-file=*tests/cpp/${folder}/*`];
  const { code, log } = await run(command, [...args, '--no-colors', ...filter], {
    log: `doctest-${preset}-${name}`,
    allowFailure: true,
    env: { UBSAN_OPTIONS: 'print_stacktrace=1', ASAN_OPTIONS: 'detect_stack_use_after_return=1' },
  });
  const counts = countsOf(readFileSync(log, 'utf8')) ?? { passed: 0, failed: 0, skipped: 0 };
  // A crash, or a sanitizer's report at the very end, is a failure even if every test case passed. So is a folder
  // without test cases.
  if ((code !== 0 || counts.passed === 0) && counts.failed === 0) counts.failed = 1;
  const notes = counts.failed > 0 ? [`${name} (${preset}), ended with code ${code}:\n${tail(log, 60)}`] : [];
  return { program, ...counts, notes };
}

/**
 * Adds up the parts of programs. doctest counts test cases of the program's other parts as skipped; here, only test cases that
 * no part ran are skipped.
 */
export function sumOfParts(parts) {
  const total = { passed: 0, failed: 0, skipped: 0, notes: parts.flatMap(({ notes }) => notes) };
  for (const program of new Set(parts.map((part) => part.program))) {
    const own = parts.filter((part) => part.program === program);
    const passed = own.reduce((sum, part) => sum + part.passed, 0);
    const failed = own.reduce((sum, part) => sum + part.failed, 0);
    const all = Math.max(...own.map((part) => part.passed + part.failed + part.skipped));
    total.passed += passed;
    total.failed += failed;
    total.skipped += Math.max(0, all - passed - failed);
  }
  return total;
}

/** The part that is the program of tests that count allocations. */
export const ALLOCATIONS = 'allocations';

/**
 * Runs the programs of a preset that was built, `parts` in their order: folders of tests, and ALLOCATIONS. Once `isOver`, no other begins but the
 * first. Resolves with { passed, failed, skipped, notes }, and with the parts that are left.
 * @param {string} preset @param {{ parts?: string[], isOver?: () => boolean }} [options]
 */
export async function runDoctests(preset, { parts = [ALLOCATIONS, ...testFolders()], isOver = () => false } = {}) {
  const left = [...parts];
  const ended = [];
  const work = async () => {
    while (left.length > 0 && !(left.length < parts.length && isOver())) {
      const part = left.shift();
      ended.push(await runPart(preset, ...(part === ALLOCATIONS ? ['allocation_tests'] : ['core_tests', part])));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { ...sumOfParts(ended), left };
}
