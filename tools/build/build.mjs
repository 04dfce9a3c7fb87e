// npm run build: the wasm modules, the package in dist/, the article in site/. What is unchanged is not built again. With
// --package, which npm pack and npm publish run first, all that package.json names, and no article; with --page what npm start
// serves, without a set-up before it.
import { pathToFileURL } from 'node:url';
import { withLock } from '../lib/lock.mjs';
import { program, runSteps } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';

const unchanged = (done) => (done ? undefined : 'unchanged');

/** `files`: the export of tools/lib/modules.mjs that names what is to be built. */
const modulesStep = (title, preset, files) => ({
  title,
  run: async () => {
    const modules = await import('../lib/modules.mjs');
    const targets = modules[files].map((file) => modules.stemOf(file).replace(/-relaxed$/, ''));
    await (await import('./cmake.mjs')).buildPreset(preset, targets);
    (await import('./module-tables.mjs')).writeModuleTables();
  },
});

/** The modules in web/wasm/, which the unit tests need too. */
export const wasmModuleStep = modulesStep('Building the core as wasm', 'wasm', 'baselineFiles');

/** What is in the package. Without `relaxed` the second build of the core is left out, and its files in dist/. */
export function packageSteps({ relaxed = true } = {}) {
  return [
    wasmModuleStep,
    ...(relaxed ? [modulesStep('Building the core with relaxed multiply-add', 'wasm-relaxed', 'relaxedFiles')] : []),
    {
      title: 'Bundling the package (dist/)',
      run: async () => unchanged(await (await import('./dist.mjs')).buildDist({ relaxed })),
    },
  ];
}

/**
 * The build's steps, for runSteps. Modules that need npm packages are imported only once those are installed. The article
 * needs nothing of the relaxed build.
 */
export function buildSteps({ relaxed = true } = {}) {
  return [
    ...packageSteps({ relaxed }),
    {
      title: 'Building the article (site/)',
      run: async () => unchanged(await (await import('./site.mjs')).buildSite()),
    },
  ];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const asked = (option) => process.argv.includes(option);
  const steps = () => {
    if (asked('--page')) return buildSteps({ relaxed: false });
    return [...setupSteps(), ...(asked('--package') ? packageSteps() : buildSteps())];
  };
  await program(() => withLock(() => runSteps(steps())));
}
