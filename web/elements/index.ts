/** Registers every element. */
export { ParameterCalculator } from './parameter-calculator/parameter-calculator.define.js';
export { SymmetryExplorer } from './symmetry-explorer/symmetry-explorer.define.js';
export { TrainingLab } from './training-lab/training-lab.define.js';
