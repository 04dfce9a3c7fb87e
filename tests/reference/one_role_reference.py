#!/usr/bin/env python3
"""A shared table that is trained by one of its two roles, in PyTorch: 50 training losses, and the table's gradient.

    python3 tests/reference/one_role_reference.py > tests/reference/one_role_reference.h

The model, the values, the text and the batches are those of transformer_reference.py. A role that does not train the table
reads a detached copy of it, so autograd computes the gradient of the other role alone. Scales between 0 and 1 mix the table
with its detached copy: the value stays, and its gradient is multiplied. Needs PyTorch 1.13 (Debian's python3-torch).
"""

import torch

import transformer_reference as base


def scaled(value, scale):
    """The same value, with `scale` times its gradient."""
    return scale * value + (1 - scale) * value.detach()


def parameters_of(stored, run):
    """One leaf per stored value; the names of a table in its roles lead to it."""
    leaves = {name: value.detach().clone().requires_grad_() for name, value in stored.items()}
    named = dict(leaves)
    named["embedding"] = scaled(leaves["embedding"], run["input_gradient_scale"])
    named["unembedding"] = scaled(leaves.get("unembedding", leaves["embedding"]), run["output_gradient_scale"])
    return leaves, named


def loss_on(stored, step, run):
    leaves, named = parameters_of(stored, run)
    inputs, targets = base.sequences(step, base.BATCH_SIZE)
    loss = base.loss_of(base.forward(named, inputs, run)[0], targets)
    # The reference keeps the gradient of looked-up rows, which a scale of 0 does not reach.
    loss.backward()
    return loss.item(), leaves


def train(run):
    stored = base.starts(run)
    optimizer = base.optimizer_for(stored, run)
    losses = []
    for step in range(base.STEPS):
        loss, leaves = loss_on(stored, step, run)
        losses.append(loss)
        for name, value in stored.items():
            value.grad = torch.zeros_like(value) if leaves[name].grad is None else leaves[name].grad
        base.update(stored, optimizer, step, run)
    return losses


def all_runs():
    runs = [dict(tying=tying, input_gradient_scale=read, output_gradient_scale=write, sgd=sgd)
            for tying in ("tied", "untied") for read, write in ((1.0, 0.0), (0.0, 1.0), (1.0, 0.25)) for sgd in (False, True)]
    runs += [dict(tying="tied-linear", input_gradient_scale=1.0, output_gradient_scale=0.0),
             dict(tying="tied", layer_norm=True, biases="all", scales_embedding=True, output_bias=True,
                  input_gradient_scale=2.0, output_gradient_scale=0.5)]
    return [dict(base.DEFAULTS, **run) for run in runs]


FIELDS = {"tying": "const char*", "layer_norm": "bool", "biases": "const char*", "scales_embedding": "bool",
          "output_bias": "bool", "sgd": "bool", "input_gradient_scale": "double", "output_gradient_scale": "double"}


def main():
    print("// Made by one_role_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include \"transformer_reference.h\"\n\nnamespace tied::one_role_reference {\n")
    print("// `gradient`: of the table `embedding` [V, d] on the first batch, as its optimizer receives it before clipping.")
    print("struct Run {")
    for name, kind in FIELDS.items():
        print(f"  {kind} {name};")
    print(f"  double gradient[{base.VOCAB_SIZE * base.D_MODEL}];\n  double losses[transformer_reference::kSteps];\n}};\n")
    print("inline constexpr Run kRuns[] = {")
    for run in all_runs():
        _, leaves = loss_on(base.starts(run), 0, run)
        values = ", ".join(base.literal(run[name]) for name in FIELDS)
        print(f"  {{{values},\n   {{{base.numbers(leaves['embedding'].grad.flatten().tolist())}}},\n"
              f"   {{{base.numbers(train(run))}}}}},")
    print("};\n\n}  // namespace tied::one_role_reference")


if __name__ == "__main__":
    main()
