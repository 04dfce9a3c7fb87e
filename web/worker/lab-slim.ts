/** The lab of the slim entry, with wasm in separate files. */
import { modulesBeside } from '../core/runtime/modules-beside.js';
import type { Lab, LabOptions } from '../core/types.js';
import { openLab } from './open-lab.js';

/**
 * Like the main entry's `createLab`, with the wasm files beside the script, from `options.wasmUrl` or
 * `options.wasmBytes`.
 */
export function createLab(options?: LabOptions): Promise<Lab> {
  return openLab(modulesBeside, options);
}
