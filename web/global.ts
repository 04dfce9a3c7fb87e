/**
 * The classic script for a page without a build: `<script src=".../tied-embeddings.global.js" defer></script>` registers
 * every element and puts the API on `window.TiedEmbeddings`. The wasm is inside; the worker is fetched from beside the
 * script, and where that is not possible (another origin, a strict policy) the lab runs on the page's own thread.
 */
import { configureSharedLab } from './elements/shared/shared-lab.js';
import { configureEmbed } from './elements/shared/tied-element.js';
import './elements/index.js';
import * as api from './index.js';

// Known only while the script itself runs.
const script = document.currentScript;
if (script instanceof HTMLScriptElement && script.src !== '') {
  configureSharedLab({ workerUrl: new URL('worker.js', script.src) });
  configureEmbed({ scriptUrl: script.src });
}

declare global {
  interface Window {
    TiedEmbeddings: typeof api;
  }
}

window.TiedEmbeddings = api;
