/** Each figure's code, imported when its tag is in the page. */
export const figureParts: Readonly<Record<string, () => Promise<unknown>>> = {
  'tied-advisor': () => import('./elements/advisor/advisor.define.js'),
  'tied-alignment': () => import('./elements/alignment/alignment.define.js'),
  'tied-bigrams': () => import('./elements/bigrams/bigrams.define.js'),
  'tied-checkpoint': () => import('./elements/checkpoint/checkpoint.define.js'),
  'tied-compute-calculator': () => import('./elements/compute-calculator/compute-calculator.define.js'),
  'tied-direct-path': () => import('./elements/direct-path/direct-path.define.js'),
  'tied-experiment': () => import('./elements/experiment/experiment.define.js'),
  'tied-gradient-ledger': () => import('./elements/gradient-ledger/gradient-ledger.define.js'),
  'tied-heads': () => import('./elements/heads/heads.define.js'),
  'tied-hidden-states': () => import('./elements/hidden-states/hidden-states.define.js'),
  'tied-lens': () => import('./elements/lens/lens.define.js'),
  'tied-model-table': () => import('./elements/model-table/model-table.define.js'),
  'tied-parameter-calculator': () => import('./elements/parameter-calculator/parameter-calculator.define.js'),
  'tied-seq2seq': () => import('./elements/seq2seq/seq2seq.define.js'),
  'tied-symmetry-explorer': () => import('./elements/symmetry-explorer/symmetry-explorer.define.js'),
  'tied-training-lab': () => import('./elements/training-lab/training-lab.define.js'),
};
