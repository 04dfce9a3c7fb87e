/** What both classic scripts have in common: the script's own tag and address, and the API on `window.TiedEmbeddings`. */
import { TiedError } from './core/runtime/tied-error.js';
import { isSupported } from './core/runtime/support.js';
import type { Core, Lab, LabOptions, LoadOptions, Simd } from './core/types.js';
import { configureEmbed } from './elements/shared/embed-script.js';
import { setLabOpener } from './elements/shared/page-labs.js';
import type * as api from './index.js';

declare global {
  interface Window {
    TiedEmbeddings: typeof api;
  }
}

/** The verbs that load a core. */
export interface Loading {
  readonly loadCore: (options?: LoadOptions) => Promise<Core>;
  readonly createLab: (options?: LabOptions) => Promise<Lab>;
}

if (typeof document === 'undefined') {
  throw new Error(
    "tied-embeddings/global is a script for web pages: it needs a document. In Node, import 'tied-embeddings' instead.",
  );
}

/** Known only while the script itself is running. */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;

/** Set by `elements.bundle.js`, which contains the script: a module has no `document.currentScript`. */
const ofModule = Symbol.for('tied-embeddings: address of the module');

/**
 * The address of the script; null if nothing can be beside it, as with a data: or blob: URL or an inline script. A server of
 * packages gives the package's own address to its main script, which is in `dist`.
 */
const scriptAddress = ((): string | null => {
  const address = script?.src ?? (globalThis as Record<symbol, unknown>)[ofModule];
  if (typeof address !== 'string' || !URL.canParse('worker.js', address)) return null;
  return /\/tied-embeddings(@[^/?#]+)?$/.test(address) ? `${address}/dist/tied-embeddings.global.js` : address;
})();

/** The URL of a file beside the script. */
export const beside = (name: string): URL | null => (scriptAddress === null ? null : new URL(name, scriptAddress));

/** The nonce that a page's policy may require of scripts. */
export const scriptNonce = script?.nonce ?? '';

/** `data-elements="all"`: figures that no document shows, as those in the shadow tree of another element. */
export const scriptWantsAll = script?.dataset['elements'] === 'all';

/** Puts the API on the page; its figures use the build of the core that the tag names. */
export function publish(loading: Loading): void {
  const embedded = script === null ? beside('tied-embeddings.global.js')?.href : scriptAddress;
  if (typeof embedded === 'string') configureEmbed({ scriptUrl: embedded });
  window.TiedEmbeddings = { TiedError, isSupported, ...loading };
  const simd = script?.dataset['simd'] as Simd | undefined;
  if (simd === undefined) return;
  try {
    if (isSupported({ simd }).supported) setLabOpener(() => loading.createLab({ simd }));
  } catch (error) {
    // Not one of the two values: the page still works.
    console.warn(error);
  }
}
