#!/usr/bin/env python3
"""Reads two safetensors files that the checkpoint tests wrote and runs them as GPT-2: logits for test_safetensors_gpt2.cpp.

Usage, from the project root:

    mkdir -p build/files
    TIED_SAFETENSORS_FOLDER=build/files build/native-release/tests/cpp/checkpoint/test_checkpoint
    python3 tests/reference/safetensors_gpt2_reference.py build/files > tests/reference/safetensors_gpt2_reference.h

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else. Reads the files according to the format's specification,
uses the names and layouts of Hugging Face's GPT2LMHeadModel, and computes in double precision.
"""
import json
import math
import struct
import sys

import torch

IDS = [3, 12, 0, 7, 7, 1]


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    (header_size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + header_size])
    body = data[8 + header_size:]
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        assert entry["dtype"] == "F32", entry
        begin, end = entry["data_offsets"]
        values = torch.tensor(struct.unpack(f"<{(end - begin) // 4}f", body[begin:end]), dtype=torch.float64)
        tensors[name] = values.reshape(entry["shape"])
    for name, stored in metadata.items():
        if stored in tensors:
            tensors[name] = tensors[stored]
    return tensors, json.loads(metadata["config"])


def conv1d(tensors, name, x):
    return x @ tensors[name + ".weight"] + tensors[name + ".bias"]


def layer_norm(tensors, name, x, epsilon):
    return torch.nn.functional.layer_norm(x, x.shape[-1:], tensors[name + ".weight"], tensors[name + ".bias"], epsilon)


def gpt2_logits(tensors, config, ids):
    n_tokens, n_heads = len(ids), config["nHeads"]
    epsilon = config["normEpsilon"]
    x = tensors["transformer.wte.weight"][ids] + tensors["transformer.wpe.weight"][:n_tokens]
    mask = torch.triu(torch.full((n_tokens, n_tokens), -math.inf, dtype=torch.float64), 1)
    for layer in range(config["nLayers"]):
        prefix = f"transformer.h.{layer}."
        mixed = conv1d(tensors, prefix + "attn.c_attn", layer_norm(tensors, prefix + "ln_1", x, epsilon))
        query, key, value = (part.reshape(n_tokens, n_heads, -1).transpose(0, 1) for part in mixed.chunk(3, dim=-1))
        scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[-1]) + mask
        attended = (torch.softmax(scores, dim=-1) @ value).transpose(0, 1).reshape(n_tokens, -1)
        x = x + conv1d(tensors, prefix + "attn.c_proj", attended)
        hidden = conv1d(tensors, prefix + "mlp.c_fc", layer_norm(tensors, prefix + "ln_2", x, epsilon))
        x = x + conv1d(tensors, prefix + "mlp.c_proj", torch.nn.functional.gelu(hidden, approximate="tanh"))
    return layer_norm(tensors, "transformer.ln_f", x, epsilon) @ tensors["lm_head.weight"].T


def main():
    print("// Made by safetensors_gpt2_reference.py with PyTorch", torch.__version__.split("+")[0] +
          "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstdint>\n\nnamespace tied::reference {\n")
    print(f"inline constexpr std::uint32_t kGpt2Ids[] = {{{', '.join(map(str, IDS))}}};")
    for tying in ["tied", "untied"]:
        tensors, config = read_safetensors(f"{sys.argv[1]}/gpt2-{tying}.safetensors")
        rows = gpt2_logits(tensors, config, IDS).tolist()
        body = ",\n   ".join(", ".join(repr(value) for value in row) for row in rows)
        print(f"inline constexpr double kGpt2Logits{tying.capitalize()}[] = {{\n   {body}}};")
    print("\n}  // namespace tied::reference")


if __name__ == "__main__":
    main()
