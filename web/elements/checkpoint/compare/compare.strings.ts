/** English texts of the comparison of checkpoints. */
export const compareStrings = {
  compare: 'Compare with other models or training steps',
  compareHint:
    'Add other models, such as steps of one training run: how far have their tables moved, and which tokens most? Files dropped together are compared in the order of their names. Tables of another shape are compared by the lengths of their rows, where both have token strings.',
  addFiles: 'Add files',
  addUrls: 'Other URLs',
  addUrl: 'Add',
  addPageModel: (name: string) => `Add ${name.replace(/^The /, 'the ')}`,
  comparedModels: 'Compared',
  leaveOut: (name: string) => `Remove ${name}`,
  against: 'Each is compared with',
  againsts: { first: 'the first', previous: 'the one before' } as Readonly<Record<string, string>>,
  comparingRows: (percent: string) => `Comparing the rows: ${percent}%`,
  compareCancelled: 'Cancelled: nothing was compared.',
  compareGoOn: 'Resume the comparison',
  compareFailed: (reason: string) => `The models could not be compared: ${reason}.`,
  changeColumns: [
    'Model',
    'Table',
    'Distance',
    'Cosine of each row',
    'After a rotation',
    'Asymmetry',
    'Effective rank',
  ],
  changesCaption: 'How far each has moved. In brackets: by chance, with the rows in random order',
  bothTables: 'both roles',
  roles: { input: 'reads', output: 'writes' } as Readonly<Record<string, string>>,
  firstModel: 'the first',
  fromTo: (from: string, to: string) => `From “${from}” to “${to}”.`,
  movedTables: {
    both: 'Its table',
    input: 'The table that reads',
    output: 'The table that writes',
  } as Readonly<Record<string, string>>,
  moved: (table: string, distance: string, cosine: string, chance: string) =>
    `${table} has moved by ${distance}% of its length. The mean cosine of a row with its earlier self is ${cosine}, by chance ${chance}`,
  rotated: (cosine: string, chance: string) => `; after the best rotation of the whole table ${cosine} (${chance})`,
  lengthsAgree: (table: string, tokens: string, correlation: string, deviation: string) =>
    `${table} has another shape: for the ${tokens} tokens that both have, the lengths of rows have a rank correlation of ${correlation} (by chance 0 ± ${deviation}).`,
  cosinesTitle: (name: string) =>
    `How far each row has turned, up to ${name}: its cosine with its earlier self, by token id`,
  cosinesNote: 'Thick: the median of a run of ids. Thin: the row that turned most, and the one that turned least.',
  cosinesChance: 'by chance',
  cosinesData: 'Cosine of rows with their earlier selves, by token id',
  stepsTitle: 'The mean cosine of rows with their earlier selves, model by model',
  stepsAxis: 'model, in order',
  stepsName: 'model',
  turnedTitle: (role: string, name: string) => `The rows that turned most, ${role}, up to ${name}`,
  turnedBefore: 'Length before',
  turnedAfter: 'after',
  turnedCosine: 'Cosine',
  saveComparison: 'Save as JSON',
};

export type CompareStrings = typeof compareStrings;
