/** English texts of the map. Numbers arrive formatted. */
export const parameterMapStrings = {
  title: 'Where are the parameters of a model?',
  scale: 'Bars show',
  scaleNames: { share: 'Shares', count: 'Counts' },
  order: 'Sort by',
  orderNames: { year: 'Year', tables: 'Tables’ share', size: 'Size' },
  search: 'Filter',
  searchHint: 'gemma 2026',
  all: 'All models',
  parts: {
    readsAndWrites: 'reads and writes tokens',
    reads: 'only reads',
    writes: 'only writes',
    computes: 'computes',
  },
  part: (percent: string, part: string) => `${percent}% ${part}`,
  row: (name: string, total: string, parts: string) => `${name}, ${total} parameters: ${parts}.`,
  bars: (models: string) => `${models} models, one bar for each. Arrow keys go from one to the next.`,
  own: (name: string) => `Your model: ${name}`,
  totalAndYear: (total: string, year: number) => `${total}, ${year}`,
  nothing: 'No model matches the filter.',
  most: (name: string, percent: string, total: string) =>
    `In ${name}, ${percent}% of ${total} parameters are tables of tokens.`,
  onlyReads: (name: string, percent: string) =>
    `The largest share of tables that only read has ${name}, ${percent}%: each token looks up a few rows of them, and no product uses the others.`,
  least: (name: string, percent: string) => `In ${name}, tables are ${percent}%.`,
  yours: (name: string, percent: string, place: string, all: string) =>
    `Tables are ${percent}% of ${name}: place ${place} of the ${all} models shown.`,
  openConfig: 'Add your config.json',
  caption:
    'Point at a bar, or go to it with the arrow keys, to read its parts; press it to keep them. A tied table reads and writes. Tables of n-grams, of values and of layers only read. In counts, bars grow with the logarithm, and their parts keep their shares.',
  data: 'Parameters by what they do',
  model: 'Model',
  year: 'Year',
  total: 'Parameters',
};

export type ParameterMapStrings = typeof parameterMapStrings;
