/** The main entry of the package: everything in one file, with the wasm inlined. Importing it has no side effects. */
export { loadCore } from './core/load.js';
export { createLab } from './worker/lab.js';
export { isSupported } from './core/runtime/support.js';
export { TiedError, type ErrorCode, type ErrorDetails, type TableCandidate } from './core/runtime/tied-error.js';
export type * from './core/types.js';
