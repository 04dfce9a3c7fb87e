/** The lab of the slim entry: its wasm is a file of its own. */
import { compileBeside } from '../core/compile-beside.js';
import type { Lab, LabOptions } from '../core/types.js';
import { openLab } from './open-lab.js';

/** As the main entry's `createLab`, from core.wasm and analysis.wasm beside the script, `options.wasmUrl` or `options.wasmBytes`. */
export function createLab(options?: LabOptions): Promise<Lab> {
  return openLab(compileBeside, options);
}
