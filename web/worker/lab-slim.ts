/** The lab of the slim entry: its wasm is in files of its own. */
import { modulesBeside } from '../core/modules-beside.js';
import type { Lab, LabOptions } from '../core/types.js';
import { openLab } from './open-lab.js';

/** As the main entry's `createLab`, from the wasm files beside the script, `options.wasmUrl` or `options.wasmBytes`. */
export function createLab(options?: LabOptions): Promise<Lab> {
  return openLab(modulesBeside, options);
}
