/** What the command has of its own besides the package's verbs: bundled into it, so that no entry of the package grows. */
export { fileKind, headBytes } from './core/file-kind.js';
export { completeModel } from './core/model-options.js';
export { nameOf } from './core/open-file.js';
export { completeTokenizer } from './core/options.js';
export { completeTraining } from './core/training-options.js';
export { checkOptions, nearest } from './core/validate.js';
