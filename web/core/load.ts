/** Loads the core, with its wasm inlined in the script. */
import { compileInlined } from './compile-inlined.js';
import { instantiateCore } from './instantiate.js';
import { checkLoadOptions } from './load-options.js';
import type { Core, LoadOptions } from './types.js';

/** A core of its own on this thread: every verb is synchronous. Works in browsers, workers and Node. */
export async function loadCore(options: LoadOptions = {}): Promise<Core> {
  return instantiateCore(await compileInlined(checkLoadOptions(options)));
}
