import type { Architecture, Batch, HeadCost } from '../../core/accounting/types.js';
import type { TransformerConfig } from '../../core/types.js';

/** What the sizes of heads depend on. */
export interface Vocabulary {
  readonly vocabSize: number;
  readonly dModel: number;
}

/**
 * A head, or a kind of tables, in the form for `createTrainer` and for `countCompute`; for the full head both are
 * empty.
 */
interface ListedHead {
  readonly model: (vocabulary: Vocabulary) => Pick<TransformerConfig, 'head' | 'ngrams' | 'tableRank'>;
  readonly counted: (vocabulary: Vocabulary) => {
    readonly kind: HeadCost['kind'];
    readonly heads?: Batch['heads'];
    readonly architecture?: Partial<Architecture>;
  };
  /** Whether it gives every token a probability. */
  readonly predictsAll: boolean;
  /** Whether its purpose is to cost less. That excludes the full head and additions to it. */
  readonly cheaper: boolean;
}

const samples = ({ vocabSize }: Vocabulary): number => Math.max(1, Math.round(vocabSize / 16));
/** Where the frequent tokens end, and where the cluster of less frequent ones ends. */
const cutoffs = ({ vocabSize }: Vocabulary): number[] => {
  const frequent = Math.max(1, Math.floor(vocabSize / 8));
  // A text of two different tokens has no third cluster.
  return [frequent, Math.max(frequent + 1, Math.floor(vocabSize / 2))].filter((cutoff) => cutoff < vocabSize);
};
const clusters = ({ vocabSize }: Vocabulary): number => Math.max(2, Math.round(Math.sqrt(vocabSize)));
const rank = ({ dModel }: Vocabulary): number => Math.max(1, Math.round(dModel / 4));
const kept = ({ vocabSize }: Vocabulary): number => Math.ceil(vocabSize / 2);

/** Every head that can be trained, and other kinds of tables, in the order of the rows. */
const headList = {
  full: { model: () => ({}), counted: () => ({ kind: 'full' }), predictsAll: true, cheaper: false },
  sampled: {
    model: (vocabulary) => ({ head: { kind: 'sampled', samples: samples(vocabulary) } }),
    counted: (vocabulary) => ({ kind: 'sampled', heads: { sampled: { samples: samples(vocabulary) } } }),
    ...{ predictsAll: true, cheaper: true },
  },
  adaptive: {
    model: (vocabulary) => ({ head: { kind: 'adaptive', cutoffs: cutoffs(vocabulary) } }),
    counted: (vocabulary) => ({ kind: 'adaptive', heads: { adaptive: { cutoffs: cutoffs(vocabulary) } } }),
    ...{ predictsAll: true, cheaper: true },
  },
  clustered: {
    model: (vocabulary) => ({ head: { kind: 'clustered', clusters: clusters(vocabulary) } }),
    counted: (vocabulary) => ({ kind: 'clustered', heads: { clustered: { clusters: clusters(vocabulary) } } }),
    ...{ predictsAll: true, cheaper: true },
  },
  factorized: {
    model: (vocabulary) => ({ tableRank: rank(vocabulary) }),
    counted: (vocabulary) => ({ kind: 'full', architecture: { tableRank: rank(vocabulary) } }),
    ...{ predictsAll: true, cheaper: true },
  },
  culled: {
    model: (vocabulary) => ({ head: { kind: 'culled', kept: kept(vocabulary) } }),
    counted: (vocabulary) => ({ kind: 'culled', heads: { culled: { vocabSize: kept(vocabulary) } } }),
    ...{ predictsAll: false, cheaper: true },
  },
  // Adds as many parameters as a second table of tokens has; none of them is in a product.
  ngrams: {
    model: ({ vocabSize }) => ({ ngrams: { order: 2, rows: vocabSize } }),
    counted: ({ vocabSize }) => ({ kind: 'full', architecture: { ngramOrder: 2, ngramRows: vocabSize } }),
    ...{ predictsAll: true, cheaper: false },
  },
} as const satisfies Record<string, ListedHead>;

export type HeadId = keyof typeof headList;
export const headIds = Object.keys(headList) as HeadId[];
export const headOf = (id: HeadId): ListedHead => headList[id];
