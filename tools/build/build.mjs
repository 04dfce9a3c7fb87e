// npm run build                 the wasm modules, dist/ (the package), site/ (the article); skips what is unchanged
// npm run build -- --package    without the article: what npm pack and npm publish run first
// npm run build -- --page       what npm start serves, without set-up
import { pathToFileURL } from 'node:url';
import { withLock } from '../lib/lock.mjs';
import { program, progressOf, runSteps } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';

const unchanged = (done) => (done ? undefined : 'unchanged');

/** `files`: the export of tools/lib/modules.mjs with the names of the files, or modules, to build. */
const modulesStep = (title, preset, files) => ({
  title,
  progress: () => progressOf(`build-${preset}`),
  run: async () => {
    const modules = await import('../lib/modules.mjs');
    const targets = modules[files].map((file) => modules.stemOf(file).replace(/-relaxed$/, ''));
    await (await import('./cmake.mjs')).buildPreset(preset, targets);
    (await import('./module-tables.mjs')).writeModuleTables();
  },
});

/** The modules in web/wasm/, which the unit tests need too. */
export const wasmModuleStep = modulesStep('Building the core as wasm', 'wasm', 'baselineFiles');

/** What every figure needs, and the page itself: the modules that are always loaded, and the article with its recorded numbers. */
export const firstPageSteps = (folder) => [
  modulesStep('Building what the page needs first as wasm', 'wasm', 'ALWAYS_LOADED'),
  { title: 'Building the page', run: async () => (await import('./first-page.mjs')).buildFirstPage(folder) },
];

/** Bundles what is built. Without `relaxed`, the files of the second build are omitted in dist/. */
export const packageStep = ({ relaxed = true } = {}) => ({
  title: 'Bundling the package (dist/)',
  run: async () => unchanged(await (await import('./dist.mjs')).buildDist({ relaxed })),
});

/** The contents of the package. Without `relaxed`, the second build of the core and its files in dist/ are omitted. */
export function packageSteps({ relaxed = true } = {}) {
  return [
    wasmModuleStep,
    ...(relaxed ? [modulesStep('Building the core with relaxed multiply-add', 'wasm-relaxed', 'relaxedFiles')] : []),
    packageStep({ relaxed }),
  ];
}

/**
 * The build's steps, for runSteps. Modules that need npm packages are imported after those are installed. The article
 * does not need the relaxed build.
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
  await program(() => withLock(() => runSteps(steps())), { options: ['--page', '--package'] });
}
