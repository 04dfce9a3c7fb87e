// npm run build: the wasm module, the package in dist/, the article in site/. What is unchanged is not built again.
import { pathToFileURL } from 'node:url';
import { withLock } from '../lib/lock.mjs';
import { program, runSteps } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';

const unchanged = (done) => (done ? undefined : 'unchanged');

/** The modules in web/wasm/, which the unit tests need too. */
export const wasmModuleStep = {
  title: 'Building the core as wasm',
  run: async () => {
    await (await import('./cmake.mjs')).buildPreset('wasm', ['core', 'analysis']);
  },
};

/** The build's steps, for runSteps. Modules that need npm packages are imported only once those are installed. */
export function buildSteps() {
  return [
    wasmModuleStep,
    {
      title: 'Bundling the package (dist/)',
      run: async () => unchanged(await (await import('./dist.mjs')).buildDist()),
    },
    {
      title: 'Building the article (site/)',
      run: async () => unchanged(await (await import('./site.mjs')).buildSite()),
    },
  ];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await program(() => withLock(() => runSteps([...setupSteps(), ...buildSteps()])));
}
