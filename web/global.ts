/**
 * The classic script for a page without a build: `<script src=".../tied-embeddings.global.js" defer></script>` registers
 * every element and puts the API on `window.TiedEmbeddings`. The wasm is inside. The worker is fetched from beside the
 * script; where that is not possible (another origin) it starts from a blob, and where the page's policy forbids that too
 * the lab runs on the page's own thread.
 * With `data-simd="relaxed"` on the tag the elements use the relaxed build wherever the reader's browser has it. Its wasm
 * is fetched from beside the script.
 */
import type { Core, Lab, LabOptions, LoadOptions, Simd } from './core/types.js';
import { configureLabs, setLabOpener } from './elements/shared/page-labs.js';
import { configureEmbed } from './elements/shared/tied-element.js';
import './elements/index.js';
import * as api from './index.js';

// Known only while the script itself runs.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;
const address = script !== null && beside(script.src) !== null ? script.src : null;
const worker: LabOptions = address === null ? {} : { workerUrl: new URL('worker.js', address) };
configureLabs(worker);
if (address !== null) configureEmbed({ scriptUrl: address });
const simd = script?.dataset.simd as Simd | undefined;
if (simd !== undefined) {
  try {
    if (api.isSupported({ simd }).supported) setLabOpener(() => window.TiedEmbeddings.createLab({ simd }));
  } catch (error) {
    // Another word than the two: the page still works.
    console.warn(error);
  }
}

/** The URL of the worker beside the script; null where nothing is, as with a data: or blob: URL, or a script inline. */
function beside(address: string): URL | null {
  try {
    return new URL('worker.js', address);
  } catch {
    return null;
  }
}

/** The options, with the place of what the script does not hold. */
function placed<Options extends LoadOptions>(options: Options): Options {
  // A copy, so that what is no object reaches the checks of the API.
  const { simd, wasmUrl, wasmBytes } = { ...options };
  const elsewhere = address === null || simd !== 'relaxed' || wasmUrl !== undefined || wasmBytes !== undefined;
  return elsewhere ? options : { ...options, wasmUrl: new URL('core-relaxed.wasm', address) };
}

declare global {
  interface Window {
    TiedEmbeddings: typeof api;
  }
}

window.TiedEmbeddings = {
  ...api,
  loadCore: (options: LoadOptions = {}): Promise<Core> => api.loadCore(placed(options)),
  createLab: (options: LabOptions = {}): Promise<Lab> => api.createLab(placed({ ...worker, ...options })),
};
