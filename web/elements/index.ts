/** Registers every element. */
export { Advisor } from './advisor/advisor.define.js';
export { Alignment } from './alignment/alignment.define.js';
export { Bigrams } from './bigrams/bigrams.define.js';
export { Checkpoint } from './checkpoint/checkpoint.define.js';
export { ComputeCalculator } from './compute-calculator/compute-calculator.define.js';
export { DirectPath } from './direct-path/direct-path.define.js';
export { Experiment } from './experiment/experiment.define.js';
export { GradientLedger } from './gradient-ledger/gradient-ledger.define.js';
export { Heads } from './heads/heads.define.js';
export { HiddenStates } from './hidden-states/hidden-states.define.js';
export { Lens } from './lens/lens.define.js';
export { ModelTable } from './model-table/model-table.define.js';
export { ParameterCalculator } from './parameter-calculator/parameter-calculator.define.js';
export { ParameterMap } from './parameter-map/parameter-map.define.js';
export { Seq2seq } from './seq2seq/seq2seq.define.js';
export { SymmetryExplorer } from './symmetry-explorer/symmetry-explorer.define.js';
export { TrainingLab } from './training-lab/training-lab.define.js';
