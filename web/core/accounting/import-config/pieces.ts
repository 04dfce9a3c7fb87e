/**
 * The pieces of which layers of the listed families are made: mixers of tokens (attention, and what replaces it), feed-forward
 * parts and experts. Each lists its tensors as the modules of huggingface/transformers 5 hold them.
 */
import type { Fields } from './fields.js';
import { unsupported } from './fields.js';
import type { TensorList } from './tensor-list.js';

/** What a piece needs to know of the layer it is in. */
export interface Layer {
  readonly fields: Fields;
  readonly list: TensorList;
  readonly dModel: number;
  readonly index: number;
  readonly nLayers: number;
  /** Adds a norm of this size. */
  readonly norm: (name: string, size: number) => void;
}

/** Lists the tensors of a piece of one layer. */
export type Piece = (layer: Layer) => void;

/** A flag of the file with its default, or a fixed answer. */
export type Flag = boolean | readonly [name: string, otherwise: boolean];

export const asked = (fields: Fields, flag: Flag): boolean =>
  typeof flag === 'boolean' ? flag : fields.flag(flag[0], flag[1]);

// ---------------------------------------------------------------- attention

export interface Heads {
  /** Biases of queries, keys and values; of the output map. */
  readonly biases?: Flag;
  readonly outputBias?: Flag;
  /** Norms of queries and keys: of one head's width, or of the width of all. */
  readonly norms?: 'head' | 'full';
  readonly normsIf?: Flag;
  /** A gate of the output, computed from the input: per element as a map of its own, in the map to queries, or per head. */
  readonly gate?: 'map' | 'in-queries' | 'per-head';
  /** One score per head that no token has. */
  readonly sinks?: Flag;
  /** Defaults of the class. */
  readonly keyValueHeads?: number;
  readonly dHead?: number;
}

export function headsOf({ fields, dModel }: Pick<Layer, 'fields' | 'dModel'>, { keyValueHeads, dHead }: Heads = {}) {
  const nHeads = fields.size('num_attention_heads', 'num_heads');
  const keys = fields.sizeOr(keyValueHeads ?? nHeads, 'num_key_value_heads');
  if (nHeads % keys !== 0) throw fields.wrong('num_key_value_heads', `a divisor of the heads, ${nHeads}`);
  const width = fields.sizeOr(dHead ?? dModel / nHeads, 'head_dim');
  if (!Number.isInteger(width)) throw fields.wrong('num_attention_heads', `a divisor of the width, ${dModel}`);
  return { nHeads, nKeyValueHeads: keys, dHead: width };
}

export const attention =
  (heads: Heads = {}): Piece =>
  (layer) => {
    const { fields, list, dModel, norm } = layer;
    const { nHeads, nKeyValueHeads, dHead } = headsOf(layer, heads);
    const { biases = false, outputBias = biases, gate, norms } = heads;
    const [queries, keys] = [nHeads * dHead, nKeyValueHeads * dHead];
    const has = asked(fields, biases);
    list.map('attention', 'attention.query', gate === 'in-queries' ? 2 * queries : queries, dModel, has);
    list.map('attention', 'attention.key', keys, dModel, has);
    list.map('attention', 'attention.value', keys, dModel, has);
    list.map('attention', 'attention.output', dModel, queries, asked(fields, outputBias));
    if (gate === 'map') list.map('attention', 'attention.gate', queries, dModel);
    if (gate === 'per-head') list.map('attention', 'attention.gate', nHeads, dModel);
    if (asked(fields, heads.sinks ?? false)) list.add('attention', 'attention.sinks', [nHeads]);
    if (norms === undefined || !asked(fields, heads.normsIf ?? true)) return;
    norm('attention.query_norm', norms === 'head' ? dHead : queries);
    norm('attention.key_norm', norms === 'head' ? dHead : keys);
  };

/** Queries, keys and values from narrow vectors (DeepSeek-V2); `prefix`: of several in a layer. */
export const latentAttention =
  ({
    biases = false,
    queryRank = 0,
    prefix = 'attention.',
  }: { biases?: Flag; queryRank?: number; prefix?: string } = {}): Piece =>
  ({ fields, list, dModel, norm }) => {
    const nHeads = fields.size('num_attention_heads');
    const rank = fields.size('kv_lora_rank');
    const rotary = fields.size('qk_rope_head_dim');
    const plain = fields.size('qk_nope_head_dim');
    const value = fields.size('v_head_dim');
    const queries = nHeads * (plain + rotary);
    const has = asked(fields, biases);
    const narrow = fields.has('q_lora_rank') ? fields.countOr(0, 'q_lora_rank') : queryRank;
    if (narrow === 0) list.map('attention', `${prefix}query`, queries, dModel);
    else {
      list.map('attention', `${prefix}query_a`, narrow, dModel, has);
      norm(`${prefix}query_a_norm`, narrow);
      list.map('attention', `${prefix}query_b`, queries, narrow);
    }
    list.map('attention', `${prefix}key_value_a`, rank + rotary, dModel, has);
    norm(`${prefix}key_value_a_norm`, rank);
    list.map('attention', `${prefix}key_value_b`, nHeads * (plain + value), rank);
    list.map('attention', `${prefix}output`, dModel, nHeads * value, has);
  };

/** Chooses which tokens a query sees (DeepSeek-V3.2). */
export const indexer: Piece = ({ fields, list, dModel }) => {
  const [heads, width] = [fields.size('index_n_heads'), fields.size('index_head_dim')];
  list.map('attention', 'indexer.query', heads * width, fields.size('q_lora_rank'));
  list.map('attention', 'indexer.key', width, dModel);
  list.add('norms', 'indexer.key_norm.weight', [width]);
  list.add('norms', 'indexer.key_norm.bias', [width]);
  list.map('attention', 'indexer.weights', heads, dModel);
};

// ---------------------------------------------------------------- other mixers

/** A gated delta rule with a short convolution (Qwen3-Next). */
export const deltaNet: Piece = ({ fields, list, dModel }) => {
  const heads = fields.size('linear_num_value_heads');
  const keys = fields.size('linear_num_key_heads') * fields.size('linear_key_head_dim');
  const width = fields.size('linear_value_head_dim');
  const values = heads * width;
  list.map('attention', 'delta.input', 2 * keys + 2 * values, dModel);
  list.map('attention', 'delta.rates', 2 * heads, dModel);
  list.add('attention', 'delta.convolution', [2 * keys + values, fields.sizeOr(4, 'linear_conv_kernel_dim')]);
  list.add('attention', 'delta.time_bias', [heads]);
  list.add('attention', 'delta.decay', [heads]);
  list.add('norms', 'delta.norm', [width]);
  list.map('attention', 'delta.output', dModel, values);
};

export interface StateSpace {
  readonly heads: readonly string[];
  readonly dHead: readonly string[];
  /** How many times as wide as the model, where no width of a head is given. */
  readonly expand?: string;
  readonly state: readonly string[];
  readonly groups: readonly string[];
  readonly kernel: readonly string[];
  readonly bias: Flag;
  readonly convolutionBias: Flag;
  readonly norm?: Flag;
}

/** Mamba 2. */
export const stateSpace =
  (names: StateSpace): Piece =>
  ({ fields, list, dModel }) => {
    const heads = fields.size(...names.heads);
    const isWhole = names.expand !== undefined && names.dHead.every((name) => fields.value(name) === null);
    const inner = isWhole ? dModel * fields.sizeOr(2, names.expand!) : heads * fields.size(...names.dHead);
    const channels = inner + 2 * fields.size(...names.groups) * fields.size(...names.state);
    const bias = asked(fields, names.bias);
    list.map('attention', 'mamba.input', inner + channels + heads, dModel, bias);
    list.add('attention', 'mamba.convolution.weight', [channels, fields.size(...names.kernel)]);
    if (asked(fields, names.convolutionBias)) list.add('attention', 'mamba.convolution.bias', [channels]);
    for (const name of ['time_bias', 'decay', 'skip']) list.add('attention', `mamba.${name}`, [heads]);
    if (asked(fields, names.norm ?? true)) list.add('norms', 'mamba.norm', [inner]);
    list.map('attention', 'mamba.output', dModel, inner, bias);
  };

/** Mamba 1; Jamba has norms of what the state space reads. `inner`: the field with its width. */
export const firstStateSpace =
  (
    hasNorms: boolean,
    names: {
      state: string;
      kernel: string;
      expand: string;
      rank: string;
      inner?: string;
      bias: Flag;
      convolutionBias: Flag;
    },
  ): Piece =>
  ({ fields, list, dModel }) => {
    const inner = fields.sizeOr(
      dModel * fields.sizeOr(2, names.expand),
      ...(names.inner === undefined ? [] : [names.inner]),
    );
    const state = fields.sizeOr(16, names.state);
    const rank =
      fields.value(names.rank) === 'auto' ? Math.ceil(dModel / 16) : fields.sizeOr(Math.ceil(dModel / 16), names.rank);
    const bias = asked(fields, names.bias);
    list.map('attention', 'mamba.input', 2 * inner, dModel, bias);
    list.add('attention', 'mamba.convolution.weight', [inner, fields.sizeOr(4, names.kernel)]);
    if (asked(fields, names.convolutionBias)) list.add('attention', 'mamba.convolution.bias', [inner]);
    list.map('attention', 'mamba.select', rank + 2 * state, inner);
    list.map('attention', 'mamba.time', inner, rank, true);
    list.add('attention', 'mamba.decay', [inner, state]);
    list.add('attention', 'mamba.skip', [inner]);
    list.map('attention', 'mamba.output', dModel, inner, bias);
    if (!hasNorms) return;
    list.add('norms', 'mamba.time_norm', [rank]);
    list.add('norms', 'mamba.in_norm', [state]);
    list.add('norms', 'mamba.out_norm', [state]);
  };

/** A short convolution between two gates (LFM2). */
export const shortConvolution: Piece = ({ fields, list, dModel }) => {
  const bias = fields.flag('conv_bias', false);
  list.map('attention', 'convolution.input', 3 * dModel, dModel, bias);
  list.add('attention', 'convolution.weight', [dModel, fields.sizeOr(3, 'conv_L_cache')]);
  if (bias) list.add('attention', 'convolution.bias', [dModel]);
  list.map('attention', 'convolution.output', dModel, dModel, bias);
};

/** Linear attention with a gate and a norm (MiniMax-01). */
export const lightningAttention: Piece = (layer) => {
  const { list, dModel } = layer;
  const { nHeads, dHead } = headsOf(layer);
  const width = nHeads * dHead;
  list.map('attention', 'attention.query_key_value', 3 * width, dModel);
  list.map('attention', 'attention.output', dModel, width);
  list.map('attention', 'attention.gate', width, dModel);
  list.add('norms', 'attention.norm', [width]);
};

/** A gated linear recurrence (RecurrentGemma). */
export const linearRecurrence: Piece = ({ fields, list, dModel }) => {
  const width = fields.sizeOr(dModel, 'lru_width');
  const heads = fields.size('num_attention_heads');
  if (width % heads !== 0) throw fields.wrong('lru_width', `a multiple of the heads, ${heads}`);
  list.map('attention', 'recurrence.gate', width, dModel, true);
  list.map('attention', 'recurrence.input', width, dModel, true);
  list.map('attention', 'recurrence.output', dModel, width, true);
  list.add('attention', 'recurrence.convolution.weight', [width, fields.sizeOr(4, 'conv1d_width')]);
  list.add('attention', 'recurrence.convolution.bias', [width]);
  list.add('attention', 'recurrence.decay', [width]);
  for (const name of ['input_gate', 'recurrent_gate']) {
    list.add('attention', `recurrence.${name}.weight`, [width, width / heads]);
    list.add('attention', `recurrence.${name}.bias`, [width]);
  }
};

// ---------------------------------------------------------------- feed-forward

export interface Widths {
  readonly width?: readonly string[];
  readonly gated?: boolean;
  readonly bias?: Flag;
}

const WIDTH = ['intermediate_size'] as const;

/** The maps of one part, or of many copies of it. */
export function hidden(
  { list, dModel }: Layer,
  name: string,
  width: number,
  gated = true,
  bias = false,
  copies?: { copies: number; active: number },
): void {
  list.map('feed-forward', `${name}up`, width, dModel, bias, copies);
  if (gated) list.map('feed-forward', `${name}gate`, width, dModel, bias, copies);
  list.map('feed-forward', `${name}down`, dModel, width, bias, copies);
}

export const feedForward =
  ({ width = WIDTH, gated = true, bias = false }: Widths = {}): Piece =>
  (layer) =>
    hidden(layer, 'feed_forward.', layer.fields.size(...width), gated, asked(layer.fields, bias));

export interface Experts extends Widths {
  readonly count: readonly string[];
  readonly active: readonly string[];
  /** The shared expert: how many times as wide as a routed one, or its own width. */
  readonly shared?: { readonly count: readonly string[] } | { readonly width: readonly string[] };
  readonly sharedGate?: boolean;
  readonly routerBias?: boolean;
  /** One number per expert that corrects its scores. */
  readonly correction?: Flag;
}

export const experts =
  ({
    count,
    active,
    width = ['moe_intermediate_size'],
    gated = true,
    bias = false,
    shared,
    sharedGate,
    routerBias,
    correction = false,
  }: Experts): Piece =>
  (layer) => {
    const { fields, list, dModel } = layer;
    const number = fields.size(...count);
    const used = fields.size(...active);
    if (used > number)
      throw fields.wrong(
        active.find((name) => fields.value(name) !== null)!,
        `at most the experts, ${number}`,
      );
    const each = fields.size(...width);
    const has = asked(fields, bias);
    list.map('feed-forward', 'feed_forward.router', number, dModel, routerBias);
    if (asked(fields, correction)) list.add('feed-forward', 'feed_forward.router.correction', [number]);
    hidden(layer, 'feed_forward.experts.*.', each, gated, has, { copies: number, active: used });
    if (shared === undefined) return;
    const wide = 'count' in shared ? each * countOf(fields, shared.count) : countOf(fields, shared.width);
    if (wide === 0) return;
    hidden(layer, 'feed_forward.shared_expert.', wide, gated, has);
    if (sharedGate === true) list.map('feed-forward', 'feed_forward.shared_expert_gate', 1, dModel);
  };

/** 0 if none of the names is there. */
export const countOf = (fields: Fields, names: readonly string[]): number => {
  const name = names.find((candidate) => fields.value(candidate) !== null);
  return name === undefined ? 0 : fields.countOr(0, name);
};

// ---------------------------------------------------------------- which layer has what

/** Whether this layer has experts. */
export type HasExperts = (layer: Pick<Layer, 'fields' | 'index' | 'nLayers'>) => boolean;

export const afterFirst =
  (name: string, otherwise = 0): HasExperts =>
  ({ fields, index }) =>
    index >= fields.countOr(otherwise, name) && index % fields.sizeOr(1, 'moe_layer_freq') === 0;

/** The names of the kinds of all layers, from the list of the file, or made by a rule where it has none. */
export function kindsOf(
  fields: Fields,
  nLayers: number,
  name: string,
  usual: (() => (index: number) => string) | null,
): readonly string[] {
  const listed = fields.value(name);
  if (listed === null && usual !== null) {
    const kindOf = usual();
    return Array.from({ length: nLayers }, (_, i) => kindOf(i));
  }
  if (!Array.isArray(listed) || listed.length < nLayers || listed.some((kind) => typeof kind !== 'string')) {
    throw fields.wrong(name, `a list with the kind of each of the ${nLayers} layers`);
  }
  return listed.slice(0, nLayers) as string[];
}

/** What version 5 of transformers calls kinds of layers that files of version 4 name otherwise. */
const RENAMED: Readonly<Record<string, readonly string[]>> = {
  linear_attention: ['mamba', 'conv'],
  full_attention: ['attention'],
  mamba: ['linear_attention'],
  attention: ['full_attention'],
};

/** The piece of the kind of a layer. */
export function pieceOf(pieces: Readonly<Record<string, Piece>>, kind: string, name: string): Piece {
  const names = [kind, ...(Object.hasOwn(RENAMED, kind) ? RENAMED[kind]! : [])];
  const found = names.find((each) => Object.hasOwn(pieces, each));
  if (found !== undefined) return pieces[found]!;
  throw unsupported(`${name} has a layer '${kind.slice(0, 40)}'; known are ${Object.keys(pieces).join(', ')}`);
}
