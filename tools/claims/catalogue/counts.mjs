// Claims about counts: no model is trained for them.

/** @type {import('./entry.mjs').Entry[]} */
export const counts = [
  {
    id: '18',
    title: 'Sharing one table three ways in an encoder-decoder saves two thirds of the tables',
    tests: [
      [
        'tests/web/core/accounting-families.test.ts',
        'three tables of an encoder-decoder: tying stores one, two or three, and saves at most two thirds',
      ],
    ],
    missing: 'the loss of such a model: the trainer has decoders only.',
  },
  {
    id: '19',
    title: 'A rule by the share of the tables disagrees with what models do',
    tests: [
      ['tests/web/core/advise-tying.test.ts', 'the tables of the page on the rule are what comes of the known models'],
    ],
  },
  {
    id: '20',
    title: 'Parameters, work and bytes are counted exactly',
    criteria: [['equal-numbers', ['sizes-differ-by-one-table']]],
    tests: [
      [
        'tests/web/core/accounting-families.test.ts',
        "the plain formula is 12 d² a layer and the tables; with two LayerNorms it is seed 003's",
      ],
    ],
  },
  {
    id: '21',
    title: 'Other heads (sampled, adaptive, culled) save work for some loss',
    tests: [
      [
        'tests/cpp/accounting/test_heads.cpp',
        'no head costs more than its bound, and all but the adaptive one cost exactly that',
      ],
    ],
    missing:
      'the loss: the trainer has the full softmax only, so that work saved can be counted, but not set against loss.',
  },
];
