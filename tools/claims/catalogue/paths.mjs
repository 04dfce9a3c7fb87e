// Direct paths, fitted to the pairs of a text, and gradients.

import { decidedBy, shown } from './entry.mjs';

const order = ['untied-below-mlp', 'mlp-below-linear', 'linear-below-tied'];
const both = (id) => ['direct-paths', 'direct-paths-stories'].map((experiment) => decidedBy(experiment, id));

/** @type {import('./entry.mjs').Entry[]} */
export const paths = [
  {
    id: '1',
    title: 'The direct path of a tied model is symmetric',
    differs:
      'untied direct paths are more symmetric after training (0.60 to 0.64) than before it (0.70, like random tables). The criterion expected what the transformers show, for which it holds.',
    criteria: [
      [
        'direct-paths',
        ['tied-is-symmetric', 'tied-is-symmetric-at-the-start', 'untied-is-not', 'untied-is-not-at-the-start'],
      ],
      [
        'direct-paths-stories',
        ['tied-is-symmetric', 'tied-is-symmetric-at-the-start', 'untied-is-not', 'untied-is-not-at-the-start'],
      ],
      ['shared-tables', ['tied-path-is-symmetric', 'untied-path-is-not']],
    ],
    values: [
      ['direct-paths', 'symmetry(untied)', { chance: 'symmetry(untied).chance' }],
      ['direct-paths-stories', 'symmetry(untied)', { chance: 'symmetry(untied).chance' }],
      ['shared-tables', 'symmetry(untied)', { expected: '0.70', chance: 'symmetry(untied).chance' }],
    ],
    tests: [
      [
        'tests/cpp/direct_path/test_direct_path.cpp',
        'a tied direct path is symmetric to the last bit, whatever the embedding',
      ],
    ],
  },
  {
    id: '2',
    title:
      'The floor of symmetric paths follows from counts, and on these texts a tied path stays above it at every width tried',
    criteria: [
      'floor-is-the-divergence',
      'tied-stays-above-the-floor',
      'semidefinite-costs-as-much-again',
      'width-does-not-help',
    ]
      .flatMap(both)
      .concat([
        [
          'direct-paths-256',
          [
            'floor-is-the-divergence',
            'tied-stays-above-the-floor',
            'semidefinite-costs-half-as-much-again',
            'width-hardly-helps',
          ],
        ],
        [
          'direct-paths-512',
          [
            'floor-is-the-divergence',
            'tied-stays-above-the-floor',
            'semidefinite-costs-half-as-much-again',
            'width-hardly-helps',
          ],
        ],
      ]),
    values: [
      shown('direct-paths-256', 'bigram-bounds(tied).bigram', '3.3677 (whole text, other byte pairs)'),
      shown('direct-paths-256', 'bigram-bounds(tied).js'),
      shown(
        'direct-paths-256',
        'loss(tied) - bigram-bounds(tied).bigram',
        '1.110, 1.079 at d = 16, 32 (whole text, other byte pairs)',
      ),
      shown('direct-paths-512', 'bigram-bounds(tied).js'),
      shown('direct-paths-512', 'loss(tied) - bigram-bounds(tied).bigram'),
      [
        'direct-paths',
        'bigram-bounds(tied).js',
        { expected: '0.2905 (whole text)', chance: 'bigram-bounds(tied).js.chance' },
      ],
      ['direct-paths', 'bigram-bounds(tied).bigram', { expected: '2.4526 (whole text)' }],
      [
        'direct-paths',
        'loss(tied) - bigram-bounds(tied).bigram',
        { expected: '0.591, 0.588, 0.588 at d = 8, 16, 32 (whole text)' },
      ],
    ],
    tests: [
      [
        'tests/cpp/direct_path/test_bigram_bounds.cpp',
        'the symmetric floor is that of a fitted symmetric matrix, with equal and with different margins',
      ],
    ],
    missing:
      'a free symmetric matrix cannot be an arm of an experiment, so only the test compares the floor with a fit.',
  },
  {
    id: '3',
    title: 'At equal width, two tables predict best, then a tied table with an MLP, with a linear map, and alone',
    differs:
      'on the stories at width 16, the loss of two tables and that of a tied table with an MLP are within 0.0003 of each other in every seed, too close to rank. With 256 tokens, the MLP ends closer to the pairs of the text (0.159 and 0.033) than the MLP of the independent program did from one or two starts (0.256 and 0.091).',
    criteria: order.flatMap(both).concat([
      ['direct-paths-256', order],
      ['direct-paths-512', order],
    ]),
    values: [
      shown('direct-paths-256', 'loss(untied) - bigram-bounds(tied).bigram', '0.121, 0.029 at d = 16, 32'),
      shown('direct-paths-256', 'loss(tied-mlp) - bigram-bounds(tied).bigram', '0.256, 0.091'),
      shown('direct-paths-256', 'loss(tied-linear) - bigram-bounds(tied).bigram', '0.359, 0.122'),
      shown('direct-paths-512', 'loss(untied) - bigram-bounds(tied).bigram'),
      shown('direct-paths-512', 'loss(tied-mlp) - bigram-bounds(tied).bigram'),
      shown('direct-paths-512', 'loss(tied-linear) - bigram-bounds(tied).bigram'),
      [
        'direct-paths',
        'loss(untied) - bigram-bounds(tied).bigram',
        { expected: '0.040, 0.002, 0.000 at d = 8, 16, 32' },
      ],
      ['direct-paths', 'loss(tied-mlp) - bigram-bounds(tied).bigram', { expected: '0.058, 0.006, 0.000' }],
      ['direct-paths', 'loss(tied-linear) - bigram-bounds(tied).bigram', { expected: '0.124, 0.022, 0.000' }],
    ],
    missing:
      'the rank of a path with a final norm (between the map and the plain tied path): direct paths have no norm here.',
  },
  {
    id: '4',
    title: 'In a tied path, P(j given i) P(i given j) is at most P(i given i) P(j given j); texts break this law',
    why: 'A law for single tokens follows from the same fact: each token follows itself at least as often as it occurs ([science](science.md#5-no-negative-eigenvalue)). In the criterion, half a pair is added to the count of each pair of the text. Without it, a pair that occurs in one order only breaks nothing, so the value depends on that half.',
    tests: [
      ['tests/web/article/shared-table-laws.test.ts', 'every token follows itself at least as often as it occurs'],
      [
        'tests/web/article/shared-table-laws.test.ts',
        'the odds of one token against another are never higher after the other',
      ],
    ],
    criteria: [['shared-tables', ['text-breaks-the-law', 'tied-path-keeps-the-law', 'tied-path-repeats']]],
    values: [
      ['shared-tables', 'direct-path(tied).bigrams.breaking', { expected: '0.81 (256 tokens) to 0.86 (characters)' }],
      ['shared-tables', 'direct-path(untied).embeddings.breaking'],
      [
        'shared-tables',
        'direct-path(tied).embeddings.selfPrediction',
        { expected: '0.23 to 0.79 (paths trained alone)', chance: 'direct-path(tied).chance.selfPrediction' },
      ],
      [
        'shared-tables',
        'direct-path(untied).embeddings.selfPrediction',
        { chance: 'direct-path(tied).chance.selfPrediction' },
      ],
    ],
  },
  {
    id: '5',
    title: 'The gradient of a tied table is exactly the sum of its input part and its output part',
    criteria: [['rows-touched', ['gradient-is-the-sum', 'gradient-is-the-sum-at-the-start']]],
    values: [['rows-touched', 'gradient-split(tied)', { expected: 'at most 1e-6' }]],
    tests: [
      [
        'tests/cpp/model/test_transformer_model.cpp',
        'the tied gradient is the input part plus the output part of an untied twin, to the last bit',
      ],
      [
        'tests/cpp/model/test_transformer_gradients.cpp',
        'gradients equal central differences for every tying, with and without output bias and scaled lookup',
      ],
    ],
  },
  {
    id: '6',
    title: 'Reading touches only the rows of the tokens that are read, writing with a full softmax touches all rows',
    criteria: [['rows-touched', ['input-rows-are-the-tokens-read', 'every-row-is-written', 'untied-alike']]],
    values: [
      [
        'rows-touched',
        'gradient-split(tied, step=0).inputRows',
        { expected: '0.92, 0.63, 0.22 with 128, 512, 2,048 tokens (a batch of 16 sequences)' },
      ],
      ['rows-touched', 'gradient-split(tied, step=0).outputRows', { expected: '1' }],
    ],
  },
];
