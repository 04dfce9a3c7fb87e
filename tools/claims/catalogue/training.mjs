// Small transformers: what happens while they train, and what tying costs.

import { beside, shown } from './entry.mjs';

/** Possible reasons for it, each changed alone. */
const variants = [
  'plain',
  'no-warmup',
  'sgd',
  'smoothed',
  'warm',
  'layer-norm',
  'no-final-norm',
  'one-layer',
  'eight-layers',
];

/** @type {import('./entry.mjs').Entry[]} */
export const training = [
  {
    id: '7',
    title: 'Early in training, the output part of the gradient is much longer than the input part',
    why: 'A share compares a norm with the sum of both norms: “three quarters of the gradient” means three quarters of that sum.',
    differs:
      'the input share is smaller with 2,048 tokens than with 512 in each of the three seeds, but the interval of the three seeds includes zero.',
    criteria: [
      [
        'shared-tables',
        ['tied', 'untied'].flatMap((arm) => [
          `output-leads-early-${arm}`,
          `output-leads-early-by-position-${arm}`,
          `more-than-late-${arm}`,
        ]),
      ],
      ['rows-touched', ['longer-with-512-than-128', 'longer-with-2048-than-512']],
      ['early-pull', variants.map((arm) => `output-pulls-more-${arm}`)],
    ],
    values: [
      ['shared-tables', '1 - input-share(tied, step=20)', { expected: '0.95' }],
      ['shared-tables', '1 - input-share(tied, step=100)', { expected: '0.55' }],
      ['shared-tables', '1 - input-share(tied, step=401..800)', { expected: '0.50 at step 800' }],
      ['shared-tables', '1 - input-share(untied, step=20)', { expected: '0.91' }],
      ['shared-tables', '1 - input-position-share(tied, step=20)', { expected: '0.97' }],
      ['rows-touched', '1 - input-share(tied, step=10..50)'],
      ...variants.flatMap((arm) => [
        shown('early-pull', `1 - input-share(${arm}, step=5..30)`),
        shown('early-pull', `1 - input-position-share(${arm}, step=5..30)`),
      ]),
      ...variants.map((arm) => shown('early-pull', `loss(${arm})`)),
    ],
  },
  {
    id: '9',
    title: 'The early layers of a tied model are further from its answer than those of an untied one',
    criteria: [['shared-tables', ['lens-layer-0', 'lens-layer-1', 'lens-last-is-zero']]],
    values: [
      ['shared-tables', 'tuned-lens(tied, layer=0)', { expected: '0.58', chance: 'tuned-lens(tied).chance' }],
      ['shared-tables', 'tuned-lens(untied, layer=0)', { expected: '0.35', chance: 'tuned-lens(untied).chance' }],
      ['shared-tables', 'tuned-lens(tied, layer=0) - tuned-lens(untied, layer=0)', { expected: '0.231 ± 0.038' }],
      ['shared-tables', 'logit-lens(tied, layer=0)', { expected: '9.9', chance: 'logit-lens(tied).chance' }],
      ['shared-tables', 'logit-lens(untied, layer=0)', { expected: '2.0', chance: 'logit-lens(untied).chance' }],
    ],
  },
  {
    id: '10',
    title: 'Scaling up the input part of the gradient moves the table toward the input table',
    criteria: [
      [
        'shared-tables',
        [
          'scale-moves-to-the-input',
          'scale-moves-from-the-output',
          'scale-moves-the-lens',
          'scale-is-monotone-x2',
          'scale-is-monotone-x5',
          'scale-is-monotone-x10',
          'scale-leaves-the-loss',
        ],
      ],
    ],
    values: [
      beside('shared-tables', 'alignment(tied-input-x5.embedding, untied.embedding, method=linear)', '0.69'),
      beside('shared-tables', 'alignment(tied-input-x5.embedding, untied.unembedding, method=linear)', '0.67'),
      shown('shared-tables', 'tuned-lens(tied-input-x5, layer=0) - tuned-lens(tied, layer=0)', '-0.075 ± 0.033'),
      shown('shared-tables', 'loss(tied-input-x5) - loss(tied)', '-0.003'),
      shown('shared-tables', 'loss(tied-input-x10) - loss(tied)'),
    ],
  },
  {
    id: '11',
    title: 'The output table moves further from its start than the input table',
    criteria: [
      ['shared-tables', [20, 50, 100, 200].map((step) => `output-drifts-more-step-${step}`)],
      ['widths', [20, 50, 100, 200].map((step) => `output-turns-more-step-${step}`)],
    ],
    values: [
      ['shared-tables', 'embedding-drift(untied, step=100)'],
      ['shared-tables', 'unembedding-drift(untied, step=100)'],
      ['shared-tables', 'embedding-drift(tied, step=100)'],
      beside('widths', 'start-cosine(untied-64.embedding, step=100)', '0.54'),
      beside('widths', 'start-cosine(untied-64.unembedding, step=100)', '0.41'),
      ...['untied-64.embedding', 'untied-64.unembedding', 'tied-64.embedding'].flatMap((table) =>
        [20, 50, 200].map((step) => beside('widths', `start-cosine(${table}, step=${step})`)),
      ),
      beside('widths', 'start-cosine(tied-64.embedding, step=100)'),
      beside('widths', 'start-cosine(untied-64.embedding)', '0.31'),
      beside('widths', 'start-cosine(untied-64.unembedding)', '0.27'),
      beside('widths', 'start-cosine(tied-64.embedding)', '0.255'),
    ],
    missing: 'the cosine to earlier steps other than the first: no value is expected for it.',
  },
  {
    id: '16',
    title: 'Multiplying the lookup by √d lowers the loss and multiplies the input part of the gradient',
    differs:
      'in the first step, the input part of the gradient grows by a factor of 1.34 (tied) and 1.46 (untied), not √32 = 5.66. That factor holds for a step in which nothing else changes, but here all layers read the scaled lookup. The losses fall as expected, by less in the tied model.',
    criteria: [
      [
        'small-variants',
        [
          ...['tied', 'untied'].flatMap((arm) => [
            `scale-lowers-${arm}`,
            `scale-times-input-gradient-${arm}`,
            `scale-lowers-output-share-${arm}`,
          ]),
          'scale-leaves-the-gap',
        ],
      ],
    ],
    values: [
      ['small-variants', 'loss(tied-scaled) - loss(tied)', { expected: '-0.067 (d = 64, 4 layers, 800 steps)' }],
      ['small-variants', 'loss(untied-scaled) - loss(untied)', { expected: '-0.08' }],
      [
        'small-variants',
        'input-gradient-norm(tied-scaled, step=1) / input-gradient-norm(tied, step=1)',
        { expected: '√32 = 5.657, if nothing else changed' },
      ],
      [
        'small-variants',
        'input-gradient-norm(untied-scaled, step=1) / input-gradient-norm(untied, step=1)',
        { expected: '5.657' },
      ],
    ],
    missing:
      'the factor baked into the table, which should inflate the logits: `initStd` applies to all matrices, not to one.',
  },
  {
    id: '17',
    title: 'Tying costs loss, at equal width and with equally many parameters',
    criteria: [
      ['shared-tables', ['untied-is-lower']],
      ['small-variants', ['untied-is-lower']],
      ['equal-numbers', ['width-matched', 'parameter-matched', 'sizes-differ-by-one-table', 'wide-is-as-large']],
    ],
    values: [
      ['shared-tables', 'loss(tied)', { expected: '3.889 ± 0.008' }],
      ['shared-tables', 'loss(untied)', { expected: '3.777 ± 0.011' }],
      ['shared-tables', 'loss(tied) - loss(untied)', { expected: '0.112 ± 0.007' }],
      ['small-variants', 'loss(tied) - loss(untied)'],
      ['equal-numbers', 'loss(tied) - loss(untied)'],
      ['equal-numbers', 'loss(tied-wide) - loss(untied)', { expected: '0.07 (d = 72 against 64)' }],
    ],
  },
  {
    id: '22',
    title: 'Untying late keeps part of what two tables gain',
    tests: [
      [
        'tests/cpp/accounting/test_memory.cpp',
        'tying saves weights, gradients and optimizer state of one table, and neither activations nor logits',
      ],
    ],
    criteria: [
      [
        'small-variants',
        ['third', 'half', 'two-thirds'].flatMap((part) => [`untie-${part}-below-tied`, `untie-${part}-above-untied`]),
      ],
      ['untying-state', ['one-table-before', 'two-tables-after', 'unties-when-told', 'moments-of-a-table']],
    ],
    values: [
      shown('untying-state', '8 * (parameters(untie-half) - parameters(tied))', '131,072 bytes (8 V d)'),
      ...['third', 'half', 'two-thirds'].map((part) => shown('small-variants', `loss(untie-${part}) - loss(tied)`)),
      shown('small-variants', 'loss(untie-third) - loss(untied)'),
      shown('small-variants', 'loss(untie-half) - loss(untied)'),
      shown('small-variants', 'loss(untie-two-thirds) - loss(untied)', '0.09 (d = 64, 4 layers, 800 steps)'),
    ],
  },
];
