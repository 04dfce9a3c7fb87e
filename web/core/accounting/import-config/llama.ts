/** Decoders like Llama, dense or with experts: one form of file, and the differences of each kind. */
import type { Architecture } from '../types.js';
import { unsupported, type Fields } from './fields.js';
import { readHeads, readKeyValueHeads, type Reader } from './readers.js';

/** Defaults and fixed properties of a `model_type`. */
interface Kind {
  /** Default; null = one per head. */
  keyValueHeads?: number;
  /** Default. */
  dHead?: number;
  /** Flags that can switch biases on: `attention_bias`, `mlp_bias`, `use_qkv_bias`; or the fixed biases. */
  biases?: readonly string[] | 'query-key-value';
  always?: Partial<Architecture>;
  /** Reads further fields. */
  more?: (fields: Fields, nLayers: number) => Partial<Architecture>;
}

const BOTH = ['attention_bias', 'mlp_bias'] as const;
const ATTENTION = ['attention_bias'] as const;

const GEMMA = { dHead: 256, biases: ATTENTION } as const;
const QWEN2_VL = { keyValueHeads: 8, biases: 'query-key-value' } as const;
const QWEN3 = { keyValueHeads: 32, dHead: 128, biases: ATTENTION, always: { queryKeyNorm: 'head' } } as const;
const EXPERTS = { family: 'mixture-of-experts' } as const;

const KINDS: Readonly<Record<string, Kind>> = {
  llama: { biases: BOTH },
  mistral: { keyValueHeads: 8 },
  ministral3: { keyValueHeads: 8 },
  qwen2: { keyValueHeads: 32, biases: 'query-key-value' },
  qwen3: QWEN3,
  // The language models in Qwen2-VL, Qwen2.5-VL and Qwen3-VL.
  qwen2_vl_text: QWEN2_VL,
  qwen2_5_vl_text: QWEN2_VL,
  qwen3_vl_text: QWEN3,
  olmo: { biases: ATTENTION, always: { norm: 'none' } },
  olmo2: { biases: ATTENTION, always: { queryKeyNorm: 'full' } },
  olmo3: { biases: ATTENTION, always: { queryKeyNorm: 'full' } },
  phi3: { always: { fusedQueryKeyValue: true } },
  granite: { biases: BOTH },
  smollm3: { keyValueHeads: 4, biases: BOTH },
  stablelm: {
    keyValueHeads: 32,
    biases: ['use_qkv_bias'],
    always: { norm: 'layer-norm', normBiases: true },
    more: (fields) => ({
      queryKeyNorm: readStableLmNorms(fields),
      normsPerLayer: fields.flag('use_parallel_residual', false) ? 1 : 2,
    }),
  },
  gemma: { ...GEMMA, keyValueHeads: 16, always: { family: 'gemma' } },
  gemma2: { ...GEMMA, keyValueHeads: 4, always: { family: 'gemma', normsPerLayer: 4 } },
  gemma3_text: {
    ...GEMMA,
    keyValueHeads: 4,
    always: { family: 'gemma', normsPerLayer: 4, queryKeyNorm: 'head' },
  },
  mixtral: {
    keyValueHeads: 8,
    always: EXPERTS,
    more: (fields) => ({
      nExperts: fields.sizeOr(8, 'num_local_experts'),
      nActiveExperts: fields.sizeOr(2, 'num_experts_per_tok'),
    }),
  },
  olmoe: {
    biases: ATTENTION,
    always: { ...EXPERTS, queryKeyNorm: 'full' },
    more: (fields) => ({
      nExperts: fields.sizeOr(64, 'num_experts'),
      nActiveExperts: fields.sizeOr(8, 'num_experts_per_tok'),
    }),
  },
  qwen2_moe: { keyValueHeads: 16, biases: 'query-key-value', always: EXPERTS, more: sharedExperts },
  qwen3_moe: {
    keyValueHeads: 4,
    biases: ATTENTION,
    always: { ...EXPERTS, queryKeyNorm: 'head' },
    more: (fields, nLayers) => routedExperts(fields, nLayers, { experts: 128, active: 8, width: 768 }),
  },
};

/** Experts have their own width; layers in `mlp_only_layers` have one feed-forward layer of `intermediate_size`. */
function routedExperts(
  fields: Fields,
  nLayers: number,
  usual: { experts: number; active: number; width: number },
): Partial<Architecture> {
  if (fields.sizeOr(1, 'decoder_sparse_step') !== 1) {
    throw unsupported('decoder_sparse_step is not 1: experts in every other layer are not supported here');
  }
  const listed = fields.value('mlp_only_layers') ?? [];
  if (!Array.isArray(listed)) throw fields.wrong('mlp_only_layers', 'a list of layers');
  if (listed.some((layer, i) => layer !== i) || listed.length > nLayers) {
    throw unsupported(
      'mlp_only_layers does not list the first layers: other layers without experts are not supported here',
    );
  }
  return {
    nExperts: fields.sizeOr(usual.experts, 'num_experts'),
    nActiveExperts: fields.sizeOr(usual.active, 'num_experts_per_tok'),
    dFeedForward: fields.sizeOr(usual.width, 'moe_intermediate_size'),
    ...(listed.length > 0 && {
      nDenseLayers: listed.length,
      dDenseFeedForward: fields.size('intermediate_size'),
    }),
  };
}

/** One shared expert as wide as several is counted as several. */
function sharedExperts(fields: Fields, nLayers: number): Partial<Architecture> {
  const experts = routedExperts(fields, nLayers, { experts: 60, active: 4, width: 1408 });
  const width = fields.countOr(5632, 'shared_expert_intermediate_size');
  const nSharedExperts = width / experts.dFeedForward!;
  if (!Number.isInteger(nSharedExperts)) {
    throw unsupported(
      'shared_expert_intermediate_size is not a multiple of moe_intermediate_size: shared experts of another width are not supported here',
    );
  }
  if (nSharedExperts > 0) {
    fields.assume(
      `The shared expert is ${nSharedExperts} experts wide and counted as that many; its gate, one element per channel of the model in each layer, is not counted.`,
    );
  }
  return { ...experts, nSharedExperts };
}

function readBiases(fields: Fields, biases: Kind['biases']): Architecture['biases'] {
  if (biases === undefined) return 'none';
  if (typeof biases === 'string') return fields.flag('qkv_bias', true) ? biases : 'none';
  const asked = biases.filter((name) => fields.flag(name, false));
  if (asked.length === BOTH.length) return 'all';
  if (asked[0] === 'mlp_bias') return 'feed-forward';
  if (asked[0] === 'attention_bias') {
    fields.assume('The bias of the output map of attention is not counted: one element per channel in each layer.');
  }
  return asked.length === 0 ? 'none' : 'query-key-value';
}

function readerOf(kind: Kind): Reader {
  return (fields) => {
    const dModel = fields.size('hidden_size');
    const dHead = fields.has('head_dim') || kind.dHead === undefined ? 0 : fields.sizeOr(kind.dHead, 'head_dim');
    const named = fields.value('head_dim') !== null || dHead > 0;
    const nHeads = named ? fields.size('num_attention_heads') : readHeads(fields, dModel, 'num_attention_heads');
    const nLayers = fields.count('num_hidden_layers');
    if (dHead > 0)
      fields.assume(`head_dim is absent: ${dHead}, as version 4 of transformers has it for this model_type.`);
    const more = kind.more?.(fields, nLayers) ?? {};
    return {
      family: 'llama',
      vocabSize: fields.size('vocab_size'),
      dModel,
      nLayers,
      nHeads,
      nKeyValueHeads: readKeyValueHeads(fields, nHeads, kind.keyValueHeads ?? null),
      dHead: dHead > 0 ? dHead : fields.sizeOr(dModel / nHeads, 'head_dim'),
      ...(more.dFeedForward === undefined && { dFeedForward: fields.size('intermediate_size') }),
      biases: readBiases(fields, kind.biases),
      ...kind.always,
      ...more,
    };
  };
}

export const LLAMA_READERS: Readonly<Record<string, Reader>> = Object.fromEntries(
  Object.entries(KINDS).map(([name, kind]) => [name, readerOf(kind)]),
);

/** Norms per head, concatenated and without biases, unlike the model's other norms. */
function readStableLmNorms(fields: Fields): 'full' | 'none' {
  if (!fields.flag('qk_layernorm', false)) return 'none';
  fields.assume('Norms of queries and keys are counted with a bias, which this model does not have there.');
  return 'full';
}

/** Default sizes of the classes; nested configurations omit fields that equal them. */
export const CLASS_SIZES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  llama: sizes(32_000, 4096, 11_008, 32, 32),
  mistral: sizes(32_000, 4096, 14_336, 32, 32),
  qwen2: sizes(151_936, 4096, 22_016, 32, 32),
  qwen2_vl_text: sizes(152_064, 8192, 29_568, 80, 64),
  qwen2_5_vl_text: sizes(152_064, 8192, 29_568, 80, 64),
  qwen3_vl_text: sizes(151_936, 4096, 22_016, 32, 32),
  gemma: sizes(256_000, 3072, 24_576, 28, 16),
  gemma2: sizes(256_000, 2304, 9216, 26, 8),
  gemma3_text: sizes(262_208, 2304, 9216, 26, 8),
};

function sizes(
  vocabulary: number,
  width: number,
  hidden: number,
  layers: number,
  heads: number,
): Record<string, number> {
  return {
    vocab_size: vocabulary,
    hidden_size: width,
    intermediate_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
  };
}
