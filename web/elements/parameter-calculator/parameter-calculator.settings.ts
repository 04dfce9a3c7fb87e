import { choice } from '../shared/settings/setting.js';
import { comparisons, packedFiles } from './calculator-counts.js';

export const calculatorSettings = {
  /**
   * How the sizes for comparison are counted. By default as published, so the page has only one percentage for GPT-2
   * small.
   */
  compare: choice(comparisons, {
    label: 'compare',
    control: { as: 'segmented', names: 'comparisons' },
    help: ({ compare }) => (compare === 'formula' ? 'formulaNote' : 'gptNote'),
  }),
  /** Whose files the exact numbers list the tables' bytes for. */
  files: choice(packedFiles, { label: 'files', control: { names: 'filesNames' } }),
};
