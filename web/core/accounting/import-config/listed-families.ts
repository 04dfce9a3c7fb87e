/**
 * Families whose layers the fields of `Architecture` cannot describe, one row each: of which pieces it is made, and in which fields of a
 * `config.json` their sizes are. Read from the modules of huggingface/transformers 5; tests compare the totals with another library's
 * (tests/reference/family_counts.py) and with published ones.
 */
import type { Fields } from './fields.js';
import {
  ACTIVE,
  CORRECTED,
  DELTA_KINDS,
  GEMMA3N_ATTENTION,
  GEMMA_KINDS,
  LFM2_KINDS,
  MAMBA,
  SHARED_GATE,
  alternatingUpdates,
  differences,
  diffusionGemmaExperts,
  every2,
  gemma4Attention,
  gemma4Experts,
  gemma4FeedForward,
  graniteExperts,
  granitePart,
  hashedNgrams,
  innerNorms,
  lfm2FeedForward,
  exaoneExperts,
  listedWidth,
  llama4Experts,
  longCatMixer,
  nemotronMixer,
  perLayerInput,
  perLayerTables,
  qwenExperts,
  rwkvLayer,
  selfConditioning,
  slopes,
} from './family-pieces.js';
import { all, readerOf, type Family } from './listed-reader.js';
import {
  afterFirst,
  attention,
  countOf,
  experts,
  feedForward,
  firstStateSpace,
  indexer,
  latentAttention,
  lightningAttention,
  linearRecurrence,
  pieceOf,
  stateSpace,
} from './pieces.js';
import type { Reader } from './readers.js';
import { RECENT_FAMILIES } from './recent-families.js';

const deepSeek = (more: Partial<Family> = {}): Family => ({
  mixer: latentAttention({ biases: ['attention_bias', false], queryRank: 1536 }),
  feedForward: feedForward(),
  experts: experts(CORRECTED),
  hasExperts: afterFirst('first_k_dense_replace', 3),
  ...more,
});

const WITH_INDEXER = deepSeek({
  mixer: all(latentAttention({ biases: ['attention_bias', false], queryRank: 1536 }), indexer),
});

const standard = (heads: Parameters<typeof attention>[0], more: Partial<Family> = {}): Family => ({
  mixer: attention(heads),
  feedForward: feedForward(),
  ...more,
});

const BIASES = ['attention_bias', false] as const;

const QWEN3_EXPERTS = standard(
  { biases: BIASES, norms: 'head' },
  { experts: experts({ count: ['num_experts'], active: ACTIVE }), hasExperts: qwenExperts },
);

const FAMILIES: Readonly<Record<string, Family>> = {
  // Latent attention.
  deepseek_v2: deepSeek({
    experts: experts({ ...CORRECTED, correction: false }),
    hasExperts: afterFirst('first_k_dense_replace'),
  }),
  deepseek_v3: deepSeek(),
  kimi_k2: deepSeek(),
  deepseek_v32: WITH_INDEXER,
  glm_moe_dsa: WITH_INDEXER,
  glm4_moe_lite: deepSeek({ hasExperts: afterFirst('first_k_dense_replace', 1) }),
  youtu: { mixer: latentAttention({ queryRank: 1536 }), feedForward: feedForward({ bias: ['mlp_bias', false] }) },
  minicpm3: { mixer: latentAttention({ biases: BIASES, queryRank: 768 }), feedForward: feedForward() },
  longcat_flash: { mixer: longCatMixer, feedForward: null, layers: ['num_layers', 'num_hidden_layers'] },
  longcat_flash_ngram: {
    mixer: longCatMixer,
    feedForward: null,
    layers: ['num_layers', 'num_hidden_layers'],
    around: hashedNgrams,
  },
  // Experts.
  qwen2_moe: standard(
    { biases: ['qkv_bias', true], outputBias: false, keyValueHeads: 16 },
    { experts: experts(SHARED_GATE), hasExperts: qwenExperts },
  ),
  // If the layers without experts are not the first ones.
  qwen3_moe: QWEN3_EXPERTS,
  qwen3_vl_moe_text: QWEN3_EXPERTS,
  qwen3_omni_moe_text: QWEN3_EXPERTS,
  mellum: QWEN3_EXPERTS,
  dots1: standard(
    { biases: BIASES, norms: 'head' },
    { experts: experts(CORRECTED), hasExperts: afterFirst('first_k_dense_replace') },
  ),
  glm4_moe: standard(
    { biases: BIASES, outputBias: false, norms: 'head', normsIf: ['use_qk_norm', false] },
    { experts: experts(CORRECTED), hasExperts: afterFirst('first_k_dense_replace', 1) },
  ),
  glm4v_moe_text: standard(
    { biases: ['attention_bias', true], outputBias: false },
    { experts: experts(CORRECTED), hasExperts: afterFirst('first_k_dense_replace', 1) },
  ),
  solar_open: standard(
    { biases: BIASES, outputBias: false },
    { experts: experts(CORRECTED), hasExperts: afterFirst('first_k_dense_replace') },
  ),
  ernie4_5_moe: standard(
    { biases: ['use_bias', false] },
    {
      feedForward: feedForward({ bias: ['use_bias', false] }),
      experts: experts({
        count: ['moe_num_experts'],
        active: ['moe_k'],
        shared: { count: ['moe_num_shared_experts'] },
        bias: ['use_bias', false],
        correction: true,
      }),
      hasExperts: ({ fields, index, nLayers }) =>
        (index + 1) % fields.sizeOr(1, 'moe_layer_interval') === 0 &&
        index >= fields.countOr(1, 'moe_layer_start_index') &&
        index <= lastOf(fields, nLayers),
    },
  ),
  exaone_moe: standard({ norms: 'head' }, { experts: experts(CORRECTED), hasExperts: exaoneExperts }),
  gpt_oss: standard(
    { biases: ['attention_bias', true], sinks: true, keyValueHeads: 8, dHead: 64 },
    {
      experts: experts({
        count: ['num_local_experts', 'num_experts'],
        active: ACTIVE,
        width: ['intermediate_size'],
        bias: true,
        routerBias: true,
      }),
    },
  ),
  afmoe: standard(
    { norms: 'head', gate: 'map' },
    { norms: 4, experts: experts(CORRECTED), hasExperts: afterFirst('num_dense_layers', 1) },
  ),
  minimax_m2: standard(
    { norms: 'full', normsIf: ['use_qk_norm', true] },
    {
      experts: experts({
        ...CORRECTED,
        count: ['num_local_experts'],
        width: ['intermediate_size'],
        shared: { count: [] },
      }),
    },
  ),
  minimax: {
    mixer: {
      field: 'layer_types',
      usual: (fields) => {
        const kinds = fields.value('attn_type_list');
        if (!Array.isArray(kinds))
          throw fields.wrong('layer_types', 'the kind of each layer, or attn_type_list a list');
        return (index) => (kinds[index] === 1 ? 'full_attention' : 'linear_attention');
      },
      pieces: { full_attention: attention({ keyValueHeads: 8 }), linear_attention: lightningAttention },
    },
    feedForward: null,
    experts: experts({ count: ['num_local_experts'], active: ACTIVE, width: ['intermediate_size'] }),
  },
  phimoe: standard(
    { biases: BIASES, keyValueHeads: 8 },
    {
      normBiases: true,
      outputBias: ['lm_head_bias', false],
      experts: experts({ count: ['num_local_experts'], active: ACTIVE, width: ['intermediate_size'] }),
    },
  ),
  granitemoe: standard({ biases: BIASES }, { experts: graniteExperts }),
  granitemoeshared: standard({ biases: BIASES }, { experts: graniteExperts }),
  llama4_text: standard(
    { biases: BIASES, dHead: 128, keyValueHeads: 8 },
    {
      feedForward: feedForward({ width: ['intermediate_size_mlp'] }),
      experts: experts({
        count: ['num_local_experts'],
        active: ACTIVE,
        width: ['intermediate_size'],
        shared: { width: ['intermediate_size'] },
      }),
      hasExperts: llama4Experts,
    },
  ),
  // Linear attention, convolutions and state spaces.
  qwen3_next: {
    mixer: DELTA_KINDS,
    feedForward: feedForward(),
    experts: experts(SHARED_GATE),
    hasExperts: qwenExperts,
  },
  qwen3_5_text: { mixer: DELTA_KINDS, feedForward: feedForward() },
  qwen3_5_moe_text: { mixer: DELTA_KINDS, feedForward: null, experts: experts(SHARED_GATE) },
  lfm2: { mixer: LFM2_KINDS, feedForward: lfm2FeedForward },
  lfm2_moe: {
    mixer: LFM2_KINDS,
    feedForward: feedForward(),
    experts: experts({ count: ['num_experts'], active: ACTIVE, correction: ['use_expert_bias', true] }),
    hasExperts: afterFirst('num_dense_layers', 2),
  },
  falcon_h1: {
    mixer: all(
      attention({ biases: BIASES }),
      stateSpace({
        ...MAMBA,
        bias: ['mamba_proj_bias', false],
        convolutionBias: ['mamba_conv_bias', true],
        norm: ['mamba_rms_norm', false],
      }),
    ),
    feedForward: feedForward({ bias: ['mlp_bias', false] }),
  },
  nemotron_h: { mixer: nemotronMixer, feedForward: null, norms: 1, layersIn: 'layers_block_type' },
  granitemoehybrid: {
    mixer: {
      field: 'layer_types',
      usual: null,
      pieces: {
        attention: attention({ biases: BIASES }),
        mamba: stateSpace({ ...MAMBA, bias: ['mamba_proj_bias', false], convolutionBias: ['mamba_conv_bias', true] }),
      },
    },
    feedForward: granitePart,
    experts: graniteExperts,
  },
  bamba: {
    mixer: (layer) => {
      const full = layer.fields.value('attn_layer_indices') ?? [];
      if (!Array.isArray(full)) throw layer.fields.wrong('attn_layer_indices', 'a list of layers');
      const piece = full.includes(layer.index)
        ? attention({ biases: BIASES })
        : stateSpace({ ...MAMBA, bias: ['mamba_proj_bias', false], convolutionBias: ['mamba_conv_bias', true] });
      piece(layer);
    },
    feedForward: feedForward(),
  },
  jamba: {
    mixer: (layer) => {
      const { fields, index } = layer;
      const isFull = index % fields.sizeOr(8, 'attn_layer_period') === fields.countOr(4, 'attn_layer_offset');
      const piece = isFull
        ? attention({ keyValueHeads: 8 })
        : firstStateSpace(true, {
            ...{ state: 'mamba_d_state', kernel: 'mamba_d_conv', expand: 'mamba_expand', rank: 'mamba_dt_rank' },
            ...{ bias: ['mamba_proj_bias', false], convolutionBias: ['mamba_conv_bias', true] },
          });
      piece(layer);
    },
    feedForward: feedForward(),
    experts: experts({ count: ['num_experts'], active: ACTIVE, width: ['intermediate_size'] }),
    hasExperts: (layer) =>
      countOf(layer.fields, ['num_experts']) > 1 && every2('expert_layer_period', 'expert_layer_offset', [2, 1])(layer),
  },
  mamba: mambaOf(),
  falcon_mamba: mambaOf(),
  mamba2: {
    mixer: stateSpace({ ...MAMBA, bias: ['use_bias', false], convolutionBias: ['use_conv_bias', true] }),
    feedForward: null,
    norms: 1,
  },
  recurrent_gemma: {
    mixer: (layer) => {
      const { fields, index } = layer;
      const kinds = fields.value('block_types') ?? ['recurrent', 'recurrent', 'attention'];
      if (!Array.isArray(kinds) || kinds.length === 0 || kinds.some((kind) => typeof kind !== 'string'))
        throw fields.wrong('block_types', 'a list of kinds of layers');
      const pieces = {
        recurrent: linearRecurrence,
        attention: attention({ biases: BIASES, outputBias: true, keyValueHeads: 1 }),
      };
      pieceOf(pieces, (kinds as string[])[index % kinds.length]!, 'block_types')(layer);
    },
    feedForward: ({ fields, list, dModel }) => {
      const width = fields.size('intermediate_size');
      if (width % 2 !== 0) throw fields.wrong('intermediate_size', 'an even number');
      for (const name of ['up', 'gate']) list.map('feed-forward', `feed_forward.${name}`, width / 2, dModel, true);
      list.map('feed-forward', 'feed_forward.down', dModel, width / 2, true);
    },
  },
  rwkv: { mixer: rwkvLayer, feedForward: null, normBiases: true },
  // Tables for each layer.
  gemma3n_text: {
    mixer: GEMMA_KINDS({ full_attention: GEMMA3N_ATTENTION, sliding_attention: GEMMA3N_ATTENTION }, 5),
    feedForward: listedWidth,
    norms: 4,
    also: all(perLayerInput, alternatingUpdates),
    around: (layer) => {
      perLayerTables(layer);
      const copies = layer.fields.sizeOr(4, 'altup_num_inputs') - 1;
      const each = { copies, active: copies };
      layer.list.map('feed-forward', 'altup.projections.*', layer.dModel, layer.dModel, false, each);
      layer.list.map('feed-forward', 'altup.output_projections.*', layer.dModel, layer.dModel, false, each);
    },
  },
  gemma4_text: {
    mixer: GEMMA_KINDS({ full_attention: gemma4Attention(true), sliding_attention: gemma4Attention(false) }, 6),
    feedForward: gemma4FeedForward,
    norms: 4,
    also: all(perLayerInput, gemma4Experts),
    around: perLayerTables,
  },
  // One stack that is an encoder of the prompt and a decoder of the answer.
  diffusion_gemma_text: {
    mixer: GEMMA_KINDS({ full_attention: gemma4Attention(true, true), sliding_attention: gemma4Attention(false) }, 6),
    feedForward: feedForward(),
    norms: 4,
    also: diffusionGemmaExperts,
    around: selfConditioning,
  },
  // Small differences from Llama.
  apertus: standard(
    { biases: BIASES, norms: 'head' },
    {
      feedForward: feedForward({ gated: false, bias: ['mlp_bias', false] }),
      also: slopes,
    },
  ),
  bitnet: standard({ biases: BIASES }, { also: innerNorms }),
  diffllama: standard({ biases: BIASES }, { also: differences }),
};

function lastOf(fields: Fields, nLayers: number): number {
  const last = fields.value('moe_layer_end_index');
  return last === null || last === -1 ? nLayers - 1 : fields.countOr(nLayers - 1, 'moe_layer_end_index');
}

function mambaOf(): Family {
  const names = {
    ...{ state: 'state_size', kernel: 'conv_kernel', expand: 'expand', rank: 'time_step_rank' },
    inner: 'intermediate_size',
  };
  const flags = { bias: ['use_bias', false], convolutionBias: ['use_conv_bias', true] } as const;
  return { mixer: firstStateSpace(false, { ...names, ...flags }), feedForward: null, norms: 1 };
}

export const LISTED_READERS: Readonly<Record<string, Reader>> = Object.fromEntries(
  Object.entries({ ...FAMILIES, ...RECENT_FAMILIES }).map(([name, family]) => [name, readerOf(family)]),
);
