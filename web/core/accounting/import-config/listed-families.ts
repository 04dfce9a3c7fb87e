/**
 * Families whose layers the fields of `Architecture` cannot describe, one row each: of which pieces it is made, and in which fields of a
 * `config.json` their sizes are. Read from the modules of huggingface/transformers 5; tests compare the totals with another library's
 * (tests/reference/family_counts.py) and with published ones.
 */
import type { Architecture, ParameterGroup } from '../types.js';
import type { Fields } from './fields.js';
import {
  afterFirst,
  asked,
  attention,
  countOf,
  deltaNet,
  experts,
  feedForward,
  firstStateSpace,
  headsOf,
  indexer,
  kindsOf,
  latentAttention,
  lightningAttention,
  linearRecurrence,
  pieceOf,
  shortConvolution,
  stateSpace,
  type Flag,
  type HasExperts,
  type Layer,
  type Piece,
} from './pieces.js';
import type { Reader } from './readers.js';
import { TensorList } from './tensor-list.js';

/** Where the kind of each layer is, and the piece of each kind. */
interface Kinds {
  readonly field: string;
  /** Of files without the list. */
  readonly usual: ((fields: Fields) => (index: number) => string) | null;
  readonly pieces: Readonly<Record<string, Piece>>;
}

interface Family {
  /** The piece that mixes tokens, of every layer or by its kind. */
  readonly mixer: Piece | Kinds;
  /** Null: what follows the mixer is a part of it. */
  readonly feedForward: Piece | null;
  readonly experts?: Piece;
  readonly hasExperts?: HasExperts;
  /** Norms as wide as the model in each layer; 2 unless stated. */
  readonly norms?: number;
  /** LayerNorm with biases; else RMSNorm. */
  readonly normBiases?: boolean;
  /** Further tensors in each layer. */
  readonly also?: Piece;
  /** Tensors outside the layers, but the final norm. */
  readonly around?: (layer: Layer) => void;
  readonly layers?: readonly string[];
  readonly outputBias?: Flag;
}

/** Layers are listed one by one. */
const MOST_LAYERS = 10_000;
const LAYERS = ['num_hidden_layers', 'num_layers', 'n_layer'] as const;

const nameOfLayers = (fields: Fields, { layers = LAYERS }: Family): string =>
  layers.find((name) => fields.value(name) !== null)!;

function readerOf(family: Family): Reader {
  return (fields) => {
    const dModel = fields.size('hidden_size', 'd_model');
    const nLayers = fields.count(...(family.layers ?? LAYERS));
    if (nLayers > MOST_LAYERS) throw fields.wrong(nameOfLayers(fields, family), `at most ${MOST_LAYERS} layers`);
    const list = new TensorList();
    const norm = (name: string, size: number): void => {
      list.add('norms', `${name}.weight`, [size]);
      if (family.normBiases === true) list.add('norms', `${name}.bias`, [size]);
    };
    const at = (index: number): Layer => ({ fields, list, dModel, index, nLayers, norm });
    family.around?.(at(0));
    const mixers = mixersOf(family.mixer, fields, nLayers);
    const { norms = 2, hasExperts = () => family.experts !== undefined } = family;
    list.prefix = 'layers.*.';
    for (let i = 0; i < nLayers; i++) {
      const layer = at(i);
      mixers[i]!(layer);
      const part = hasExperts(layer) ? family.experts! : family.feedForward;
      part?.(layer);
      NORM_NAMES.slice(0, norms).forEach((name) => norm(name, dModel));
      family.also?.(layer);
    }
    list.prefix = '';
    norm('final_norm', dModel);
    return {
      family: 'listed',
      vocabSize: fields.size('vocab_size'),
      dModel,
      nLayers,
      tensors: list.tensors(),
      ...(asked(fields, family.outputBias ?? false) && { outputBias: true }),
    } satisfies Architecture;
  };
}

const NORM_NAMES = ['attention_norm', 'feed_forward_norm', 'attention_output_norm', 'feed_forward_output_norm'];

function mixersOf(mixer: Family['mixer'], fields: Fields, nLayers: number): readonly Piece[] {
  if (typeof mixer === 'function') return Array.from({ length: nLayers }, () => mixer);
  const { field, usual, pieces } = mixer;
  return kindsOf(fields, nLayers, field, usual && usual(fields)).map((kind) => pieceOf(pieces, kind, field));
}

/** Every so many layers, the last of them, another kind. */
const every =
  (name: string, otherwise: number, kind: string, others: string) =>
  (fields: Fields) =>
  (index: number): string =>
    (index + 1) % fields.sizeOr(otherwise, name) === 0 ? kind : others;

const all =
  (...pieces: readonly Piece[]): Piece =>
  (layer) =>
    pieces.forEach((piece) => piece(layer));

const vector =
  (group: ParameterGroup, name: string, size: (layer: Layer) => number): Piece =>
  (layer) =>
    layer.list.add(group, name, [size(layer)]);

// ---------------------------------------------------------------- experts

const ACTIVE = ['num_experts_per_tok', 'num_experts_per_token'] as const;

/** DeepSeek's, and those of most who came after. */
const CORRECTED = {
  count: ['n_routed_experts', 'num_experts', 'num_local_experts'],
  active: ACTIVE,
  shared: { count: ['n_shared_experts', 'num_shared_experts'] },
  correction: true,
} as const;

const SHARED_GATE = {
  count: ['num_experts'],
  active: ACTIVE,
  shared: { width: ['shared_expert_intermediate_size'] },
  sharedGate: true,
} as const;

/** Layers in `mlp_only_layers`, and all but every so many, have no experts. */
const qwenExperts: HasExperts = ({ fields, index }) => {
  const without = fields.value('mlp_only_layers') ?? [];
  if (!Array.isArray(without)) throw fields.wrong('mlp_only_layers', 'a list of layers');
  const number = countOf(fields, ['num_experts']);
  return !without.includes(index) && number > 0 && (index + 1) % fields.sizeOr(1, 'decoder_sparse_step') === 0;
};

const every2 =
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

// ---------------------------------------------------------------- per-layer tables

/** One row for each token and layer (Gemma 3n): a table that only reads, and what brings its rows into the layers. */
function perLayerTables({ fields, list, dModel, nLayers, norm }: Layer): void {
  const width = fields.countOr(256, 'hidden_size_per_layer_input');
  if (width === 0) return;
  list.add('tables', 'embedding_per_layer', [fields.sizeOr(262_144, 'vocab_size_per_layer_input'), nLayers * width]);
  list.map('feed-forward', 'per_layer.projection', nLayers * width, dModel);
  norm('per_layer.projection_norm', width);
}

const perLayerInput: Piece = ({ fields, list, dModel, norm }) => {
  const width = fields.countOr(256, 'hidden_size_per_layer_input');
  if (width === 0) return;
  list.map('feed-forward', 'per_layer.gate', width, dModel);
  list.map('feed-forward', 'per_layer.output', dModel, width);
  norm('per_layer.output_norm', dModel);
};

/** Alternating updates of several copies of the stream, and a narrow learned residual (Gemma 3n). */
const alternatingUpdates: Piece = ({ fields, list, dModel, norm }) => {
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

/** The last layers have no keys and values of their own. */
function gemma4Attention(isGlobal: boolean): Piece {
  return (layer) => {
    const { fields, list, dModel, index, nLayers, norm } = layer;
    const nHeads = fields.size('num_attention_heads');
    const own = fields.sizeOr(256, 'head_dim');
    const dHead = isGlobal ? fields.sizeOr(own, 'global_head_dim') : own;
    const keysAreValues = isGlobal && fields.flag('attention_k_eq_v', false);
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
const gemma4FeedForward: Piece = ({ fields, list, dModel, index, nLayers }) => {
  const first = nLayers - fields.countOr(0, 'num_kv_shared_layers');
  const isShared = first > 0 && index >= first;
  const width = fields.size('intermediate_size') * (isShared && fields.flag('use_double_wide_mlp', false) ? 2 : 1);
  list.map('feed-forward', 'feed_forward.up', width, dModel);
  list.map('feed-forward', 'feed_forward.gate', width, dModel);
  list.map('feed-forward', 'feed_forward.down', dModel, width);
};

/** Beside the feed-forward part, not instead of it. */
const gemma4Experts: Piece = (layer) => {
  const { fields, list, dModel, norm } = layer;
  list.add('feed-forward', 'layer_scale', [1]);
  if (!fields.flag('enable_moe_block', false)) return;
  experts({
    count: ['num_experts'],
    active: ['top_k_experts'],
    width: ['moe_intermediate_size', 'expert_intermediate_size'],
  })(layer);
  list.add('feed-forward', 'feed_forward.router.scale', [dModel]);
  list.add('feed-forward', 'feed_forward.router.expert_scale', [fields.size('num_experts')]);
  for (const name of ['dense_output_norm', 'experts_output_norm', 'experts_norm']) norm(name, dModel);
};

const GEMMA_KINDS = (pieces: Kinds['pieces'], period: number): Kinds => ({
  field: 'layer_types',
  usual: every('sliding_window_pattern', period, 'full_attention', 'sliding_attention'),
  pieces,
});

const GEMMA3N_ATTENTION = attention({ norms: 'head', dHead: 256, keyValueHeads: 2 });

/** A width for each layer, or one for all. */
const listedWidth: Piece = (layer) => {
  const value = layer.fields.value('intermediate_size');
  if (!Array.isArray(value)) {
    feedForward()(layer);
    return;
  }
  const width: unknown = value[layer.index];
  if (typeof width !== 'number' || !Number.isSafeInteger(width) || width < 1 || width > 1e9) {
    throw layer.fields.wrong('intermediate_size', `an integer, or a list of ${layer.nLayers}`);
  }
  const { list, dModel } = layer;
  list.map('feed-forward', 'feed_forward.up', width, dModel);
  list.map('feed-forward', 'feed_forward.gate', width, dModel);
  list.map('feed-forward', 'feed_forward.down', dModel, width);
};

// ---------------------------------------------------------------- hybrids

const MAMBA = {
  heads: ['mamba_n_heads', 'mamba_num_heads', 'num_heads'],
  dHead: ['mamba_d_head', 'mamba_head_dim', 'head_dim'],
  state: ['mamba_d_state', 'ssm_state_size', 'state_size'],
  groups: ['mamba_n_groups', 'n_groups'],
  kernel: ['mamba_d_conv', 'conv_kernel'],
} as const;

const granitePart = feedForward({ width: ['shared_intermediate_size'] });

const graniteExperts: Piece = (layer) => {
  if (countOf(layer.fields, ['num_local_experts']) > 0) {
    experts({ count: ['num_local_experts'], active: ACTIVE, width: ['intermediate_size'] })(layer);
  }
  if (countOf(layer.fields, ['shared_intermediate_size']) === 0) return;
  const { list, fields, dModel } = layer;
  const width = fields.size('shared_intermediate_size');
  list.map('feed-forward', 'feed_forward.shared_expert.up', width, dModel);
  list.map('feed-forward', 'feed_forward.shared_expert.gate', width, dModel);
  list.map('feed-forward', 'feed_forward.shared_expert.down', dModel, width);
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
const NEMOTRON_LETTERS: Readonly<Record<string, string>> = { M: 'mamba', '*': 'attention', '-': 'mlp', E: 'moe' };

const nemotronMixer: Piece = (layer) => {
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
const lfm2FeedForward: Piece = ({ fields, list, dModel }) => {
  let width = fields.size('intermediate_size', 'block_ff_dim');
  if (fields.flag('block_auto_adjust_ff_dim', true)) {
    const factor = fields.value('block_ffn_dim_multiplier') ?? 1;
    if (typeof factor !== 'number' || !(factor > 0 && factor < 100))
      throw fields.wrong('block_ffn_dim_multiplier', 'a number');
    const multiple = fields.sizeOr(256, 'block_multiple_of');
    width = multiple * Math.ceil(Math.trunc(factor * Math.trunc((2 * width) / 3)) / multiple);
  }
  list.map('feed-forward', 'feed_forward.up', width, dModel);
  list.map('feed-forward', 'feed_forward.gate', width, dModel);
  list.map('feed-forward', 'feed_forward.down', dModel, width);
};

/** Where attention is, from the list of layers or from that of their kinds. */
const LFM2_KINDS: Kinds = {
  field: 'layer_types',
  usual: (fields) => {
    const full = fields.value('full_attn_idxs');
    if (!Array.isArray(full)) throw fields.wrong('layer_types', 'the kind of each layer, or full_attn_idxs a list');
    return (index) => (full.includes(index) ? 'full_attention' : 'conv');
  },
  pieces: { full_attention: attention({ norms: 'head' }), conv: shortConvolution },
};

const DELTA_KINDS: Kinds = {
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

const llama4Experts: HasExperts = ({ fields, index }) => {
  const listed = fields.value('moe_layers');
  if (Array.isArray(listed)) return listed.includes(index);
  return (index + 1) % fields.sizeOr(1, 'interleave_moe_layer_step') === 0;
};

/** Two of every part in a layer, with experts beside the first. */
const longCatMixer: Piece = (layer) => {
  for (const part of ['attention.0.', 'attention.1.']) latentAttention({ queryRank: 1536, prefix: part })(layer);
  const { fields, list, dModel, norm } = layer;
  const width = fields.size('ffn_hidden_size');
  for (const part of ['feed_forward.0.', 'feed_forward.1.']) {
    list.map('feed-forward', `${part}up`, width, dModel);
    list.map('feed-forward', `${part}gate`, width, dModel);
    list.map('feed-forward', `${part}down`, dModel, width);
  }
  const routed = fields.size('n_routed_experts');
  const [number, active] = [routed + countOf(fields, ['zero_expert_num']), fields.size('moe_topk')];
  list.map('feed-forward', 'experts.router', number, dModel, fields.flag('router_bias', false));
  list.add('feed-forward', 'experts.router.correction', [number]);
  const copies = { copies: routed, active: Math.min(active, routed) };
  const each = fields.size('expert_ffn_hidden_size');
  list.map('feed-forward', 'experts.*.up', each, dModel, false, copies);
  list.map('feed-forward', 'experts.*.gate', each, dModel, false, copies);
  list.map('feed-forward', 'experts.*.down', dModel, each, false, copies);
  norm('second_attention_norm', dModel);
  norm('second_feed_forward_norm', dModel);
};

/** Hashed n-grams (LongCat-Flash-Lite): tables of odd sizes near a multiple of the vocabulary, and a map of each to the width. */
function hashedNgrams({ fields, list, dModel }: Layer): void {
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
const rwkvLayer: Piece = ({ fields, list, dModel, index }) => {
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
const differences: Piece = (layer) => {
  const { dHead } = headsOf(layer);
  for (const name of ['query_1', 'key_1', 'query_2', 'key_2'])
    layer.list.add('attention', `attention.lambda.${name}`, [dHead]);
};

const innerNorms: Piece = (layer) => {
  layer.norm('attention.inner_norm', layer.dModel);
  layer.norm('feed_forward.inner_norm', layer.fields.size('intermediate_size'));
};

// ---------------------------------------------------------------- the families

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
  mellum: QWEN3_EXPERTS,
  dots1: standard(
    { biases: BIASES, norms: 'head' },
    { experts: experts(CORRECTED), hasExperts: afterFirst('first_k_dense_replace') },
  ),
  glm4_moe: standard(
    { biases: BIASES, outputBias: false, norms: 'head', normsIf: ['use_qk_norm', false] },
    { experts: experts(CORRECTED), hasExperts: afterFirst('first_k_dense_replace', 1) },
  ),
  solar_open: standard(
    { biases: BIASES, outputBias: false },
    { experts: experts(CORRECTED), hasExperts: afterFirst('first_k_dense_replace', 1) },
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
  exaone_moe: standard({ norms: 'head' }, { experts: experts(CORRECTED), hasExperts: listedIn('is_moe_layer') }),
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
  laguna: standard(
    { norms: 'head', gate: 'per-head' },
    {
      experts: experts({ ...CORRECTED, shared: { width: ['shared_expert_intermediate_size'] } }),
      hasExperts: qwenExperts,
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
  nemotron_h: { mixer: nemotronMixer, feedForward: null, norms: 1 },
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
      if (!Array.isArray(kinds) || kinds.length === 0) throw fields.wrong('block_types', 'a list of kinds of layers');
      const pieces = {
        recurrent: linearRecurrence,
        attention: attention({ biases: BIASES, outputBias: true, keyValueHeads: 1 }),
      };
      pieceOf(pieces, String(kinds[index % kinds.length]), 'block_types')(layer);
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
  // Small differences from Llama.
  apertus: standard(
    { biases: BIASES, norms: 'head' },
    {
      feedForward: feedForward({ gated: false, bias: ['mlp_bias', false] }),
      also: all(
        vector('feed-forward', 'feed_forward.slope_above', () => 1),
        vector('feed-forward', 'feed_forward.slope_below', () => 1),
      ),
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
  const names = { state: 'state_size', kernel: 'conv_kernel', expand: 'expand', rank: 'time_step_rank' };
  const flags = { bias: ['use_bias', false], convolutionBias: ['use_conv_bias', true] } as const;
  return { mixer: firstStateSpace(false, { ...names, ...flags }), feedForward: null, norms: 1 };
}

export const LISTED_READERS: Readonly<Record<string, Reader>> = Object.fromEntries(
  Object.entries(FAMILIES).map(([name, family]) => [name, readerOf(family)]),
);
