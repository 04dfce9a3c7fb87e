/** What the command has of its own besides the package's verbs: bundled into it, so that no entry of the package grows. */
export { fileKind, headBytes } from './core/file-kind.js';
export { nameOf } from './core/open-file.js';
export { nearest } from './core/validate.js';
