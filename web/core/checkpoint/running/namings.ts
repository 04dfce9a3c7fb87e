/** The names that other programs give the parameters of the architectures that run here, and how they store them. */
import type { StoredTensor } from '../tensors.js';

/**
 * How a matrix in the file becomes rows of ours, [out, in]. 'turned': stored [in, out]. 'halves': the rows of a head are first all
 * first elements of its rotated pairs, then all second ones; ours alternate.
 */
export type Arrangement = 'rows' | 'turned' | 'halves';

/** The rows of attention.query_key_value that a tensor holds. */
export type RowsOf = 'all' | 'queries' | 'keys' | 'values';

/** `ours`: without `.weight` or `.bias`, which are the same in both. # is the number of a layer, @ the prefix of all names. */
export interface Name {
  readonly ours: string;
  readonly theirs: string;
  readonly how: Arrangement;
  readonly rows: RowsOf;
}

export interface Naming {
  readonly architecture: 'gpt-2' | 'llama';
  readonly title: string;
  /** A tensor of the first layer that identifies the naming; its first group is the prefix of all names. */
  readonly mark: RegExp;
  readonly names: readonly Name[];
  /** Tensors that hold no parameters: masks, and angles that follow from the rotary base. */
  readonly ignored: RegExp;
  /** Where its settings are. */
  readonly settings: 'config' | 'gguf' | 'llama2c';
}

const name = (ours: string, theirs: string, how: Arrangement = 'rows', rows: RowsOf = 'all'): Name => ({
  ...{ ours, theirs, how, rows },
});

const QKV = 'layers.#.attention.query_key_value';
const BEFORE = String.raw`^((?:\w+\.)*)`;
const NOTHING = /^$/;

export const NAMINGS: readonly Naming[] = [
  {
    architecture: 'gpt-2',
    title: "GPT-2, as Hugging Face's",
    mark: new RegExp(String.raw`${BEFORE}h\.0\.attn\.c_attn\.weight$`),
    names: [
      name('positions', '@wpe.weight'),
      name('layers.#.attention_norm', '@h.#.ln_1'),
      name(QKV, '@h.#.attn.c_attn', 'turned'),
      name('layers.#.attention.output', '@h.#.attn.c_proj', 'turned'),
      name('layers.#.feed_forward_norm', '@h.#.ln_2'),
      name('layers.#.feed_forward.up', '@h.#.mlp.c_fc', 'turned'),
      name('layers.#.feed_forward.down', '@h.#.mlp.c_proj', 'turned'),
      name('final_norm', '@ln_f'),
    ],
    ignored: /(?:^|\.)h\.\d+\.attn\.(?:bias|masked_bias)$/,
    settings: 'config',
  },
  {
    architecture: 'llama',
    title: "Llama, as Hugging Face's",
    mark: new RegExp(String.raw`${BEFORE}layers\.0\.self_attn\.q_proj\.weight$`),
    names: [
      name('layers.#.attention_norm', '@layers.#.input_layernorm'),
      name(QKV, '@layers.#.self_attn.q_proj', 'halves', 'queries'),
      name(QKV, '@layers.#.self_attn.k_proj', 'halves', 'keys'),
      name(QKV, '@layers.#.self_attn.v_proj', 'rows', 'values'),
      name('layers.#.attention.output', '@layers.#.self_attn.o_proj'),
      name('layers.#.feed_forward_norm', '@layers.#.post_attention_layernorm'),
      name('layers.#.feed_forward.gate', '@layers.#.mlp.gate_proj'),
      name('layers.#.feed_forward.up', '@layers.#.mlp.up_proj'),
      name('layers.#.feed_forward.down', '@layers.#.mlp.down_proj'),
      name('final_norm', '@norm'),
    ],
    ignored: /\.rotary_emb\.inv_freq$/,
    settings: 'config',
  },
  {
    architecture: 'llama',
    title: "Llama, as llama2.c's",
    mark: new RegExp(String.raw`${BEFORE}layers\.0\.attention\.wq\.weight$`),
    names: [
      name('layers.#.attention_norm', '@layers.#.attention_norm'),
      name(QKV, '@layers.#.attention.wq', 'rows', 'queries'),
      name(QKV, '@layers.#.attention.wk', 'rows', 'keys'),
      name(QKV, '@layers.#.attention.wv', 'rows', 'values'),
      name('layers.#.attention.output', '@layers.#.attention.wo'),
      name('layers.#.feed_forward_norm', '@layers.#.ffn_norm'),
      name('layers.#.feed_forward.gate', '@layers.#.feed_forward.w1'),
      name('layers.#.feed_forward.down', '@layers.#.feed_forward.w2'),
      name('layers.#.feed_forward.up', '@layers.#.feed_forward.w3'),
      name('final_norm', '@norm'),
    ],
    ignored: /^(?:freq_cis_(?:real|imag)|rope\.freqs)$/,
    settings: 'llama2c',
  },
  {
    architecture: 'gpt-2',
    title: 'GPT-2, as in GGUF',
    mark: /^()blk\.0\.attn_qkv\.weight$/,
    names: [
      name('positions', 'position_embd.weight'),
      name('layers.#.attention_norm', 'blk.#.attn_norm'),
      name(QKV, 'blk.#.attn_qkv'),
      name('layers.#.attention.output', 'blk.#.attn_output'),
      name('layers.#.feed_forward_norm', 'blk.#.ffn_norm'),
      name('layers.#.feed_forward.up', 'blk.#.ffn_up'),
      name('layers.#.feed_forward.down', 'blk.#.ffn_down'),
      name('final_norm', 'output_norm'),
    ],
    ignored: NOTHING,
    settings: 'gguf',
  },
  {
    // Its converter has already put the rows of queries and keys in the order of rotated pairs, like ours.
    architecture: 'llama',
    title: 'Llama, as in GGUF',
    mark: /^()blk\.0\.attn_q\.weight$/,
    names: [
      name('layers.#.attention_norm', 'blk.#.attn_norm'),
      name(QKV, 'blk.#.attn_q', 'rows', 'queries'),
      name(QKV, 'blk.#.attn_k', 'rows', 'keys'),
      name(QKV, 'blk.#.attn_v', 'rows', 'values'),
      name('layers.#.attention.output', 'blk.#.attn_output'),
      name('layers.#.feed_forward_norm', 'blk.#.ffn_norm'),
      name('layers.#.feed_forward.gate', 'blk.#.ffn_gate'),
      name('layers.#.feed_forward.up', 'blk.#.ffn_up'),
      name('layers.#.feed_forward.down', 'blk.#.ffn_down'),
      name('final_norm', 'output_norm'),
    ],
    ignored: NOTHING,
    settings: 'gguf',
  },
];

/** The part of a parameter with `rows` rows in a model of this width: all query heads, then all key heads, then all value heads. */
export function partRows(which: RowsOf, rows: number, width: number): { firstRow: number; rows: number } {
  const keys = (rows - width) / 2;
  if (which === 'queries') return { firstRow: 0, rows: width };
  if (which === 'keys') return { firstRow: width, rows: keys };
  return which === 'values' ? { firstRow: width + keys, rows: keys } : { firstRow: 0, rows };
}

export interface FoundNaming {
  readonly naming: Naming;
  readonly prefix: string;
}

export function namingOf(tensors: { readonly keys: () => Iterable<string> }): FoundNaming | null {
  for (const naming of NAMINGS) {
    for (const tensor of tensors.keys()) {
      const found = naming.mark.exec(tensor);
      if (found) return { naming, prefix: found[1]! };
    }
  }
  return null;
}

/** The tensors of a parameter, such as `layers.3.attention.output.weight`, in the order of its rows. */
export function namesOf({ naming, prefix }: FoundNaming, parameter: string): { theirs: string; name: Name }[] {
  const [, layer] = /^layers\.(\d+)\./.exec(parameter) ?? [];
  const general = parameter.replace(/^layers\.\d+\./, 'layers.#.');
  const [stem, ending] = /^(.*?)(\.(?:weight|bias))?$/.exec(general)!.slice(1) as [string, string | undefined];
  return naming.names
    .filter(({ ours }) => ours === stem)
    .map((found) => ({
      theirs: found.theirs.replace('@', prefix).replace('#', layer ?? '') + (ending ?? ''),
      name: found,
    }));
}

/** Architectures recognized by one of their tensors, and why they do not run here. */
const OTHERS: readonly (readonly [mark: RegExp, what: string])[] = [
  [/^layer0\.attn_wq$/, 'microgpt, which normalizes the sum of its input tables and has ReLU'],
  [/(?:^|\.)blocks\.0\.att\.key\.weight$/, 'RWKV, which is recurrent'],
];

/** The architecture that these names belong to; null if none is known. */
export const otherArchitecture = (names: Iterable<string>): string | null =>
  OTHERS.find(([mark]) => [...names].some((name) => mark.test(name)))?.[1] ?? null;

/** Files of llama2.c store a matrix of all layers in one tensor. This splits it into one per layer, without reading it. */
export function unstacked(tensors: ReadonlyMap<string, StoredTensor>): ReadonlyMap<string, StoredTensor> {
  if (tensors.get('wq.weight')?.shape.length !== 3) return tensors;
  const parts = new Map<string, StoredTensor>();
  for (const [stacked, tensor] of tensors) {
    const part = STACKED.find(([from]) => from === stacked)?.[1];
    if (part === undefined) parts.set(stacked, tensor);
    const layers = part === undefined ? 0 : tensor.shape[0]!;
    const bytes = tensor.bytes / layers;
    for (let layer = 0; layer < layers; layer++) {
      const full = `layers.${layer}.${part}`;
      const from = tensor.from + layer * bytes;
      parts.set(full, { ...tensor, name: full, shape: tensor.shape.slice(1), bytes, from });
    }
  }
  return parts;
}

const STACKED: readonly (readonly [from: string, to: string])[] = [
  ['attention_norm.weight', 'attention_norm.weight'],
  ['wq.weight', 'attention.wq.weight'],
  ['wk.weight', 'attention.wk.weight'],
  ['wv.weight', 'attention.wv.weight'],
  ['wo.weight', 'attention.wo.weight'],
  ['ffn_norm.weight', 'ffn_norm.weight'],
  ['w1.weight', 'feed_forward.w1.weight'],
  ['w2.weight', 'feed_forward.w2.weight'],
  ['w3.weight', 'feed_forward.w3.weight'],
];
