/**
 * How tying and its usual remedies changed the validation loss of transformers trained by this project. Source:
 * docs/small-transformers.md; runs in docs/experiments/tiny-shakespeare.tsv and widths.tsv. A test compares them.
 */
import { square } from '../runtime/elementary.js';

export interface MeasuredLoss {
  /** First column of the file. */
  vocabulary: string;
  vocabSize: number;
  dModel: number;
  nLayers: number;
  /** Parameters. */
  tied: number;
  untied: number;
  /** Nats per token, by seed. Both models of a seed trained on the same batches. */
  tiedLosses: readonly number[];
  untiedLosses: readonly number[];
  /** A tied model, widened to at least the size of the untied one; losses for the first of the same seeds. */
  wider: { dModel: number; parameters: number; losses: readonly number[] };
  /** Tied, then untied after two thirds of the steps. */
  untiedLaterLosses: readonly number[];
  /** Tied, with the input part of the gradient multiplied by five. */
  inputTimesFiveLosses: readonly number[];
  /** Tied, with a learned d × d map before the output ('tied-linear'). */
  mapLosses: readonly number[];
  /** The same pair at a greater width, in docs/experiments/widths.tsv. */
  greater: { dModel: number; tiedLosses: readonly number[]; untiedLosses: readonly number[] };
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
    greater: {
      dModel: 128,
      tiedLosses: [3.657451, 3.646909, 3.640154],
      untiedLosses: [3.640069, 3.64091, 3.631644],
    },
  },
];

/** Mean of paired differences with its 95% interval of Student's t, which assumes normally distributed differences. */
export interface PairedDifference {
  pairs: number;
  mean: number;
  low: number;
  high: number;
}

/** Quantiles 0.975 of Student's t with 1, 2, ... degrees of freedom. */
const STUDENT_T = [12.706_2, 4.302_65, 3.182_45, 2.776_45, 2.570_58, 2.446_91, 2.364_62, 2.306, 2.262_16];

/** `a` minus `b` for as many pairs as both have: 2 to 10. */
export function pairedDifference(a: readonly number[], b: readonly number[]): PairedDifference {
  const pairs = Math.min(a.length, b.length);
  const differences = Array.from({ length: pairs }, (_, i) => a[i]! - b[i]!);
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / pairs;
  const squares = differences.reduce((sum, difference) => sum + square(difference - mean), 0);
  const margin = STUDENT_T[pairs - 2]! * Math.sqrt(squares / (pairs - 1) / pairs);
  return { pairs, mean, low: mean - margin, high: mean + margin };
}
