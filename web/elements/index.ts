/** Registers every element. */
export { Checkpoint } from './checkpoint/checkpoint.define.js';
export { ParameterCalculator } from './parameter-calculator/parameter-calculator.define.js';
export { SymmetryExplorer } from './symmetry-explorer/symmetry-explorer.define.js';
export { TrainingLab } from './training-lab/training-lab.define.js';
