/** Pieces of layers that only one or two families have; the others' are in pieces.ts. */
import { every, type Kinds } from './listed-reader.js';
import {
  afterFirst,
  attention,
  countOf,
  deltaNet,
  experts,
  feedForward,
  headsOf,
  hidden,
  kindsOf,
  latentAttention,
  pieceOf,
  shortConvolution,
  stateSpace,
  type HasExperts,
  type Layer,
  type Piece,
} from './pieces.js';

// ---------------------------------------------------------------- experts

export const ACTIVE = ['num_experts_per_tok', 'num_experts_per_token'] as const;

/** DeepSeek's, and those of most who came after. */
export const CORRECTED = {
  count: ['n_routed_experts', 'num_experts', 'num_local_experts'],
  active: ACTIVE,
  shared: { count: ['n_shared_experts', 'num_shared_experts'] },
  correction: true,
} as const;

export const SHARED_GATE = {
  count: ['num_experts'],
  active: ACTIVE,
  shared: { width: ['shared_expert_intermediate_size'] },
  sharedGate: true,
} as const;

/** Layers in `mlp_only_layers`, and all but every so many, have no experts. */
export const qwenExperts: HasExperts = ({ fields, index }) => {
  const without = fields.value('mlp_only_layers') ?? [];
  if (!Array.isArray(without)) throw fields.wrong('mlp_only_layers', 'a list of layers');
  const number = countOf(fields, ['num_experts']);
  return !without.includes(index) && number > 0 && (index + 1) % fields.sizeOr(1, 'decoder_sparse_step') === 0;
};

export const every2 =
  (period: string, offset: string, usual: readonly [number, number]): HasExperts =>
  ({ fields, index }) =>
    index % fields.sizeOr(usual[0], period) === fields.countOr(usual[1], offset);

/** A list of numbers or flags, one per layer. */
const listedIn =
  (name: string): HasExperts =>
  ({ fields, index, nLayers }) => {
    const listed = fields.value(name);
    if (!Array.isArray(listed) || listed.length < nLayers) throw fields.wrong(name, `a list of ${nLayers} flags`);
    return Boolean(listed[index]);
  };

/** Version 4 of transformers had a flag for each layer. */
export const exaoneExperts: HasExperts = (layer) =>
  (layer.fields.value('is_moe_layer') === null ? afterFirst('first_k_dense_replace', 1) : listedIn('is_moe_layer'))(
    layer,
  );

// ---------------------------------------------------------------- per-layer tables

/** One row for each token and layer (Gemma 3n): a table that only reads, and what brings its rows into the layers. */
export function perLayerTables({ fields, list, dModel, nLayers, norm }: Layer): void {
  const width = fields.countOr(256, 'hidden_size_per_layer_input');
  if (width === 0) return;
  list.add('tables', 'embedding_per_layer', [fields.sizeOr(262_144, 'vocab_size_per_layer_input'), nLayers * width]);
  list.map('feed-forward', 'per_layer.projection', nLayers * width, dModel);
  norm('per_layer.projection_norm', width);
}

export const perLayerInput: Piece = ({ fields, list, dModel, norm }) => {
  const width = fields.countOr(256, 'hidden_size_per_layer_input');
  if (width === 0) return;
  list.map('feed-forward', 'per_layer.gate', width, dModel);
  list.map('feed-forward', 'per_layer.output', dModel, width);
  norm('per_layer.output_norm', dModel);
};

/** Alternating updates of several copies of the stream, and a narrow learned residual (Gemma 3n). */
export const alternatingUpdates: Piece = ({ fields, list, dModel, norm }) => {
  const copies = fields.sizeOr(4, 'altup_num_inputs');
  const rank = fields.sizeOr(64, 'laurel_rank');
  list.add('feed-forward', 'altup.output_scale', [dModel]);
  list.map('feed-forward', 'altup.correct', copies, copies);
  list.map('feed-forward', 'altup.predict', copies * copies, copies);
  list.map('feed-forward', 'altup.router', copies, dModel);
  norm('altup.router_norm', dModel);
  list.map('feed-forward', 'laurel.left', rank, dModel);
  list.map('feed-forward', 'laurel.right', dModel, rank);
  norm('laurel.norm', dModel);
};

/** The last layers have no keys and values of their own. `shares`: layers that see everything never have a map to values. */
export function gemma4Attention(isGlobal: boolean, shares = false): Piece {
  return (layer) => {
    const { fields, list, dModel, index, nLayers, norm } = layer;
    const nHeads = fields.size('num_attention_heads');
    const own = fields.sizeOr(256, 'head_dim');
    const dHead = isGlobal ? fields.sizeOr(shares ? 512 : own, 'global_head_dim') : own;
    const keysAreValues = isGlobal && (shares || fields.flag('attention_k_eq_v', false));
    const keyHeads = fields.size('num_key_value_heads');
    const keys = dHead * (keysAreValues ? fields.sizeOr(keyHeads, 'num_global_key_value_heads') : keyHeads);
    list.map('attention', 'attention.query', nHeads * dHead, dModel);
    list.map('attention', 'attention.output', dModel, nHeads * dHead);
    norm('attention.query_norm', dHead);
    if (index >= nLayers - fields.countOr(0, 'num_kv_shared_layers')) return;
    list.map('attention', 'attention.key', keys, dModel);
    if (!keysAreValues) list.map('attention', 'attention.value', keys, dModel);
    norm('attention.key_norm', dHead);
  };
}

/** Layers without own keys and values may be twice as wide. */
export const gemma4FeedForward: Piece = (layer) => {
  const { fields, index, nLayers } = layer;
  const first = nLayers - fields.countOr(0, 'num_kv_shared_layers');
  const isShared = first > 0 && index >= first;
  const width = fields.size('intermediate_size') * (isShared && fields.flag('use_double_wide_mlp', false) ? 2 : 1);
  hidden(layer, 'feed_forward.', width);
};

export const gemma4Experts: Piece = (layer) => {
  layer.list.add('feed-forward', 'layer_scale', [1]);
  if (layer.fields.flag('enable_moe_block', false)) gemma4Mixture(layer);
};

/** Beside the feed-forward part, not instead of it. */
const gemma4Mixture: Piece = (layer) => {
  const { fields, list, dModel, norm } = layer;
  experts({
    count: ['num_experts'],
    active: ['top_k_experts'],
    width: ['moe_intermediate_size', 'expert_intermediate_size'],
  })(layer);
  list.add('feed-forward', 'feed_forward.router.scale', [dModel]);
  list.add('feed-forward', 'feed_forward.router.expert_scale', [fields.size('num_experts')]);
  for (const name of ['dense_output_norm', 'experts_output_norm', 'experts_norm']) norm(name, dModel);
};

/** The layers read the prompt and remove noise from the answer, with the same maps and norms but a scale for each of the two. */
export const diffusionGemmaExperts: Piece = (layer) => {
  layer.list.add('feed-forward', 'layer_scales', [2]);
  gemma4Mixture(layer);
};

/** What a step of denoising adds to the rows of the table: the rows that the step before expects, through a part of its own. */
export function selfConditioning(layer: Layer): void {
  layer.norm('self_conditioning.norm', layer.dModel);
  hidden(layer, 'self_conditioning.', layer.fields.size('intermediate_size'));
}

export const GEMMA_KINDS = (pieces: Kinds['pieces'], period: number): Kinds => ({
  field: 'layer_types',
  usual: every('sliding_window_pattern', period, 'full_attention', 'sliding_attention'),
  pieces,
});

export const GEMMA3N_ATTENTION = attention({ norms: 'head', dHead: 256, keyValueHeads: 2 });

/** A width for each layer, or one for all. */
export const listedWidth: Piece = (layer) => {
  const value = layer.fields.value('intermediate_size');
  if (!Array.isArray(value)) {
    feedForward()(layer);
    return;
  }
  const width: unknown = value[layer.index];
  if (typeof width !== 'number' || !Number.isSafeInteger(width) || width < 1 || width > 1e9) {
    throw layer.fields.wrong('intermediate_size', `an integer, or a list of ${layer.nLayers}`);
  }
  hidden(layer, 'feed_forward.', width);
};

// ---------------------------------------------------------------- hybrids

export const MAMBA = {
  heads: ['mamba_n_heads', 'mamba_num_heads', 'num_heads'],
  dHead: ['mamba_d_head', 'mamba_head_dim', 'head_dim'],
  state: ['mamba_d_state', 'ssm_state_size', 'state_size'],
  groups: ['mamba_n_groups', 'n_groups'],
  kernel: ['mamba_d_conv', 'conv_kernel'],
} as const;

export const granitePart = feedForward({ width: ['shared_intermediate_size'] });

export const graniteExperts: Piece = (layer) => {
  if (countOf(layer.fields, ['num_local_experts']) > 0) {
    experts({ count: ['num_local_experts'], active: ACTIVE, width: ['intermediate_size'] })(layer);
  }
  if (countOf(layer.fields, ['shared_intermediate_size']) === 0) return;
  hidden(layer, 'feed_forward.shared_expert.', layer.fields.size('shared_intermediate_size'));
};

/** Each layer is one part, by a letter of a pattern or a list of words. */
const nemotronMixers: Readonly<Record<string, Piece>> = {
  mamba: stateSpace({ ...MAMBA, bias: ['mamba_proj_bias', false], convolutionBias: ['use_conv_bias', true] }),
  attention: attention({ biases: ['attention_bias', false] }),
  mlp: feedForward({ gated: false, bias: ['mlp_bias', false] }),
  moe: experts({
    ...CORRECTED,
    gated: false,
    bias: ['mlp_bias', false],
    shared: { width: ['moe_shared_expert_intermediate_size'] },
  }),
};
const NEMOTRON_LETTERS: Readonly<Record<string, string>> = {
  M: 'mamba',
  '*': 'attention',
  '-': 'mlp',
  E: 'moe',
};

export const nemotronMixer: Piece = (layer) => {
  const { fields, index, nLayers } = layer;
  const pattern = fields.value('hybrid_override_pattern');
  if (typeof pattern !== 'string') {
    const kinds = kindsOf(
      fields,
      nLayers,
      fields.value('layers_block_type') === null ? 'layer_types' : 'layers_block_type',
      null,
    );
    pieceOf(nemotronMixers, kinds[index]!, 'layers_block_type')(layer);
    return;
  }
  const kind = NEMOTRON_LETTERS[pattern[index] ?? ''];
  if (kind === undefined || pattern.length < nLayers) {
    throw fields.wrong('hybrid_override_pattern', `one of M, *, - and E for each of the ${nLayers} layers`);
  }
  nemotronMixers[kind]!(layer);
};

/** LFM2 shrinks the width of a plain part to that of a gated one, and rounds it up. */
export const lfm2FeedForward: Piece = (layer) => {
  const { fields } = layer;
  let width = fields.size('intermediate_size', 'block_ff_dim');
  if (fields.flag('block_auto_adjust_ff_dim', true)) {
    const factor = fields.value('block_ffn_dim_multiplier') ?? 1;
    if (typeof factor !== 'number' || !(factor > 0 && factor < 100))
      throw fields.wrong('block_ffn_dim_multiplier', 'a number');
    const multiple = fields.sizeOr(256, 'block_multiple_of');
    width = multiple * Math.ceil(Math.trunc(factor * Math.trunc((2 * width) / 3)) / multiple);
  }
  hidden(layer, 'feed_forward.', width);
};

/** Where attention is, from the list of layers or from that of their kinds. */
export const LFM2_KINDS: Kinds = {
  field: 'layer_types',
  usual: (fields) => {
    const full = fields.value('full_attn_idxs');
    if (!Array.isArray(full)) throw fields.wrong('layer_types', 'the kind of each layer, or full_attn_idxs a list');
    return (index) => (full.includes(index) ? 'full_attention' : 'conv');
  },
  pieces: { full_attention: attention({ norms: 'head' }), conv: shortConvolution },
};

export const DELTA_KINDS: Kinds = {
  field: 'layer_types',
  usual: every('full_attention_interval', 4, 'full_attention', 'linear_attention'),
  pieces: {
    full_attention: attention({
      biases: ['attention_bias', false],
      norms: 'head',
      gate: 'in-queries',
      keyValueHeads: 2,
      dHead: 256,
    }),
    linear_attention: deltaNet,
  },
};

export const llama4Experts: HasExperts = ({ fields, index }) => {
  const listed = fields.value('moe_layers');
  if (Array.isArray(listed)) return listed.includes(index);
  return (index + 1) % fields.sizeOr(1, 'interleave_moe_layer_step') === 0;
};

/** Two of every part in a layer, with experts beside the first. */
export const longCatMixer: Piece = (layer) => {
  for (const part of ['attention.0.', 'attention.1.']) latentAttention({ queryRank: 1536, prefix: part })(layer);
  const { fields, list, dModel, norm } = layer;
  const width = fields.size('ffn_hidden_size');
  for (const part of ['feed_forward.0.', 'feed_forward.1.']) hidden(layer, part, width);
  const routed = fields.size('n_routed_experts');
  const [number, active] = [routed + countOf(fields, ['zero_expert_num']), fields.size('moe_topk')];
  list.map('feed-forward', 'experts.router', number, dModel, fields.flag('router_bias', false));
  list.add('feed-forward', 'experts.router.correction', [number]);
  const copies = { copies: routed, active: Math.min(active, routed) };
  hidden(layer, 'experts.*.', fields.size('expert_ffn_hidden_size'), true, false, copies);
  norm('second_attention_norm', dModel);
  norm('second_feed_forward_norm', dModel);
};

/** Hashed n-grams (LongCat-Flash-Lite): tables of odd sizes near a multiple of the vocabulary, and a map of each to the width. */
export function hashedNgrams({ fields, list, dModel }: Layer): void {
  const [ratio, heads, order] = [
    fields.size('ngram_vocab_size_ratio'),
    fields.size('emb_split_num'),
    fields.size('emb_neighbor_num'),
  ];
  const number = heads * (order - 1);
  if (number < 1 || number > 1000) throw fields.wrong('emb_neighbor_num', 'an integer from 2 on');
  const width = Math.floor(dModel / number);
  const rows = ratio * fields.size('vocab_size');
  for (let i = 0; i < number; i++) {
    list.add('tables', `ngrams.${i}`, [rows + 2 * i + 1, width]);
    list.map('feed-forward', `ngrams.${i}.projection`, dModel, width);
  }
}

/** RWKV 4. */
export const rwkvLayer: Piece = ({ fields, list, dModel, index }) => {
  const inner = fields.sizeOr(dModel, 'attention_hidden_size');
  const width = fields.sizeOr(4 * dModel, 'intermediate_size');
  for (const name of ['decay', 'first']) list.add('attention', `time.${name}`, [inner]);
  for (const name of ['mix_key', 'mix_value', 'mix_receptance']) list.add('attention', `time.${name}`, [dModel]);
  for (const name of ['key', 'value', 'receptance']) list.map('attention', `time.${name}`, inner, dModel);
  list.map('attention', 'time.output', dModel, inner);
  for (const name of ['mix_key', 'mix_receptance']) list.add('feed-forward', `channels.${name}`, [dModel]);
  list.map('feed-forward', 'channels.key', width, dModel);
  list.map('feed-forward', 'channels.receptance', dModel, dModel);
  list.map('feed-forward', 'channels.value', dModel, width);
  if (index !== 0) return;
  for (const name of ['weight', 'bias']) list.add('norms', `before_first_norm.${name}`, [dModel]);
};

/** Four vectors that weigh the difference of two attentions. */
export const differences: Piece = (layer) => {
  const { dHead } = headsOf(layer);
  for (const name of ['query_1', 'key_1', 'query_2', 'key_2'])
    layer.list.add('attention', `attention.lambda.${name}`, [dHead]);
};

/** An activation with two learned slopes, above and below zero; others have none. */
export const slopes: Piece = ({ fields, list }) => {
  if ((fields.value('hidden_act') ?? 'xielu') !== 'xielu') return;
  for (const side of ['above', 'below']) list.add('feed-forward', `feed_forward.slope_${side}`, [1]);
};

export const innerNorms: Piece = (layer) => {
  layer.norm('attention.inner_norm', layer.dModel);
  layer.norm('feed_forward.inner_norm', layer.fields.size('intermediate_size'));
};
