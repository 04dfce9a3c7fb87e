/**
 * What programs call the matrices of one module of their layers, as a whole: the module's path within the layer, then its parts. A number
 * in a path is `#`. All parts of a module come from one program.
 */
import { partsOf } from './families.js';

const MODULES: readonly string[] = [
  // Our own.
  'attention: query_key_value output',
  'cross_attention: query key_value output',
  'feed_forward: up gate down',
  'self_attn encoder_attn cross_attn attn attention cross_attention attn.attention mixer: q_proj k_proj v_proj o_proj out_proj q_a_proj q_b_proj kv_a_proj_with_mqa kv_b_proj',
  'self_attn attn attention mixer: qkv_proj o_proj out_proj dense W_pack query_key_value',
  'self_attn attn attention attn.attention: in_proj_weight q_proj k_proj v_proj out_proj',
  'self_attn attn attention: q_proj k_proj v_proj dense',
  'attn attention self_attention: qkv proj query_key_value dense c_qkv c_proj',
  'attn crossattention: c_attn q_attn c_proj',
  'attn: c_q c_k c_v c_proj',
  'attn mixer norm_attn_norm.attn: Wqkv out_proj Wo',
  'attention attn: wq wk wv wo wqkv wq_a wq_b wkv wkv_a wkv_b wo_a wo_b',
  'att attn attention: W_query W_key W_value out_proj',
  'attn: W_Q W_K W_V W_O',
  'attention.self crossattention.self: query key value',
  'attention.output crossattention.output intermediate output: dense',
  'attention: q_lin k_lin v_lin out_lin',
  '-: q_lin k_lin v_lin out_lin lin1 lin2',
  'layer.#.SelfAttention layer.#.EncDecAttention SelfAttention: q k v o',
  'multi_head_attention: Wq Wk Wv dense',
  'multi_head_attention: query key value linear',
  'rel_attn: q k v o r',
  'attention/self_attention attention self_attention encoder_decoder_attention: query key value out',
  'attn: q_einsum kv_einsum qkv_einsum attn_vec_einsum',
  'sa.heads.#: key query value',
  'sa: proj',
  'attention att: key value receptance gate output',
  'feed_forward ffn: key value receptance',
  'mlp feed_forward ffn block_sparse_moe.experts.# mlp.experts.# mlp.experts feed_forward.experts moe.experts.# mlp.shared_expert mlp.shared_experts feed_forward.shared_expert: gate_proj up_proj down_proj gate_up_proj',
  'mlp feed_forward ffn block_sparse_moe.experts.# mlp.experts.# feed_forward.experts.# ffn.experts.# ffn.shared_experts: w1 w2 w3 c_proj',
  'ffn.experts.mlp: w1 v1 w2',
  'mlp: c_fc c_proj c_fc_0 c_fc_1',
  'mlp ffn: fc1 fc2 fc_1 fc_2 proj',
  'mlp: fc_in fc_out',
  'mlp: dense_h_to_4h dense_4h_to_h',
  'mlp shared_mlp block_sparse_moe: input_linear output_linear',
  'mlp: Wi Wo',
  'mlp: W_in W_out W_gate',
  'mlp: gating_einsum linear',
  'mlp: wi wi_0 wi_1 wo',
  'layer.#.DenseReluDense DenseReluDense: wi wi_0 wi_1 wo',
  'ffn: proj_1 proj_2',
  'ffn: lin1 lin2',
  'ff: layer_1 layer_2',
  'moe.#: linear linear_1 linear_v',
  'ffwd.net ff.layers ffn ffwd ff mlp feed_forward: # c_fc',
  'mixer mamba: in_proj x_proj dt_proj out_proj A_log conv1d',
  '-: self_attn.in_proj_weight linear1 linear2',
  '-: fc1 fc2',
  '-: att_proj attn_out ff_proj ff_out q_proj k_proj v_proj up_proj',
  '-: attn_q attn_k attn_v attn_qkv attn_output attn_q_a attn_q_b attn_kv_a_mqa attn_kv_b ffn_gate ffn_up ffn_down ffn_gate_exps ffn_up_exps ffn_down_exps ffn_gate_shexp ffn_up_shexp ffn_down_shexp ssm_in ssm_x ssm_dt ssm_out ssm_a ssm_conv1d',
];

const KNOWN: readonly ReadonlyMap<string, ReadonlySet<string>>[] = MODULES.map((line) => {
  const [modules, parts] = line.split(': ') as [string, string];
  const known = new Set(parts.split(' '));
  return new Map(modules.split(' ').map((module) => [module === '-' ? '' : module.replaceAll('/', '.'), known]));
});

interface Place {
  readonly module: string;
  readonly part: string;
}

/** `sub`: a name within its layer. */
function placeOf(sub: string): Place {
  const path = partsOf(sub.replace(/[./_](?:w|W)(?::\d+)?$/, '')).stem.split(/[./]/);
  const parts = path.map((part) => part.replace(/^\d+$/, '#'));
  return { module: parts.slice(0, -1).join('.'), part: parts.at(-1)! };
}

export interface PublishedParts {
  /** Names that a program gives to parts of a module, with all others that the module has. */
  readonly names: ReadonlySet<string>;
  /** Of these, the only part in its module, where the program has more, beside modules with several parts. */
  readonly alone: ReadonlySet<string>;
}

/** Of names within one layer. */
export function publishedParts(subs: readonly string[]): PublishedParts {
  const modules = new Map<string, (Place & { readonly sub: string })[]>();
  for (const sub of subs) {
    const place = placeOf(sub);
    const all = modules.get(place.module) ?? [];
    all.push({ ...place, sub });
    modules.set(place.module, all);
  }
  const [several, alone, single] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const [module, all] of modules) {
    const programs = KNOWN.map((known) => known.get(module) ?? new Set<string>());
    const named = programs.map((parts) => all.filter(({ part }) => parts.has(part)));
    const most = Math.max(...named.map(({ length }) => length));
    const isWhole = named.some((found, i) => found.length === 1 && programs[i]!.size === 1);
    const into = most > 1 ? several : isWhole ? single : alone;
    for (const { sub } of named.find(({ length }) => length === most)!) into.add(sub);
  }
  return { names: new Set([...several, ...alone, ...single]), alone: several.size > 0 ? alone : new Set() };
}
