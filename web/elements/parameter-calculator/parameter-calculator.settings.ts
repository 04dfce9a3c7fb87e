import { choice } from '../shared/settings/setting.js';
import { comparisons } from './calculator-counts.js';

export const calculatorSettings = {
  /**
   * How the sizes for comparison are counted; as published by default, so that GPT-2 small has one percentage on the
   * page.
   */
  compare: choice(comparisons, {
    label: 'compare',
    control: { as: 'segmented', names: 'comparisons' },
    help: ({ compare }) => (compare === 'formula' ? 'formulaNote' : 'gptNote'),
  }),
};
