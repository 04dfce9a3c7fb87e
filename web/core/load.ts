/** Loads the core from wasm inlined in scripts. */
import { loadFrom } from './runtime/load-core.js';
import { modulesInlined } from './runtime/modules-inlined.js';
import type { Core, LoadOptions } from './types.js';

/**
 * Loads a core on this thread, with its own memory: every verb is synchronous. Works in browsers, workers and Node.
 *
 * @throws {TiedError} 'unsupported' if the engine lacks WebAssembly SIMD or the page's policy forbids WebAssembly; 'invalid-argument' if an option is unknown
 * @example
 * ```ts
 * const own = await loadCore();
 * own.simd; // → "simd128"
 * own.dispose();
 * ```
 */
export function loadCore(options: LoadOptions = {}): Promise<Core> {
  return loadFrom(modulesInlined, options);
}
