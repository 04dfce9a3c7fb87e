// npm run bench: the benchmark program, natively and as wasm in Node. Nothing in the tests depends on a clock.
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { capture } from './lib/run.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

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
});
