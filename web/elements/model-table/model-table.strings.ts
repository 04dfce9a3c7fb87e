import type { ModelFamily, TyingAdvice } from '../../core/accounting/types.js';
import { familyNames } from '../shared/architecture/family-names.js';
import { capital } from '../shared/in-words.js';
import type { TyingFilter } from './model-rows.js';
import type { ChartAxis } from './rule.js';

export type RuleVerdict = TyingAdvice['rule']['says'];

const families: Record<ModelFamily, string> = {
  ...familyNames,
  'tied-embeddings': 'This training lab',
  'plain-formula': 'Plain formula',
  listed: 'Layers of other kinds',
};

const allFamilies = 'All';

const columns = {
  name: 'Model',
  year: 'Year',
  vocabulary: 'Vocabulary',
  width: 'Width',
  layers: 'Layers',
  tying: 'Tying',
  table: 'One table',
  total: 'Parameters',
  'table-share': 'Tables’ share',
  'saved-of-tied': 'Saved of tied',
  'saved-of-untied': 'Saved of untied',
};

export type SortKey = keyof typeof columns;

const verdicts: Record<RuleVerdict, string> = {
  tie: 'tie',
  optional: 'either will do',
  'do-not-tie': 'do not tie',
};

const words = [
  'none',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const spelled = (count: number): string => words[count] ?? String(count);
const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');

function tiedOf(tied: number, shown: number, models: string): string {
  if (shown === 2 && tied === 0) return `Neither of the two ${models} is tied.`;
  if (shown === 2 && tied === 2) return `Both ${models} are tied.`;
  return `${capital(spelled(tied))} of the ${spelled(shown)} ${models} ${isOrAre(tied)} tied.`;
}

/** English texts of `<tied-model-table>`. Numbers arrive formatted, except where a word depends on them. */
export const modelTableStrings = {
  title: 'Who ties, and what does it save them?',
  working: 'Counting the parameters of every model …',

  // Controls.
  tyingFilter: 'Tables',
  tyingFilters: { all: 'All', tied: 'Tied', untied: 'Untied' } satisfies Record<TyingFilter, string>,
  family: 'Family',
  allFamilies,
  familyName: (family: ModelFamily | '') => (family === '' ? allFamilies : families[family]),
  search: 'Find',
  searchHint: 'name, maker or year',
  sortBy: 'Sort by',
  ascending: 'Smallest first',
  descending: 'Largest first',

  // The table.
  tableLabel: 'Language models',
  column: (key: SortKey) => columns[key],
  columnHint: (key: SortKey): string =>
    ({
      'table-share': 'All token tables as a share of the parameters stored',
      'saved-of-tied': 'One table fewer, as a share of the tied model; in brackets: what tying would save',
      'saved-of-untied': 'One table fewer, as a share of the untied model; in brackets: what tying would save',
      table: 'Vocabulary times width',
      total: 'Parameters stored, by our count',
    })[key as string] ?? '',
  actions: 'Open',
  tied: 'tied',
  untied: 'untied',
  inputsOnly: 'inputs tied',
  percent: (value: string) => `${value}%`,
  wouldSave: (value: string) => `(${value})`,
  wouldSaveSpoken: 'would save',
  notPossible: 'different vocabularies',
  openIn: (name: string) => `Open ${name} in the calculator`,
  noTarget: (ids: string) => `There is no element with the id “${ids}” on this page to open the model in.`,
  showAll: (count: string) => `Show all ${count} models`,
  showFewer: 'Show fewer',
  nothingMatches: 'No model matches. Remove a filter to see more.',

  // Details of a row.
  publishedTotal: 'Published',
  publishedAs: (total: string, difference: string, source: string) =>
    `${total} parameters (${source}); our count is ${difference}.`,
  sameAsOurs: 'the same number',
  apart: (percent: string) => `${percent}% off`,
  notPublished: 'We found no exact number of parameters to check our count against.',
  counted: 'Counted',
  countedTied: (stored: string, untied: string) => `${stored}; without sharing it would be ${untied}.`,
  countedUntied: (stored: string, tied: string) => `${stored}; with all token tables shared it would be ${tied}.`,
  countedBetween: (stored: string, tied: string, untied: string) =>
    `${stored}; with all token tables shared it would be ${tied}, with none ${untied}.`,
  countedApart: (stored: string) => `${stored}; input and output have different vocabularies.`,
  sizesSource: 'Sizes from',
  tyingSource: 'Tying from',
  rule: 'Rule of thumb',
  ruleSays: (share: string, verdict: RuleVerdict, agrees: boolean | null) =>
    `With 12 d² parameters per layer, one table is ${share}% of the untied model; the rule says ${verdicts[verdict]}.${
      agrees === false ? ' Its makers did otherwise.' : ''
    }`,
  noteName: 'Note',

  // The chart.
  chartAxis: 'Chart',
  chartAxes: { rule: 'Rule of thumb', saved: 'What tying saves' } satisfies Record<ChartAxis, string>,
  yTitle: {
    rule: 'One table by the rule of thumb: V d / (12 d² L + 2 V d)',
    saved: 'Saved by tying, of the untied model',
  } satisfies Record<ChartAxis, string>,
  yTitleShort: { rule: 'V d / (12 d² L + 2 V d)', saved: 'Saved, of the untied model' } satisfies Record<
    ChartAxis,
    string
  >,
  xTitle: 'parameters (log scale)',
  chartLabel: (count: string, axis: ChartAxis) =>
    `${axis === 'rule' ? 'The rule of thumb’s share of one table' : 'What tying saves or would save'} in ${count} models, against their size. Arrow keys go from model to model, Enter opens one.`,
  pointed: (state: string, total: string, share: string) => `${state}, ${total} parameters, ${share}% saved by tying`,
  pointedByRule: (state: string, total: string, share: string, saved: string) =>
    `${state}, ${total} parameters, ${share}% by the rule, ${saved}% saved by tying`,
  legendTied: { rule: 'tied', saved: 'tied: what it saves' } satisfies Record<ChartAxis, string>,
  legendUntied: { rule: 'untied', saved: 'untied: what it would save' } satisfies Record<ChartAxis, string>,
  legendOtherwise: 'the rule says otherwise',
  tieLine: (percent: string) => `${percent}: above it the rule says tie`,
  doNotTieLine: (percent: string) => `${percent}: below it, do not tie`,
  tieLineShort: 'tie above',
  doNotTieLineShort: 'do not tie below',

  // Read-out.
  summary: (shown: number, tied: number, filtered: boolean) =>
    shown === 1
      ? `The one model chosen is ${tied === 1 ? 'tied' : 'not tied'}.`
      : tiedOf(tied, shown, filtered ? 'models chosen' : 'models'),
  untieWrong: (count: number, names: string) =>
    `The rule of 5 and 15% would tie ${spelled(count)} whose makers did not: ${names}.`,
  tieWrong: (count: number, names: string, first: boolean) =>
    `${first ? 'The rule of 5 and 15% would' : 'It would'} untie ${spelled(count)} that ${isOrAre(count)} tied: ${names}.`,
  ruleFits: 'The rule of 5 and 15% agrees with every one of them, or leaves the choice open.',
  andMore: (names: string, more: number) => `${names} and ${spelled(more)} more`,
  ofModelTied: (name: string) => `${name} is tied.`,
  ofModelUntied: (name: string) => `${name} is not tied.`,
  ofModelInputs: (name: string) => `${name} shares its reading tables and has a writing table of its own.`,
  saves: (table: string, total: string, ofTied: string, ofUntied: string) =>
    `Tying saves it ${table} parameters: ${ofTied}% of the ${total} that it has, ${ofUntied}% of what it would have untied.`,
  wouldSaveIt: (table: string, total: string, ofTied: string, ofUntied: string) =>
    `Tying would save it ${table} parameters: ${ofUntied}% of the ${total} that it has, ${ofTied}% of what it would have tied.`,

  caption:
    'Select a column to sort by it, a name to see its sources, or a mark in the chart to find its row. Percentages in brackets are what tying would save an untied model. The rule of thumb counts every layer as 12 d² parameters, so its share differs from the real saving.',

  // Messages about attributes.
  noSuchModel: (value: string) => `The attribute model is “${value}”, which is not in this table.`,

  // Show data.
  dataCaption: 'The models chosen, in exact numbers',
  dataTied: 'Tied',
  dataUntied: 'Untied',
  dataSaved: 'Difference',
  dataPublished: 'Published',
};

export type ModelTableStrings = typeof modelTableStrings;
