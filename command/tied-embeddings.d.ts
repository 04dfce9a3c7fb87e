// The script beside the command in dist/; web/index.ts has the full API.
import type { Core, Lab, LabOptions, LoadOptions } from '../web/core/types.js';

export type { Core, Lab };
export type { LabCheckpoint, LabTokenizer, LabTrainer, Trainer } from '../web/core/types.js';
export function createLab(options?: LabOptions): Promise<Lab>;
export function loadCore(options?: LoadOptions): Promise<Core>;
