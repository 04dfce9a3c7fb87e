/** Loads the core, with its wasm as files of their own. */
import { loadFrom } from './load-core.js';
import { modulesBeside } from './modules-beside.js';
import type { Core, LoadOptions } from './types.js';

/** As the main entry's `loadCore`, from the wasm files beside the script, `options.wasmUrl` or `options.wasmBytes`. */
export function loadCore(options: LoadOptions = {}): Promise<Core> {
  return loadFrom(modulesBeside, options);
}
