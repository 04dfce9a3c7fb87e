import { seededTwinStrings } from '../shared/seeded-twins.js';
import type { MeasureName, PathName } from './measure.js';

/** English texts of `<tied-direct-path>`. Numbers arrive formatted. */
export const directPathStrings = {
  ...seededTwinStrings,
  title: 'Which part of the model knows the bigrams?',
  measure: 'Measured',
  measures: {
    correlation: 'Agreement with bigrams',
    loss: 'Loss, nats per token',
    selfPrediction: 'Tokens that predict themselves',
    breaking: 'Pairs that a shared table cannot express',
    asymmetry: 'Asymmetry of the logits',
  } as Record<MeasureName, string>,
  lastMoment: 'the last one',

  waiting:
    'Your browser trains two small GPTs from scratch, a tied and an untied one, for 400 steps, and reads their direct paths along the way. It takes a minute or two. Press Train and measure.',
  waitingForModels:
    'Two small GPTs were trained on the same text, one tied and one untied. Press Measure to read their direct paths.',
  measuring: (percent: string) => `Reading the direct paths: ${percent}%.`,

  paths: {
    embeddings: 'the two tables alone',
    finalNorm: 'with the final norm',
    mlp0: 'and the first MLP',
    model: 'whole model',
  } as Record<PathName, string>,
  shortPaths: { embeddings: 'tables', finalNorm: '+ norm', mlp0: '+ MLP', model: 'model' } as Record<PathName, string>,
  bigramsKey: (value: string) => `the bigrams: ${value}`,
  chanceKey: {
    correlation: (value: string) => `word frequencies alone: ${value}`,
    loss: (value: string) => `word frequencies alone: ${value}`,
    selfPrediction: (value: string) => `by chance: ${value}`,
    breaking: (value: string) => `random logits: ${value}`,
    asymmetry: (value: string) => `random logits: ${value}`,
  } as Record<MeasureName, (value: string) => string>,
  pathAxis: 'what the path passes through',
  stepText: (step: string, tied: string, untied: string) =>
    `step ${step}. After the first MLP: tied ${tied}, untied ${untied}.`,

  pathsLabel: (model: string, values: string) => `${model}: ${values}.`,
  pathValue: (path: string, value: string) => `${path} ${value}`,
  claim: {
    correlation: (when: string, tied: string, untied: string) =>
      `${when}, the two tables alone reach an agreement of ${tied} with the bigrams in the tied model and of ${untied} in the untied one.`,
    loss: (when: string, tied: string, untied: string) =>
      `${when}, the two tables alone have a loss of ${tied} nats in the tied model and of ${untied} in the untied one.`,
    selfPrediction: (when: string, tied: string, untied: string) =>
      `${when}, ${tied} of all tokens predict themselves with the tied table alone, and ${untied} with the two untied ones.`,
    breaking: (when: string, tied: string, untied: string) =>
      `${when}, the tied table alone expresses ${tied} of the pairs that no shared table can, and the untied ones ${untied}.`,
    asymmetry: (when: string, tied: string, untied: string) =>
      `${when}, the logits of the tied table alone have an asymmetry of ${tied}, those of the untied ones ${untied}.`,
  } as Record<MeasureName, (when: string, tied: string, untied: string) => string>,
  rest: (tied: string, untied: string) => `With the final norm and the first MLP: ${tied} tied, ${untied} untied.`,
  whole: (tied: string, untied: string) => `The whole models: ${tied} and ${untied}.`,
  bigrams: (value: string) => `The bigrams themselves: ${value}.`,
  chooseStep: 'Choose a step in the plot, with the mouse or the arrow keys. ',
  caption: (choose: string, explanation: string) =>
    `${choose}${explanation} The paths leave out attention and positions.`,
  explanations: {
    correlation:
      'Agreement is the correlation of the logarithms of two probabilities, that of the path and that of the bigrams, over the pairs of a held-out text.',
    loss: 'The loss is for the next token in a held-out text, given the current one alone.',
    selfPrediction: 'A token predicts itself if, of all logits after it, its own is the largest.',
    breaking:
      'No table times itself can make a pair of different tokens, in both orders together, likelier than the two repeating themselves. This counts the pairs of a held-out text for which the path does.',
    asymmetry: 'The asymmetry is the skew part of the table of logits, as a fraction of the whole table.',
  } as Record<MeasureName, string>,

  dataPathsHead: (tied: string, untied: string): readonly string[] => ['', tied, untied],
  dataBigrams: 'The bigrams',
  dataChance: 'By chance',
  dataHead: (paths: readonly string[], tied: string, untied: string): readonly string[] => [
    'Step',
    ...[tied, untied].flatMap((model) => paths.map((path) => `${model}: ${path}`)),
  ],
  none: 'none',
};

export type DirectPathStrings = typeof directPathStrings;
