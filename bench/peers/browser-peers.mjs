// The peers that run in a browser, each in its own page.
import { openPage } from '../hosts/pages.mjs';
import { coldContender, pageOf } from '../pages/cold-start.mjs';
import { libraryFolders, versionOf } from './install.mjs';

export const trainingCases = ['train/A', 'train/B', 'train/C'];

/** The same with all cores, in an isolated page, for a peer that has threads. */
export const threadedCases = ['A', 'B', 'C'].map((model) => `one-model/isolated/${model}`);

/** Shapes of our own cases (bench/matrix_products.cpp), for all peers that multiply. A peer always gets both factors
 * untransposed, which is fastest for it. */
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

/** Peers that can train also have a page for cold starts, page/cold-<page>.mjs. */
export const browserPeers = [
  { name: 'jax-js', package_: '@jax-js/jax', page: 'jax', trains: true, threads: true },
  { name: 'tfjs-wasm', package_: '@tensorflow/tfjs-core', page: 'tfjs', trains: true },
  { name: 'onnxruntime-web', package_: 'onnxruntime-web', page: 'onnxruntime', trains: false },
];

/** Warm measurements: the library stays in its page from round to round. */
async function openWarm(browser, { name, page: script }, folders, isolated = false) {
  const { page, close } = await openPage(browser, { folders, pages: { '/': pageOf(`/pages/${script}.js`) }, isolated });
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  return {
    async measure(id, milliseconds) {
      try {
        await page.waitForFunction(() => globalThis.peer !== undefined, undefined, { timeout: 30_000 });
        return await page.evaluate(
          ([id, milliseconds]) => globalThis.peer.measure(id, milliseconds),
          [id, milliseconds],
        );
      } catch (error) {
        const reasons = [error.message.split('\n')[0], ...problems].join('; ');
        throw new Error(`${name} cannot be measured at ${id}: ${reasons}`, { cause: error });
      }
    },
    close,
  };
}

/** @returns {Promise<import('../contender.d.ts').Contender>} */
export async function openBrowserPeer(browser, peer, ownFolders) {
  const { name, package_, page, trains, threads = false } = peer;
  const folders = { ...libraryFolders, ...ownFolders };
  /** @type {Record<string, string>} */
  const addresses = trains ? { 'cold/A': '/?model=A', 'cold/C': '/?model=C' } : {};
  const warm = await openWarm(browser, peer, folders);
  const threaded = threads ? await openWarm(browser, peer, folders, true) : undefined;
  const cold = await coldContender(browser, {
    name,
    folders,
    pages: { '/': pageOf(`/pages/cold-${page}.js`) },
    addresses,
  });
  const coldCases = new Set(cold.cases());
  return {
    name,
    host: 'Chromium',
    version: versionOf(package_),
    clock: 'wall',
    cases: () => [
      ...productCases,
      ...(trains ? trainingCases : []),
      ...(threaded === undefined ? [] : threadedCases),
      ...coldCases,
    ],
    measure: (id, milliseconds) => {
      if (threadedCases.includes(id) && threaded !== undefined) return threaded.measure(id, milliseconds);
      return (coldCases.has(id) ? cold : warm).measure(id, milliseconds);
    },
    close: async () => void (await Promise.allSettled([warm.close(), threaded?.close(), cold.close()])),
  };
}
