// Runs the doctest programs of one preset and counts their test cases.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { projectFiles } from '../lib/files.mjs';
import { relaxedArguments } from '../lib/relaxed-simd.mjs';
import { run, tail } from '../lib/run.mjs';

/** Folders of tests/cpp that list at least one source. */
export function testFolders() {
  return projectFiles('tests/cpp', /\.cpp$/)
    .filter((path) => path.split('/').length > 3)
    .map((path) => path.split('/')[2])
    .filter((folder, index, all) => all.indexOf(folder) === index);
}

/** { passed, failed, skipped } of doctest's own summary, or undefined where the program ended before it. */
export function countsOf(output) {
  const match = /test cases:\s*\d+\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped/.exec(output);
  return match ? { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3]) } : undefined;
}

async function runOne(preset, folder) {
  const program = join(root, 'build', preset, 'tests/cpp', folder, `test_${folder}`);
  const inNode = preset.startsWith('wasm');
  const file = inNode ? `${program}.cjs` : program;
  if (!existsSync(file)) {
    return { passed: 0, failed: 1, skipped: 0, notes: [`${folder}: ${file} was not built`] };
  }
  const runner = inNode
    ? [process.execPath, ...(preset === 'wasm-relaxed' ? relaxedArguments : [])]
    : preset === 'arm64'
      ? ['qemu-aarch64']
      : [];
  const [command, ...args] = [...runner, file, '--no-colors'];
  const { code, log } = await run(command, args, {
    log: `doctest-${preset}-${folder}`,
    allowFailure: true,
    env: { UBSAN_OPTIONS: 'print_stacktrace=1', ASAN_OPTIONS: 'detect_stack_use_after_return=1' },
  });
  const counts = countsOf(readFileSync(log, 'utf8')) ?? { passed: 0, failed: 0, skipped: 0 };
  // A crash, or a sanitizer's report at the very end, is a failure even where every test case had passed.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return {
    ...counts,
    notes: counts.failed > 0 ? [`${folder} (${preset}), ended with code ${code}:\n${tail(log, 60)}`] : [],
  };
}

/** Runs the programs of `folders` of a preset that was built; resolves with { passed, failed, skipped, notes }. */
export async function runDoctests(preset, folders = testFolders()) {
  const total = { passed: 0, failed: 0, skipped: 0, notes: [] };
  const queue = [...folders];
  const work = async () => {
    for (let folder = queue.shift(); folder; folder = queue.shift()) {
      const result = await runOne(preset, folder);
      for (const key of ['passed', 'failed', 'skipped']) total[key] += result[key];
      total.notes.push(...result.notes);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return total;
}
