/** The slim entry: like the main one, with the wasm in separate files. Importing it has no side effects. */
export { loadCore } from './core/load-slim.js';
export { createLab } from './worker/lab-slim.js';
export { isSupported } from './core/runtime/support.js';
export { TiedError, type ErrorCode, type ErrorDetails, type TableCandidate } from './core/runtime/tied-error.js';
export type * from './core/types.js';
