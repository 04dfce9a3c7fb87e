/** Decoders like Llama, dense or with experts: one form of file, and the differences of each kind. */
import type { Architecture, ParameterGroup } from '../types.js';
import { completeArchitecture } from '../architecture-options.js';
import { TensorList } from './tensor-list.js';
import { unsupported, type Fields } from './fields.js';
import { LISTED_READERS } from './listed-families.js';
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
  more?: (fields: Fields) => Partial<Architecture>;
}

const BOTH = ['attention_bias', 'mlp_bias'] as const;
const ATTENTION = ['attention_bias'] as const;

const GEMMA = { dHead: 256, biases: ATTENTION } as const;
const QWEN2_VL = { keyValueHeads: 8, biases: 'query-key-value' } as const;
const QWEN3 = { keyValueHeads: 32, dHead: 128, biases: ATTENTION, always: { queryKeyNorm: 'head' } } as const;
const EXPERTS = { family: 'mixture-of-experts' } as const;
const QWEN3_MOE: Kind = {
  keyValueHeads: 4,
  biases: ATTENTION,
  always: { ...EXPERTS, queryKeyNorm: 'head' },
  more: (fields) => routedExperts(fields, { experts: 128, active: 8, width: 768 }),
};

/** A norm without bias, in parallel layers. */
const COHERE = { norm: 'layer-norm', normBiases: false, normsPerLayer: 1 } as const;

const KINDS: Readonly<Record<string, Kind>> = {
  llama: { biases: BOTH },
  // Llama under other names, or with other norms.
  arcee: { biases: BOTH, always: { feedForward: 'plain' } },
  cwm: { keyValueHeads: 8 },
  eurobert: { biases: BOTH, always: { stack: 'encoder' } },
  hyperclovax: {
    biases: BOTH,
    more: (fields) => ({ normsPerLayer: fields.flag('use_post_norm', true) ? 4 : 2 }),
  },
  helium: { keyValueHeads: 20, biases: BOTH },
  hunyuan_v1_dense: { biases: ATTENTION, always: { queryKeyNorm: 'head' } },
  minicpm: {},
  ernie4_5: { keyValueHeads: 2, more: readAllBiases },
  exaone4: { keyValueHeads: 32, always: { queryKeyNorm: 'head' } },
  seed_oss: { keyValueHeads: 8, dHead: 128, more: readSeedBiases },
  glm: { keyValueHeads: 2, dHead: 128, more: readQueryBiases },
  glm4: { keyValueHeads: 2, dHead: 128, always: { normsPerLayer: 4 }, more: readQueryBiases },
  cohere: {
    always: COHERE,
    biases: ATTENTION,
    more: (fields) => ({ queryKeyNorm: fields.flag('use_qk_norm', false) ? 'full' : 'none' }),
  },
  cohere2: { always: COHERE, biases: ATTENTION },
  starcoder2: {
    keyValueHeads: 2,
    always: { norm: 'layer-norm', normBiases: true, feedForward: 'plain' },
    more: (fields) => ({ biases: fields.flag('use_bias', true) ? 'all' : 'none' }),
  },
  nemotron: { biases: BOTH, always: { norm: 'layer-norm', normBiases: true, feedForward: 'plain' } },
  jais2: {
    always: { norm: 'layer-norm', normBiases: true, feedForward: 'plain' },
    more: readJaisBiases,
  },
  nanochat: { always: { norm: 'none', feedForward: 'plain' } },
  vaultgemma: { ...GEMMA, keyValueHeads: 4, always: { family: 'gemma' } },
  mellum: {
    keyValueHeads: 4,
    biases: ATTENTION,
    always: { ...EXPERTS, queryKeyNorm: 'head' },
    more: (fields) => routedExperts(fields, { experts: 64, active: 8, width: 896 }),
  },
  flex_olmo: {
    biases: ATTENTION,
    always: { ...EXPERTS, queryKeyNorm: 'full' },
    more: (fields) => ({
      nExperts: fields.sizeOr(7, 'num_experts'),
      nActiveExperts: fields.sizeOr(5, 'num_experts_per_tok'),
    }),
  },
  qwen3_vl_moe_text: {
    keyValueHeads: 16,
    biases: ATTENTION,
    always: { ...EXPERTS, queryKeyNorm: 'head' },
    more: (fields) => routedExperts(fields, { experts: 60, active: 4, width: 1408 }),
  },
  qwen3_omni_moe_text: QWEN3_MOE,
  mistral: { keyValueHeads: 8 },
  ministral: { keyValueHeads: 8 },
  ministral3: { keyValueHeads: 8 },
  qwen2: { keyValueHeads: 32, biases: 'query-key-value' },
  qwen3: QWEN3,
  // The language models in Qwen2-VL, Qwen2.5-VL and Qwen3-VL.
  qwen2_vl_text: QWEN2_VL,
  qwen2_5_vl_text: QWEN2_VL,
  qwen3_vl_text: QWEN3,
  // In GLM-4V, GLM-OCR, PaddleOCR-VL and Qwen2.5-Omni.
  glm4v_text: {
    keyValueHeads: 2,
    always: { normsPerLayer: 4, biases: 'query-key-value' },
    // It ignores head_dim.
    more: (fields) => ({ dHead: fields.size('hidden_size') / fields.size('num_attention_heads') }),
  },
  glm_ocr_text: { keyValueHeads: 8, always: { normsPerLayer: 4 } },
  paddleocr_vl_text: { keyValueHeads: 2, dHead: 128, more: readAllBiases },
  qwen2_5_omni_text: { keyValueHeads: 4, always: { biases: 'query-key-value' } },
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
  qwen3_moe: QWEN3_MOE,
};

function layersWithoutExperts(fields: Fields): readonly unknown[] {
  const listed = fields.value('mlp_only_layers') ?? [];
  if (!Array.isArray(listed)) throw fields.wrong('mlp_only_layers', 'a list of layers');
  return listed;
}

/** Whether the layers without experts are the first ones, which the fields of an architecture can say. */
function areFirst(fields: Fields, nLayers: number): boolean {
  const listed = layersWithoutExperts(fields);
  const kinds = fields.value('mlp_layer_types');
  if (Array.isArray(kinds) && kinds.includes('dense')) return false;
  return (
    fields.sizeOr(1, 'decoder_sparse_step') === 1 && listed.every((layer, i) => layer === i) && listed.length <= nLayers
  );
}

/** Experts have their own width; layers in `mlp_only_layers` have one feed-forward layer of `intermediate_size`. */
function routedExperts(
  fields: Fields,
  usual: { experts: number; active: number; width: number },
): Partial<Architecture> {
  const listed = layersWithoutExperts(fields);
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

function readAllBiases(fields: Fields): Partial<Architecture> {
  return { biases: fields.flag('use_bias', false) ? 'all' : 'none' };
}

/** Only queries, keys and values have biases. */
function readQueryBiases(fields: Fields): Partial<Architecture> {
  return { biases: fields.flag('attention_bias', false) ? 'query-key-value' : 'none' };
}

function readSeedBiases(fields: Fields): Partial<Architecture> {
  const [queries, output, hidden] = [
    fields.flag('attention_bias', true),
    fields.flag('attention_out_bias', false),
    fields.flag('mlp_bias', false),
  ];
  if (queries && output && hidden) return { biases: 'all' };
  if (output || (queries && hidden))
    throw unsupported('attention_out_bias and mlp_bias: only some biases are not supported here');
  return { biases: queries ? 'query-key-value' : hidden ? 'feed-forward' : 'none' };
}

function readJaisBiases(fields: Fields): Partial<Architecture> {
  const [queries, hidden] = [fields.flag('attention_bias', true), fields.flag('mlp_bias', true)];
  if (queries !== hidden) throw unsupported('attention_bias and mlp_bias differ, which is not supported here');
  return { biases: queries ? 'all' : 'none' };
}

/** 'attention': of its output map too, which the fields of an architecture cannot say. */
function readBiases(fields: Fields, biases: Kind['biases']): Architecture['biases'] | 'attention' {
  if (biases === undefined) return 'none';
  if (typeof biases === 'string') return fields.flag('qkv_bias', true) ? biases : 'none';
  const asked = biases.filter((name) => fields.flag(name, false));
  if (asked.length === BOTH.length) return 'all';
  if (asked[0] === 'use_qkv_bias') return 'query-key-value';
  if (asked[0] === 'mlp_bias') return 'feed-forward';
  return asked.length === 0 ? 'none' : 'attention';
}

function readerOf(kind: Kind, name: string): Reader {
  const listed = Object.hasOwn(LISTED_READERS, name) ? LISTED_READERS[name]! : null;
  return (fields) => {
    if (listed !== null && !areFirst(fields, fields.count('num_hidden_layers'))) return listed(fields);
    const dModel = fields.size('hidden_size');
    const dHead = fields.has('head_dim') || kind.dHead === undefined ? 0 : fields.sizeOr(kind.dHead, 'head_dim');
    const named = fields.value('head_dim') !== null || dHead > 0;
    const nHeads = named ? fields.size('num_attention_heads') : readHeads(fields, dModel, 'num_attention_heads');
    const nLayers = fields.count('num_hidden_layers');
    if (dHead > 0)
      fields.assume(`head_dim is absent: ${dHead}, as version 4 of transformers has it for this model_type.`);
    const more = kind.more?.(fields) ?? {};
    const biases = readBiases(fields, kind.biases);
    const architecture: Architecture = {
      family: 'llama',
      vocabSize: fields.size('vocab_size'),
      dModel,
      nLayers,
      nHeads,
      nKeyValueHeads: readKeyValueHeads(fields, nHeads, kind.keyValueHeads ?? null),
      dHead: dHead > 0 ? dHead : fields.sizeOr(dModel / nHeads, 'head_dim'),
      ...(more.dFeedForward === undefined && { dFeedForward: fields.size('intermediate_size') }),
      biases: biases === 'attention' ? 'query-key-value' : biases,
      ...kind.always,
      ...more,
    };
    // Layers without experts among others are rare, and none of them has such a bias.
    if (biases === 'attention' && (more.nDenseLayers ?? 0) === 0) return withOutputBiases(architecture);
    if (biases === 'attention') {
      fields.assume('The bias of the output map of attention is not counted: one element per channel in each layer.');
    }
    return architecture;
  };
}

/** The same layers, listed, with biases of the output maps of attention. */
function withOutputBiases(architecture: Architecture): Architecture {
  const of = completeArchitecture(architecture);
  const { vocabSize, dModel, nLayers, norm, nHeads, nKeyValueHeads, dHead, queryKeyNorm, nExperts } = of;
  const list = new TensorList();
  const [queries, keys] = [nHeads * dHead, nKeyValueHeads * dHead];
  const norms = (name: string, size: number): void => {
    if (norm !== 'none') list.add('norms', `${name}.weight`, [size], { copies: nLayers, active: nLayers });
  };
  const map = (group: ParameterGroup, name: string, to: number, from: number, copies = 1, active = copies): void =>
    list.map(group, name, to, from, group === 'attention', { copies: copies * nLayers, active: active * nLayers });
  list.prefix = 'layers.*.';
  map('attention', 'attention.query', queries, dModel);
  map('attention', 'attention.key', keys, dModel);
  map('attention', 'attention.value', keys, dModel);
  map('attention', 'attention.output', dModel, queries);
  if (queryKeyNorm !== 'none') {
    norms('attention.query_norm', queryKeyNorm === 'head' ? dHead : queries);
    norms('attention.key_norm', queryKeyNorm === 'head' ? dHead : keys);
  }
  for (const name of NORMS.slice(0, of.normsPerLayer)) norms(name, dModel);
  const part = nExperts === 0 ? 'feed_forward.' : 'feed_forward.experts.*.';
  const each = nExperts === 0 ? ([1, 1] as const) : ([nExperts, of.nActiveExperts] as const);
  if (nExperts > 0) map('feed-forward', 'feed_forward.router', nExperts, dModel);
  map('feed-forward', `${part}up`, of.dFeedForward, dModel, ...each);
  if (of.feedForward === 'gated') map('feed-forward', `${part}gate`, of.dFeedForward, dModel, ...each);
  map('feed-forward', `${part}down`, dModel, of.dFeedForward, ...each);
  list.prefix = '';
  if (norm !== 'none') list.add('norms', 'final_norm.weight', [dModel]);
  return { family: 'listed', vocabSize, dModel, nLayers, tensors: list.tensors() };
}

const NORMS = ['attention_norm', 'feed_forward_norm', 'attention_output_norm', 'feed_forward_output_norm'];

export const LLAMA_READERS: Readonly<Record<string, Reader>> = Object.fromEntries(
  Object.entries(KINDS).map(([name, kind]) => [name, readerOf(kind, name)]),
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
