#!/usr/bin/env python3
"""Transformers and encoder-decoders whose layers Muon trains, and whose tables AdamW trains, in PyTorch: 50 training losses.

    python3 tests/reference/muon_reference.py > tests/reference/muon_reference.h

PyTorch 1.13 has no Muon, so the formula of torch.optim.Muon (PyTorch 2.9) is written here: Nesterov's momentum, five steps
of a Newton-Schulz iteration, a factor of the rate by the shape. In double precision, where that one rounds to bfloat16. Maps
that are stored as one matrix are trained one by one. Models, values, batches and schedules are those of
transformer_reference.py and encoder_decoder_reference.py.

Singular values are iterated by themselves: what becomes of a matrix of which they are known.
Needs PyTorch 1.13 (Debian's python3-torch).
"""
import math

import torch

import encoder_decoder_reference as pairs
import transformer_reference as base

MOMENTUM, MUON_RATE = 0.95, 0.03
A, B, C = 3.4445, -4.7750, 2.0315


def iterated(s):
    for _ in range(5):
        s = A * s + B * s ** 3 + C * s ** 5
    return s


def orthogonalized(x):
    """The Newton-Schulz iteration of a matrix that is not higher than wide, or of its transpose."""
    if x.shape[0] > x.shape[1]:
        return orthogonalized(x.T).T
    x = x / max(x.norm().item(), 1e-7)
    for _ in range(5):
        gram = x @ x.T
        x = A * x + (B * gram + C * gram @ gram) @ x
    return x


def factor_of(shape, run):
    rows, cols = shape
    return math.sqrt(max(1.0, rows / cols)) if run["original"] else 0.2 * math.sqrt(max(rows, cols))


def parts_of(name, value, run):
    """The heights of the maps that a weight of a layer consists of; None for everything that AdamW trains."""
    if ".layers." not in "." + name or value.dim() == 1:
        return None
    keys = base.D_MODEL // run["n_heads"] * run["n_kv_heads"]
    if name.endswith("query_key_value.weight"):
        return [base.D_MODEL, keys, keys]
    return [keys, keys] if name.endswith("key_value.weight") else [value.shape[0]]


class MuonAndAdamW:
    """With the groups and the state of an optimizer of PyTorch."""

    def __init__(self, groups, run, rate, epsilon):
        self.run = run
        self.maps = [group for group in groups if group["parts"]]
        self.adamw = torch.optim.AdamW([group for group in groups if not group["parts"]], lr=rate,
                                       betas=(base.BETA1, base.BETA2), eps=epsilon)
        self.param_groups = self.adamw.param_groups + self.maps
        self.state = self.adamw.state

    def step(self):
        self.adamw.step()
        for group in self.maps:
            [value] = group["params"]
            rate = group["lr"] * (self.run["muon_rate"] / base.ADAMW_RATE if self.run["muon_rate"] else 1)
            buffer = self.state[value].setdefault("momentum", torch.zeros_like(value))
            buffer.mul_(self.run["momentum"]).add_(value.grad, alpha=1 - self.run["momentum"])
            update = self.run["momentum"] * buffer + (1 - self.run["momentum"]) * value.grad
            update = torch.cat([factor_of(part.shape, self.run) * orthogonalized(part)
                                for part in update.split(group["parts"])])
            value.mul_(1 - rate * group["weight_decay"]).sub_(rate * update)


def optimizer_for(stored, run):
    groups = [dict(base.group_of(name, value, run), parts=parts_of(name, value, run)) for name, value in stored.items()]
    return MuonAndAdamW(groups, run, base.ADAMW_RATE, base.EPSILON)


def optimizer_for_pairs(stored, run):
    groups = [{"params": [value], "weight_decay": base.WEIGHT_DECAY if value.dim() == 2 else 0.0,
               "parts": parts_of(name, value, run)} for name, value in stored.items()]
    return MuonAndAdamW(groups, run, base.ADAMW_RATE, pairs.EPSILON)


MUON = dict(original=False, muon_rate=0.0, momentum=MOMENTUM)


def text_runs():
    llama = dict(positions="rotary", swiglu=True, n_heads=2, n_kv_heads=1, biases="none")
    own_rate = dict(original=True, muon_rate=MUON_RATE)
    runs = []
    for tying in ("tied", "untied"):
        change = {"untie_at_step" if tying == "tied" else "tie_at_step": base.CHANGE_STEP}
        runs += [dict(tying=tying), dict(tying=tying, **own_rate), dict(llama, tying=tying, **own_rate), dict(change, tying=tying)]
    runs += [dict(tying="tied-linear"), dict(tying="tied-low-rank", **own_rate), dict(llama, n_heads=4, n_kv_heads=2),
             dict(tying="untied", role_rates=True, muon_rate=MUON_RATE), dict(decays_embeddings=False, momentum=0.0),
             dict(tying="untied", layer_norm=True, biases="all", output_bias=True, scales_embedding=True, accumulation=2,
                  input_gradient_scale=5.0)]
    return [{**base.DEFAULTS, **MUON, **run} for run in runs]


def pair_runs():
    runs = [dict(), dict(tying="tied", encoder_table="embedding", original=True, muon_rate=MUON_RATE, positions="rotary",
                         swiglu=True, n_kv_heads=1, biases="none"),
            dict(tying="untied", encoder_table="unembedding", layer_norm=True, biases="all", scales_logits=True)]
    return [{**pairs.DEFAULTS, **MUON, **run} for run in runs]


def print_runs(name, kind, runs, defaults, train):
    print(f"struct {name[1:-1]} {{\n  {kind}::Run run;\n  bool original;\n  double rate;  // 0: that of AdamW\n  double momentum;\n}};\n")
    print(f"inline constexpr {name[1:-1]} {name}[] = {{")
    for run in runs:
        fields = ", ".join(base.literal(run[key]) for key in defaults if key != "detail")
        print(f"  {{{{{fields}, nullptr,\n    {{{base.numbers(train(run))}}}}},\n"
              f"   {base.literal(run['original'])}, {run['muon_rate']!r}, {run['momentum']!r}}},")
    print("};\n")


def main():
    base.optimizer_for = optimizer_for
    pairs.optimizer_for = optimizer_for_pairs
    print("// Made by muon_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print('#pragma once\n\n#include "encoder_decoder_reference.h"\n#include "transformer_reference.h"\n')
    print("namespace tied::muon_reference {\n")
    print_runs("kTextRuns", "transformer_reference", text_runs(), base.DEFAULTS, base.train)
    print_runs("kPairRuns", "encoder_decoder_reference", pair_runs(), pairs.DEFAULTS, pairs.train)
    print("// A singular value of a matrix whose Frobenius norm is 1, and what five steps make of it.")
    print("struct SingularValue {\n  double before;\n  double after;\n};\n")
    print("inline constexpr SingularValue kSingularValues[] = {")
    for i in range(12):
        s = torch.tensor(10 ** (-i / 4.0), dtype=torch.float64)
        print(f"  {{{s.item()!r}, {iterated(s).item()!r}}},")
    print("};\n\n}  // namespace tied::muon_reference")


if __name__ == "__main__":
    main()
