/** Loads the core, with its wasm inlined in the script. */
import { compileInlined } from './compile-inlined.js';
import { instantiateCore } from './instantiate.js';
import type { Core, LoadOptions } from './types.js';
import { checkOptions } from './validate.js';

/** A core of its own on this thread: every verb is synchronous. Works in browsers, workers and Node. */
export async function loadCore(options: LoadOptions = {}): Promise<Core> {
  checkOptions('options', options, ['wasmUrl', 'wasmBytes', 'analysisUrl', 'analysisBytes']);
  return instantiateCore(await compileInlined(options));
}
