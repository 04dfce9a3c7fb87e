import type { PairKind } from '../shared/model-pair.js';
import type { Definition } from './measure.js';

/** English texts of `<tied-gradient-ledger>`. Numbers arrive formatted. */
export const gradientLedgerStrings = {
  title: 'Who pulls at the table, and at whose rows?',
  definition: 'Reading counted',
  definitions: { token: 'By token', position: 'By position' } as Record<Definition, string>,
  model: 'Rows of the',
  models: { tied: 'Tied model', untied: 'Untied model' } as Record<PairKind, string>,
  names: { tied: 'Tied', untied: 'Untied' } as Record<PairKind, string>,
  chance: 'Chance',
  chances: { shown: 'Shown', hidden: 'Hidden' } as Readonly<Record<string, string>>,
  seed: 'Seed',
  furthestAhead: 'the one at which writing is furthest ahead',

  start: 'Train and measure',
  cancel: 'Cancel',
  waiting:
    'Your browser trains two small GPTs from scratch, a tied and an untied one, for a hundred steps, and takes their gradients apart on the way. It takes about half a minute. Press Train and measure.',
  preparing: 'Writing stories to train on.',
  training: (percent: string) => `Training: ${percent} %.`,
  other: (seed: string) => `Measured with seed ${seed}.`,
  finishedNote: 'Measured when this page was built. Choose another seed, and your browser can train and measure.',

  shareTitle: 'Writing’s share of the gradient, on a text that is not trained on',
  shareAxis: 'share',
  stepAxis: 'training steps',
  half: 'reading and writing alike',
  reachTitle: 'How much of the norm of the logits’ gradient reaches the hidden state',
  randomDirection: (share: string) => `a random direction: ${share}`,
  slider: 'Training step',
  stepText: (step: string, tied: string, untied: string) => `step ${step}. Writing: tied ${tied}, untied ${untied}.`,

  bandsTitle: (model: string, step: string) =>
    `${model} model at step ${step}: the gradient of the rows, by how often their tokens occur in the text`,
  parts: {
    input: 'reading',
    pull: 'writing: towards the states before the token',
    push: 'writing: away from all other states',
  } as Record<Part, string>,
  band: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
  openBand: (from: string) => `${from} and more`,
  rows: (rows: string) => `${rows} rows`,
  bandLabel: (band: string, rows: string, input: string, pull: string, push: string) =>
    `Tokens that occur ${band} times, ${rows} rows: reading ${input}, towards ${pull}, away ${push}.`,

  claim: (step: string, tied: string, untied: string) =>
    `At step ${step}, ${tied} of the gradient of the tied table comes from writing, and ${untied} in the untied model, where the two parts go to different tables.`,
  pushed: (pushed: string, rows: string) =>
    `${pushed} of the tied table’s ${rows} rows are pushed away more than they are pulled.`,
  reach: (share: string) => `Of the norm of the logits’ gradient, ${share} reaches the hidden state of the tied model.`,
  byChance: (chance: string) => `A random direction would keep ${chance}, the root of width over vocabulary.`,
  caption:
    'Choose a step in the plots, with the mouse or the arrow keys. Shares and bars are of norms. By position, the reading gradients of the same token are not added up before the norm is taken, which makes reading look smaller.',

  dataShares: 'Writing’s share of the gradient',
  dataHead: [
    'Step',
    'Tied, by token',
    'Tied, by position',
    'Untied, by token',
    'Untied, by position',
  ] as readonly string[],
  dataReach: 'Share of the logits’ gradient that reaches the hidden state',
  reachHead: ['Step', 'Tied', 'Untied', 'By chance'] as readonly string[],
  dataBands: 'Norms by how often tokens occur',
  bandsHead: ['Occur', 'Rows', 'Reading', 'Towards', 'Away', 'Pushed rows'] as readonly string[],
};

export const parts = ['input', 'pull', 'push'] as const;
export type Part = (typeof parts)[number];
export type GradientLedgerStrings = typeof gradientLedgerStrings;
