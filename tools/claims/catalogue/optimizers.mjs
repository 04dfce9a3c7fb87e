// Optimizers and rates that treat tables and the maps of layers differently.

import { shown } from './entry.mjs';

const optimizers = ['adamw', 'muon'];
const widths = [32, 64];
/** Claims made at every width. */
const wide = (id) => widths.map((width) => `${id}-${width}`);

/** @type {import('./entry.mjs').Entry[]} */
export const optimizing = [
  {
    id: 'muon',
    title: 'With Muon for the maps of layers and AdamW for the tables, what holds of tied tables with AdamW alone',
    differs:
      'writing leads early in every run, by more than half, but its share is smaller with Muon (0.64 to 0.73 in the mean, by rate) than with AdamW (0.74 to 0.82), and the declared three quarters are missed: with Muon at every rate, on these stories also with AdamW at two of three. The tied table is like the output table and tying costs loss in every run with both. At the rate that is best of the three for both, 0.01, the largest one tried, tying costs less than half as much with Muon: 0.18 against 0.39 nats; at the smaller rates, five seeds do not decide whether both costs are within 0.05 nats of each other.',
    criteria: [
      [
        'muon',
        [
          ...['writing-leads-early', 'like-the-output-table', 'tying-costs'].flatMap((id) =>
            optimizers.map((optimizer) => `${id}-${optimizer}`),
          ),
          'tying-costs-about-the-same',
          'muon-learns-more-tied',
          'muon-learns-more-untied',
        ],
      ],
    ],
    values: optimizers.flatMap((optimizer) => [
      shown('muon', `1 - input-share(${optimizer}-tied, step=5..30)`),
      ...['tied', 'untied'].flatMap((tying) => [
        shown('muon', `loss(${optimizer}-${tying}, step=50)`),
        shown('muon', `loss(${optimizer}-${tying})`),
      ]),
      shown('muon', `loss(${optimizer}-tied) - loss(${optimizer}-untied)`),
    ]),
    missing: 'other texts, longer runs, larger models, and the original scale of Muon’s rate.',
  },
  {
    id: 'table-rates',
    title: 'Where the two tables should have rates of their own (as in muP), one table can have only one of them',
    why: 'rates are those of muP for Adam: constant for what reads tokens, in proportion to 1 / width for maps and the output table, with width 16 as the base. Initial values are the same at every width. Dividing logits by width / 16 gives the output table of muP another form, in which both tables have one rate.',
    differs:
      'at these widths and after 300 steps, a smaller rate only learns more slowly. The rates of muP cost two tables 0.10 and 0.19 nats (widths 32 and 64) against one rate for both; one table is better off with the rate of the input table, by 0.23 and 0.35, which is also better than dividing logits. At width 64 it is then 0.03 nats from two tables with both rates, above them in each of three seeds, but 0.21 from two tables with one rate. So the cost of tying does not come from rates here: it is there where all rates are the same, and the rate that one table cannot have is not worth having.',
    criteria: [
      [
        'table-rates',
        [
          ...wide('two-rates-are-worth-it'),
          ...widths.flatMap((width) => ['input', 'output'].map((role) => `tying-costs-at-the-${role}-rate-${width}`)),
          ...wide('one-table-needs-the-output-rate'),
          ...widths.flatMap((width) =>
            ['input', 'output'].map((role) => `dividing-logits-beats-the-${role}-rate-${width}`),
          ),
          'the-cost-grows-with-the-ratio',
          'the-cost-was-there-before',
        ],
      ],
    ],
    values: [
      shown('table-rates', 'loss(tied-16)'),
      shown('table-rates', 'loss(untied-16)'),
      ...widths.flatMap((width) =>
        ['untied-two-rates', 'untied-one-rate', 'tied-input-rate', 'tied-output-rate', 'tied-divided'].flatMap(
          (arm) => [
            shown('table-rates', `loss(${arm}-${width}, step=50)`),
            shown('table-rates', `loss(${arm}-${width})`),
          ],
        ),
      ),
    ],
    missing: 'other texts, the initial values of muP, larger widths, and rates that are tuned at the base width.',
  },
];
