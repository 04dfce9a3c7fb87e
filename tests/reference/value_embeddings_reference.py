#!/usr/bin/env python3
"""A table added to the values of every layer, of its own or the input table, in PyTorch: logits, every gradient by role
and 50 training losses.

    python3 tests/reference/value_embeddings_reference.py > tests/reference/value_embeddings_reference.h

The other layers, the values, the text and the batches are those of transformer_reference.py; attention is written here
again, with scaled_dot_product_attention's formula for each head and the rows of the table added to the values. Needs
PyTorch 1.13 (Debian's python3-torch) and nothing else.
"""
import math

import torch

import reference_header
import transformer_reference as base

VALUES = "value_embedding"


def value_width(run):
    return run["n_kv_heads"] * (base.D_MODEL // run["n_heads"])


def attend_with(inputs):
    """The attention of a layer that reads these tokens."""

    def attend(x, prefix, p, run, seen):
        width = base.D_MODEL // run["n_heads"]
        group = run["n_heads"] // run["n_kv_heads"]
        weight, bias = p[prefix + "query_key_value.weight"], p.get(prefix + "query_key_value.bias")
        rows = x @ weight.T if bias is None else x @ weight.T + bias
        queries, keys, values = rows.split([base.D_MODEL, value_width(run), value_width(run)], dim=-1)
        values = values + p[VALUES][inputs]
        visible = torch.ones(inputs.shape[1], inputs.shape[1], dtype=torch.bool).tril()
        mixed = []
        for head in range(run["n_heads"]):
            kv = slice(head // group * width, (head // group + 1) * width)
            q, k = queries[..., head * width:(head + 1) * width], keys[..., kv]
            if run["positions"] == "rotary":
                q, k = (base.rotated(part[:, None])[:, 0] for part in (q, k))
            scores = (q @ k.transpose(1, 2) / math.sqrt(width)).masked_fill(~visible, -math.inf)
            mixed.append(scores.softmax(dim=-1) @ values[..., kv])
        seen["attention"].append(None)
        return base.affine(torch.cat(mixed, dim=-1), prefix + "output", p)

    return attend


def forward(p, inputs, run):
    base.attend = attend_with(inputs)
    return base.forward(p, inputs, run)[0]


def shapes(run):
    return dict(base.shapes(run), **{VALUES: (base.VOCAB_SIZE, value_width(run))})


def starts(run):
    return {name: base.start_of(name, shape) for name, shape in shapes(run).items()
            if (name != "unembedding" or run["tying"] == "untied")
            and (name != VALUES or run["value_embeddings"] == "own")}


def leaves(stored):
    """One leaf per name: a table has a gradient in each of its roles."""
    named = base.leaves(stored)
    named.setdefault(VALUES, stored["embedding"].detach().clone().requires_grad_())
    return named


def optimizer_for(stored, run):
    """A table of values has the rate and decay of the embedding."""
    groups = [base.group_of("embedding" if name == VALUES else name, value, run) for name, value in stored.items()]
    return base.optimizer_of(groups, run)


def train(run):
    stored = starts(run)
    optimizer = optimizer_for(stored, run)
    losses = []
    for step in range(base.STEPS):
        parameters = leaves(stored)
        inputs, targets = base.sequences(step, base.BATCH_SIZE)
        loss = base.loss_of(forward(parameters, inputs, run), targets)
        losses.append(loss.item())
        loss.backward()
        for name in ("embedding", VALUES):
            parameters[name].grad *= run["input_gradient_scale"]
        for name, value in stored.items():
            value.grad = parameters[name].grad
        for name in ("unembedding", VALUES):
            if name not in stored:
                stored["embedding"].grad += parameters[name].grad
        base.update(stored, optimizer, step, run)
        if step + 1 in (run["untie_at_step"], run["tie_at_step"]):
            base.optimizer_for = optimizer_for
            optimizer = base.change_tying(stored, optimizer, run)
    return losses


def details(run):
    parameters = leaves(starts(run))
    inputs, targets = base.sequences(0, base.BATCH_SIZE)
    logits = forward(parameters, inputs, run)
    base.loss_of(logits, targets).backward()
    return logits.detach(), {name: parameters[name].grad for name in shapes(run)}


def all_runs():
    runs = []
    for values in ("own", "tied"):
        for tying in ("tied", "untied"):
            common = dict(tying=tying, value_embeddings=values)
            is_plain = (values == "own") == (tying == "tied")
            change = {"untie_at_step" if tying == "tied" else "tie_at_step": base.CHANGE_STEP}
            runs += [dict(common, detail=is_plain),
                     dict(common, layer_norm=True, biases="all", scales_embedding=True, output_bias=True,
                          input_gradient_scale=2.0, detail=not is_plain),
                     dict(common, role_rates=True, decays_embeddings=False),
                     dict(common, sgd=True, positions="rotary"),
                     dict(common, **change)]
        runs += [dict(tying="tied-linear", value_embeddings=values), dict(tying="tied-low-rank", value_embeddings=values)]
    runs += [dict(tying=tying, value_embeddings="own", positions="rotary", swiglu=True, n_heads=4, n_kv_heads=kv,
                  biases="none", detail=True) for tying, kv in (("tied", 2), ("untied", 1))]
    return [dict(base.DEFAULTS, **run) for run in runs]


# ---------------------------------------------------------------- printing

FIELDS = {"tying": "const char*", "value_embeddings": "const char*", "positions": "const char*",
          "biases": "const char*", "layer_norm": "bool", "scales_embedding": "bool", "output_bias": "bool",
          "swiglu": "bool", "sgd": "bool", "role_rates": "bool", "decays_embeddings": "bool",
          "input_gradient_scale": "double", "n_heads": "std::uint64_t", "n_kv_heads": "std::uint64_t",
          "untie_at_step": "std::uint64_t", "tie_at_step": "std::uint64_t"}


def main():
    print("// Made by value_embeddings_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstddef>\n#include <cstdint>\n\n#include \"transformer_reference.h\"\n")
    print("namespace tied::value_embeddings_reference {\n")
    print("using transformer_reference::Gradient;\n")
    print("// Of the first batch, before any step; logits [sequence, position, token].")
    reference_header.print_runs(all_runs(), FIELDS, details, train)
    print("};\n\n}  // namespace tied::value_embeddings_reference")


if __name__ == "__main__":
    main()
