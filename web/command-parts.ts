/** What the command has of its own besides the package's verbs: bundled into it, so that no entry of the package grows. */
export { fileKind, headBytes } from './core/file-kind.js';
export { completeModel } from './core/model-options.js';
export { nameOf } from './core/open-file.js';
export { completeTokenizer } from './core/options.js';
export { completeTraining } from './core/training-options.js';
export { checkOptions, nearest } from './core/validate.js';
export { partsOfLink } from './elements/replay/link-values.js';
export { isPairLink, readPairLink } from './elements/replay/pair-link.js';
export { isRunLink, readRunLink } from './elements/replay/run-link.js';
export { trainPair } from './elements/shared/pair-training.js';
export { commonStrings as tokenNames } from './elements/shared/strings.js';
export { decodeText } from './elements/shared/text-file.js';
export { compareOptions } from './elements/training-lab/run-plan.js';
export { loadBuiltIn } from './elements/training-lab/text-source.js';
export { openText } from './elements/training-lab/text.js';
