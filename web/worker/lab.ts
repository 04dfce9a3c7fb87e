/** The lab of the main entry, with wasm inlined in scripts. */
import { modulesInlined } from '../core/runtime/modules-inlined.js';
import type { Lab, LabOptions } from '../core/types.js';
import { openLab } from './open-lab.js';

/**
 * Opens a lab: the core's verbs as promises, in a Web Worker or a Node thread; if neither can start, in time slices
 * (`lab.mode`).
 *
 * @throws {TiedError} 'unsupported' if the engine lacks WebAssembly SIMD or the page's policy forbids WebAssembly; 'invalid-argument' if an option is unknown
 * @example
 * ```ts
 * const lab = await createLab();
 * const pairs = await lab.bigrams(Uint32Array.of(0, 1, 0), 2);
 * pairs.total; // → 2
 * lab.dispose();
 * ```
 */
export function createLab(options?: LabOptions): Promise<Lab> {
  return openLab(modulesInlined, options);
}
