/** Defaults of each family of models, with their sources. */
import type { CompleteArchitecture, ModelFamily } from './types.js';

/** A width computed from the model's, in bigint, so nothing is rounded before the check. */
type WidthRule = (dModel: bigint) => bigint;

/** Defaults of a family. Fields that depend on others are rules. */
export interface FamilyDefaults extends Pick<
  CompleteArchitecture,
  | 'stack'
  | 'feedForward'
  | 'positions'
  | 'contextLength'
  | 'nSegments'
  | 'norm'
  | 'embeddingNorm'
  | 'finalNorm'
  | 'biases'
  | 'fusedQueryKeyValue'
  | 'headTransform'
  | 'outputBias'
  | 'nExperts'
  | 'nActiveExperts'
> {
  /** Default number of heads; null = dModel / dHead, or dModel / 64, if that is an integer. */
  nHeads: number | null;
  /** Head width independent of the model's width; null = dModel / nHeads. */
  dHead: number | null;
  /** Hidden width of each kind of feed-forward layer. */
  hidden: { plain: WidthRule; gated: WidthRule };
}

const FOUR_TIMES: WidthRule = (dModel) => 4n * dModel;
const EIGHT_TIMES: WidthRule = (dModel) => 8n * dModel;
/**
 * Three matrices of 8/3 d have as many elements as two of 4 d (Shazeer 2020); Llama rounds 8 d / 3 up to a multiple of
 * 256.
 */
const EIGHT_THIRDS: WidthRule = (dModel) => (((8n * dModel) / 3n + 255n) / 256n) * 256n;

/** What most families have; each family lists its differences. */
const USUAL: FamilyDefaults = {
  stack: 'decoder',
  nHeads: null,
  dHead: null,
  feedForward: 'plain',
  hidden: { plain: FOUR_TIMES, gated: EIGHT_THIRDS },
  nExperts: 0,
  nActiveExperts: 0,
  positions: 'learned',
  contextLength: 1024,
  nSegments: 0,
  norm: 'layer-norm',
  embeddingNorm: false,
  finalNorm: true,
  biases: 'all',
  fusedQueryKeyValue: false,
  headTransform: false,
  outputBias: false,
};

/** Touvron et al. 2023: RMSNorm, rotary positions, SwiGLU, no biases, a context of 2,048. */
const LLAMA: FamilyDefaults = {
  ...USUAL,
  feedForward: 'gated',
  positions: 'rotary',
  contextLength: 2048,
  norm: 'rms-norm',
  biases: 'none',
};

export const MODEL_FAMILIES: Readonly<Record<ModelFamily, Readonly<FamilyDefaults>>> = {
  /** Radford et al. 2019: `c_attn` is one matrix, positions are 1,024 learned rows, the head is the table alone. */
  'gpt-2': { ...USUAL, fusedQueryKeyValue: true },
  /**
   * Devlin et al. 2018: a norm after each sublayer and after the sum of the embeddings, none at the end; 512 positions,
   * two segments. The masked-token head is a map and a norm, then the table and one bias per token.
   */
  bert: {
    ...USUAL,
    stack: 'encoder',
    contextLength: 512,
    nSegments: 2,
    embeddingNorm: true,
    finalNorm: false,
    headTransform: true,
    outputBias: true,
  },
  /**
   * Raffel et al. 2019: norms without mean or bias, 32 buckets of relative positions in the first layer of each stack,
   * ReLU; heads of 64 even where they do not add up to dModel. Version 1.1 is this with `feedForward: 'gated'`.
   */
  t5: {
    ...USUAL,
    stack: 'encoder-decoder',
    dHead: 64,
    positions: 'relative',
    contextLength: 512,
    norm: 'rms-norm',
    biases: 'none',
  },
  llama: LLAMA,
  /** Gemma Team 2024: Llama with heads of 256 and hidden layers of 8 d (both sizes of the first version). */
  gemma: { ...LLAMA, dHead: 256, hidden: { plain: FOUR_TIMES, gated: EIGHT_TIMES }, contextLength: 8192 },
  /** Black et al. 2022: GPT-2's layers with rotary positions; queries, keys and values are one matrix with one bias. */
  'gpt-neox': { ...USUAL, positions: 'rotary', contextLength: 2048, fusedQueryKeyValue: true },
  /** Jiang et al. 2024 (Mixtral): Llama with 8 feed-forward experts per layer, 2 of them active per token. */
  'mixture-of-experts': { ...LLAMA, nExperts: 8, nActiveExperts: 2, contextLength: 32_768 },
  /** The defaults of model-options.ts. A LayerNorm has a bias where maps have one; SwiGLU is as wide as GELU. */
  'tied-embeddings': {
    ...USUAL,
    nHeads: 4,
    hidden: { plain: FOUR_TIMES, gated: FOUR_TIMES },
    contextLength: 64,
    norm: 'rms-norm',
    biases: 'feed-forward',
    fusedQueryKeyValue: true,
  },
  /** Only token tables: everything else is in `tensors`. */
  listed: { ...USUAL, positions: 'none', norm: 'none', finalNorm: false, biases: 'none' },
  /** 4 d² of attention and 8 d² of feed-forward per layer: the common estimate, without small terms. */
  'plain-formula': { ...USUAL, positions: 'none', norm: 'none', finalNorm: false, biases: 'none' },
};

/** Families of any size. What is listed has one. */
export type SizedFamily = Exclude<ModelFamily, 'listed'>;

export const SIZED_FAMILIES = (Object.keys(MODEL_FAMILIES) as ModelFamily[]).filter(
  (family): family is SizedFamily => family !== 'listed',
);
