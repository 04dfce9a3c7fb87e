import { promptStrings } from '../shared/prompt.js';
import type { Place, TableName, Target } from './measure.js';

/** English texts of `<tied-hidden-states>`. Numbers and angles arrive formatted. */
export const hiddenStatesStrings = {
  ...promptStrings,
  title: 'Does a hidden state point at the word that it predicts?',
  target: 'Beside the row of',
  targets: { predicted: 'Predicted token', next: 'Next token' } as Record<Target, string>,
  place: 'Final norm',
  places: { after: 'After', before: 'Before' } as Record<Place, string>,

  waiting:
    'Two small GPTs were trained on the same text, one tied and one untied. Press Measure to look at their hidden states.',
  ofPrompt: (prompt: string) => `These numbers are of the prompt “${prompt}”.`,
  measuring: 'Reading the prompt.',
  tooShort: 'A prompt needs at least two tokens.',

  tables: {
    tied: 'Tied',
    writing: 'Untied, writing',
    reading: 'Untied, reading',
    random: 'Random direction',
  } as Record<TableName | 'random', string>,
  rowOf: (token: string) => `row of ${token}`,
  anyRow: 'any row',
  quotient: (value: string) => `|h⊥| ÷ |h∥| = ${value}`,
  trianglesTitle: (token: string) =>
    `After ${token}: the hidden state h, its part h∥ along a token’s row, and the rest h⊥`,
  triangle: (table: string, row: string, angle: string, quotient: string) =>
    `${table}: ${angle} from the ${row}, ratio ${quotient}.`,

  plotTitle: 'Every position of the prompt',
  angleAxis: 'angle between h and the row',
  median: (table: string, value: string) => `${table}, median ${value}`,
  chanceKey: (from: string, to: string) => `two of three random directions, between ${from} and ${to}`,
  positionText: (token: string, words: string) => `after ${token}. ${words}`,

  leftTitle: 'What is left, h⊥: its largest |cosine| with another row',
  leftHead: ['', 'here', 'median', 'without the mean row', 'by chance'] as readonly string[],

  both: (after: string, token: string) => `After ${after} both models predict ${token}.`,
  each: (after: string, tied: string, untied: string) =>
    `After ${after} the tied model predicts ${tied}, the untied one ${untied}.`,
  follows: (after: string, token: string) => `After ${after} the text continues with ${token}.`,
  angles: (tied: string, writing: string, reading: string) =>
    `h is ${tied} from its row in the tied model; in the untied one ${writing} from the row that writes it and ${reading} from the row that reads it.`,
  byChance: (median: string, baseline: string, otherPosition: string) =>
    `By chance, |h⊥| ÷ |h∥| would have a median of ${median} and would be above ${baseline} about two times out of three. Beside the words of other positions, the median is ${otherPosition} in the tied model.`,
  leftPlain: (left: string) =>
    `The largest |cosine| of what is left of the tied model’s h with another word has a median of ${left}.`,
  leftMore: (left: string, chance: string) =>
    `What is left of the tied model’s h also points at other words: ${left}, by chance ${chance}.`,
  leftLess: (left: string, chance: string) =>
    `What is left of the tied model’s h points at no other word more than chance would: ${left}, by chance ${chance}.`,
  meanSame: (centered: string) => `The direction that all rows share is not the reason: without it, ${centered}.`,
  meanOther: (centered: string) => `The direction that all rows share is part of the reason: without it, ${centered}.`,
  caption:
    'Each triangle has h as its longest side. Choose a position in the plot, with the mouse or the arrow keys, and try a prompt of your own in the style of this one. ␣ is a space, ⏎ a line break.',

  dataPositions: 'Cosine of h with the row, and |h⊥| ÷ |h∥|',
  cell: (target: string, cosine: string, quotient: string) => `${target} ${cosine}, ${quotient}`,
};

export type HiddenStatesStrings = typeof hiddenStatesStrings;
