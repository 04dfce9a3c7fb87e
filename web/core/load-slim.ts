/** Loads the core, with its wasm as a file of its own. */
import { compileBeside } from './compile-beside.js';
import { instantiateCore } from './instantiate.js';
import type { Core, LoadOptions } from './types.js';
import { checkOptions } from './validate.js';

/** As the main entry's `loadCore`, from core.wasm and analysis.wasm beside the script, `options.wasmUrl` or `options.wasmBytes`. */
export async function loadCore(options: LoadOptions = {}): Promise<Core> {
  checkOptions('options', options, ['wasmUrl', 'wasmBytes', 'analysisUrl', 'analysisBytes']);
  return instantiateCore(await compileBeside(options));
}
