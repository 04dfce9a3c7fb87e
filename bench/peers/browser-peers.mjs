// The peers that run in a browser, each in a page of its own.
import { openPage } from '../hosts/pages.mjs';
import { libraryFolders, versionOf } from './install.mjs';

export const trainingCases = ['train/A', 'train/B', 'train/C'];

/** Shapes of our own cases (bench/matrix_products.cpp), for all that multiply. Which factor is stored transposed is our
 * matter: a peer gets both as it multiplies them fastest, untransposed. */
export const productCases = [
  'product/64x64x64/nn',
  'product/128x128x128/nn',
  'product/256x256x256/nn',
  'product/512x512x512/nn',
  'product/1024x1024x1024/nn',
  'product/512x128x8192/nt/logits',
  'product/512x8192x128/nn/into-hidden',
  'product/8192x512x128/tn/into-embedding',
];

export const browserPeers = [
  { name: 'jax-js', package_: '@jax-js/jax', page: 'jax', cases: [...productCases, ...trainingCases] },
  { name: 'tfjs-wasm', package_: '@tensorflow/tfjs-core', page: 'tfjs', cases: [...productCases, ...trainingCases] },
  { name: 'onnxruntime-web', package_: 'onnxruntime-web', page: 'onnxruntime', cases: productCases },
];

/** @returns {Promise<import('../contender.d.ts').Contender>} */
export async function openBrowserPeer(browser, { name, package_, page: script, cases }, folders) {
  const { page, close } = await openPage(browser, {
    folders: { ...libraryFolders, ...folders },
    pages: { '/': `<!doctype html><meta charset="utf-8"><script type="module" src="/pages/${script}.js"></script>` },
  });
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  return {
    name,
    host: 'Chromium',
    version: versionOf(package_),
    clock: 'wall',
    cases: () => cases,
    async measure(id, milliseconds) {
      try {
        await page.waitForFunction(() => globalThis.peer !== undefined, undefined, { timeout: 30_000 });
        return await page.evaluate(
          ([id, milliseconds]) => globalThis.peer.measure(id, milliseconds),
          [id, milliseconds],
        );
      } catch (error) {
        throw new Error(
          `${name} cannot be measured at ${id}: ${[error.message.split('\n')[0], ...problems].join('; ')}`,
          { cause: error },
        );
      }
    },
    close,
  };
}
