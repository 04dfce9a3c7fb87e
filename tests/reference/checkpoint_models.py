#!/usr/bin/env python3
"""Small models with GPT-2's and Llama's architecture, in the file formats of Hugging Face and llama.cpp, with their logits.

    python3 tests/reference/checkpoint_models.py > tests/reference/checkpoint_models.json

Written from the definitions of the models and of the file formats, in double precision; nothing of this project is used. Weights are
multiples of 1/2048 below 1 (norms: below 1.25), so that F16 has them exactly. GPT-2 keeps its linear maps [in, out]; Llama rotates halves
of heads (Hugging Face), and the rows of its queries and keys are put in the order of pairs for GGUF, as llama.cpp's converter does.

Written with numpy 1.24 (Debian's python3-numpy); needs nothing else.
"""
import base64
import json
import struct
import sys

import numpy as np

V, D, T, HEADS, KV_HEADS, F, LAYERS = 23, 16, 8, 4, 2, 24, 2
W = D // HEADS
GPT2_EPSILON, LLAMA_EPSILON, THETA = 1e-5, 1e-4, 500.0
IDS = [3, 1, 4, 1, 5, 9]


def weights(rng, shape, scale=0.5):
    return np.round(rng.uniform(-scale, scale, shape) * 2048) / 2048


def gains(rng):
    return 1 + np.round(rng.uniform(-0.25, 0.25, D) * 1024) / 1024


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attend(q, k, v):
    """q [T, HEADS, W], k and v [T, HEADS, W]: causal."""
    n = len(q)
    scores = np.einsum("ihw,jhw->hij", q, k) / np.sqrt(W)
    scores = np.where(np.tril(np.ones((n, n), bool)), scores, -np.inf)
    return np.einsum("hij,jhw->ihw", softmax(scores), v).reshape(n, D)


# ---------------------------------------------------------------- GPT-2

def gpt2_tensors(rng):
    t = {"wte.weight": weights(rng, (V, D)), "wpe.weight": weights(rng, (T, D))}
    for n in range(LAYERS):
        h = f"h.{n}."
        t[h + "ln_1.weight"], t[h + "ln_1.bias"] = gains(rng), weights(rng, D)
        t[h + "attn.c_attn.weight"], t[h + "attn.c_attn.bias"] = weights(rng, (D, 3 * D)), weights(rng, 3 * D)
        t[h + "attn.c_proj.weight"], t[h + "attn.c_proj.bias"] = weights(rng, (D, D)), weights(rng, D)
        t[h + "ln_2.weight"], t[h + "ln_2.bias"] = gains(rng), weights(rng, D)
        t[h + "mlp.c_fc.weight"], t[h + "mlp.c_fc.bias"] = weights(rng, (D, F)), weights(rng, F)
        t[h + "mlp.c_proj.weight"], t[h + "mlp.c_proj.bias"] = weights(rng, (F, D)), weights(rng, D)
    t["ln_f.weight"], t["ln_f.bias"] = gains(rng), weights(rng, D)
    return t


def layer_norm(x, t, name):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + GPT2_EPSILON) * t[name + ".weight"] + t[name + ".bias"]


def gelu_new(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))


def gpt2_logits(t, ids):
    n = len(ids)
    conv = lambda x, name: x @ t[name + ".weight"] + t[name + ".bias"]
    x = t["wte.weight"][ids] + t["wpe.weight"][:n]
    for layer in range(LAYERS):
        h = f"h.{layer}."
        q, k, v = np.split(conv(layer_norm(x, t, h + "ln_1"), h + "attn.c_attn"), 3, axis=-1)
        heads = [part.reshape(n, HEADS, W) for part in (q, k, v)]
        x = x + conv(attend(*heads), h + "attn.c_proj")
        x = x + conv(gelu_new(conv(layer_norm(x, t, h + "ln_2"), h + "mlp.c_fc")), h + "mlp.c_proj")
    return layer_norm(x, t, "ln_f") @ t["wte.weight"].T


# ---------------------------------------------------------------- Llama

def llama_tensors(rng):
    t = {"model.embed_tokens.weight": weights(rng, (V, D)), "lm_head.weight": weights(rng, (V, D))}
    for n in range(LAYERS):
        h = f"model.layers.{n}."
        t[h + "input_layernorm.weight"] = gains(rng)
        t[h + "self_attn.q_proj.weight"] = weights(rng, (D, D))
        t[h + "self_attn.k_proj.weight"] = weights(rng, (KV_HEADS * W, D))
        t[h + "self_attn.v_proj.weight"] = weights(rng, (KV_HEADS * W, D))
        t[h + "self_attn.o_proj.weight"] = weights(rng, (D, D))
        t[h + "post_attention_layernorm.weight"] = gains(rng)
        t[h + "mlp.gate_proj.weight"] = weights(rng, (F, D))
        t[h + "mlp.up_proj.weight"] = weights(rng, (F, D))
        t[h + "mlp.down_proj.weight"] = weights(rng, (D, F))
    t["model.norm.weight"] = gains(rng)
    return t


def rms_norm(x, weight):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + LLAMA_EPSILON) * weight


def rotated(x):
    """x [T, heads, W], with rotate_half as in transformers."""
    angles = np.arange(len(x))[:, None] / THETA ** (np.arange(0, W, 2) / W)
    cos, sin = (np.concatenate([part, part], -1)[:, None, :] for part in (np.cos(angles), np.sin(angles)))
    half = np.concatenate([-x[..., W // 2:], x[..., :W // 2]], -1)
    return x * cos + half * sin


def llama_logits(t, ids):
    n = len(ids)
    x = t["model.embed_tokens.weight"][ids]
    for layer in range(LAYERS):
        h = f"model.layers.{layer}."
        normed = rms_norm(x, t[h + "input_layernorm.weight"])
        q = rotated((normed @ t[h + "self_attn.q_proj.weight"].T).reshape(n, HEADS, W))
        k = rotated((normed @ t[h + "self_attn.k_proj.weight"].T).reshape(n, KV_HEADS, W))
        v = (normed @ t[h + "self_attn.v_proj.weight"].T).reshape(n, KV_HEADS, W)
        k, v = (np.repeat(part, HEADS // KV_HEADS, axis=1) for part in (k, v))
        x = x + attend(q, k, v) @ t[h + "self_attn.o_proj.weight"].T
        normed = rms_norm(x, t[h + "post_attention_layernorm.weight"])
        gate = normed @ t[h + "mlp.gate_proj.weight"].T
        up = normed @ t[h + "mlp.up_proj.weight"].T
        x = x + (gate / (1 + np.exp(-gate)) * up) @ t[h + "mlp.down_proj.weight"].T
    return rms_norm(x, t["model.norm.weight"]) @ t["lm_head.weight"].T


# ---------------------------------------------------------------- files

def safetensors(tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, values in tensors.items():
        stored = values.astype("<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(stored)]}
        data += stored
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def gguf(values, tensors):
    """https://github.com/ggml-org/ggml/blob/master/docs/gguf.md: matrices in F16, vectors in F32."""
    string = lambda s: struct.pack("<Q", len(s.encode())) + s.encode()
    kinds = {str: lambda v: struct.pack("<I", 8) + string(v), int: lambda v: struct.pack("<II", 4, v),
             float: lambda v: struct.pack("<If", 6, v)}
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    for key, value in values.items():
        head += string(key) + kinds[type(value)](value)
    data = b""
    for name, array in tensors.items():
        is_vector = array.ndim == 1
        head += string(name) + struct.pack("<I", array.ndim)
        head += b"".join(struct.pack("<Q", size) for size in reversed(array.shape))
        head += struct.pack("<IQ", 0 if is_vector else 1, len(data))
        data += array.astype("<f4" if is_vector else "<f2").tobytes()
        data += b"\0" * (-len(data) % 32)
    return head + b"\0" * (-len(head) % 32) + data


def pairs(rows, heads):
    """Rows of queries or keys in the order of rotated pairs: convert_hf_to_gguf.py, LlamaModel.permute."""
    return rows.reshape(heads, 2, W // 2, D).swapaxes(1, 2).reshape(rows.shape)


def gpt2_gguf(t):
    values = {"general.architecture": "gpt2", "gpt2.context_length": T, "gpt2.embedding_length": D, "gpt2.feed_forward_length": F,
              "gpt2.block_count": LAYERS, "gpt2.attention.head_count": HEADS,
              "gpt2.attention.layer_norm_epsilon": GPT2_EPSILON}
    out = {"token_embd.weight": t["wte.weight"], "position_embd.weight": t["wpe.weight"],
           "output_norm.weight": t["ln_f.weight"], "output_norm.bias": t["ln_f.bias"]}
    names = {"ln_1": "attn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm",
             "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down"}
    for n in range(LAYERS):
        for theirs, ours in names.items():
            weight = t[f"h.{n}.{theirs}.weight"]
            out[f"blk.{n}.{ours}.weight"] = weight.T if weight.ndim == 2 else weight
            out[f"blk.{n}.{ours}.bias"] = t[f"h.{n}.{theirs}.bias"]
    return gguf(values, out)


def llama_gguf(t):
    values = {"general.architecture": "llama", "llama.vocab_size": V, "llama.context_length": T, "llama.embedding_length": D,
              "llama.feed_forward_length": F, "llama.block_count": LAYERS, "llama.attention.head_count": HEADS,
              "llama.attention.head_count_kv": KV_HEADS, "llama.attention.layer_norm_rms_epsilon": LLAMA_EPSILON,
              "llama.rope.freq_base": THETA, "llama.rope.dimension_count": W}
    out = {"token_embd.weight": t["model.embed_tokens.weight"], "output.weight": t["lm_head.weight"],
           "output_norm.weight": t["model.norm.weight"]}
    names = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
             "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm",
             "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
    for n in range(LAYERS):
        for theirs, ours in names.items():
            weight = t[f"model.layers.{n}.{theirs}.weight"]
            if ours == "attn_q":
                weight = pairs(weight, HEADS)
            if ours == "attn_k":
                weight = pairs(weight, KV_HEADS)
            out[f"blk.{n}.{ours}.weight"] = weight
    return gguf(values, out)


def main():
    rng = np.random.default_rng(20261125)
    gpt2, llama = gpt2_tensors(rng), llama_tensors(rng)
    gpt2_config = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": V, "n_embd": D, "n_layer": LAYERS,
                   "n_head": HEADS, "n_positions": T, "n_ctx": T, "n_inner": F, "layer_norm_epsilon": GPT2_EPSILON,
                   "activation_function": "gelu_new", "scale_attn_weights": True}
    llama_config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": V, "hidden_size": D,
                    "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS,
                    "max_position_embeddings": T, "intermediate_size": F, "rms_norm_eps": LLAMA_EPSILON, "rope_theta": THETA,
                    "rope_scaling": None, "hidden_act": "silu", "attention_bias": False, "tie_word_embeddings": False}
    coded = lambda file: base64.b64encode(file).decode()
    result = {
        "ids": IDS,
        "gpt2": {"config": gpt2_config, "safetensors": coded(safetensors(gpt2)), "gguf": coded(gpt2_gguf(gpt2)),
                 "logits": np.round(gpt2_logits(gpt2, IDS), 9).tolist()},
        "llama": {"config": llama_config, "safetensors": coded(safetensors(llama)), "gguf": coded(llama_gguf(llama)),
                  "logits": np.round(llama_logits(llama, IDS), 9).tolist()},
    }
    json.dump(result, sys.stdout, indent=1)
    print()


main()
