/** The slim entry: as the main one, with the wasm in files of its own. Importing it does nothing by itself. */
export { loadCore } from './core/load-slim.js';
export { createLab } from './worker/lab-slim.js';
export { isSupported } from './core/support.js';
export { TiedError, type ErrorCode } from './core/errors.js';
export type * from './core/types.js';
