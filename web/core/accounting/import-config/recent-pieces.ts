/** Pieces of the families of 2026, and of hybrids whose layers share a block. */
import { describeValue } from '../../runtime/errors.js';
import { isRecord } from '../../runtime/validate.js';
import { badFile, Fields } from './fields.js';
import { qwenExperts } from './family-pieces.js';
import type { Kinds } from './listed-reader.js';
import {
  attention,
  feedForward,
  headsOf,
  kindsOf,
  latentAttention,
  type HasExperts,
  type Layer,
  type Piece,
} from './pieces.js';

/** The fields in a part of the file. */
function fieldsIn(fields: Fields, name: string): Fields {
  const value = fields.value(name);
  if (!isRecord(value)) throw fields.wrong(name, 'an object');
  return new Fields(value, `${name}.`);
}

/** The integers in a list of the file, for each layer; null if there is none. */
function numbersOf({ fields, nLayers }: Pick<Layer, 'fields' | 'nLayers'>, name: string): readonly unknown[] | null {
  const listed = fields.value(name);
  if (listed === null) return null;
  if (!Array.isArray(listed) || listed.length < nLayers) throw fields.wrong(name, `a list of ${nLayers} numbers`);
  return listed as unknown[];
}

// ---------------------------------------------------------------- DeepSeek-V4

const [SPARSE, HEAVY] = ['compressed_sparse_attention', 'heavily_compressed_attention'] as const;

/** Tokens in a compressed one: a number for each kind of layer, or two older fields. */
function rateOf(fields: Fields, kind: string, older: string, otherwise: number): number {
  const rates = fields.value('compress_rates');
  return rates === null ? fields.sizeOr(otherwise, older) : fieldsIn(fields, 'compress_rates').sizeOr(otherwise, kind);
}

function compressor({ list, dModel, norm }: Layer, name: string, width: number, rate: number, sides: 1 | 2): void {
  list.map('attention', `${name}.key_value`, sides * width, dModel);
  list.map('attention', `${name}.gate`, sides * width, dModel);
  list.add('attention', `${name}.positions`, [rate, sides * width]);
  norm(`${name}.norm`, width);
}

/** Queries and outputs through narrow vectors, one key for all heads that is the value too, and older tokens joined to fewer. */
const compressedAttention =
  (kind: string): Piece =>
  (layer) => {
    const { fields, list, dModel, norm } = layer;
    const [heads, width, rank] = [
      fields.size('num_attention_heads'),
      fields.size('head_dim'),
      fields.size('q_lora_rank'),
    ];
    const [groups, outputRank] = [fields.size('o_groups'), fields.size('o_lora_rank')];
    if (heads % groups !== 0) throw fields.wrong('o_groups', `a divisor of the heads, ${heads}`);
    list.map('attention', 'attention.query_a', rank, dModel);
    norm('attention.query_a_norm', rank);
    list.map('attention', 'attention.query_b', heads * width, rank);
    list.map('attention', 'attention.key_value', width, dModel);
    norm('attention.key_value_norm', width);
    list.map('attention', 'attention.output_a', groups * outputRank, (heads / groups) * width);
    list.map('attention', 'attention.output_b', dModel, groups * outputRank);
    list.add('attention', 'attention.sinks', [heads]);
    if (kind === HEAVY) compressor(layer, 'compressor', width, rateOf(fields, HEAVY, 'compress_rate_hca', 128), 1);
    if (kind !== SPARSE) return;
    const rate = rateOf(fields, SPARSE, 'compress_rate_csa', 4);
    compressor(layer, 'compressor', width, rate, 2);
    const [indexHeads, indexWidth] = [fields.size('index_n_heads'), fields.size('index_head_dim')];
    compressor(layer, 'indexer', indexWidth, rate, 2);
    list.map('attention', 'indexer.query', indexHeads * indexWidth, rank);
    list.map('attention', 'indexer.weights', indexHeads, dModel);
  };

/** Several copies of the stream, mixed before and after each part (hyper-connections). */
function hyperConnection({ fields, list, dModel }: Layer, name: string): void {
  const copies = fields.sizeOr(4, 'hc_mult');
  list.map('feed-forward', `${name}.mix`, (2 + copies) * copies, copies * dModel);
  list.add('feed-forward', `${name}.mix.bias`, [(2 + copies) * copies]);
  list.add('feed-forward', `${name}.scale`, [3]);
}

/** As in files of before transformers 5: how many tokens are joined in each layer. */
const RATIOS: ReadonlyMap<unknown, string> = new Map([
  [0, 'sliding_attention'],
  [4, SPARSE],
  [128, HEAVY],
]);

export const DEEPSEEK_V4_KINDS: Kinds = {
  field: 'layer_types',
  usual: (fields) => {
    const ratios = fields.value('compress_ratios');
    if (ratios === null) return (index) => (index < 2 || index % 2 === 0 ? HEAVY : SPARSE);
    if (!Array.isArray(ratios)) throw fields.wrong('compress_ratios', 'a list of 0, 4 and 128');
    return (index) => {
      const kind = RATIOS.get(ratios[index]);
      if (kind === undefined) throw fields.wrong('compress_ratios', 'a list of 0, 4 and 128, one for each layer');
      return kind;
    };
  },
  pieces: Object.fromEntries(['sliding_attention', SPARSE, HEAVY].map((kind) => [kind, compressedAttention(kind)])),
};

/** The first layers choose experts by the token itself, so nothing corrects their scores. */
export const deepSeekV4Rest: Piece = (layer) => {
  const { fields, list, index } = layer;
  const kinds = fields.value('mlp_layer_types');
  const isHashed = Array.isArray(kinds) ? kinds[index] === 'hash_moe' : index < fields.countOr(3, 'num_hash_layers');
  if (!isHashed) list.add('feed-forward', 'feed_forward.router.correction', [fields.size('n_routed_experts')]);
  hyperConnection(layer, 'attention_streams');
  hyperConnection(layer, 'feed_forward_streams');
};

export const deepSeekV4Around: Piece = ({ fields, list, dModel }) => {
  const copies = fields.sizeOr(4, 'hc_mult');
  list.map('feed-forward', 'last_streams.mix', copies, copies * dModel);
  list.add('feed-forward', 'last_streams.mix.bias', [copies]);
  list.add('feed-forward', 'last_streams.scale', [1]);
  fields.assume('The lists that give each token its experts in the first layers hold integers, and are not counted.');
};

// ---------------------------------------------------------------- blocks that layers share

/** One of a few blocks, which all layers of kind 'hybrid' share, reads the stream beside the embeddings (Zamba). */
function sharedBlock({ fields, list, dModel, norm }: Layer, blocks: number, bias: boolean): void {
  const heads = fields.size('num_attention_heads');
  const keys = fields.sizeOr(heads, 'num_key_value_heads');
  const width = fields.sizeOr((2 * dModel) / heads, 'attention_head_dim');
  if (!Number.isInteger(width)) throw fields.wrong('num_attention_heads', `a divisor of ${2 * dModel}`);
  const hidden = fields.sizeOr(4 * dModel, 'intermediate_size');
  const each = { copies: blocks, active: blocks };
  list.map('attention', 'shared.attention.query', heads * width, 2 * dModel, false, each);
  list.map('attention', 'shared.attention.key', keys * width, 2 * dModel, false, each);
  list.map('attention', 'shared.attention.value', keys * width, 2 * dModel, false, each);
  list.map('attention', 'shared.attention.output', dModel, heads * width, false, each);
  list.map('feed-forward', 'shared.feed_forward.up', hidden, dModel, bias, each);
  list.map('feed-forward', 'shared.feed_forward.gate', hidden, dModel, bias, each);
  list.map('feed-forward', 'shared.feed_forward.down', dModel, hidden, bias, each);
  for (let i = 0; i < blocks; i++) {
    norm('shared.attention_norm', 2 * dModel);
    norm('shared.feed_forward_norm', dModel);
  }
}

const hybridLayers = ({ fields, nLayers }: Layer): number =>
  kindsOf(fields, nLayers, 'layers_block_type', null).filter((kind) => kind === 'hybrid').length;

export const zambaAround: Piece = (layer) => {
  if (hybridLayers(layer) > 0) sharedBlock(layer, 1, false);
};

export const zamba2Around: Piece = (layer) => {
  const { fields } = layer;
  const blocks = Math.min(hybridLayers(layer), fields.sizeOr(1, 'num_mem_blocks'));
  if (blocks > 0) sharedBlock(layer, blocks, fields.flag('add_bias_linear', false));
};

/** What a layer adds to its block: a map back into the stream, and narrow corrections of the block's maps (Zamba2). */
export const zambaHybrid =
  (hasAdapters: boolean): Piece =>
  ({ fields, list, dModel }) => {
    list.map('attention', 'hybrid.projection', dModel, dModel);
    if (!hasAdapters) return;
    const rank = fields.sizeOr(128, 'adapter_rank');
    const hidden = fields.sizeOr(4 * dModel, 'intermediate_size');
    list.map('feed-forward', 'hybrid.feed_forward.adapter_in', rank, dModel);
    list.map('feed-forward', 'hybrid.feed_forward.adapter_out', 2 * hidden, rank);
    if (!fields.flag('use_shared_attention_adapter', false)) return;
    for (const name of ['query', 'key', 'value']) {
      list.map('attention', `hybrid.attention.${name}.adapter_in`, rank, 2 * dModel);
      list.map('attention', `hybrid.attention.${name}.adapter_out`, 2 * dModel, rank);
    }
  };

// ---------------------------------------------------------------- attention of two sizes

/** Queries and keys of one width, values of another; heads and sinks differ in layers that see a window (MiMo-V2). */
const mimoAttention =
  (isWindow: boolean): Piece =>
  ({ fields, list, dModel }) => {
    const own = (name: string, otherwise: number): number =>
      isWindow ? fields.sizeOr(otherwise, `swa_${name}`) : otherwise;
    const heads = own('num_attention_heads', fields.size('num_attention_heads'));
    const allKeys = fields.size('num_key_value_heads');
    const keys = isWindow ? fields.sizeOr(2 * allKeys, 'swa_num_key_value_heads') : allKeys;
    const width = own('head_dim', fields.sizeOr(192, 'head_dim'));
    const values = own('v_head_dim', fields.sizeOr(128, 'v_head_dim'));
    const bias = fields.flag('attention_bias', false);
    list.map('attention', 'attention.query', heads * width, dModel, bias);
    list.map('attention', 'attention.key', keys * width, dModel, bias);
    list.map('attention', 'attention.value', keys * values, dModel, bias);
    list.map('attention', 'attention.output', dModel, heads * values);
    const sinks = isWindow ? 'add_swa_attention_sink_bias' : 'add_full_attention_sink_bias';
    if (fields.flag(sinks, isWindow)) list.add('attention', 'attention.sinks', [heads]);
  };

export const MIMO_KINDS: Kinds = {
  field: 'layer_types',
  usual: (fields) => {
    const pattern = fields.value('hybrid_layer_pattern');
    if (pattern === null) return (i) => (i === 0 || (i + 1) % 6 === 0 ? 'full_attention' : 'sliding_attention');
    if (!Array.isArray(pattern)) throw fields.wrong('hybrid_layer_pattern', 'a list of 0 and 1');
    return (index) => (pattern[index] === 1 ? 'sliding_attention' : 'full_attention');
  },
  pieces: { full_attention: mimoAttention(false), sliding_attention: mimoAttention(true) },
};

/** 0 or 1 for each layer. */
export const listedExperts =
  (older: HasExperts): HasExperts =>
  (layer) => {
    const listed = Array.isArray(layer.fields.value('moe_layer_freq')) ? numbersOf(layer, 'moe_layer_freq') : null;
    return listed === null ? older(layer) : Boolean(listed[layer.index]);
  };

/** As many heads as the list says, and a gate for each head or for each of its values (Laguna). */
export const lagunaAttention: Piece = (layer) => {
  const { fields, index } = layer;
  const gating = fields.value('gating') ?? true;
  const gate = gating === true || gating === 'per-head' ? 'per-head' : 'map';
  const heads = numbersOf(layer, 'num_attention_heads_per_layer')?.[index] ?? null;
  const values = {
    num_key_value_heads: fields.value('num_key_value_heads'),
    head_dim: fields.sizeOr(128, 'head_dim'),
    attention_bias: fields.value('attention_bias'),
    num_attention_heads: heads ?? fields.size('num_attention_heads'),
  };
  attention({ biases: ['attention_bias', false], norms: 'head', gate, keyValueHeads: 8 })({
    ...layer,
    fields: new Fields(values),
  });
};

/** Version 4 of transformers listed the layers without experts. */
export const lagunaExperts: HasExperts = (layer) =>
  layer.fields.value('mlp_only_layers') === null ? layer.index > 0 : qwenExperts(layer);

/** Layers that see a window may have other numbers of heads (Step 3.5). */
const stepAttention =
  (isWindow: boolean): Piece =>
  ({ fields, list, dModel, norm }) => {
    const other =
      isWindow && fields.value('attention_other_setting') !== null
        ? fieldsIn(fields, 'attention_other_setting')
        : new Fields({});
    const usual = fields.size('num_attention_heads');
    const heads = other.sizeOr(
      isWindow ? fields.sizeOr(usual, 'num_sliding_attention_heads') : usual,
      'num_attention_heads',
    );
    const keys = other.sizeOr(fields.size('num_attention_groups', 'num_key_value_heads'), 'num_attention_groups');
    const width = fields.size('head_dim');
    list.map('attention', 'attention.query', heads * width, dModel);
    list.map('attention', 'attention.key', keys * width, dModel);
    list.map('attention', 'attention.value', keys * width, dModel);
    list.map('attention', 'attention.output', dModel, heads * width);
    norm('attention.query_norm', width);
    norm('attention.key_norm', width);
    if (fields.flag('use_head_wise_attn_gate', true)) list.map('attention', 'attention.gate', heads, dModel);
  };

export const STEP_KINDS: Kinds = {
  field: 'layer_types',
  usual: () => () => 'full_attention',
  pieces: { full_attention: stepAttention(false), sliding_attention: stepAttention(true) },
};

/** Their numbers, separated by commas. */
export const stepExperts: HasExperts = ({ fields, index }) => {
  const listed = fields.value('moe_layers_enum');
  if (listed === null) return index >= 3;
  const layers = typeof listed === 'string' ? listed.split(',').map(Number) : listed;
  if (!Array.isArray(layers)) throw fields.wrong('moe_layers_enum', "the layers with experts, such as '3,4,5'");
  return layers.includes(index);
};

// ---------------------------------------------------------------- linear attention and recurrences

/** A delta rule with a rate for each channel, between short convolutions (Kimi Linear). */
const channelDelta: Piece = ({ fields, list, dModel, norm }) => {
  const of = fieldsIn(fields, 'linear_attn_config');
  const [heads, width] = [of.size('num_heads'), of.size('head_dim')];
  const all = heads * width;
  for (const name of ['query', 'key', 'value']) {
    list.map('attention', `delta.${name}`, all, dModel);
    list.add('attention', `delta.${name}.convolution`, [all, of.sizeOr(4, 'short_conv_kernel_size')]);
  }
  for (const name of ['rates', 'gate']) {
    list.map('attention', `delta.${name}_a`, width, dModel);
    list.map('attention', `delta.${name}_b`, all, width);
  }
  list.map('attention', 'delta.strength', heads, dModel);
  list.add('attention', 'delta.decay', [heads]);
  list.add('attention', 'delta.time_bias', [all]);
  norm('delta.norm', width);
  list.map('attention', 'delta.output', dModel, all);
};

/** Layers are numbered from 1. */
export const kimiMixer: Piece = (layer) => {
  const name = 'kda_layers';
  const listed = fieldsIn(layer.fields, 'linear_attn_config').value(name);
  if (!Array.isArray(listed)) {
    throw badFile(`linear_attn_config.${name} is ${describeValue(listed)}; expected a list of layers, from 1`);
  }
  (listed.includes(layer.index + 1) ? channelDelta : latentAttention())(layer);
};

/** As `deltaNet`, with a map for each part (OLMo Hybrid). */
export const apartDelta: Piece = ({ fields, list, dModel, norm }) => {
  const heads = fields.size('num_attention_heads');
  const [keyHeads, valueHeads] = [
    fields.sizeOr(heads, 'linear_num_key_heads'),
    fields.sizeOr(heads, 'linear_num_value_heads'),
  ];
  const keys = keyHeads * fields.sizeOr(Math.trunc((0.75 * dModel) / keyHeads), 'linear_key_head_dim');
  const width = fields.size('linear_value_head_dim');
  const values = valueHeads * width;
  list.map('attention', 'delta.query', keys, dModel);
  list.map('attention', 'delta.key', keys, dModel);
  list.map('attention', 'delta.value', values, dModel);
  list.map('attention', 'delta.gate', values, dModel);
  list.map('attention', 'delta.rates', 2 * valueHeads, dModel);
  list.add('attention', 'delta.convolution', [2 * keys + values, fields.sizeOr(4, 'linear_conv_kernel_dim')]);
  list.add('attention', 'delta.time_bias', [valueHeads]);
  list.add('attention', 'delta.decay', [valueHeads]);
  norm('delta.norm', width);
  list.map('attention', 'delta.output', dModel, values);
};

/** RWKV 7: rates, gates and mixtures from narrow maps; the first layer has no mixture of values. */
export const rwkv7Layer: Piece = ({ fields, list, dModel, index, norm }) => {
  const hidden = fields.size('intermediate_size');
  for (const name of ['r', 'w', 'k', 'v', 'a', 'g']) list.add('attention', `time.mix_${name}`, [dModel]);
  for (const name of ['key_norm', 'key_mix', 'bonus']) list.add('attention', `time.${name}`, [dModel]);
  for (const name of ['receptance', 'key', 'value', 'output']) list.map('attention', `time.${name}`, dModel, dModel);
  const narrow = (name: string, rank: number, bias: boolean): void => {
    list.map('attention', `time.${name}_in`, rank, dModel);
    list.map('attention', `time.${name}_out`, dModel, rank, bias);
  };
  narrow('decay', fields.size('decay_low_rank_dim'), true);
  narrow('rate', fields.size('a_low_rank_dim'), true);
  if (index > 0) narrow('first_value', fields.size('v_low_rank_dim'), true);
  narrow('gate', fields.size('gate_low_rank_dim'), false);
  norm('time.norm', dModel);
  list.add('feed-forward', 'channels.mix_key', [dModel]);
  list.map('feed-forward', 'channels.key', hidden, dModel);
  list.map('feed-forward', 'channels.value', dModel, hidden);
  if (index === 0) norm('before_first_norm', dModel);
};

// ---------------------------------------------------------------- others

/** Some layers read the picture instead of the text (Llama 3.2 with vision). */
export const crossLayer: Piece = (layer) => {
  const { fields, list, index, norm } = layer;
  const listed = fields.value('cross_attention_layers');
  if (!Array.isArray(listed)) throw fields.wrong('cross_attention_layers', 'a list of layers');
  attention()({ ...layer, fields });
  if (!listed.includes(index)) return;
  const { dHead } = headsOf(layer);
  norm('attention.query_norm', dHead);
  norm('attention.key_norm', dHead);
  list.add('attention', 'attention.gate', [1]);
  list.add('feed-forward', 'feed_forward.gate_of_all', [1]);
};

/** Chooses blocks of tokens, in some layers (MiniMax M3). */
const blockIndexer: Piece = ({ fields, list, dModel, norm }) => {
  const older =
    fields.value('sparse_attention_config') === null ? new Fields({}) : fieldsIn(fields, 'sparse_attention_config');
  const heads = older.sizeOr(fields.sizeOr(4, 'index_n_heads'), 'sparse_num_index_heads');
  const width = older.sizeOr(fields.sizeOr(128, 'index_head_dim'), 'sparse_index_dim');
  list.map('attention', 'indexer.query', heads * width, dModel);
  list.map('attention', 'indexer.key', width, dModel);
  norm('indexer.query_norm', width);
  norm('indexer.key_norm', width);
};

export const MINIMAX_M3_KINDS = (full: Piece): Kinds => ({
  field: 'layer_types',
  usual: (fields) => {
    const older = fields.value('sparse_attention_config');
    const flags = older === null ? null : fieldsIn(fields, 'sparse_attention_config').value('sparse_attention_freq');
    return (index) => (Array.isArray(flags) && Boolean(flags[index]) ? 'minimax_m3_sparse' : 'full_attention');
  },
  pieces: {
    full_attention: full,
    minimax_m3_sparse: (layer) => {
      full(layer);
      blockIndexer(layer);
    },
  },
});

/** Hunyuan: as many experts in every layer, or a number for each; one part for all tokens beside them. */
export const hunyuanExperts: Piece = (layer) => {
  const { fields, list, dModel, index } = layer;
  const own = (name: string): number => {
    const listed = Array.isArray(fields.value(name)) ? numbersOf(layer, name)! : null;
    return listed === null ? fields.sizeOr(1, name) : new Fields({ [name]: listed[index] }).size(name);
  };
  const [number, active, hidden] = [own('num_experts'), own('moe_topk'), fields.size('intermediate_size')];
  if (active > number) throw fields.wrong('moe_topk', `at most the experts, ${number}`);
  const each = { copies: number, active };
  list.map('feed-forward', 'feed_forward.router', number, dModel);
  for (const name of ['up', 'gate'])
    list.map('feed-forward', `feed_forward.experts.*.${name}`, hidden, dModel, false, each);
  list.map('feed-forward', 'feed_forward.experts.*.down', dModel, hidden, false, each);
  feedForward()(layer);
};

/** Sizes of attention and of experts are in parts of their own (DBRX). */
export const dbrxLayer: Piece = ({ fields, list, dModel, norm }) => {
  const heads = fields.size('n_heads');
  const keys = fieldsIn(fields, 'attn_config').sizeOr(1, 'kv_n_heads');
  const of = fieldsIn(fields, 'ffn_config');
  const [number, active] = [of.sizeOr(4, 'moe_num_experts'), of.sizeOr(1, 'moe_top_k')];
  if (active > number) throw badFile(`ffn_config.moe_top_k is ${active}; expected at most the experts, ${number}`);
  const hidden = of.sizeOr(3584, 'ffn_hidden_size');
  if (dModel % heads !== 0) throw fields.wrong('n_heads', `a divisor of the width, ${dModel}`);
  list.map('attention', 'attention.query_key_value', dModel + (2 * keys * dModel) / heads, dModel);
  list.map('attention', 'attention.output', dModel, dModel);
  list.map('feed-forward', 'feed_forward.router', number, dModel);
  const each = { copies: number, active };
  for (const name of ['up', 'gate'])
    list.map('feed-forward', `feed_forward.experts.*.${name}`, hidden, dModel, false, each);
  list.map('feed-forward', 'feed_forward.experts.*.down', dModel, hidden, false, each);
  for (const name of ['attention_norm', 'feed_forward_norm']) norm(name, dModel);
};
