/** What `loadCore` and `createLab` take, and whether they can run. */

import type { ModuleName, OptionalModule } from './modules.js';
import type { Simd } from './types.js';

type PlacedModule = Exclude<ModuleName, 'core'>;

/**
 * URLs of the other modules if they are not beside core.wasm, or their bytes: `analysisUrl`, `analysisBytes`, `filesUrl`,
 * `filesBytes`, and the same for every {@link OptionalModule}, such as `storiesUrl` and `storiesBytes`.
 */
export type ModulePlaces = { [Name in PlacedModule as `${Name}Url`]?: string | URL } & {
  [Name in PlacedModule as `${Name}Bytes`]?: ArrayBuffer | ArrayBufferView;
};

export interface LoadOptions extends ModulePlaces {
  /** Default 'simd128'. 'relaxed' throws 'unsupported' if `isSupported({ simd: 'relaxed' })` reports no support. */
  simd?: Simd;
  /**
   * Which of the optional modules to load immediately. Default of `loadCore`: 'accounting' and 'stories'. A list replaces it: add
   * these two if you need their verbs, too. Verbs of a module that was left out throw 'unsupported'. A lab loads none by default, and
   * each one on the first call of one of its verbs.
   */
  modules?: readonly OptionalModule[];
  /**
   * URL of core.wasm, for the slim entry; the other modules are looked up beside it. If the URL has another file name,
   * as data: and blob: URLs and bundlers' hashed files do, they are found as if there were no `wasmUrl`. With `simd:
   * 'relaxed'`: core-relaxed.wasm, with analysis-relaxed.wasm beside it. The loaded module must be of the build that
   * `simd` names.
   */
  wasmUrl?: string | URL;
  /** The bytes of core.wasm, instead of its URL. */
  wasmBytes?: ArrayBuffer | ArrayBufferView;
}

export interface Support {
  supported: boolean;
  /** A sentence for the user if it is not supported; else null. */
  reason: string | null;
}
