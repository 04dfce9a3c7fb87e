/** Registers every element. */
export { ParameterCalculator } from './parameter-calculator/parameter-calculator.define.js';
export { SymmetryExplorer } from './symmetry-explorer/symmetry-explorer.define.js';
