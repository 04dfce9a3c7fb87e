// npm run bench: the benchmark program, natively and as wasm in Node, and the same models in PyTorch where the machine
// has it. Nothing in the tests depends on a clock.
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { capture } from './lib/run.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

/** The first python3 that has PyTorch: another one than the user's may come first in the path. */
async function pythonWithTorch() {
  for (const python of ['python3', '/usr/bin/python3']) {
    if ((await capture(python, ['-c', 'import torch'])) !== undefined) return python;
  }
  return 'python3';
}

await program(async () => {
  const { buildPreset } = await import('./build/cmake.mjs');
  const folders = {};
  const build = (preset) => async () => {
    folders[preset] = await buildPreset(preset, ['bench_core']);
  };
  await withLock(() =>
    runSteps([
      ...setupSteps(),
      { title: 'Building the benchmarks, native', run: build('native-release') },
      { title: 'Building the benchmarks as wasm', run: build('wasm') },
    ]),
  );
  console.log(`\nNative\n${await capture(join(folders['native-release'], 'bench/bench_core'), [])}`);
  console.log(`As wasm in Node ${process.versions.node}`);
  console.log(await capture(process.execPath, [join(folders.wasm, 'bench/bench_core.cjs')]));
  const torch = await capture(await pythonWithTorch(), [join(root, 'bench/torch_training.py')]);
  console.log(torch ?? 'PyTorch: absent (no python3 that can import torch), so there is nothing to compare with.');
});
