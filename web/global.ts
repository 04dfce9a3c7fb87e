/**
 * The classic script for a page without a build: `<script src=".../tied-embeddings.global.js" defer></script>` registers
 * every element and puts the API on `window.TiedEmbeddings`. The wasm is inside; the worker is fetched from beside the
 * script, and where that is not possible (another origin, a strict policy) the lab runs on the page's own thread.
 */
import type { Lab, LabOptions } from './core/types.js';
import { configureSharedLab } from './elements/shared/shared-lab.js';
import { configureEmbed } from './elements/shared/tied-element.js';
import './elements/index.js';
import * as api from './index.js';

// Known only while the script itself runs.
const script = document.currentScript;
const besideScript: LabOptions = {};
if (script instanceof HTMLScriptElement && script.src !== '') {
  besideScript.workerUrl = new URL('worker.js', script.src);
  configureSharedLab(besideScript);
  configureEmbed({ scriptUrl: script.src });
}

declare global {
  interface Window {
    TiedEmbeddings: typeof api;
  }
}

window.TiedEmbeddings = {
  ...api,
  createLab: (options: LabOptions = {}): Promise<Lab> => api.createLab({ ...besideScript, ...options }),
};
