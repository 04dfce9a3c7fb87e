import type { Architecture, ModelFamily } from '../../../core/accounting-types.js';
import {
  BIAS_KINDS,
  FEED_FORWARD_KINDS,
  NORM_KINDS,
  POSITION_KINDS,
  QUERY_KEY_NORMS,
  STACKS,
} from '../../../core/architecture-options.js';
import { MODEL_FAMILIES } from '../../../core/model-families.js';

/** The type of each field of an architecture, and its attribute. */

export type FieldSpec =
  /** An integer from `least` to 2^53 - 1. */
  | { readonly kind: 'number'; readonly least: 0 | 1 }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' };

const size: FieldSpec = { kind: 'number', least: 1 };
const count: FieldSpec = { kind: 'number', least: 0 };
const flag: FieldSpec = { kind: 'flag' };
const choice = (values: readonly string[]): FieldSpec => ({ kind: 'choice', values });

export const modelFamilies = Object.keys(MODEL_FAMILIES) as readonly ModelFamily[];

export type ArchitectureField = keyof Architecture;

/** Most informative first; links list them in this order. */
export const fieldSpecs: Readonly<Record<ArchitectureField, FieldSpec>> = {
  family: choice(modelFamilies),
  vocabSize: size,
  dModel: size,
  nLayers: count,
  stack: choice(STACKS),
  outputVocabSize: size,
  nEncoderLayers: count,
  nHeads: size,
  nKeyValueHeads: size,
  dHead: size,
  dFeedForward: size,
  feedForward: choice(FEED_FORWARD_KINDS),
  nExperts: count,
  nActiveExperts: count,
  nSharedExperts: count,
  nDenseLayers: count,
  dDenseFeedForward: count,
  positions: choice(POSITION_KINDS),
  contextLength: count,
  relativeBuckets: count,
  nSegments: count,
  norm: choice(NORM_KINDS),
  normBiases: flag,
  normsPerLayer: count,
  queryKeyNorm: choice(QUERY_KEY_NORMS),
  embeddingNorm: flag,
  finalNorm: flag,
  biases: choice(BIAS_KINDS),
  fusedQueryKeyValue: flag,
  headTransform: flag,
  outputBias: flag,
  lowRank: size,
};

export const architectureFields = Object.keys(fieldSpecs) as readonly ArchitectureField[];

/** 'dFeedForward' -> 'd-feed-forward' */
export const attributeOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The value of a property or an attribute's text; undefined = invalid. */
export function readField(field: ArchitectureField, given: unknown): number | string | boolean | undefined {
  const spec = fieldSpecs[field];
  if (spec.kind === 'flag') {
    if (given === true || given === '' || given === 'true') return true;
    return given === false || given === 'false' ? false : undefined;
  }
  if (spec.kind === 'choice') return typeof given === 'string' && spec.values.includes(given) ? given : undefined;
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= spec.least ? value : undefined;
}
