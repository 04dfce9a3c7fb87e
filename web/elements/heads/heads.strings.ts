import type { TwinKind } from '../shared/model-twins.js';
import { ownTextProblems, ownTextStrings } from '../shared/own-text.js';
import type { HeadId } from './head-list.js';
import type { Comparison } from './race.js';

/** English texts of `<tied-heads>`. Numbers arrive formatted. */
export const headsStrings = {
  ...ownTextStrings,
  ...ownTextProblems,
  title: 'Does a cheaper head pay off?',
  textSource: 'Text',
  textSources: { stories: 'Generated stories', own: 'Your own text' } as Readonly<Record<string, string>>,
  tokenizer: 'Cut into',
  tokenizers: { bpe: 'Pieces of words', word: 'Words' } as Readonly<Record<string, string>>,
  vocabSize: 'Vocabulary, at most',
  dModel: 'Width',
  '16': '16',
  '32': '32',
  '64': '64',
  steps: 'Steps',
  seed: 'Seed',
  by: 'Compare at',
  comparisons: { time: 'Equal time', steps: 'Equal steps' } as Record<Comparison, string>,
  share: 'Part of the run, %',
  emptyText: 'Paste some text first.',
  tooShort: 'This text is too short to train on and hold a part out: give at least a few thousand words.',

  start: 'Train',
  pause: 'Pause',
  resume: 'Resume',
  preparing: 'Cutting the text and creating the models.',
  noVerdict: 'Heads are compared as soon as every model has trained.',
  training: (percent: string, models: string) => `Training ${models} models in turns: ${percent}%.`,
  paused: (percent: string) => `Paused at ${percent}%.`,
  finishedNote: 'Measured beforehand on another machine.',
  finishedHint: 'Press Train to measure on yours.',
  waiting: (models: string) =>
    `Press Train: your browser trains ${models} small models, a tied and an untied one with each head, for the same number of steps, and then for the same time. It takes about half a minute.`,
  waitingForText: 'Paste a text, choose a file or drop one here.',

  heads: {
    full: 'Full',
    sampled: 'Sampled',
    adaptive: 'Adaptive',
    clustered: 'Clustered',
    factorized: 'Factorized',
    culled: 'Culled',
    ngrams: 'Reads pairs',
  } as Record<HeadId, string>,
  headNotes: {
    full: 'scores every token',
    sampled: 'trains on an estimate, predicts with all tokens',
    adaptive: 'rare tokens have narrower vectors',
    clustered: 'a cluster first, then a token of it',
    factorized: 'each table is a product with a quarter of the rank',
    culled: 'knows only the more frequent half of the vocabulary',
    ngrams: 'full, plus a table of hashed pairs used only for reading',
  } as Record<HeadId, string>,
  tyings: { tied: 'Tied', untied: 'Untied' } as Record<TwinKind, string>,
  partial: 'loss over a part of the text',
  before: (steps: string) => `after ${steps} steps`,

  scatterTitle: {
    time: (seconds: string) => `Loss on held-out text after ${seconds} s of training each`,
    steps: (steps: string) => `Loss on held-out text after ${steps} steps each`,
  } as Record<Comparison, (amount: string) => string>,
  notYetTitle: 'Loss on held-out text',
  notTrained: 'What the heads cost. Train them to see their losses',
  lossAxis: 'nats per token',
  macsAxis: 'multiply-accumulates of the head per step',
  scatterLabel: (points: string) => `Loss over the multiply-accumulates of the head in a step. ${points}`,
  point: (head: string, tying: string, macs: string, loss: string) =>
    `${head}, ${tying.toLowerCase()}: ${macs}, loss ${loss}.`,

  costTitle: 'Cost of a step, as a share of a step with the full head: counted and measured',
  counted: 'counted: layers',
  countedHead: 'counted: head',
  measured: (tying: string) => `measured: ${tying.toLowerCase()}`,
  cost: (counted: string, measured: string) => `${counted}% counted, ${measured}% measured`,
  costCounted: (counted: string) => `${counted}% counted`,

  list: (names: readonly string[]) =>
    names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`,
  claims: {
    time: {
      pays: (heads: string) =>
        `Given the same time, ${heads} reaches a lower loss than the full head, tied and untied.`,
      pay: (heads: string) => `Given the same time, ${heads} reach a lower loss than the full head, tied and untied.`,
      none: 'Given the same time, no cheaper head reaches a lower loss than the full one, tied and untied alike.',
    },
    steps: {
      pays: (heads: string) => `After the same steps, ${heads} has a lower loss than the full head, tied and untied.`,
      pay: (heads: string) => `After the same steps, ${heads} have a lower loss than the full head, tied and untied.`,
      none: 'After the same steps, no cheaper head has a lower loss than the full one, tied and untied alike.',
    },
  },
  soFar: (claim: string) => `So far: ${claim.charAt(0).toLowerCase()}${claim.slice(1)}`,
  mixed: (heads: string) => `${heads}: in only one of the two.`,
  not: (heads: string) => `${heads}: in neither.`,
  culledLoses: (percent: string) =>
    `The culled head gives ${percent}% of the held-out tokens no probability, so its loss covers only the others and cannot be compared.`,
  readsPairs: (tied: string, untied: string) =>
    `A table of pairs of tokens, used only for reading, adds nothing to the multiply-accumulates of the full head, and changes its loss by ${tied} nats tied and ${untied} untied.`,
  slower: (head: string, counted: string, measured: string) =>
    `Arithmetic is not everything: a step with the ${head} head needs ${counted}% of the multiply-accumulates but takes ${measured}% of the time.`,
  caption: (vocabulary: string, tokens: string, layers: string) =>
    `One seed. A vocabulary of ${vocabulary}, ${tokens} tokens of text, one layer, which takes ${layers} multiply-accumulates per step below every head. A sampled head is evaluated with all tokens. Times cover training steps only. Try equal steps, a larger vocabulary, or your own text.`,
  captionBefore:
    'Times are those of training steps on your machine, so they differ from run to run; losses after equal steps do not.',

  dataLosses: 'Losses',
  dataHead: [
    'Head',
    'Steps',
    'Loss after these steps',
    'Steps in equal time',
    'Seconds',
    'Loss after that time',
    'Tokens without probability, %',
  ] as readonly string[],
  dataCosts: 'Costs of a step',
  dataCostHead: [
    'Head',
    'Head, multiply-accumulates',
    'With the layers',
    'Share counted, %',
    'Tied, ms',
    'Untied, ms',
    'Share measured, tied, %',
    'Share measured, untied, %',
  ] as readonly string[],
  repeatHint:
    'In a terminal with Node this command trains the same models for as many steps, with the same losses. How many steps fit into a given time depends on the machine.',
  armName: (head: string, tying: string) => `${head}, ${tying.toLowerCase()}`,
};

export type HeadsStrings = typeof headsStrings;
