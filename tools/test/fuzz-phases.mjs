// The fuzzer as phases of `npm test` and `npm run test:all`.
import { wasm, withoutRelaxed } from './phases.mjs';
import { fuzzCalls } from './sets.mjs';
import { unlessUnchanged } from './unchanged.mjs';

/** Calls of one kind with valid and invalid arguments, from a fixed seed; one test per verb. `npm run fuzz` makes more calls. */
const fuzzPhase = (kind, title, calls, areMany) => ({
  title,
  run: async () => {
    const { buildFuzzer } = await import('../fuzz/build.mjs');
    const { fuzz } = await import('../fuzz/pool.mjs');
    const { testsOf } = await import('../fuzz/tests.mjs');
    const { table, faults } = await fuzz({ kind, seed: 1, calls, files: await buildFuzzer() });
    return testsOf(kind, table, faults, { areMany });
  },
});

/** Seconds of each. */
const NATIVE_SECONDS = 20;

const nativeFuzzing = {
  title: `Fuzzing: decoders in C++, ${NATIVE_SECONDS} s each`,
  run: async () => {
    const { fuzzerObstacle, fuzzNatively } = await import('../fuzz/native.mjs');
    const obstacle = await fuzzerObstacle();
    if (obstacle !== undefined) return { passed: 0, failed: 0, skipped: 1, notes: [obstacle] };
    const results = await fuzzNatively({ seconds: NATIVE_SECONDS, seed: 1 });
    const faults = results.filter(({ failed }) => failed);
    return {
      passed: results.length - faults.length,
      failed: faults.length,
      skipped: 0,
      notes: faults.map(({ name, note }) => `fuzz_${name}: ${note}`),
    };
  },
};
export const nativeFuzzers = unlessUnchanged(nativeFuzzing, () => [
  ...['cpp', 'tests/fuzzers', 'tools/fuzz', 'CMakeLists.txt', 'CMakePresets.json', 'tools/cmake'],
]);

const fuzzInputs = () => [
  'web',
  'command',
  'tests/fuzz',
  'tests/web/checkpoint',
  'tools/fuzz',
  'tsconfig.json',
  'package-lock.json',
];
const fuzzTitles = {
  calls: 'calls',
  files: 'files',
  checkpoints: 'checkpoints',
  verdicts: 'verdicts',
  experiments: 'experiments',
  labs: 'calls of labs',
};
const fuzzPhases = (set) =>
  Object.entries(fuzzCalls)
    .map(([kind, { [set]: calls }]) =>
      fuzzPhase(kind, `Fuzzing: ${calls.toLocaleString('en')} ${fuzzTitles[kind]}`, calls, set === 'all'),
    )
    .map((phase, index, all) =>
      // One after another: each uses all cores, and all bundle the fuzzer into the same folder.
      unlessUnchanged({ ...phase, needs: [wasm, ...all.slice(0, index)] }, fuzzInputs, withoutRelaxed),
    );
export const fuzzing = fuzzPhases('all');
export const quickFuzzing = fuzzPhases('quick');
