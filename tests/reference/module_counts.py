#!/usr/bin/env python3
"""How many parameters the model classes of huggingface/transformers 5 hold for small configurations of many kinds: module_counts.json.

Builds the classes of a checkout in PyTorch (any version from 1.13), with stand-ins for everything that holds no parameters, and adds up the
elements of all parameters that the class does not tie to others. Buffers that a file stores and that correct scores of experts count too.

usage: module_counts.py FOLDER (a checkout of huggingface/transformers; the one that was read is 3cd1a2307acd, 21 August 2026, 5.16.0.dev0)
"""
import importlib
import json
import re
import sys
from copy import copy
from pathlib import Path
from types import SimpleNamespace

import torch
from torch import nn

import tying_flags
from tying_flags import Anything, StandIn, put

RESULT = Path(__file__).with_suffix('.json')
SCORES = re.compile('correction|expert_bias')


class RMSNorm(nn.Module):
    def __init__(self, size, eps=None, elementwise_affine=True, **_):
        super().__init__()
        if elementwise_affine:
            self.weight = nn.Parameter(torch.ones(size))


class LayerNorm(RMSNorm):
    """PyTorch 1.13 has none without a bias."""

    def __init__(self, normalized_shape, eps=0, elementwise_affine=True, bias=True, *_, **__):
        super().__init__(normalized_shape, eps, elementwise_affine)
        if elementwise_affine and bias:
            self.bias = nn.Parameter(torch.ones(normalized_shape))


class Embedding(nn.Embedding):
    def __init__(self, *sizes, _freeze=False, **named):
        super().__init__(*sizes, **named)


class Activation(nn.Module):
    def __init__(self, *_, **__):
        super().__init__()


class LearnedActivation(Activation):
    """xIELU: its slopes are learned, its other two numbers are buffers."""

    def __init__(self, *_, **__):
        super().__init__()
        self.alpha_p, self.alpha_n = (nn.Parameter(torch.ones(1)) for _ in range(2))


class Activations(dict):
    def __missing__(self, _):
        return Activation()


class Layer(nn.Module):
    gradient_checkpointing = False


class PreTrainedModel(nn.Module):
    _tied_weights_keys = None

    def __init__(self, config, *_, **__):
        super().__init__()
        self.config = config

    def __init_subclass__(cls, **_):
        pass

    @classmethod
    def _from_config(cls, config, **_):
        return cls(config)

    def post_init(self):
        pass

    def get_input_embeddings(self):
        pass

    def set_input_embeddings(self, _):
        pass


class Conv1D(nn.Module):
    def __init__(self, outputs, inputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))


def buffer(tensor, persistent=True):
    return nn.Parameter(tensor.float(), requires_grad=False) if persistent and tensor.is_floating_point() else tensor


register = nn.Module.register_buffer


def register_buffer(self, name, tensor, persistent=True):
    if persistent and tensor is not None and SCORES.search(name):
        self.register_parameter(name, nn.Parameter(tensor.float(), requires_grad=False))
    else:
        register(self, name, tensor, persistent)


def decorator(*_, **__):
    return lambda it: it


def prepare(source):
    """All configuration classes by model_type; what model classes import is there afterwards."""
    tying_flags.ABSENT = [name for name in tying_flags.ABSENT if name not in ('torch', 'numpy')] + 'kernels einops scipy torchvision xlstm'.split()
    nn.RMSNorm, nn.LayerNorm, nn.Embedding, nn.Buffer, nn.Module.register_buffer = RMSNorm, LayerNorm, Embedding, buffer, register_buffer
    for name in 'torch.compiler torch._dynamo torch.nn.attention torch.nn.attention.flex_attention torch.library'.split():
        try:
            importlib.import_module(name)
        except ImportError:
            sys.modules[name] = StandIn(name)
            parent, _, last = name.rpartition('.')
            setattr(sys.modules[parent], last, sys.modules[name])
    for name in 'float8_e4m3fn float8_e5m2 float8_e8m0fnu uint16 uint32 uint64'.split():
        setattr(torch, name, getattr(torch, name, torch.uint8))
    classes = tying_flags.configurations(source)
    sys.modules['transformers'].PreTrainedModel = PreTrainedModel
    sys.modules['transformers.modeling_rope_utils'].torch = torch
    for name in ('transformers.utils', 'transformers.utils.import_utils'):
        vars(sys.modules.get(name) or put(name))['is_torch_available'] = lambda: True
    put('transformers.modeling_utils', PreTrainedModel=PreTrainedModel, ALL_ATTENTION_FUNCTIONS={}, EmbeddingAccessMixin=type('Mixin', (), {}))
    put('transformers.modeling_layers', GradientCheckpointingLayer=Layer)
    put('transformers.activations', ACT2FN=Activations(), ACT2CLS={'xielu': LearnedActivation}, get_activation=Activation, GELUActivation=Activation)
    put('transformers.pytorch_utils', Conv1D=Conv1D, ALL_LAYERNORM_LAYERS=[], is_torch_greater_or_equal=lambda *_, **__: False)
    named = {name: decorator for name in ('use_kernelized_func', 'use_kernel_forward_from_hub', 'use_kernel_func_from_hub')}
    put('transformers.integrations', **named)
    put('transformers.integrations.hub_kernels', **named)
    return classes


def stored(model):
    """As the library ties: each name that a pattern of its `_tied_weights_keys` matches is another parameter's."""
    names = dict(model.named_parameters())
    tied = set()
    for prefix, part in model.named_modules():
        start = f'{prefix}.' if prefix else ''
        keys = getattr(part, '_tied_weights_keys', None)
        for target, origin in keys.items() if isinstance(keys, dict) else ():
            pattern = re.compile(re.escape(start) + f'(?:{target})' + r'(?:\.|$)')
            tied |= {name for name in names if pattern.match(name) and not name.startswith(start + origin)}
    return sum(parameter.numel() for name, parameter in names.items() if name not in tied)


# The sizes are unlike each other, so that no two mistakes cancel out.
DECODER = {
    'vocab_size': 1000, 'hidden_size': 64, 'intermediate_size': 96, 'moe_intermediate_size': 40, 'num_hidden_layers': 4, 'num_attention_heads': 8,
    'num_key_value_heads': 2, 'head_dim': 16, 'max_position_embeddings': 128, 'pad_token_id': 0, 'bos_token_id': 1, 'eos_token_id': 2,
}
NARROW = {name: size for name, size in DECODER.items() if name != 'intermediate_size'}
ENCODER = {name: size for name, size in DECODER.items() if name not in ('moe_intermediate_size', 'num_key_value_heads', 'head_dim')}
BOTH = {
    'vocab_size': 1000, 'd_model': 64, 'encoder_layers': 2, 'decoder_layers': 3, 'encoder_attention_heads': 4, 'decoder_attention_heads': 4,
    'encoder_ffn_dim': 80, 'decoder_ffn_dim': 96, 'max_position_embeddings': 128, 'pad_token_id': 0, 'decoder_start_token_id': 2,
}
T5 = {'vocab_size': 1000, 'd_model': 64, 'd_kv': 8, 'd_ff': 96, 'num_layers': 2, 'num_decoder_layers': 3, 'num_heads': 4,
      'relative_attention_num_buckets': 32, 'pad_token_id': 0, 'feed_forward_proj': 'gated-gelu'}
MOE = {'n_routed_experts': 6, 'num_experts': 6, 'num_local_experts': 6, 'num_experts_per_tok': 2, 'n_shared_experts': 1,
       'num_shared_experts': 1, 'first_k_dense_replace': 1, 'n_group': 1, 'topk_group': 1}
MLA = {'kv_lora_rank': 24, 'q_lora_rank': 20, 'qk_rope_head_dim': 8, 'qk_nope_head_dim': 16, 'v_head_dim': 12, 'num_key_value_heads': 8, 'head_dim': 24}
DELTA = {'linear_num_value_heads': 4, 'linear_num_key_heads': 2, 'linear_key_head_dim': 10, 'linear_value_head_dim': 14}
KINDS = ['sliding_attention', 'full_attention', 'sliding_attention', 'full_attention']
V4 = {**MOE, 'num_key_value_heads': 1, 'q_lora_rank': 20, 'o_groups': 2, 'o_lora_rank': 6, 'index_n_heads': 3, 'index_head_dim': 8, 'hc_mult': 3}
ZAMBA = {'num_hidden_layers': 5, 'mamba_d_state': 10, 'mamba_d_conv': 3, 'num_key_value_heads': 4, 'layers_block_type': ['mamba', 'hybrid', 'mamba', 'hybrid', 'hybrid']}

# Each: model_type, class, sizes beside which, and the rest of the configuration.
CASES = [
    ('deepseek_v4', 'DeepseekV4ForCausalLM', NARROW, V4),
    ('deepseek_v4', 'DeepseekV4ForCausalLM', NARROW, {**V4, 'compress_ratios': [0, 4, 128, 4], 'num_hash_layers': 2}),
    ('mimo_v2_flash', 'MiMoV2FlashForCausalLM', DECODER, {**MOE, 'n_shared_experts': None, 'num_shared_experts': None, 'v_head_dim': 12}),
    ('mimo_v2_flash', 'MiMoV2FlashForCausalLM', DECODER, {**MOE, 'n_shared_experts': None, 'num_shared_experts': None, 'v_head_dim': 12, 'layer_types': KINDS, 'mlp_layer_types': ['sparse', 'dense'] * 2, 'attention_bias': True}),
    ('mistral4', 'Mistral4ForCausalLM', DECODER, {**MOE, **MLA}),
    ('axk1', 'AXK1ForCausalLM', DECODER, {**MOE, **MLA}),
    ('hy_v3', 'HYV3ForCausalLM', DECODER, MOE),
    ('minimax_m3_vl_text', 'MiniMaxM3VLForCausalLM', DECODER, {**MOE, 'layer_types': ['full_attention', 'minimax_m3_sparse'] * 2, 'mlp_layer_types': ['dense', 'sparse'] * 2, 'dense_intermediate_size': 70, 'shared_intermediate_size': 44}),
    ('cohere2_moe', 'Cohere2MoeForCausalLM', DECODER, {**MOE, 'prefix_dense_intermediate_size': 50}),
    ('aria_text', 'AriaTextForCausalLM', DECODER, {'moe_num_experts': 6, 'moe_topk': 2, 'moe_num_shared_experts': 2}),
    ('hunyuan_v1_moe', 'HunYuanMoEV1ForCausalLM', DECODER, {'num_experts': 6, 'moe_topk': 2}),
    ('laguna', 'LagunaForCausalLM', DECODER, {**MOE, 'shared_expert_intermediate_size': 36, 'num_attention_heads_per_layer': [8, 4, 8, 4], 'layer_types': KINDS, 'gating': True}),
    ('laguna', 'LagunaForCausalLM', DECODER, {**MOE, 'shared_expert_intermediate_size': 36, 'gating': 'per-element', 'attention_bias': True, 'mlp_layer_types': ['sparse', 'dense'] * 2, 'layer_types': KINDS}),
    ('solar_open', 'SolarOpenForCausalLM', DECODER, {name: size for name, size in MOE.items() if name != 'first_k_dense_replace'}),
    ('exaone_moe', 'ExaoneMoeForCausalLM', DECODER, {**MOE, 'layer_types': KINDS}),
    ('mellum', 'MellumForCausalLM', DECODER, {**MOE, 'layer_types': KINDS, 'mlp_layer_types': ['sparse', 'dense'] * 2}),
    ('granite_swa', 'GraniteSWAForCausalLM', DECODER, {'attention_bias': True, 'mlp_bias': True}),
    ('granitemoe_swa', 'GraniteMoeSWAForCausalLM', DECODER, {**MOE, 'shared_intermediate_size': 0}),
    ('granitemoehybrid', 'GraniteMoeHybridForCausalLM', DECODER, {**MOE, 'head_dim': 8, 'layer_types': ['linear_attention', 'full_attention'] * 2, 'shared_intermediate_size': 44, 'mamba_n_heads': 16, 'mamba_d_head': 8, 'mamba_d_state': 10, 'mamba_n_groups': 2, 'mamba_d_conv': 3, 'mamba_expand': 2}),
    ('nemotron_h', 'NemotronHForCausalLM', {name: size for name, size in DECODER.items() if name != 'num_hidden_layers'}, {**MOE, 'layers_block_type': ['linear_attention', 'moe', 'full_attention', 'mlp', 'moe'], 'mamba_num_heads': 6, 'mamba_head_dim': 8, 'ssm_state_size': 10, 'n_groups': 2, 'conv_kernel': 3, 'moe_shared_expert_intermediate_size': 44}),
    ('hyperclovax', 'HyperCLOVAXForCausalLM', DECODER, {}), ('hyperclovax', 'HyperCLOVAXForCausalLM', DECODER, {'use_post_norm': False, 'mlp_bias': True}),
    ('jais2', 'Jais2ForCausalLM', DECODER, {}), ('ministral', 'MinistralForCausalLM', DECODER, {'layer_types': KINDS}),
    ('eurobert', 'EuroBertForMaskedLM', DECODER, {}),
    ('olmo_hybrid', 'OlmoHybridForCausalLM', DECODER, {**DELTA, 'layer_types': ['linear_attention', 'full_attention'] * 2}),
    ('zamba', 'ZambaForCausalLM', DECODER, {**ZAMBA, 'mamba_dt_rank': 5, 'n_mamba_heads': 2}),
    ('zamba2', 'Zamba2ForCausalLM', DECODER, {**ZAMBA, 'mamba_ngroups': 2, 'n_mamba_heads': 4, 'adapter_rank': 6}),
    ('zamba2', 'Zamba2ForCausalLM', DECODER, {**ZAMBA, 'mamba_ngroups': 2, 'n_mamba_heads': 4, 'adapter_rank': 6, 'use_shared_attention_adapter': True, 'num_mem_blocks': 2, 'add_bias_linear': True, 'layers_block_type': ['mamba', 'hybrid', 'hybrid', 'mamba', 'hybrid']}),
    ('mllama_text_model', 'MllamaForCausalLM', DECODER, {'head_dim': 8, 'cross_attention_layers': [1, 3]}),
    ('albert', 'AlbertForMaskedLM', ENCODER, {'embedding_size': 24, 'num_hidden_groups': 2, 'inner_group_num': 2}), ('albert', 'AlbertForMaskedLM', ENCODER, {}),
    ('electra', 'ElectraForMaskedLM', ENCODER, {'embedding_size': 24}), ('electra', 'ElectraForMaskedLM', ENCODER, {'embedding_size': 64}),
    ('deberta', 'DebertaForMaskedLM', ENCODER, {}),
    ('deberta', 'DebertaForMaskedLM', ENCODER, {'relative_attention': True, 'pos_att_type': ['c2p', 'p2c'], 'position_biased_input': False, 'max_relative_positions': -1}),
    ('deberta-v2', 'DebertaV2ForMaskedLM', ENCODER, {}),
    ('deberta-v2', 'DebertaV2ForMaskedLM', ENCODER, {'relative_attention': True, 'pos_att_type': 'p2c|c2p', 'position_biased_input': False, 'max_relative_positions': -1, 'position_buckets': 20, 'norm_rel_ebd': 'layer_norm', 'share_att_key': True, 'conv_kernel_size': 3, 'conv_act': 'gelu'}),
    ('deberta-v2', 'DebertaV2ForMaskedLM', ENCODER, {'relative_attention': True, 'pos_att_type': ['p2c'], 'max_relative_positions': 30, 'embedding_size': 24}),
    ('longformer', 'LongformerForMaskedLM', ENCODER, {'attention_window': 8}), ('mpnet', 'MPNetForMaskedLM', ENCODER, {}),
    ('roberta-prelayernorm', 'RobertaPreLayerNormForMaskedLM', ENCODER, {}), ('roformer', 'RoFormerForMaskedLM', ENCODER, {'embedding_size': 24}),
    ('nomic_bert', 'NomicBertForMaskedLM', ENCODER, {'head_dim': 16}), ('megatron-bert', 'MegatronBertForMaskedLM', ENCODER, {}),
    ('xlm-roberta-xl', 'XLMRobertaXLForMaskedLM', ENCODER, {}), ('big_bird', 'BigBirdForMaskedLM', ENCODER, {}),
    ('ernie', 'ErnieForMaskedLM', ENCODER, {'use_task_id': True, 'task_type_vocab_size': 5}),
    ('modernbert', 'ModernBertForMaskedLM', ENCODER, {}), ('modernbert', 'ModernBertForMaskedLM', ENCODER, {'attention_bias': True, 'mlp_bias': True, 'norm_bias': True, 'classifier_bias': True, 'decoder_bias': False}),
    ('modernbert-decoder', 'ModernBertDecoderForCausalLM', ENCODER, {}),
    ('xlnet', 'XLNetLMHeadModel', {'vocab_size': 1000, 'd_model': 64, 'n_layer': 3, 'n_head': 8, 'd_inner': 96}, {}),
    ('led', 'LEDForConditionalGeneration', BOTH, {'max_encoder_position_embeddings': 256, 'max_decoder_position_embeddings': 64, 'attention_window': 8}),
    ('plbart', 'PLBartForConditionalGeneration', {**BOTH, 'encoder_ffn_dim': 96}, {}), ('mvp', 'MvpForConditionalGeneration', {**BOTH, 'encoder_ffn_dim': 96}, {}),
    ('pegasus_x', 'PegasusXForConditionalGeneration', BOTH, {'num_global_tokens': 7}),
    ('whisper', 'WhisperForConditionalGeneration', BOTH, {'num_mel_bins': 20, 'max_source_positions': 50, 'max_target_positions': 30}),
    ('umt5', 'UMT5ForConditionalGeneration', T5, {}), ('longt5', 'LongT5ForConditionalGeneration', T5, {}),
    ('apertus', 'ApertusForCausalLM', DECODER, {'attention_bias': True}), ('apertus', 'ApertusForCausalLM', DECODER, {'hidden_act': 'relu2'}),
    ('diffusion_gemma_text', 'DiffusionGemmaForBlockDiffusion', DECODER, {'layer_types': KINDS, 'global_head_dim': 24, 'num_global_key_value_heads': 1, 'num_experts': 6, 'top_k_experts': 2}),
    # Language models of multimodal ones, from an earlier commit, 2da00a3cec88.
    ('glm4v_text', 'Glm4vTextModel', DECODER, {}), ('glm_ocr_text', 'GlmOcrTextModel', DECODER, {}), ('paddleocr_vl_text', 'PaddleOCRTextModel', DECODER, {}),
    ('paddleocr_vl_text', 'PaddleOCRTextModel', DECODER, {'use_bias': True}), ('glm4v_moe_text', 'Glm4vMoeTextModel', DECODER, MOE),
    ('glm4v_moe_text', 'Glm4vMoeTextModel', DECODER, {**MOE, 'attention_bias': False}), ('qwen2_5_omni_text', 'Qwen2_5OmniThinkerTextModel', DECODER, {}),
    ('qwen3_omni_moe_text', 'Qwen3OmniMoeThinkerTextModel', DECODER, MOE), ('qwen3_omni_moe_text', 'Qwen3OmniMoeThinkerTextModel', DECODER, {**MOE, 'mlp_only_layers': [1], 'attention_bias': True}),
    # From a later commit, 01377e760fa7.
    ('qwen4_exp_text', 'Qwen4ExpForCausalLM', DECODER, {**MOE, **DELTA, 'shared_expert_intermediate_size': 36, 'hc_count': 3, 'hc_lowrank': 11, 'indexer_n_heads': 3, 'indexer_kv_heads': 1, 'indexer_head_dim': 8, 'ple_layer_ids': [1, 4], 'ple_embed_dim': 48, 'ple_conv_kernel_size': 3, 'ngram_size': 4, 'heads_per_ngram': 2, 'ngram_vocab_size_base': 500, 'make_ngram_vocab_size_divisible_by': 16}),
    ('qwen3_5_moe_text', 'Qwen3_5MoeForCausalLM', DECODER, {**MOE, **DELTA, 'shared_expert_intermediate_size': 36}),
]

# Classes that are built from the configuration around that of the language model.
AROUND = {'diffusion_gemma_text': 'diffusion_gemma'}

# What the classes hold and nobody counts, for the sizes above.
CORRECTIONS = {
    'diffusion_gemma_text': (-64, 'a map of the only feature of an image'),
    'big_bird': (-(64 * 64 + 64), 'a pooler'),
    'roformer': (-128 * 8, 'sinusoids'),
    **{kind: (1000 * 64, 'a head, which is in the model around') for kind in ('glm4v_text', 'glm_ocr_text', 'glm4v_moe_text', 'qwen2_5_omni_text', 'qwen3_omni_moe_text')},
    **{kind: (-1000, 'zeros that are added to the logits') for kind in ('led', 'plbart', 'mvp')},
}


def by_layer(config):
    """What transformers makes of the settings that differ by layer: all settings of each layer, and of each kind of layers."""
    own, config.per_layer_config = config.per_layer_config, {}
    layers = [copy(config) for _ in range(config.num_hidden_layers)]
    for i, layer in enumerate(layers):
        vars(layer).update(own.get(i, {}))
    config.per_layer_config.update(zip(config.layer_types, layers))
    config.per_layer_config.update(enumerate(layers))
    return config


def counted(classes, source, kind, name, sizes, more):
    config = {**sizes, **more}
    file = next(file for file in sorted(source.glob('models/*/modeling_*.py')) if re.search(rf'^class {name}\(', file.read_text(), re.M))
    module = importlib.import_module(f'transformers.models.{file.parent.name}.{file.stem}')
    built = classes[kind](**config)
    if kind in AROUND:
        built = classes[AROUND[kind]](text_config=by_layer(built), vision_config=SimpleNamespace(hidden_size=1, rms_norm_eps=0))
    model = getattr(module, name)(built)
    return {'config': {'model_type': kind, **config}, 'total': stored(model) + CORRECTIONS.get(kind, (0,))[0]}


def main():
    source = Path(sys.argv[1]).resolve() / 'src/transformers'
    classes = prepare(source)
    rows = []
    for case in CASES:
        try:
            rows.append(counted(classes, source, *case))
        except Exception as error:
            raise SystemExit(f'{case[0]}: {error!r}') from error
    lines = ',\n'.join(json.dumps(row) for row in rows)
    RESULT.write_text(f'{{\n"from": "huggingface/transformers, by {Path(__file__).name}",\n"rows": [\n{lines}\n]\n}}\n')


main()
