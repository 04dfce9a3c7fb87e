#!/usr/bin/env python3
"""N-gram tables, which are hashed and used for input only, in PyTorch: logits, every gradient and 50 training losses.

    python3 tests/reference/ngrams_reference.py > tests/reference/ngrams_reference.h

The layers, the values, the text and the batches are those of transformer_reference.py, to which each position's sum of
rows is passed as a separate table. The hash is written from its definition in cpp/model/ngrams.h. Rows of these tables
that a step does not touch keep their values and state: the optimizers are PyTorch's, and those rows are restored.

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""

import torch

import reference_header
import transformer_reference as base

MASK = (1 << 64) - 1


def continued(state, token):
    x = (state + 0x9E3779B97F4A7C15 * (token + 1)) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def row_of(tokens, n, rows, head=0):
    """The hash of the last n tokens, or of all if there are fewer; for later heads, continued by the number before."""
    state = 0
    for token in reversed(tokens[-n:]):
        state = continued(state, token)
    return (continued(state, head - 1) if head else state) % rows


def rows_of(inputs, run):
    """For each n, the row of each position in each head's part [sequence, position, head]."""
    heads, rows = run["ngram_heads"], run["ngram_rows"]
    return {n: torch.tensor([[[head * rows + row_of(tokens[:i + 1], n, rows, head) for head in range(heads)]
                              for i in range(len(tokens))] for tokens in inputs.tolist()])
            for n in range(2, run["ngram_order"] + 1)}


def forward(p, inputs, run):
    read = sum(p[f"ngrams.{n}"][rows].flatten(-2) for n, rows in rows_of(inputs, run).items())
    places = torch.arange(inputs.numel()).reshape(inputs.shape)
    own = (p["embedding"][inputs] + read).flatten(0, 1)
    return base.forward(dict(p, embedding=own), places, run, read if run["every_layer"] else None)[0]


def shapes(run):
    found = base.shapes(run)
    heads = run["ngram_heads"]
    tables = {f"ngrams.{n}": (heads * run["ngram_rows"], base.D_MODEL // heads)
              for n in range(2, run["ngram_order"] + 1)}
    return dict(found, **tables)


def starts(run):
    return {name: base.start_of(name, shape) for name, shape in shapes(run).items()
            if name != "unembedding" or run["tying"] == "untied"}


def read_only(name):
    return name.startswith("ngrams.")


def optimizer_for(stored, run):
    """N-gram tables have the rate and decay of the embedding."""
    named = [base.group_of("embedding" if read_only(name) else name, value, run) for name, value in stored.items()]
    return base.optimizer_of(named, run)


def train(run):
    stored = starts(run)
    optimizer = optimizer_for(stored, run)
    losses = []
    for step in range(base.STEPS):
        parameters = base.leaves(stored)
        inputs, targets = base.sequences(step, base.BATCH_SIZE)
        loss = base.loss_of(forward(parameters, inputs, run), targets)
        losses.append(loss.item())
        loss.backward()
        for name, value in stored.items():
            value.grad = parameters[name].grad
            if name == "embedding" or read_only(name):
                value.grad *= run["input_gradient_scale"]
        if "unembedding" not in stored:
            stored["embedding"].grad += parameters["unembedding"].grad
        before = {name: (value.clone(), {key: state.clone() for key, state in optimizer.state[value].items()
                                         if torch.is_tensor(state) and state.dim() == 2})
                  for name, value in stored.items() if read_only(name)}
        base.update(stored, optimizer, step, run)
        for n, rows in rows_of(inputs, run).items():
            value = stored[f"ngrams.{n}"]
            kept = sorted(set(range(len(value))) - set(rows.flatten().tolist()))
            values, state = before[f"ngrams.{n}"]
            value[kept] = values[kept]
            for key, moment in optimizer.state[value].items():
                if torch.is_tensor(moment) and moment.dim() == 2:
                    moment[kept] = state[key][kept] if key in state else 0
    return losses


def details(run):
    parameters = base.leaves(starts(run))
    inputs, targets = base.sequences(0, base.BATCH_SIZE)
    logits = forward(parameters, inputs, run)
    base.loss_of(logits, targets).backward()
    return logits.detach(), {name: parameters[name].grad for name in shapes(run)}


def all_runs():
    runs = []
    for tying in ("tied", "untied"):
        runs += [dict(tying=tying, ngram_order=2, ngram_rows=29, detail=True),
                 dict(tying=tying, ngram_order=3, ngram_rows=7, detail=True, scales_embedding=True, output_bias=True,
                      input_gradient_scale=2.0),
                 dict(tying=tying, ngram_order=4, ngram_rows=64, role_rates=True, decays_embeddings=False),
                 dict(tying=tying, ngram_order=3, ngram_rows=16, sgd=True, positions="rotary")]
    # More tokens than in a sequence.
    runs += [dict(tying="tied", ngram_order=8, ngram_rows=40, positions="none", layer_norm=True, biases="all",
                  detail=True)]
    for tying in ("tied", "untied"):
        runs += [dict(tying=tying, ngram_order=3, ngram_rows=7, ngram_heads=2, detail=True, scales_embedding=True),
                 dict(tying=tying, ngram_order=2, ngram_rows=5, ngram_heads=base.D_MODEL, sgd=True),
                 dict(tying=tying, ngram_order=3, ngram_rows=7, ngram_heads=2, every_layer=True, detail=True,
                      scales_embedding=True),
                 dict(tying=tying, ngram_order=2, ngram_rows=29, every_layer=True, input_gradient_scale=2.0)]
    return [{**base.DEFAULTS, "ngram_heads": 1, "every_layer": False, **run} for run in runs]


# ---------------------------------------------------------------- printing

FIELDS = {"tying": "const char*", "positions": "const char*", "biases": "const char*", "layer_norm": "bool",
          "scales_embedding": "bool", "output_bias": "bool", "sgd": "bool", "role_rates": "bool",
          "decays_embeddings": "bool", "input_gradient_scale": "double", "ngram_order": "std::uint64_t",
          "ngram_rows": "std::uint64_t", "ngram_heads": "std::uint64_t", "every_layer": "bool"}
HASHED = [[0], [1], [0, 0], [5, 3], [3, 5], [4294967295, 0, 7], [10, 2, 9, 4, 1]]


def main():
    print("// Made by ngrams_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstddef>\n#include <cstdint>\n\n#include \"transformer_reference.h\"\n")
    print("namespace tied::ngrams_reference {\n")
    print("using transformer_reference::Gradient;\n")
    print("struct Hashed {\n  std::size_t size;\n  std::uint32_t tokens[5];\n  std::uint64_t hash;\n};\n")
    print("inline constexpr Hashed kHashed[] = {")
    for tokens in HASHED:
        print(f"    {{{len(tokens)}, {{{', '.join(f'{token}u' for token in tokens)}}}, "
              f"{row_of(tokens, len(tokens), 1 << 64)}u}},")
    print("};\n")
    print("// Of the first batch, before any step; logits [sequence, position, token].")
    reference_header.print_runs(all_runs(), FIELDS, details, train)
    print("};\n\n}  // namespace tied::ngrams_reference")


if __name__ == "__main__":
    main()
