// What the tables are like after training.

import { beside, shown } from './entry.mjs';

const bias = ['linear', 'linear-held-out', 'orthogonal', 'orthogonal-held-out', 'neighbors', 'spectral'];
const aligned = (table, method) => `alignment(tied.embedding, untied.${table}, method=${method})`;
const isotropy = (part, [tied, input, output]) => [
  beside('shared-tables', `isotropy(tied).${part}`, tied),
  beside('shared-tables', `isotropy(untied.embedding).${part}`, input),
  beside('shared-tables', `isotropy(untied.unembedding).${part}`, output),
];

/** @type {import('./entry.mjs').Entry[]} */
export const tables = [
  {
    id: '8',
    title: 'The tied table is closer to the output table of an untied model than to its input table',
    criteria: [['shared-tables', bias.map((id) => `closer-to-the-output-${id}`)]],
    values: [
      ...[
        [aligned('unembedding', 'linear'), '0.77'],
        [aligned('embedding', 'linear'), '0.63'],
        [aligned('unembedding', 'orthogonal'), '0.70'],
        [aligned('embedding', 'orthogonal'), '0.52'],
        ['neighbor-overlap(untied.unembedding)', '0.477'],
        ['neighbor-overlap(untied.embedding)', '0.226'],
        ['spectral-distance(untied.unembedding)', ''],
        ['spectral-distance(untied.embedding)', ''],
        [aligned('unembedding', 'identity'), ''],
        [aligned('embedding', 'identity'), ''],
      ].map(([value, expected]) => beside('shared-tables', value, expected)),
      ['shared-tables', `${aligned('unembedding', 'linear')}.heldOut`, { expected: '0.68' }],
      ['shared-tables', `${aligned('embedding', 'linear')}.heldOut`, { expected: '0.47' }],
    ],
  },
  {
    id: '12',
    title: 'A hidden state lies far closer to its token’s row than a random direction',
    criteria: [
      [
        'shared-tables',
        ['tied', 'untied'].flatMap((arm) =>
          ['predicted', 'next'].map((token) => `ratio-far-below-chance-${arm}-${token}`),
        ),
      ],
      [
        'widths',
        ['tied', 'untied'].flatMap((arm) =>
          ['predicted', 'next'].flatMap((token) => [
            ...[32, 64].map((width) => `grows-${arm}-${token}-${width}`),
            `slower-than-chance-${arm}-${token}`,
            `before-the-norm-${arm}-${token}`,
          ]),
        ),
      ],
    ],
    values: [
      ...[
        ['tied', 'predicted', '1.57 ± 0.02'],
        ['tied', 'next', '2.28'],
        ['untied', 'predicted', '1.46 ± 0.01'],
        ['untied', 'next', '1.97'],
      ].map(([arm, token, expected]) =>
        beside('shared-tables', `hidden-states(${arm}, targets=${token}).medianRatio`, expected),
      ),
      beside('shared-tables', 'hidden-states(tied, targets=predicted).medianMaxOtherCosine'),
      beside('shared-tables', 'hidden-states(untied, targets=predicted).medianMaxOtherCosine'),
      ...['tied', 'untied'].flatMap((arm) =>
        [16, 32, 64].map((width) =>
          beside('widths', `hidden-states(${arm}-${width}, norm=after, targets=predicted).medianRatio`),
        ),
      ),
      ...['tied', 'untied'].map((arm) =>
        beside('widths', `hidden-states(${arm}-64, norm=before, targets=predicted).medianRatio`),
      ),
    ],
  },
  {
    id: '13',
    title: 'Tying weights is not tying embeddings: a state of an untied model does not point at its token’s input row',
    criteria: [['shared-tables', ['state-is-not-the-input-row', 'state-is-the-shared-row']]],
    values: [
      shown('shared-tables', 'hidden-states(tied, targets=predicted).medianOutputCosine', '0.54'),
      shown('shared-tables', 'hidden-states(untied, targets=predicted).medianOutputCosine', '0.57'),
      beside('shared-tables', 'hidden-states(untied, targets=predicted).medianInputCosine', '0.06'),
    ],
  },
  {
    id: '14',
    title: 'The tied table fills space like the output table',
    differs:
      'for IsoScore and the effective rank, two of three seeds show the opposite; the mean cosine and the partition function agree with the claim.',
    criteria: [
      [
        'shared-tables',
        [
          ...['meanCosine', 'isoScore', 'effectiveRank', 'partition'].map((part) => `isotropy-like-the-output-${part}`),
          'no-cone-without-the-mean',
        ],
      ],
    ],
    values: [
      ...isotropy('meanCosine', ['0.113 ± 0.003', '0.013 ± 0.002', '0.136 ± 0.004']),
      ...isotropy('isoScore', ['0.215', '0.281', '0.170']),
      ...isotropy('effectiveRank', ['25.0', '29.0', '20.0']),
      ...isotropy('partition', ['0.573', '0.940', '0.533']),
      ...isotropy('centeredMeanCosine', ['0.001', '0.000', '0.006']),
    ],
  },
  {
    id: '15',
    title: 'Norms follow frequency in the tied table as in the output table',
    criteria: [['shared-tables', ['norms-like-the-output']]],
    values: [
      ['tied', '-0.19 ± 0.02', '0.31'],
      ['untied.embedding', '0.18', '0.14'],
      ['untied.unembedding', '-0.20', '0.36'],
    ].flatMap(([of, rank, variation]) => [
      shown('shared-tables', `norm-frequency(${of}).spearman`, rank),
      shown('shared-tables', `norm-frequency(${of}).standardDeviation / norm-frequency(${of}).meanNorm`, variation),
    ]),
  },
  {
    id: '23',
    title: 'A common direction of the rows stands in for an output bias: with a bias, rows agree less',
    differs:
      'with a bias, the mean cosine is lower in all five seeds of the untied model and in four of the tied one, but by less than three standard deviations. At this size, the mechanism explains little.',
    criteria: [['small-variants', ['tied', 'untied'].map((arm) => `bias-lowers-mean-cosine-${arm}`)]],
    values: ['tied', 'tied-bias', 'untied', 'untied-bias'].map((arm) =>
      beside('small-variants', `isotropy(${arm}.unembedding).meanCosine`),
    ),
  },
];
