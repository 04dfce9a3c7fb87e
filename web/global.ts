/**
 * The classic script for a page without a build: `<script src=".../tied-embeddings.global.js" defer></script>` registers
 * every element and puts the API on `window.TiedEmbeddings`. It is small: figures, core and wasm are in classic scripts of the
 * folder `global` beside it, which also works in a page opened from a disk. A figure's code is loaded when its tag is in the
 * page (or in any page part, with `data-elements="all"` on the script's tag), the core when the figure comes near the screen.
 * The worker is fetched from beside the script; if that is not possible (another origin), it starts from a blob, and
 * if the page's policy forbids that too, the lab runs on the page's own thread. With `data-simd="relaxed"` on the tag, the
 * elements use the relaxed build if the reader's browser supports it. Its wasm is fetched from beside the script.
 */
import { beside, publish, type Loading } from './classic-script.js';
import type { LabOptions, LoadOptions } from './core/types.js';
import { configureLabs } from './elements/shared/page-labs.js';
import { watchForFigures } from './figure-loader.js';
import { usePartsBeside } from './script-parts.js';

// Brings the type of window.TiedEmbeddings into the declarations of this entry.
export type { Loading } from './classic-script.js';

usePartsBeside();
const workerUrl = beside('worker.js');
const worker: LabOptions = workerUrl === null ? {} : { workerUrl };
configureLabs(worker);

/** The options, with the URL of the module that no part contains. */
function placed<Options extends LoadOptions>(options: Options): Options {
  // A copy, so values that are not objects reach the API's checks.
  const { simd, wasmUrl, wasmBytes } = { ...options };
  const relaxed = beside('core-relaxed.wasm');
  const elsewhere = relaxed === null || simd !== 'relaxed' || wasmUrl !== undefined || wasmBytes !== undefined;
  return elsewhere ? options : { ...options, wasmUrl: relaxed };
}

const loading: Loading = {
  loadCore: async (options = {}) => (await import('./core/load.js')).loadCore(placed(options)),
  createLab: async (options = {}) => (await import('./worker/lab.js')).createLab(placed({ ...worker, ...options })),
};
publish(loading);
watchForFigures();
