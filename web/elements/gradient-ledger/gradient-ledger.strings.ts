import type { TwinKind } from '../shared/model-twins.js';
import { seededTwinStrings } from '../shared/seeded-twins.js';
import type { Definition } from './measure.js';

const rowsOf = (rows: string): string => (rows === '1' ? '1 row' : `${rows} rows`);

/** English texts of `<tied-gradient-ledger>`. Numbers arrive formatted. */
export const gradientLedgerStrings = {
  ...seededTwinStrings,
  title: 'Who pulls at the table, and at whose rows?',
  definition: 'Reading counted',
  definitions: { token: 'By token', position: 'By position' } as Record<Definition, string>,
  model: 'Rows of the',
  models: { tied: 'Tied model', untied: 'Untied model' } as Record<TwinKind, string>,
  furthestAhead: 'the one where writing is furthest ahead',

  waiting:
    'Your browser trains two small GPTs from scratch, a tied and an untied one, for a hundred steps, and takes their gradients apart along the way. It takes about half a minute. Press Train and measure.',
  waitingForModels:
    'Two small GPTs were trained on the same text, one tied and one untied. Press Measure to take their gradients apart.',
  measuring: (percent: string) => `Taking the gradients apart: ${percent}%.`,

  shareTitle: 'Writing’s share of the norms of both parts, on held-out text',
  shareAxis: 'share',
  half: 'reading and writing equal',
  reachTitle: 'How much of the norm of the logits’ gradient reaches the hidden state',
  randomDirection: (share: string) => `a random direction: ${share}`,
  stepText: (step: string, tied: string, untied: string) => `step ${step}. Writing: tied ${tied}, untied ${untied}.`,

  modelAtStep: (model: string, step: string) => `${model} model at step ${step}`,
  givenModel: (model: string) => `${model} model`,
  bandsTitle: (model: string) => `${model}: the gradient of the rows, by how often their tokens occur in the text`,
  parts: {
    input: 'reading',
    pull: 'writing: toward the states before the token',
    push: 'writing: away from all other states',
  } as Record<Part, string>,
  band: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
  openBand: (from: string) => `${from} and more`,
  rows: rowsOf,
  bandLabel: (band: string, rows: string, input: string, pull: string, push: string) =>
    `Tokens that occur ${band} times, ${rowsOf(rows)}: reading ${input}, toward ${pull}, away ${push}.`,

  claim: (when: string, tied: string, untied: string) =>
    `${when}, writing has a share of ${tied} in the tied model, and of ${untied} in the untied one, where the two parts go to different tables.`,
  pushed: (pushed: string, rows: string) =>
    `${pushed} of the tied table’s ${rows} rows are pushed away more than they are pulled.`,
  reach: (share: string) => `Of the norm of the logits’ gradient, ${share} reaches the hidden state of the tied model.`,
  noReach:
    'How much of it reaches the hidden state is not determined: the columns of a writing table depend on each other, as they always do when there are fewer tokens than the width.',
  byChance: (chance: string) => `A random direction would keep ${chance}, the square root of width over vocabulary.`,
  chooseStep: 'Choose a step in the plots, with the mouse or the arrow keys. ',
  caption:
    'Shares and bars are of norms. By position, the reading gradients of the same token are not added up before the norm is taken, which usually makes reading look smaller.',

  lossTitle: 'Loss on held-out text, by how often the right token occurs',
  lossAxis: 'loss, in nats per token',
  lossByChance: 'from frequencies alone',
  lossLabel: (band: string, tokens: string, tied: string, untied: string) =>
    `Tokens that occur ${band} times, ${tokens} predictions: tied ${tied}, untied ${untied}.`,
  lower: (nats: string) => `${nats} nats lower`,
  higher: (nats: string) => `${nats} nats higher`,
  gains: (frequent: string, rare: string, predictions: string) =>
    `The untied model’s loss is ${frequent} on the most frequent tokens, and ${rare} on the ${predictions} predictions of the rarest.`,
  lossHead: ['Occur', 'Predictions', 'From frequencies alone'] as const,

  dataShares: 'Writing’s share of the norms of both parts',
  dataHead: [
    'Step',
    'Tied, by token',
    'Tied, by position',
    'Untied, by token',
    'Untied, by position',
  ] as readonly string[],
  dataReach: 'Share of the logits’ gradient that reaches the hidden state',
  dataHeadOfThese: ['', 'By token', 'By position', 'Reaches the hidden state', 'By chance'] as readonly string[],
  reachHead: ['Step', 'Tied', 'Untied', 'By chance'] as readonly string[],
  dataBands: 'Norms by how often tokens occur',
  bandsHead: ['Occur', 'Rows', 'Reading', 'Toward', 'Away', 'Pushed rows'] as readonly string[],
};

export const parts = ['input', 'pull', 'push'] as const;
export type Part = (typeof parts)[number];
export type GradientLedgerStrings = typeof gradientLedgerStrings;
