import type { Architecture, Batch } from '../../core/accounting/types.js';
import { parseCutoffs, type BatchSettings, type HeadSettings } from './compute-calculator.settings.js';

/** The batch that the figure counts and the heads that it compares, in the form that the core accepts. */

/** Sizes of the heads to compare; missing ones follow from the vocabulary. */
export interface HeadSizes {
  /** Sampled head: tokens besides the target. */
  readonly sampled?: number;
  /** Adaptive head: where the head and the first cluster end. */
  readonly adaptive?: readonly [number, number];
  /** Culled head: tokens that remain. */
  readonly culled?: number;
  readonly clustered?: number;
}

export type CompleteHeadSizes = Required<HeadSizes>;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/**
 * The chosen sizes, with defaults for a vocabulary; null if it is too small to leave anything out. As many clusters as
 * tokens per cluster minimize the work (Goodman 2001).
 */
export function headSizes(vocabSize: number, chosen: HeadSizes): CompleteHeadSizes | null {
  if (vocabSize < 4) return null;
  const first = within(chosen.adaptive?.[0] ?? Math.round(vocabSize / 16), 1, vocabSize - 2);
  return {
    sampled: within(chosen.sampled ?? 1024, 1, vocabSize - 1),
    adaptive: [first, within(chosen.adaptive?.[1] ?? Math.round(vocabSize / 4), first + 1, vocabSize - 1)],
    culled: within(chosen.culled ?? Math.round(vocabSize / 4), 1, vocabSize),
    clustered: within(chosen.clustered ?? Math.round(Math.sqrt(vocabSize)), 1, vocabSize),
  };
}

/** The two clusters of the adaptive head are a fourth and a sixteenth as wide as the model. */
const adaptiveDivisor = 4;
const narrowest = adaptiveDivisor * adaptiveDivisor;

export function batchOf(settings: BatchSettings, architecture: Architecture, chosen: HeadSizes): Batch {
  const sizes = headSizes(architecture.outputVocabSize ?? architecture.vocabSize, chosen);
  if (sizes === null) return { ...settings };
  // Only if no cluster would have width 0 and the tables are not factorized; expected counts need exact token counts.
  const hasAdaptive =
    architecture.dModel >= narrowest &&
    !architecture.tableRank &&
    settings.sequences * settings.tokens <= Number.MAX_SAFE_INTEGER;
  return {
    ...settings,
    heads: {
      sampled: { samples: sizes.sampled },
      ...(hasAdaptive ? { adaptive: { cutoffs: [...sizes.adaptive], divisor: adaptiveDivisor } } : {}),
      culled: { vocabSize: sizes.culled },
      clustered: { clusters: sizes.clustered },
    },
  };
}

/** The sizes chosen by the reader or by an attribute. */
export function chosenHeads({ sampled, adaptive, culled, clustered }: HeadSettings): HeadSizes {
  const cutoffs = adaptive === null ? null : parseCutoffs(adaptive);
  return {
    ...(sampled === null ? {} : { sampled }),
    ...(cutoffs === null ? {} : { adaptive: cutoffs }),
    ...(culled === null ? {} : { culled }),
    ...(clustered === null ? {} : { clustered }),
  };
}
