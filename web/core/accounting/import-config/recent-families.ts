/** Rows of families as in listed-families.ts: those of 2026, and hybrids whose layers share a block. Read from the modules of huggingface/transformers 5.16. */
import { ACTIVE, CORRECTED, graniteExperts, SHARED_GATE } from './family-pieces.js';
import { all, type Family } from './listed-reader.js';
import { afterFirst, attention, experts, feedForward, firstStateSpace, latentAttention, stateSpace } from './pieces.js';
import { QWEN4_KINDS, qwen4Around, qwen4Rest } from './qwen4-pieces.js';
import {
  apartDelta,
  crossLayer,
  dbrxLayer,
  DEEPSEEK_V4_KINDS,
  deepSeekV4Around,
  deepSeekV4Rest,
  hunyuanExperts,
  kimiMixer,
  lagunaAttention,
  lagunaExperts,
  listedExperts,
  MIMO_KINDS,
  MINIMAX_M3_KINDS,
  rwkv7Layer,
  STEP_KINDS,
  stepExperts,
  zamba2Around,
  zambaAround,
  zambaHybrid,
} from './recent-pieces.js';

const BIASES = ['attention_bias', false] as const;

const mamba2 = stateSpace({
  heads: ['n_mamba_heads'],
  dHead: ['mamba_headdim'],
  expand: 'mamba_expand',
  state: ['mamba_d_state'],
  groups: ['mamba_ngroups'],
  kernel: ['mamba_d_conv'],
  bias: ['add_bias_linear', false],
  convolutionBias: true,
});

const mamba = firstStateSpace(false, {
  ...{ state: 'mamba_d_state', kernel: 'mamba_d_conv', expand: 'mamba_expand', rank: 'mamba_dt_rank' },
  ...{ bias: ['mamba_proj_bias', false], convolutionBias: ['mamba_conv_bias', true] },
});

const GRANITE_SINKS = attention({ biases: BIASES, sinks: true });

export const RECENT_FAMILIES: Readonly<Record<string, Family>> = {
  deepseek_v4: {
    mixer: DEEPSEEK_V4_KINDS,
    feedForward: null,
    experts: experts({ ...CORRECTED, correction: false }),
    also: deepSeekV4Rest,
    around: deepSeekV4Around,
  },
  mimo_v2_flash: {
    mixer: MIMO_KINDS,
    feedForward: feedForward(),
    experts: experts(CORRECTED),
    hasExperts: listedExperts(afterFirst('first_k_dense_replace', 1)),
  },
  step3p5: {
    mixer: STEP_KINDS,
    feedForward: feedForward(),
    experts: experts({
      count: ['moe_num_experts', 'n_routed_experts'],
      active: ['moe_top_k', 'num_experts_per_tok'],
      shared: { width: ['share_expert_dim', 'share_expert_dims'] },
      correction: true,
    }),
    hasExperts: stepExperts,
  },
  kimi_linear: {
    mixer: kimiMixer,
    feedForward: feedForward(),
    experts: experts(CORRECTED),
    hasExperts: afterFirst('first_k_dense_replace'),
  },
  qwen4_exp_text: {
    mixer: QWEN4_KINDS,
    feedForward: null,
    experts: experts(SHARED_GATE),
    norms: 0,
    finalNorm: false,
    also: qwen4Rest,
    around: qwen4Around,
  },
  mistral4: {
    mixer: latentAttention({ biases: BIASES, queryRank: 1024 }),
    feedForward: feedForward(),
    experts: experts({ ...CORRECTED, correction: false }),
    hasExperts: afterFirst('first_k_dense_replace'),
  },
  axk1: {
    mixer: latentAttention({ biases: BIASES, queryRank: 1536 }),
    feedForward: feedForward(),
    experts: (layer) => {
      experts(CORRECTED)(layer);
      layer.norm('feed_forward.output_norm', layer.dModel);
    },
    hasExperts: afterFirst('first_k_dense_replace', 1),
  },
  laguna: {
    mixer: lagunaAttention,
    feedForward: feedForward(),
    experts: experts({ ...CORRECTED, shared: { width: ['shared_expert_intermediate_size'] } }),
    hasExperts: lagunaExperts,
  },
  hy_v3: {
    mixer: attention({ biases: BIASES, norms: 'head' }),
    feedForward: feedForward({ bias: ['mlp_bias', false] }),
    experts: experts(CORRECTED),
    hasExperts: afterFirst('first_k_dense_replace', 1),
  },
  minimax_m3_vl_text: {
    mixer: MINIMAX_M3_KINDS(attention({ norms: 'head', keyValueHeads: 4, dHead: 128 })),
    feedForward: feedForward({ width: ['dense_intermediate_size'] }),
    experts: experts({
      count: ['num_local_experts'],
      active: ACTIVE,
      width: ['intermediate_size'],
      shared: { width: ['shared_intermediate_size'] },
      correction: true,
    }),
    hasExperts: listedExperts(() => true),
  },
  cohere2_moe: {
    mixer: attention({ biases: BIASES, dHead: 128 }),
    feedForward: feedForward({ width: ['prefix_dense_intermediate_size', 'intermediate_size'] }),
    experts: experts({
      count: ['num_experts'],
      active: ACTIVE,
      width: ['intermediate_size'],
      shared: { count: ['num_shared_experts'] },
    }),
    hasExperts: afterFirst('first_k_dense_replace'),
    norms: 1,
  },
  aria_text: {
    mixer: attention({ biases: BIASES }),
    feedForward: null,
    experts: experts({
      count: ['moe_num_experts'],
      active: ['moe_topk'],
      width: ['intermediate_size'],
      shared: { count: ['moe_num_shared_experts'] },
    }),
  },
  hunyuan_v1_moe: {
    mixer: attention({ biases: BIASES, norms: 'head' }),
    feedForward: hunyuanExperts,
  },
  dbrx: { mixer: dbrxLayer, feedForward: null, norms: 0, layers: ['n_layers'] },
  granite_swa: { mixer: GRANITE_SINKS, feedForward: feedForward({ bias: ['mlp_bias', false] }) },
  granitemoe_swa: { mixer: GRANITE_SINKS, feedForward: null, experts: graniteExperts },
  mllama_text_model: { mixer: crossLayer, feedForward: feedForward(), moreRows: 8 },
  // Linear attention, recurrences and state spaces.
  olmo_hybrid: {
    mixer: {
      field: 'layer_types',
      usual: null,
      pieces: { full_attention: attention({ biases: BIASES, norms: 'full' }), linear_attention: apartDelta },
    },
    feedForward: feedForward(),
  },
  rwkv7: { mixer: rwkv7Layer, feedForward: null, normBiases: true },
  zamba: {
    mixer: {
      field: 'layers_block_type',
      usual: null,
      pieces: { mamba, hybrid: all(mamba, zambaHybrid(false)) },
    },
    feedForward: null,
    norms: 1,
    around: zambaAround,
  },
  zamba2: {
    mixer: {
      field: 'layers_block_type',
      usual: null,
      pieces: { mamba: mamba2, hybrid: all(mamba2, zambaHybrid(true)) },
    },
    feedForward: null,
    norms: 1,
    around: zamba2Around,
  },
};
