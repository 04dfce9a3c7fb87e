/** What the command has of its own besides the package's verbs: bundled into it, so that no entry of the package grows. */
export { nearest } from './core/validate.js';
