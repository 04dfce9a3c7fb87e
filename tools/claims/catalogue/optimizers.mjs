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
    missing: 'longer runs, larger models, and the original scale of Muon’s rate.',
  },
  {
    id: 'table-rates',
    title: 'Where the two tables should have rates of their own (as in muP), one table can have only one of them',
    why: 'rates are those of muP for Adam: constant for what reads tokens, in proportion to 1 / width for maps and the output table, with width 16 as the base. Initial values are the same at every width. Dividing logits by width / 16 gives the output table of muP another form, in which both tables have one rate.',
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
    missing: 'the initial values of muP, larger widths, and rates that are tuned at the base width.',
  },
];
