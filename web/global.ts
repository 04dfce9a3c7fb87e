/**
 * The classic script for a page without a build: `<script src=".../tied-embeddings.global.js" defer></script>` registers
 * every element and puts the API on `window.TiedEmbeddings`. The wasm is inside. The worker is fetched from beside the
 * script; if that is not possible (another origin), it starts from a blob, and if the page's policy forbids that too, the
 * lab runs on the page's own thread. With `data-simd="relaxed"` on the tag, the elements use the relaxed build if the
 * reader's browser supports it. Its wasm is fetched from beside the script.
 */
import type { Core, Lab, LabOptions, LoadOptions, Simd } from './core/types.js';
import { configureLabs, setLabOpener } from './elements/shared/page-labs.js';
import { configureEmbed } from './elements/shared/tied-element.js';
import './elements/index.js';
import * as api from './index.js';

// Known only while the script itself is running.
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
    // Not one of the two values: the page still works.
    console.warn(error);
  }
}

/** The URL of the worker beside the script; null if there is none, as with a data: or blob: URL or an inline script. */
function beside(address: string): URL | null {
  try {
    return new URL('worker.js', address);
  } catch {
    return null;
  }
}

/** The options, with the URL of the module that the script does not contain. */
function placed<Options extends LoadOptions>(options: Options): Options {
  // A copy, so values that are not objects reach the API's checks.
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
