import { chanceStrings } from '../shared/chance.js';
import { weightsStrings } from '../shared/weights.js';
import type { Method } from './alignment.settings.js';
import type { ComparisonId, TableName } from './compared-tables.js';

/** English texts of `<tied-alignment>`. Numbers arrive formatted. */
export const alignmentStrings = {
  ...weightsStrings,
  title: 'Which table does the shared one resemble?',
  method: 'Map',
  methods: { linear: 'Linear', orthogonal: 'Rotation', identity: 'None' } as Record<Method, string>,
  center: 'Mean row',
  centers: { centered: 'Removed', 'as-is': 'Kept' } as Readonly<Record<string, string>>,
  holdOut: 'Unseen tokens',
  holdOuts: { fifth: 'A fifth', none: 'None' } as Readonly<Record<string, string>>,
  ...chanceStrings,
  word: 'A word',
  wordHint: 'such as She',

  cancel: 'Cancel',
  finishedNote: 'Measured when this page was built. Choose another map, and your browser measures again.',
  waiting:
    'Two small GPTs were trained on the same text, one tied and one untied. Press Measure to compare their tables.',
  noWeights: 'This page names no file with trained models, so there is nothing to compare.',
  measuring: (percent: string) => `Comparing the tables: ${percent}%.`,
  cancelled: 'Nothing was measured because you cancelled.',
  otherFile: 'the file does not hold the tables of a tied and an untied model',

  axisTitle: 'Agreement: mean cosine of a token’s two rows',
  axisLabel: (rows: string) => `Agreement of three pairs of tables, on an axis from 0 to 1. ${rows}`,
  pairs: {
    writing: 'Untied writing table to tied table',
    reading: 'Untied reading table to tied table',
    own: 'Untied reading table to untied writing table',
  } as Record<ComparisonId, string>,
  fitKey: 'all tokens',
  heldOutKey: 'unseen tokens',
  chanceKey: 'shuffled rows, by chance',
  row: (pair: string, fit: string, more: string) => `${pair}: ${fit}${more}.`,
  rowChance: (cosine: string) => `, by chance ${cosine}`,
  rowHeldOut: (cosine: string) => `, on unseen tokens ${cosine}`,

  closer: (near: string, nearer: string, far: string, farther: string) =>
    `The tied table is closer to the ${near} table (${nearer}) than to the ${far} table (${farther}).`,
  same: (writing: string, reading: string) =>
    `The tied table is about as close to the writing table (${writing}) as to the reading table (${reading}).`,
  unrelated: (writing: string, reading: string) =>
    `Neither table of the untied model agrees with the tied table beyond chance (writing ${writing}, reading ${reading}).`,
  unmapped: (writing: string, reading: string) =>
    `Without a map, the writing table reaches ${writing} and the reading table ${reading}.`,
  commonStart:
    'Each model finds its own axes while it learns, so this shows little more than what remains of a common start.',
  roles: { writing: 'writing', reading: 'reading' },
  byChance: (one: string, other: string) =>
    one === other ? `Shuffled rows reach ${one} by chance.` : `Shuffled rows reach ${one} and ${other} by chance.`,
  unseen: (writing: string, reading: string, chance: string) =>
    `On tokens that the map has not seen,${chance} writing reaches ${writing} and reading ${reading}.`,
  unseenByChance: ' where chance is 0,',
  shared: (all: string, writing: string, reading: string, chance: string) =>
    `Of its ${all} nearest neighbors in the tied table, a token shares ${writing} with the writing table and ${reading} with the reading table${chance}.`,
  sharedByChance: (shared: string) => `; by chance ${shared}`,

  wordTitle: (word: string) => `Nearest to “${word}” in each table`,
  noToken: (word: string) => `“${word}” is not a token of these models. Try She, girl, day or said.`,
  tables: { tied: 'Tied', reading: 'Untied, reading', writing: 'Untied, writing' } as Record<TableName, string>,
  caption:
    'The rows of two models cannot be compared one by one, since each model chooses its own axes: a map is fitted from one table to the other first. Even shuffled rows can be fitted to some extent, so compare with chance. Press a neighbor to continue from there; ␣ is a space.',

  others: 'Other measures of the three tables',
  nearerBy: (count: string, all: string) =>
    `By ${count} of ${all} measures that need no map, the tied table is closer to the writing table than to the reading table.`,
  filled: ([tied = '', reading = '', writing = '']: readonly string[], width: string) =>
    `Of ${width} dimensions, the rows of the tied table fill ${tied} (participation ratio), those of the reading table ${reading}, and those of the writing table ${writing}.`,
  filledByChance: (noise: string) => `Noise would fill ${noise}.`,
  chanceNote: 'Gray: by chance, with shuffled rows or noise of the same shape.',
  atChance: 'by chance',
  pairsTitle: 'Two tables',
  shortPairs: { writing: 'Writing, tied', reading: 'Reading, tied', own: 'Reading, writing' } as Record<
    ComparisonId,
    string
  >,
  pairMeasures: {
    agreement: 'Agreement, as above',
    neighbors: 'Shared neighbors',
    cka: 'CKA',
    subspaces: 'Overlap of principal subspaces',
    distance: 'Spectral distance (0: same neighbors)',
  },
  tablesTitle: 'Each table',
  tableMeasures: {
    meanCosine: 'Mean cosine of rows',
    centered: 'Without the mean row',
    isoScore: 'IsoScore',
    partition: 'Partition ratio',
    participation: 'Participation ratio',
    effectiveRank: 'Effective rank',
    frequency: 'R² of log-frequency, unseen tokens',
    norms: 'Rank correlation of norm and frequency',
  },
  profiles: { title: 'Singular values, divided by their root mean square', axis: 'Direction, the largest first' },
  norms: {
    title: 'Mean norm of rows by frequency, divided by the mean of all rows',
    axis: '1 + occurrences in the training text, from',
  },
  noise: 'Noise',
  fromTo: (name: string, first: string, last: string) => `${name}: from ${first} to ${last}.`,

  dataPairs: 'Agreement of tables',
  dataPairsHead: [
    '',
    'Mean cosine',
    'By chance',
    'Unseen tokens',
    'Shared neighbors',
    'By chance',
  ] as readonly string[],
  dataNeighbors: (word: string) => `Nearest to “${word}”, with cosines`,
  neighbor: (word: string, cosine: string) => `${word} ${cosine}`,
};

export type AlignmentStrings = typeof alignmentStrings;
