/** The figures of chapters, whose list is fetched with the first chapter. */
export const chapterFigures: Readonly<Record<string, () => Promise<unknown>>> = {
  'tied-alignment': () => import('../elements/alignment/alignment.define.js'),
  'tied-experiment': () => import('../elements/experiment/experiment.define.js'),
  'tied-gradient-ledger': () => import('../elements/gradient-ledger/gradient-ledger.define.js'),
  'tied-heads': () => import('../elements/heads/heads.define.js'),
  'tied-hidden-states': () => import('../elements/hidden-states/hidden-states.define.js'),
  'tied-lens': () => import('../elements/lens/lens.define.js'),
  'tied-checkpoint': () => import('../elements/checkpoint/checkpoint.define.js'),
  'tied-seq2seq': () => import('../elements/seq2seq/seq2seq.define.js'),
  'tied-model-table': () => import('../elements/model-table/model-table.define.js'),
  'tied-parameter-map': () => import('../elements/parameter-map/parameter-map.define.js'),
  'article-lost-table': () => import('./figures/in-files/in-files.define.js'),
  'article-table-bits': () => import('./figures/in-files/in-files.define.js'),
  'article-leak': () => import('./figures/leak/leak.define.js'),
  'article-languages': () => import('./figures/languages/languages.define.js'),
};
