#!/usr/bin/env python3
"""Models that predict hidden tokens from all visible ones, in PyTorch: logits, every gradient and 50 training losses.

    python3 tests/reference/masked_reference.py > tests/reference/masked_reference.h

The layers, the values, the text and the batches are those of transformer_reference.py; attention has no mask, and the
mask's row is a further row of the input table only. What is hidden is drawn here from its definition in
cpp/model/masking.h. The loss is that of the definition, sequence by sequence; for a fixed number of hidden tokens
it is compared with PyTorch's own mean over labels other than -100.

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""
import math

import torch

import reference_header
import transformer_reference as base


def bits(seed, purpose, position):
    stream = base.fnv1a(purpose, 0xCBF29CE484222325, 0x100000001B3, 64)
    block = position // 4
    words = base.philox((block & 0xFFFFFFFF, block >> 32, stream & 0xFFFFFFFF, stream >> 32),
                        (seed & 0xFFFFFFFF, seed >> 32))
    return words[position % 4]


def hidden_places(n, run, key):
    """Which of n tokens are hidden."""
    draw = (bits(key, "hidden tokens", i) for i in range(n + 1))

    def below(bound):
        return next(draw) * bound >> 32

    left = 1 + below(n) if run["mask_rate"] == 0 else max(1, math.floor(run["mask_rate"] * n + 0.5))
    places = []
    for i in range(n):
        places.append(below(n - i) < left)
        left -= places[-1]
    return places


def sequences(step, run, part):
    """Inputs and labels; as in other programs, -100 is a label that is not predicted."""
    _, tokens = base.sequences(step, base.BATCH_SIZE * (part + 1))
    tokens = tokens[part * base.BATCH_SIZE:]
    hidden = []
    for i in range(base.BATCH_SIZE):
        at = (step * (1 << 22) + part * base.BATCH_SIZE + i) * 2
        key = bits(base.SEED, "masks", at) << 32 | bits(base.SEED, "masks", at + 1)
        hidden.append(hidden_places(base.CONTEXT_LENGTH, run, key))
    hidden = torch.tensor(hidden)
    return tokens.masked_fill(hidden, base.VOCAB_SIZE), tokens.masked_fill(~hidden, -100)


def forward(p, inputs, run):
    readable = torch.cat((p["embedding"], p["mask_embedding"]))
    return base.forward(dict(p, embedding=readable), inputs, run)[0]


def loss_of(logits, labels, run):
    each = [torch.nn.functional.cross_entropy(z[t >= 0], t[t >= 0]) for z, t in zip(logits, labels)]
    loss = sum(each) / len(each)
    if run["mask_rate"] > 0:
        whole = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
        assert abs(whole.item() - loss.item()) < 1e-12
    return loss


def shapes(run):
    return dict(base.shapes(run), mask_embedding=(1, base.D_MODEL))


def starts(run):
    return {name: base.start_of(name, shape) for name, shape in shapes(run).items()
            if name != "unembedding" or run["tying"] == "untied"}


def train(run):
    stored = starts(run)
    # The mask's row has the rate and the decay of the table that it would be a row of.
    named = [base.group_of("embedding" if name == "mask_embedding" else name, value, run)
             for name, value in stored.items()]
    optimizer = base.optimizer_of(named, run)
    losses = []
    for step in range(base.STEPS):
        parameters = base.leaves(stored)
        losses.append(0.0)
        for part in range(run["accumulation"]):
            inputs, labels = sequences(step, run, part)
            loss = loss_of(forward(parameters, inputs, run), labels, run) / run["accumulation"]
            losses[-1] += loss.item()
            loss.backward()
        for name, value in stored.items():
            value.grad = parameters[name].grad
            if name in ("embedding", "mask_embedding"):
                value.grad *= run["input_gradient_scale"]
        if "unembedding" not in stored:
            stored["embedding"].grad += parameters["unembedding"].grad
        base.update(stored, optimizer, step, run)
    return losses


def details(run):
    parameters = base.leaves(starts(run))
    inputs, labels = sequences(0, run, 0)
    logits = forward(parameters, inputs, run)
    loss_of(logits, labels, run).backward()
    return logits.detach(), {name: parameters[name].grad for name in shapes(run)}


def all_runs():
    runs = []
    for tying in ("tied", "untied"):
        runs += [dict(tying=tying, mask_rate=0.15, detail=True),
                 dict(tying=tying, mask_rate=0.0, detail=True, scales_embedding=True, output_bias=True,
                      input_gradient_scale=2.0),
                 dict(tying=tying, mask_rate=0.5, role_rates=True, decays_embeddings=False, accumulation=2),
                 dict(tying=tying, mask_rate=0.0, sgd=True, positions="rotary", swiglu=True, n_kv_heads=1, accumulation=2)]
    runs += [dict(tying="tied-linear", mask_rate=1.0, detail=True, positions="none", layer_norm=True, biases="all"),
             dict(tying="tied-low-rank", mask_rate=0.0, detail=True, final_norm=False)]
    return [{**base.DEFAULTS, "both_sides": True, **run} for run in runs]


# ---------------------------------------------------------------- printing

FIELDS = {"tying": "const char*", "positions": "const char*", "biases": "const char*", "layer_norm": "bool",
          "scales_embedding": "bool", "output_bias": "bool", "swiglu": "bool", "final_norm": "bool",
          "n_kv_heads": "std::uint64_t", "sgd": "bool", "role_rates": "bool", "decays_embeddings": "bool",
          "input_gradient_scale": "double", "accumulation": "std::uint64_t", "mask_rate": "double"}


def main():
    print("// Made by masked_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstddef>\n#include <cstdint>\n\n#include \"transformer_reference.h\"\n")
    print("namespace tied::masked_reference {\n")
    print("using transformer_reference::Gradient;\n")
    print("// Of the first batch, before any step; logits [sequence, position, token]. A mask_rate of 0: the number of")
    print("// hidden tokens is drawn.")
    reference_header.print_runs(all_runs(), FIELDS, details, train)
    print("};\n\n}  // namespace tied::masked_reference")


if __name__ == "__main__":
    main()
