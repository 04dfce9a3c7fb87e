/** The lab of the main entry: its wasm is inlined in scripts. */
import { modulesInlined } from '../core/modules-inlined.js';
import type { Lab, LabOptions } from '../core/types.js';
import { openLab } from './open-lab.js';

/** The core's verbs, asynchronous, in a worker of the page or a thread of Node; where neither may start, in time slices (`lab.mode`). */
export function createLab(options?: LabOptions): Promise<Lab> {
  return openLab(modulesInlined, options);
}
