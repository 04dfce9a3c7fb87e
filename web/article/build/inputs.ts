/** The parts of the library that the build of the page uses, bundled for Node. */
export { builtInTexts } from '../../texts/index.js';
export { allArms, defaultSettings } from '../../elements/training-lab/settings.js';
export { oneWayPairs } from '../../core/one-way-pairs.js';
export { directPathArm } from '../../elements/training-lab/run-plan.js';
export { mapTokens } from '../../elements/training-lab/token-choice.js';
export { palette } from '../../elements/shared/palette.js';
export { lineChart } from '../../charts/index.js';
export { bigramsSettings } from '../../elements/bigrams/bigrams.settings.js';
export { openPair } from '../../elements/shared/model-pair.js';
export { measurePrompt } from '../../elements/hidden-states/measure.js';
export { hiddenStatesSettings } from '../../elements/hidden-states/hidden-states.settings.js';
export { gradientLedgerSettings } from '../../elements/gradient-ledger/gradient-ledger.settings.js';
export { furthestAhead, measureLedgers, shownSteps, writingShare } from '../../elements/gradient-ledger/measure.js';
export { shownSteps as pathSteps } from '../../elements/direct-path/measure.js';
export { lensKinds, measureLens } from '../../elements/lens/measure.js';
export { lensSettings } from '../../elements/lens/lens.settings.js';
export { alignmentSettings } from '../../elements/alignment/alignment.settings.js';
export { measureWithWord, openTables } from '../../elements/alignment/tables.js';
