/** What the figures show before the reader measures. */
export const finishedFiles: Readonly<Record<string, string>> = {
  'article-decision': 'decision.json',
  'article-languages': 'languages.json',
  'article-leak': 'finished-leak.json',
  'tied-alignment': 'finished-alignments.json',
  'tied-direct-path': 'finished-direct-paths.json',
  'tied-gradient-ledger': 'finished-ledgers.json',
  'tied-heads': 'finished-heads.json',
  'tied-hidden-states': 'finished-hidden-states.json',
  'tied-lens': 'finished-lenses.json',
  'tied-seq2seq': 'finished-seq2seq.json',
};
