import type { TableTying } from '../../core/accounting/types.js';
import type { Comparison, ConfigurationId, PartId } from './calculator-counts.js';

/** English texts of `<tied-parameter-calculator>`. Numbers arrive formatted. */
export const parameterCalculatorStrings = {
  title: 'What does one table save?',
  axis: 'parameters',
  tablesTitle: 'Parameters in the token tables',
  partsTitle: 'Where the parameters are',
  waiting: '…',
  refused: (problem: string) => `${problem}. The drawing still shows the previous sizes.`,

  /** Names of bars, which state the number of tables. */
  ways: {
    tied: 'Tied: one table, both roles',
    untied: 'Untied: a table for each role',
    'tied-linear': 'Tied through a linear map',
    'tied-mlp': 'Tied through an MLP',
    'tied-low-rank': 'Tied with a low-rank correction',
    'tied-inputs': 'Two tables: both inputs share one',
    'tied-decoder': 'Two tables: the decoder shares one',
  } satisfies Record<TableTying, string> as Readonly<Record<TableTying, string>>,
  waysOfThree: {
    tied: 'Tied: one table, three roles',
    untied: 'Untied: three tables',
  } as Readonly<Partial<Record<TableTying, string>>>,
  parts: {
    'shared-table': 'Shared table',
    'input-table': 'Reading table',
    'output-table': 'Writing table',
    'encoder-table': 'Encoder’s table',
    'decoder-table': 'Decoder’s table',
    'additional-tables': 'Additional tables',
    positions: 'Positions',
    attention: 'Attention',
    'feed-forward': 'Feed-forward',
    norms: 'Norms',
    head: 'Rest of the head',
  } satisfies Record<PartId, string> as Readonly<Record<PartId, string>>,
  keyTitle: (way: string) => `Parts of the model, ${way}`,

  modelsTitle: 'What tying saves, as a share of the whole model',
  model: (size: string) => `Model of ${size}`,
  percent: (value: string) => `${value}%`,
  doesNotFit: (value: string) => `${value}%: the table alone is larger than the model`,

  savedTitle: 'Parameters that tying saves',
  sharesTitle: 'The same saving, as a share of either model',
  compare: 'Sizes to compare with',
  comparisons: {
    'gpt-2': 'GPT-2 as published',
    formula: 'Plain formula',
  } satisfies Record<Comparison, string> as Readonly<Record<Comparison, string>>,
  configurations: {
    small: 'GPT-2 small',
    medium: 'GPT-2 medium',
    large: 'GPT-2 large',
    xl: 'GPT-2 XL',
    'large-vocabulary': 'Medium, 128,000 tokens',
  } satisfies Record<ConfigurationId, string> as Readonly<Record<ConfigurationId, string>>,
  bySizes: (layers: string, width: string, vocabulary: string) =>
    `${layers} layers, width ${width}, ${vocabulary} tokens`,
  yourModel: 'The model above',
  ofTiedShort: (percent: string) => `${percent} of tied`,
  ofUntiedShort: (percent: string) => `${percent} of untied`,

  saves: (count: string) => `Tying saves ${count} parameters`,
  wouldSave: (count: string) => `Tying would save ${count} parameters`,
  costs: (count: string) => `This way of tying costs ${count} parameters more than two tables`,
  half: (percent: string) => `${percent}% of the two tables`,
  ofThree: (percent: string) => `${percent}% of the three tables`,
  ofOne: (percent: string) => `${percent}% of the one`,
  both: (tied: string, untied: string) => `${tied} of the tied model, ${untied} of the untied one`,
  totals: (tied: string, untied: string) => `The whole model has ${tied} tied and ${untied} untied.`,
  experts: (active: string, stored: string) =>
    `Each token uses ${active} of the ${stored}, since only some experts work on it.`,
  notShared: 'The model reads and writes different vocabularies, so no table can serve both roles.',
  shares: (list: string) => `That is ${list}.`,
  shareOf: (percent: string, size: string) => `${percent}% of a model of ${size}`,
  and: 'and',
  threeTables: (numbers: { untied: string; tied: string; saved: string; ofUntied: string }) =>
    `A widely read tutorial on weight tying gives 153,600,000 untied parameters and a saving of 75% for the three tables of an encoder-decoder with 50,000 tokens and width 768. Its code creates a fourth table that nothing uses. Three tables have ${numbers.untied} parameters and one has ${numbers.tied}; sharing saves ${numbers.saved}, or ${numbers.ofUntied}.`,
  caption: 'Drag a slider, or drag, type or step a number. Percentages are of exactly 1, 7 or 70 billion parameters.',
  modelCaption:
    'Choose a model, then drag its width, layers or vocabulary. “Of tied” divides the saving by the size with one table, “of untied” by the size with a table for each role.',
  formulaNote:
    'The formula: 12 d² + 4 d parameters per layer, and the tables. It has no positions, biases or last norm, so its shares are slightly larger than GPT-2’s.',
  gptNote: 'With positions, biases and the last norm. The last row is GPT-2 medium with a larger vocabulary.',

  totalsCaption: 'Exact numbers',
  way: 'Tables',
  numberOfTables: 'Number of tables',
  stored: 'Stored',
  effective: 'Effective',
  active: 'Active',
  saved: 'Saved',
  ofTiedHead: '% of this',
  ofUntiedHead: '% of untied',
  tableShare: 'Tables, % of this',
  tensorsCaption: (way: string) => `Every tensor. ${way}`,
  tensor: 'Tensor',
  shape: 'Shape',
  copies: 'Copies',
  numbers: 'Parameters',
  storedIn: 'Stored in',
  own: 'its own',
  effectiveNote:
    'Effective counts a shared table once for each of its roles. Active counts only the experts that work on one token.',
  configurationsCaption: 'Sizes to compare with',
  configuration: 'Model',
  vocabularyHead: 'Vocabulary',
  widthHead: 'Width',
  layersHead: 'Layers',
  tiedHead: 'Tied',
  untiedHead: 'Untied',
  percentOfTied: 'Saved, % of tied',
  percentOfUntied: 'Saved, % of untied',
  nominalCaption: 'One table beside models of nominal size',
  quantity: 'Quantity',
  value: 'Value',
  shareRow: (size: string) => `Saved, share of ${size} parameters`,
};

export type ParameterCalculatorStrings = typeof parameterCalculatorStrings;
