/** The numbers behind each reason for and against sharing, under the names that its sentence uses. */
import { exp } from '../runtime/elementary.js';
import type { CompleteArchitecture, Precision, ReasonKind, TyingReason } from './types.js';
import { OPTIMIZER_NUMBERS } from './count-compute.js';
import { MEASURED_LOSSES, pairedDifference } from './measured-losses.js';

// Constants of the rule, as in accounting/advice.h; a test compares what follows from them.
const LARGE_SAVING = 0.1;
const SMALL_SAVING = 0.05;
const NEAR = 4;
const LEAST_PRECEDENTS = 3;
const NO_DIFFERENCE = 0.01;
const LARGE_DIFFERENCE = 0.1;
/** Confidence level of the intervals of measured losses. */
const CONFIDENCE = 0.95;

/**
 * Bytes per parameter in training, as accounting/memory.h counts them; `state` is for each value that the optimizer
 * stores.
 */
const BYTES: Readonly<Record<Precision, { weights: number; gradients: number; state: number }>> = {
  float32: { weights: 4, gradients: 4, state: 4 },
  bfloat16: { weights: 2, gradients: 2, state: 2 },
  mixed: { weights: 6, gradients: 2, state: 4 },
};

/** Everything from which the numbers of reasons are computed. */
export interface Evidence {
  architecture: CompleteArchitecture;
  lossDifference: number | undefined;
  parameterBudget: number | undefined;
  precision: Precision;
  optimizer: keyof typeof OPTIMIZER_NUMBERS;
  tied: number;
  untied: number;
  savedInDecoder: number;
  oneLayer: number;
  deeper: number;
  wider: number;
  moreLayers: number;
  width: number;
  nearestThatTie: number;
  nearestWithin: number;
  measurement: number;
  measurementWithin: number;
  /** Ids of the nearest models. */
  nearest: readonly string[];
}

type Numbers = TyingReason['numbers'];

const NUMBERS: Readonly<Record<ReasonKind, (evidence: Evidence) => Numbers>> = {
  vocabularies: ({ architecture: { vocabSize, outputVocabSize }, savedInDecoder, untied }) => ({
    vocabSize,
    outputVocabSize,
    ...(savedInDecoder > 0 && {
      decoderSaved: savedInDecoder,
      decoderSavedOfUntied: savedInDecoder / untied,
    }),
  }),
  'starts-from': ({ tied, untied }) => ({ saved: untied - tied }),
  budget: ({ architecture: { vocabSize, outputVocabSize }, parameterBudget, tied, untied }) => ({
    budget: parameterBudget!,
    ...(vocabSize === outputVocabSize && { tied }),
    untied,
  }),
  'saved-share': ({ architecture, tied, untied }) => ({
    tables: architecture.stack === 'encoder-decoder' ? 3 : 2,
    saved: untied - tied,
    tied,
    untied,
    ofTied: (untied - tied) / tied,
    ofUntied: (untied - tied) / untied,
    large: LARGE_SAVING,
    small: SMALL_SAVING,
  }),
  depth: ({ architecture: { stack, nLayers, nEncoderLayers }, tied, untied, oneLayer, moreLayers, deeper }) => ({
    saved: untied - tied,
    oneLayer,
    layersWorth: (untied - tied) / oneLayer,
    moreLayers,
    nLayers,
    deeperLayers: nLayers + moreLayers,
    ...(stack === 'encoder-decoder' && { nEncoderLayers }),
    deeper,
  }),
  width: ({ architecture: { dModel, nHeads, dHead }, width, wider, untied }) => ({
    dModel,
    width,
    moreWidth: width / dModel - 1,
    nextWidth: width + (nHeads * dHead === dModel ? nHeads : 1),
    wider,
    untied,
  }),
  memory: ({ tied, untied, precision, optimizer }) => {
    const saved = untied - tied;
    const each = BYTES[precision];
    const weights = saved * each.weights;
    const gradients = saved * each.gradients;
    const state = saved * each.state * OPTIMIZER_NUMBERS[optimizer];
    return { total: weights + gradients + state, weights, gradients, optimizer: state };
  },
  precedent: ({ nearest, nearestThatTie, nearestWithin }) => ({
    asked: nearest.length,
    tie: nearestThatTie,
    within: nearestWithin,
    near: NEAR,
    least: LEAST_PRECEDENTS,
  }),
  'measured-loss': lossNumbers,
};

function lossNumbers({ architecture, lossDifference, measurement, measurementWithin }: Evidence): Numbers {
  if (lossDifference !== undefined) {
    return {
      lossDifference,
      perplexity: exp(lossDifference) - 1,
      noDifference: NO_DIFFERENCE,
      largeDifference: LARGE_DIFFERENCE,
    };
  }
  const measured = MEASURED_LOSSES[measurement];
  if (architecture.stack === 'decoder' && architecture.nLayers === 0) return directPathNumbers();
  // Only decoders were measured; other models have no table to choose from.
  if (measured === undefined || measurementWithin === 0) return {};
  const { pairs, mean, low, high } = pairedDifference(measured.tiedLosses, measured.untiedLosses);
  const { wider, untiedLaterLosses, inputTimesFiveLosses, mapLosses, untiedLosses, greater } = measured;
  const atGreaterWidth = pairedDifference(greater.tiedLosses, greater.untiedLosses);
  const sizes = {
    measuredTied: measured.tied,
    measuredUntied: measured.untied,
    measuredVocabSize: measured.vocabSize,
    within: measurementWithin,
    near: NEAR,
  };
  // A distant measurement says nothing about this model.
  if (measurementWithin > NEAR) return sizes;
  return {
    ...sizes,
    pairs,
    difference: mean,
    low,
    high,
    confidence: CONFIDENCE,
    widerParameters: wider.parameters,
    widerDifference: pairedDifference(wider.losses, untiedLosses).mean,
    untiedLaterDifference: pairedDifference(untiedLaterLosses, untiedLosses).mean,
    inputTimesFiveDifference: pairedDifference(inputTimesFiveLosses, untiedLosses).mean,
    mapDifference: pairedDifference(mapLosses, untiedLosses).mean,
    measuredWidth: measured.dModel,
    greaterWidth: greater.dModel,
    greaterWidthDifference: atGreaterWidth.mean,
    greaterWidthLow: atGreaterWidth.low,
    greaterWidthHigh: atGreaterWidth.high,
  };
}

/** Measured on transformers; used for a model without layers. */
function directPathNumbers(): Numbers {
  const [measured] = MEASURED_LOSSES;
  if (measured === undefined) return {};
  return {
    difference: pairedDifference(measured.tiedLosses, measured.untiedLosses).mean,
    mapDifference: pairedDifference(measured.mapLosses, measured.untiedLosses).mean,
  };
}

export function numbersOf(kind: ReasonKind, evidence: Evidence): Numbers {
  return NUMBERS[kind](evidence);
}
