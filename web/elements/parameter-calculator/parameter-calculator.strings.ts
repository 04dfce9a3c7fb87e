/** English texts of `<tied-parameter-calculator>`. Numbers arrive formatted. */
export const parameterCalculatorStrings = {
  title: 'How much does one shared table save?',
  vocabulary: 'Vocabulary, in tokens',
  width: 'Width, in numbers per token',
  tied: 'Tied: one table, both roles',
  untied: 'Untied: a table for each role',
  axis: 'parameters',
  tablesTitle: 'Parameters in the token tables',
  badAttribute: (name: string, value: string, used: string) =>
    `The attribute ${name} is “${value}”; expected a whole number of at least 1. The figure uses ${used}.`,
  modelsTitle: 'What tying saves, as a share of the whole model',
  model: (size: string) => `Model of ${size}`,
  percent: (value: string) => `${value}\u00a0%`,
  doesNotFit: (value: string) => `${value}\u00a0%: the table alone is larger than the model`,
  saves: (count: string) => `Tying saves ${count} parameters`,
  half: (percent: string) => `${percent}\u00a0% of the two tables`,
  shares: (list: string) => `That is ${list}.`,
  shareOf: (percent: string, size: string) => `${percent}\u00a0% of a model of ${size}`,
  and: 'and',
  caption:
    'Drag a slider, or drag, type or step a number. Percentages are of the nominal size: exactly 1, 7 or 70 billion parameters, however they are laid out. The saving is always one whole table; what a larger model changes is how little of it that table is.',
  dataCaption: 'Exact numbers',
  quantity: 'Quantity',
  value: 'Value',
  vocabularyRow: 'Vocabulary size V',
  widthRow: 'Width d',
  tiedRow: 'Tied, V × d',
  untiedRow: 'Untied, 2 × V × d',
  savedRow: 'Saved',
  savedShareRow: 'Saved, share of untied',
  shareRow: (size: string) => `Saved, share of ${size} parameters`,
};

export type ParameterCalculatorStrings = typeof parameterCalculatorStrings;
