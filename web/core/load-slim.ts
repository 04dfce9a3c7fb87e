/** Loads the core from separate wasm files. */
import { loadFrom } from './runtime/load-core.js';
import { modulesBeside } from './runtime/modules-beside.js';
import type { Core, LoadOptions } from './types.js';

/**
 * Like the main entry's `loadCore`, with the wasm files beside the script, from `options.wasmUrl` or
 * `options.wasmBytes`.
 */
export function loadCore(options: LoadOptions = {}): Promise<Core> {
  return loadFrom(modulesBeside, options);
}
