/** Loads the core, with its wasm as a file of its own. */
import { compileBeside } from './compile-beside.js';
import { instantiateCore } from './instantiate.js';
import { checkLoadOptions } from './load-options.js';
import type { Core, LoadOptions } from './types.js';

/** As the main entry's `loadCore`, from core.wasm and analysis.wasm beside the script, `options.wasmUrl` or `options.wasmBytes`. */
export async function loadCore(options: LoadOptions = {}): Promise<Core> {
  return instantiateCore(await compileBeside(checkLoadOptions(options)));
}
