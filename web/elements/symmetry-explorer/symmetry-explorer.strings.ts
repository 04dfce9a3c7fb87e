import type { NameProblem } from './explorer-state.js';

/** English texts of `<tied-symmetry-explorer>`. Numbers arrive formatted. */
export const symmetryExplorerStrings = {
  title: 'Can a shared table know which word came first?',
  mode: 'Embeddings',
  tied: 'Tied',
  untied: 'Untied',
  random: 'Random',
  view: 'Show',
  logits: 'Logits',
  probabilities: 'Probabilities',
  embeddingTitle: 'Embedding, one row per token',
  unembeddingTitle: 'Unembedding, one row per token',
  token: 'Token',
  dimension: (index: number) => `dim ${String(index)}`,
  /** Of an arrow, as a screen reader says it. */
  axes: ['first number', 'second number'] as const,
  tokenName: (index: number) => `Name of token ${String(index)}`,
  entry: (matrix: string, name: string, dimension: number) => `${matrix}, ${name}, dimension ${String(dimension)}`,
  remove: (name: string) => `Remove ${name}`,
  add: 'Add a token',
  newToken: 'token',
  copyEmbedding: 'Make both tables equal',
  drawOne: 'Draw one more',
  drawMany: (count: number) => `Draw ${String(count)} more`,
  planeTitle: 'The same rows as arrows: drag a tip',
  planeTitleLocked: 'The same rows as arrows',
  pressCell: 'press a cell',
  planeLabel: 'Vectors on a plane',
  draggable: 'movable vector',
  reads: (name: string) => `${name}, reading`,
  writes: (name: string) => `${name}, writing`,
  solid: 'solid: reads',
  dashed: 'dashed: writes',
  tiedResult: 'Logits, W_E times W_E transposed',
  untiedResult: 'Logits, W_E times W_U transposed',
  probabilityTitle: 'Softmax of each row of logits',
  probabilityResult: 'Next-token probabilities, softmax of each row',
  current: 'current token',
  next: 'next token',
  checksTitle: 'Each pair, both ways',
  more: (count: number) => `and ${String(count)} more pairs, in the data below`,
  pair: (from: string, to: string) => `${from}\u00a0→\u00a0${to}`,
  probability: (from: string, to: string) => `P(${to}\u00a0|\u2060\u00a0${from})`,
  equal: 'equals',
  unequal: 'differs from',
  allEqual: (pairs: number) =>
    pairs === 1 ? 'The pair is equal both ways' : `All ${String(pairs)} pairs are equal both ways`,
  whyEqual: 'A logit here is the dot product of two rows of one table, which does not depend on their order.',
  someDiffer: (differing: number, pairs: number) => `${String(differing)} of ${String(pairs)} pairs differ`,
  whyDiffer: (forward: string, one: string, backward: string, other: string) =>
    `With a separate table for writing, ${forward} can be ${one} while ${backward} is ${other}.`,
  stillEqual: 'The two tables agree now; move one row of either and the mirror breaks.',
  symmetricLogits: 'Symmetric logits, unequal probabilities.',
  rowsNormalized: (forward: string, one: string, backward: string, other: string) =>
    `${forward} is ${one} and ${backward} is ${other}, because each row is normalized on its own.`,
  selfPredicting: (self: number, all: number) =>
    self === all
      ? 'Every token here gives itself its highest probability, alone or in a tie.'
      : `Of ${String(all)} tokens, ${self === 1 ? '1 gives itself its' : `${String(self)} give themselves their`} highest probability.`,
  randomNone: 'No matrix drawn yet.',
  randomCount: (symmetric: string, all: string) => `${symmetric} of ${all} random matrices gave a symmetric result`,
  randomUntied: (symmetric: string, all: string) =>
    `With a second random matrix for writing, ${symmetric} of ${all} did. Symmetric means equal to the last bit, in every pair.`,
  sum: (name: string, terms: string, value: string) => `${name}: ${terms} = ${value}.`,
  sameSum: (name: string) => `${name} is the same sum with the factors swapped.`,
  otherSum: (name: string, value: string) => `${name} takes other rows of the two tables: ${value}.`,
  diagonal: 'A token with itself: the squared length of its row.',
  diagonalUntied: 'A token followed by itself.',
  captionTied:
    'Drag an arrow or a number and watch a cell and its mirror change together. Point at a cell to see its sum.',
  captionUntied: 'The second table, dashed, writes. Move one of its rows: a cell changes and its mirror does not.',
  captionRandom:
    'Entries are drawn evenly between −2 and 2. Every draw is tested twice: with one table, and with a second one for writing.',
  captionProbabilities:
    'Softmax turns each row of logits into probabilities that add up to 1. With one table the logits are symmetric; the two probabilities of a pair may still differ.',
  dataEmbedding: 'W_E, the embedding',
  dataUnembedding: 'W_U, the unembedding',
  nameProblem: (problem: NameProblem, name: string) =>
    ({
      empty: 'A token needs a name; the old one stays.',
      long: `“${name}” is longer than 24 characters; the old name stays.`,
      taken: `Another token is called “${name}”; the old name stays.`,
      comma: 'A name cannot contain a comma; the old name stays.',
    })[problem],
  expectedTokens: '2 to 12 different names separated by commas',
  expectedRows: 'two numbers per token, at most 99, rows separated by semicolons',
  ownExample: 'its own',
};

export type SymmetryExplorerStrings = typeof symmetryExplorerStrings;
