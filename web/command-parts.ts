/** What the command uses besides the package's verbs. It is bundled into the command, so no entry of the package grows. */
export { tableBytes } from './core/accounting/table-bytes/rules.js';
export { areEndsOfPath } from './core/checkpoint/tables/path-ends.js';
export { plain as inMarkdown, tyingInWords, withoutControls } from './core/diagnostics/model-card/markdown.js';
export { unmeasuredMarkdown } from './core/checkpoint/card/identity-markdown.js';
export { fileKind, headBytes } from './core/checkpoint/formats/file-kind.js';
export { fileLink } from './core/checkpoint/bytes/links.js';
export {
  ARCHITECTURE_FIELDS,
  MODEL_DEFAULTS,
  MODEL_FIELDS,
  TRAINING_DEFAULTS,
  TRAINING_FIELDS,
} from './core/generated/fields.js';
export { moduleOfFile } from './core/runtime/models-module.js';
export { completeModel } from './core/model/model-options.js';
export { nameOf } from './core/training/open-file.js';
export { completeTokenizer } from './core/model/options.js';
export { completeTraining } from './core/training/training-options.js';
export { checkOptions, nearest } from './core/runtime/validate.js';
export { VERSION as version } from './core/runtime/version.js';
export { partsOfLink } from './elements/replay/link-values.js';
export { headModels, openTokens } from './elements/heads/race-run.js';
export { isHeadsLink, readHeadsLink } from './elements/replay/heads-link.js';
export { isBigramsLink, readBigramsLink } from './elements/replay/bigrams-link.js';
export { isModelsLink, readModelsLink } from './elements/replay/models-link.js';
export { isTwinLink, readTwinLink } from './elements/replay/twin-link.js';
export { isRunLink, readRunLink } from './elements/replay/run-link.js';
export { isSeq2seqLink, readSeq2seqLink } from './elements/replay/seq2seq-link.js';
export { TooFewPairs } from './elements/seq2seq/own-pairs.js';
export { measureModel, openModels, trainModel } from './elements/seq2seq/run.js';
export { fetchModels } from './elements/shared/models-file.js';
export { trainTwins } from './elements/shared/twin-training.js';
export { commonStrings as tokenNames } from './elements/shared/strings.js';
export { decodeText } from './elements/shared/text-file.js';
export { compareOptions } from './elements/training-lab/run-plan.js';
export { loadBuiltIn } from './elements/training-lab/text-source.js';
export { openText } from './elements/training-lab/text.js';
