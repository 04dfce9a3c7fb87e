/**
 * What tying, and the usual remedies for it, did to the loss of transformers that this project trained itself: validation
 * losses of docs/science.md, section 9, whose runs are in docs/experiments/tiny-shakespeare.tsv. A test compares the two.
 */

export interface MeasuredLoss {
  /** The first column of the file. */
  vocabulary: string;
  vocabSize: number;
  dModel: number;
  nLayers: number;
  /** Parameters. */
  tied: number;
  untied: number;
  /** Nats per token, by seed. Both models of a seed saw the same batches. */
  tiedLosses: readonly number[];
  untiedLosses: readonly number[];
  /** A tied model made wider, so that it is no smaller than the untied one: its losses, by the same seeds as far as they go. */
  wider: { dModel: number; parameters: number; losses: readonly number[] };
  /** Tied, and untied after two thirds of the steps. */
  untiedLaterLosses: readonly number[];
  /** Tied, with the input part of the table's gradient times five. */
  inputTimesFiveLosses: readonly number[];
  /** Tied, with a learned d × d map before the table that writes ('tied-linear'). */
  mapLosses: readonly number[];
}

export const MEASURED_LOSSES: readonly MeasuredLoss[] = [
  {
    vocabulary: 'reference',
    vocabSize: 512,
    dModel: 64,
    nLayers: 4,
    tied: 235_328,
    untied: 268_096,
    tiedLosses: [3.91497, 3.884654, 3.907028],
    untiedLosses: [3.788866, 3.79493, 3.774039],
    wider: { dModel: 72, parameters: 292_392, losses: [3.862472, 3.875431] },
    untiedLaterLosses: [3.885741, 3.894705, 3.852554],
    inputTimesFiveLosses: [3.917274, 3.90869, 3.898207],
    mapLosses: [4.003277, 3.979987, 3.969704],
  },
];

/** Mean difference of pairs and the 95 % interval of Student's t, which assumes that they are drawn from one normal distribution. */
export interface PairedDifference {
  pairs: number;
  mean: number;
  low: number;
  high: number;
}

/** Quantiles 0.975 of Student's t with 1, 2, ... degrees of freedom. */
const STUDENT_T = [12.706_2, 4.302_65, 3.182_45, 2.776_45, 2.570_58, 2.446_91, 2.364_62, 2.306, 2.262_16];

/** `a` minus `b`, pair by pair as far as both go: at least 2 pairs and at most 10. */
export function pairedDifference(a: readonly number[], b: readonly number[]): PairedDifference {
  const pairs = Math.min(a.length, b.length);
  const differences = Array.from({ length: pairs }, (_, i) => a[i]! - b[i]!);
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / pairs;
  const squares = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
  const margin = STUDENT_T[pairs - 2]! * Math.sqrt(squares / (pairs - 1) / pairs);
  return { pairs, mean, low: mean - margin, high: mean + margin };
}
