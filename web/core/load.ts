/** Loads the core, with its wasm inlined in scripts. */
import { loadFrom } from './load-core.js';
import { modulesInlined } from './modules-inlined.js';
import type { Core, LoadOptions } from './types.js';

/** A core of its own on this thread: every verb is synchronous. Works in browsers, workers and Node. */
export function loadCore(options: LoadOptions = {}): Promise<Core> {
  return loadFrom(modulesInlined, options);
}
