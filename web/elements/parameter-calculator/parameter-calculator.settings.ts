import { choice } from '../shared/settings/setting.js';
import { comparisons } from './calculator-counts.js';

export const calculatorSettings = {
  /** How the sizes to compare with are counted; as GPT-2's, so that GPT-2 small has one percentage. */
  compare: choice(comparisons, { label: 'compare', control: { as: 'segmented', names: 'comparisons' } }),
};
