#!/usr/bin/env python3
"""How many parameters the model classes of ml-explore/mlx-lm hold for small configurations of many families: family_counts.json.

Builds the classes of a checkout with stand-ins for mlx that know shapes only, and adds up the sizes of all arrays. Needs only Python 3.11.
Where that library stores something else than huggingface/transformers, CORRECTIONS says what is added.

usage: family_counts.py FOLDER (a checkout of ml-explore/mlx-lm; the one that was read is d78bf58e217c, 22 August 2026)
"""
import importlib
import importlib.abc
import importlib.machinery
import json
import math
import sys
import types
from pathlib import Path

RESULT = Path(__file__).with_suffix('.json')


class Array:
    """An array of which only the shape is known; whatever is done to it leaves it so."""

    dtype = 'float32'

    def __init__(self, shape):
        self.shape = tuple(int(size) for size in shape)

    @property
    def size(self):
        return math.prod(self.shape)

    def _same(self, *_, **__):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = _same
    __getitem__ = _same

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self._same


class Anything:
    """Any function, decorator or value that shapes do not depend on: gives back the array, or the function, that it is given."""

    def __init__(self, *_, **__):
        pass

    def __call__(self, *given, **named):
        if len(given) == 1 and not named and callable(given[0]):
            return given[0]
        return next((each for each in given if isinstance(each, Array)), Anything())

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Anything()

    def __mro_entries__(self, _):
        return ()

    def __or__(self, _):
        return object

    __ror__ = __or__


class StandIn(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Anything()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    NAMES = 'mlx transformers huggingface_hub numpy'.split()

    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name.split('.')[0] in self.NAMES else None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


def shaped(*given, shape=None, **_):
    sizes = shape if shape is not None else next(each for each in given if isinstance(each, (int, tuple, list)))
    return Array((sizes,) if isinstance(sizes, int) else sizes)


def joined(arrays, axis=0, **_):
    sizes = list(arrays[0].shape) or [arrays[0].size]
    sizes[axis] = sum(each.shape[axis] if each.shape else each.size for each in arrays)
    return Array(sizes)


class Module:
    def __init__(self, *_, **__):
        pass

    def arrays(self):
        return arrays_in([value for name, value in vars(self).items() if not name.startswith('_')])


def arrays_in(value):
    if isinstance(value, Array):
        return [value]
    if isinstance(value, Module):
        return value.arrays()
    if isinstance(value, dict):
        value = list(value.values())
    return [each for part in value for each in arrays_in(part)] if isinstance(value, (list, tuple)) else []


class Linear(Module):
    def __init__(self, rows, cols, bias=True):
        self.weight = Array((cols, rows))
        if bias:
            self.bias = Array((cols,))


class Embedding(Module):
    def __init__(self, rows, cols):
        self.weight = Array((rows, cols))


class RMSNorm(Module):
    def __init__(self, size=None, eps=0, dims=None):
        self.weight = Array((dims if size is None else size,))


class LayerNorm(Module):
    def __init__(self, size, eps=0, affine=True, bias=True):
        if affine:
            self.weight = Array((size,))
        if affine and bias:
            self.bias = Array((size,))


class Conv1d(Module):
    def __init__(self, in_channels, out_channels, kernel_size, groups=1, bias=True, **_):
        self.weight = Array((out_channels, kernel_size, in_channels // groups))
        if bias:
            self.bias = Array((out_channels,))


def stand_in_for_mlx(folder):
    sys.meta_path.append(Finder())
    core, nn = importlib.import_module('mlx.core'), importlib.import_module('mlx.nn')
    sys.modules['mlx'].core, sys.modules['mlx'].nn = core, nn
    core.zeros = core.ones = core.full = shaped
    core.random = types.SimpleNamespace(uniform=shaped, normal=shaped)
    core.array = lambda values, *_, **__: values if isinstance(values, Array) else Array(())
    core.arange = lambda *ends, **_: Array((max(0, math.ceil((ends[1] - ends[0]) / (ends[2] if len(ends) > 2 else 1)) if len(ends) > 1 else ends[0]),))
    core.concatenate = joined
    for kind in (Module, Linear, Embedding, RMSNorm, LayerNorm, Conv1d):
        setattr(nn, kind.__name__, kind)
    for name in 'RoPE SiLU GELU Dropout Identity'.split():
        setattr(nn, name, type(name, (Module,), {}))
    for name, path in (('mlx_lm', folder / 'mlx_lm'), ('mlx_lm.models', folder / 'mlx_lm' / 'models')):
        package = types.ModuleType(name)
        package.__path__ = [str(path)]
        sys.modules[name] = package


# The sizes are unlike each other, so that no two mistakes cancel out.
SIZES = {
    'vocab_size': 1000, 'hidden_size': 64, 'intermediate_size': 96, 'moe_intermediate_size': 40, 'num_hidden_layers': 4,
    'num_attention_heads': 8, 'num_key_value_heads': 2, 'head_dim': 16, 'rms_norm_eps': 1e-5, 'max_position_embeddings': 128,
    'tie_word_embeddings': False, 'attention_bias': False, 'mlp_bias': False, 'use_bias': False, 'partial_rotary_factor': 0.5,
    'rope_theta': 1e4, 'rope_parameters': {'rope_theta': 1e4, 'rope_type': 'default', 'type': 'default'}, 'sliding_window': 16,
}
# What files of some families have, and mlx-lm's classes must be given.
MUST = {'norm_eps': 1e-5, 'layer_norm_eps': 1e-5, 'layer_norm_epsilon': 1e-5}
YARN = {'type': 'yarn', 'factor': 1, 'original_max_position_embeddings': 8}
WIDE = {'head_dim': 8}
MOE = {'n_routed_experts': 6, 'num_experts': 6, 'num_local_experts': 6, 'num_experts_per_tok': 2, 'n_shared_experts': 1,
       'num_shared_experts': 1, 'first_k_dense_replace': 1, 'moe_layer_freq': 1, 'n_group': 1, 'topk_group': 1, 'routed_scaling_factor': 1.0,
       'norm_topk_prob': True}
MLA = {'kv_lora_rank': 24, 'q_lora_rank': 20, 'qk_rope_head_dim': 8, 'qk_nope_head_dim': 16, 'v_head_dim': 12}
INDEX = {'index_n_heads': 3, 'index_head_dim': 7, 'index_topk': 5}
DELTA = {'linear_num_value_heads': 4, 'linear_num_key_heads': 2, 'linear_key_head_dim': 10, 'linear_value_head_dim': 14,
         'linear_conv_kernel_dim': 4}
QWEN = {'decoder_sparse_step': 1, 'shared_expert_intermediate_size': 36, 'mlp_only_layers': []}
MAMBA = {'mamba_d_ssm': 48, 'mamba_n_heads': 6, 'mamba_d_head': 8, 'mamba_d_state': 10, 'mamba_n_groups': 2, 'mamba_d_conv': 4,
         'mamba_proj_bias': False, 'mamba_conv_bias': True, 'mamba_expand': 2, 'mamba_chunk_size': 16}
FALCON_H1 = {**MAMBA, 'mamba_rms_norm': False, 'mamba_norm_before_gate': True, 'projectors_bias': False,
             'ssm_multipliers': [1] * 5, 'mlp_multipliers': [1, 1], 'attention_in_multiplier': 1, 'attention_out_multiplier': 1,
             'ssm_in_multiplier': 1, 'ssm_out_multiplier': 1, 'key_multiplier': 1, 'lm_head_multiplier': 1, 'embedding_multiplier': 1}
GRANITE = {'embedding_multiplier': 1, 'attention_multiplier': 1, 'logits_scaling': 1, 'residual_multiplier': 1}
NEMOTRON_H = {'mamba_num_heads': 6, 'mamba_head_dim': 8, 'ssm_state_size': 10, 'n_groups': 2, 'conv_kernel': 4, 'mamba_proj_bias': False,
              'use_conv_bias': True, 'time_step_limit': [0, 1], 'moe_shared_expert_intermediate_size': 44}
JAMBA = {'attn_layer_offset': 1, 'attn_layer_period': 2, 'expert_layer_offset': 1, 'expert_layer_period': 2, 'mamba_d_conv': 4,
         'mamba_d_state': 10, 'mamba_expand': 2, 'mamba_dt_rank': 5, 'mamba_conv_bias': True, 'mamba_proj_bias': False}
LONGCAT = {'zero_expert_num': 2, 'ffn_hidden_size': 50, 'expert_ffn_hidden_size': 30, 'moe_topk': 2, 'num_layers': 4,
           'mla_scale_q_lora': True, 'mla_scale_kv_lora': True, 'zero_expert_type': 'identity', 'router_bias': False,
           'attention_method': 'MLA'}
LFM2 = {'conv_L_cache': 3, 'conv_bias': False, 'full_attn_idxs': [1, 3]}
KINDS = ['sliding_attention', 'full_attention', 'sliding_attention', 'sliding_attention', 'full_attention']

# Each: model_type, how mlx-lm calls it if not so, and what the configuration has beside SIZES.
CASES = [
    ('llama', None, WIDE), ('llama', None, {**WIDE, 'attention_bias': True, 'mlp_bias': True}), ('llama', None, {'attention_bias': True}),
    ('qwen2', None, WIDE), ('qwen3', None, {}), ('gemma2', None, {'query_pre_attn_scalar': 16}), ('olmo2', None, WIDE), ('olmo3', None, {}),
    ('granite', None, {**WIDE, **GRANITE}), ('smollm3', None, {**WIDE}), ('stablelm', None, {**WIDE, 'use_qkv_bias': True}),
    ('ministral3', None, {'rope_parameters': {**SIZES['rope_parameters'], 'llama_4_scaling_beta': 1, 'original_max_position_embeddings': 8}}),
    ('cohere', None, {**WIDE, 'logit_scale': 1, 'use_qk_norm': True}), ('cohere2', None, {**WIDE, 'logit_scale': 1}),
    ('starcoder2', None, {**WIDE, 'use_bias': True, 'norm_epsilon': 1e-5}), ('glm', None, {'attention_bias': True}),
    ('glm4', None, {'attention_bias': True}), ('ernie4_5', None, {'use_bias': True}), ('ernie4_5', None, {}),
    ('exaone4', None, {'sliding_window_pattern': 'LLG', 'rope_scaling': None}), ('helium', None, WIDE),
    ('hunyuan_v1_dense', None, {'use_qk_norm': True}), ('nemotron', None, {'hidden_act': 'relu2'}),
    ('minicpm', None, {**WIDE, 'dim_model_base': 64, 'scale_depth': 1, 'scale_emb': 1}), ('seed_oss', None, {'attention_bias': True, 'attention_out_bias': False}), ('nanochat', None, WIDE),
    ('apertus', None, {**WIDE, 'post_norm': False, 'qk_norm': True}), ('phi3', None, WIDE),
    ('mixtral', None, {**WIDE, 'num_local_experts': 6}), ('olmoe', None, {**WIDE, **MOE}),
    ('qwen2_moe', None, {**WIDE, **MOE, **QWEN}), ('qwen3_moe', None, {**MOE, **QWEN}),
    ('qwen3_moe', None, {**MOE, **QWEN, 'mlp_only_layers': [0, 2]}), ('mellum', None, {**MOE, 'rope_parameters': {'sliding_attention': SIZES['rope_parameters'], 'full_attention': SIZES['rope_parameters']}, 'layer_types': ['sliding_attention', 'full_attention'] * 2}),
    ('deepseek_v2', None, {**MOE, **MLA, 'rope_scaling': YARN}), ('deepseek_v2', None, {**MOE, **MLA, 'rope_scaling': YARN, 'q_lora_rank': None}),
    ('deepseek_v3', None, {**MOE, **MLA}), ('deepseek_v3', None, {**MOE, **MLA, 'attention_bias': True, 'n_shared_experts': 2}),
    ('kimi_k2', 'deepseek_v3', {**MOE, **MLA}), ('deepseek_v32', None, {**MOE, **MLA, **INDEX}),
    ('glm_moe_dsa', None, {**MOE, **MLA, **INDEX, 'topk_method': 'noaux_tc', 'scoring_func': 'sigmoid'}),
    ('glm4_moe_lite', None, {**MOE, **MLA}), ('youtu', 'youtu_llm', MLA),
    ('mimo_v2_flash', None, {**MOE, 'n_shared_experts': None, 'num_shared_experts': None, 'v_head_dim': 12, 'swa_num_attention_heads': 4, 'swa_num_key_value_heads': 4, 'swa_head_dim': 10, 'swa_v_head_dim': 6, 'hybrid_layer_pattern': [0, 1, 1, 0], 'moe_layer_freq': [0, 1, 1, 1], 'add_swa_attention_sink_bias': True, 'add_full_attention_sink_bias': False, 'sliding_window_size': 16, 'topk_method': 'noaux_tc', 'scoring_func': 'sigmoid', 'layernorm_epsilon': 1e-5, 'swa_rope_theta': 1e4}),
    ('step3p5', None, {'num_attention_groups': 2, 'moe_num_experts': 6, 'moe_top_k': 2, 'share_expert_dim': 44, 'moe_layers_enum': '1,3', 'layer_types': ['full_attention', 'sliding_attention'] * 2, 'attention_other_setting': {'num_attention_heads': 4, 'num_attention_groups': 1}}),
    ('kimi_linear', None, {**MOE, **{name: size for name, size in MLA.items() if name != 'q_lora_rank'}, 'num_experts_per_token': 2, 'num_key_value_heads': 8, 'model_max_length': 128, 'linear_attn_config': {'kda_layers': [1, 2, 4], 'full_attn_layers': [3], 'num_heads': 3, 'head_dim': 10, 'short_conv_kernel_size': 4}}),
    ('rwkv7', None, {'a_low_rank_dim': 5, 'v_low_rank_dim': 6, 'gate_low_rank_dim': 7, 'decay_low_rank_dim': 9}),
    ('dbrx', None, {'d_model': 64, 'n_layers': 4, 'n_heads': 8, 'attn_config': {'kv_n_heads': 2, 'clip_qkv': 8, 'rope_theta': 1e4}, 'ffn_config': {'ffn_hidden_size': 40, 'moe_num_experts': 6, 'moe_top_k': 2}}),
    ('minicpm3', None, {**MLA, 'v_head_dim': 8, 'dim_model_base': 64, 'scale_depth': 1, 'scale_emb': 1, 'rope_scaling': {'original_max_position_embeddings': 8, 'short_factor': 1, 'long_factor': 1}}),
    ('longcat_flash', None, {**MOE, **MLA, **LONGCAT}),
    ('longcat_flash_ngram', None, {**MOE, **MLA, **LONGCAT, 'ngram_vocab_size_ratio': 3, 'emb_neighbor_num': 3, 'emb_split_num': 2}),
    ('dots1', None, MOE), ('glm4_moe', None, {**MOE, 'rope_scaling': None, 'use_qk_norm': True, 'attention_bias': True}), ('solar_open', None, MOE),
    ('ernie4_5_moe', None, {'moe_num_experts': 6, 'moe_k': 2, 'moe_layer_start_index': 1, 'moe_layer_end_index': 3, 'moe_layer_interval': 1, 'moe_num_shared_experts': 2}),
    ('exaone_moe', None, {**MOE, 'is_moe_layer': [False, True, True, True], 'layer_types': ['sliding_attention', 'full_attention'] * 2}), ('gpt_oss', None, {**MOE, 'attention_bias': True, 'layer_types': ['sliding_attention', 'full_attention'] * 2}),
    ('afmoe', None, {**MOE, 'num_dense_layers': 1, 'layer_types': ['sliding_attention', 'full_attention'] * 2}),
    ('minimax_m2', 'minimax', {**MOE, 'shared_intermediate_size': 0, 'rotary_dim': 8, 'scoring_func': 'sigmoid', 'use_qk_norm': True}),
    ('phimoe', None, {**WIDE, **MOE, 'attention_bias': True, 'lm_head_bias': True, 'rope_scaling': {'short_factor': 1, 'long_factor': 1, 'short_mscale': 1, 'long_mscale': 1, 'original_max_position_embeddings': 8}}),
    ('laguna', None, {**MOE, **QWEN, 'mlp_only_layers': [0], 'layer_types': ['sliding_attention', 'full_attention'] * 2}), ('granitemoe', None, {**WIDE, **MOE, **GRANITE}),
    ('llama4_text', 'llama4', {**MOE, 'intermediate_size_mlp': 90, 'interleave_moe_layer_step': 2, 'rope_scaling': None, 'attention_chunk_size': 16, 'use_qk_norm': True, 'num_experts_per_tok': 1}),
    ('qwen3_next', None, {**MOE, **QWEN, **DELTA, 'full_attention_interval': 4}), ('qwen3_5_text', 'qwen3_5', DELTA),
    ('qwen3_5_moe_text', 'qwen3_5', {**DELTA, **MOE, **QWEN}),
    ('lfm2', None, {**WIDE, **LFM2, 'block_dim': 64, 'conv_dim': 64, 'conv_dim_out': 64, 'block_multiple_of': 16, 'block_ffn_dim_multiplier': 1.0, 'block_auto_adjust_ff_dim': True, 'block_ff_dim': 96}),
    ('lfm2_moe', None, {**WIDE, **LFM2, **MOE, 'num_dense_layers': 1, 'use_expert_bias': True}),
    ('falcon_h1', None, FALCON_H1), ('falcon_h1', None, {**FALCON_H1, 'mamba_rms_norm': True}),
    ('nemotron_h', None, {**MOE, **NEMOTRON_H, 'hybrid_override_pattern': 'M*-E'}),
    ('granitemoehybrid', None, {**WIDE, **MAMBA, **MOE, **GRANITE, 'shared_intermediate_size': 44, 'position_embedding_type': 'nope', 'layer_types': ['mamba', 'attention'] * 2}),
    ('jamba', None, {**WIDE, **MOE, **JAMBA}),
    ('mamba', None, {'state_size': 10, 'conv_kernel': 4, 'intermediate_size': 128, 'time_step_rank': 5, 'use_conv_bias': True}),
    ('mamba2', None, {'num_heads': 16, 'head_dim': 8, 'state_size': 10, 'conv_kernel': 4, 'n_groups': 2, 'use_conv_bias': True, 'chunk_size': 8, 'time_step_limit': [0, 1], 'time_step_rank': 4}),
    ('gemma3n_text', 'gemma3n', {'num_hidden_layers': 5, 'layer_types': KINDS, 'num_kv_shared_layers': 2, 'vocab_size_per_layer_input': 900, 'hidden_size_per_layer_input': 9, 'intermediate_size': [96, 96, 96, 80, 80], 'activation_sparsity_pattern': None, 'altup_num_inputs': 3, 'altup_coef_clip': 1, 'altup_correct_scale': True, 'altup_active_idx': 0, 'laurel_rank': 5, 'final_logit_softcapping': 30, 'rope_local_base_freq': 1e4}),
    ('gemma4_text', None, {'num_hidden_layers': 5, 'layer_types': KINDS, 'num_kv_shared_layers': 2, 'use_double_wide_mlp': True, 'vocab_size_per_layer_input': 900, 'hidden_size_per_layer_input': 9, 'global_head_dim': 32}),
    ('gemma4_text', None, {**MOE, 'num_hidden_layers': 5, 'layer_types': KINDS, 'num_kv_shared_layers': 0, 'hidden_size_per_layer_input': 0, 'global_head_dim': 32, 'enable_moe_block': True, 'top_k_experts': 2, 'attention_k_eq_v': True, 'num_global_key_value_heads': 1}),
]
# Parameters of transformers that mlx-lm computes instead, stores with another shape, or has beside: by model_type, for the sizes above.
CORRECTIONS = {
    'mamba': (4 * (128 * 10 - 10), 'A_log is [inner, state], of which the stand-ins see one row'),
    'jamba': (2 * (128 * 10 - 10), 'A_log is [inner, state], of which the stand-ins see one row'),
    'apertus': (-2 * 4, 'beta and eps of the activation are no parameters in transformers'),
    'ernie4_5_moe': (3 * 6, 'transformers keeps a correction of the scores of the experts'),
}


def counted(folder, model_type, name, more):
    module = importlib.import_module('mlx_lm.models.' + (name or model_type))
    config = {**SIZES, **more}
    given = {**MUST, **config, 'model_type': name or model_type}
    if name in ('llama4', 'gemma3n'):
        given = {'model_type': name, 'text_config': {**given, 'model_type': model_type}}
    total = sum(array.size for array in module.Model(module.ModelArgs.from_dict(given)).arrays())
    return {'config': {'model_type': model_type, **config}, 'total': total + CORRECTIONS.get(model_type, (0,))[0]}


def main():
    folder = Path(sys.argv[1])
    stand_in_for_mlx(folder)
    rows = []
    for case in CASES:
        try:
            rows.append(counted(folder, *case))
        except Exception as error:
            raise SystemExit(f'{case[0]}: {error!r}') from error
    lines = ',\n'.join(json.dumps(row) for row in rows)
    RESULT.write_text(f'{{\n"from": "ml-explore/mlx-lm, by {Path(__file__).name}",\n"rows": [\n{lines}\n]\n}}\n')


main()
