#!/usr/bin/env python3
"""Losses of 100 training steps of every direct-path model, by PyTorch: the reference of tests/cpp/training.

Weights, batches and counts are generated here and written out with the losses, so that the C++ core gets exactly the same
inputs as PyTorch. Computed in double precision; every input is first rounded to single.

    python3 tests/reference/direct_path_reference.py > tests/reference/direct_path_reference.h

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""
import math

import torch

VOCAB_SIZE, D_MODEL, D_FEED_FORWARD = 17, 6, 10
STEPS, BATCH_SIZE = 100, 12
WARMUP_STEPS, FINAL_FRACTION, WEIGHT_DECAY, CLIP = 10, 0.1, 0.02, 0.5
OPTIMIZERS = {"adamw": dict(rate=0.02, momentum=0.0), "sgd": dict(rate=0.5, momentum=0.9)}
TYINGS = ["tied", "untied", "tied-linear", "tied-mlp"]

torch.manual_seed(20240117)


def single(tensor):
    """Rounded to single precision, stored in double."""
    return tensor.float().double()


def normal(*shape, std):
    return single(torch.randn(*shape, dtype=torch.float64) * std)


START = {
    "embedding": normal(VOCAB_SIZE, D_MODEL, std=0.3),
    "unembedding": normal(VOCAB_SIZE, D_MODEL, std=0.3),
    "between": single(torch.eye(D_MODEL, dtype=torch.float64)) + normal(D_MODEL, D_MODEL, std=0.1),
    "mlp.up.weight": normal(D_FEED_FORWARD, D_MODEL, std=0.4),
    "mlp.up.bias": normal(D_FEED_FORWARD, std=0.1),
    "mlp.down.weight": normal(D_MODEL, D_FEED_FORWARD, std=0.3),
    "mlp.down.bias": normal(D_MODEL, std=0.1),
    "output_bias": normal(VOCAB_SIZE, std=0.1),
}
START["between"] = single(START["between"])
INNER = {
    "tied": [],
    "untied": ["unembedding"],
    "tied-linear": ["between"],
    "tied-mlp": ["mlp.up.weight", "mlp.up.bias", "mlp.down.weight", "mlp.down.bias"],
}

# A skewed, asymmetric table of counts; two tokens never come first.
COUNTS = torch.floor(torch.rand(VOCAB_SIZE, VOCAB_SIZE, dtype=torch.float64) ** 4 * 60)
COUNTS[5] = 0
COUNTS[11] = 0
INPUTS = torch.randint(VOCAB_SIZE, (STEPS, BATCH_SIZE))
# A rule with noise, so there is something to learn.
TARGETS = torch.where(torch.rand(STEPS, BATCH_SIZE) < 0.7, (3 * INPUTS + 1) % VOCAB_SIZE,
                      torch.randint(VOCAB_SIZE, (STEPS, BATCH_SIZE)))


def gelu(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def logits(parameters, tying, inputs, input_gradient_scale, scales_embedding):
    embedding = parameters["embedding"]
    # The same values with a gradient that is scaled in the backward pass.
    read = embedding * input_gradient_scale + (embedding * (1 - input_gradient_scale)).detach()
    h = read[inputs] * (math.sqrt(D_MODEL) if scales_embedding else 1.0)
    if tying == "tied-linear":
        h = h @ parameters["between"]
    if tying == "tied-mlp":
        hidden = gelu(h @ parameters["mlp.up.weight"].T + parameters["mlp.up.bias"])
        h = h + hidden @ parameters["mlp.down.weight"].T + parameters["mlp.down.bias"]
    written = parameters["unembedding"] if tying == "untied" else embedding
    return h @ written.T + parameters["output_bias"]


def rate_at(step, rate):
    if step < WARMUP_STEPS:
        return rate * (step + 1) / WARMUP_STEPS
    progress = min(1.0, (step - WARMUP_STEPS) / (STEPS - WARMUP_STEPS))
    return rate * (FINAL_FRACTION + (1 - FINAL_FRACTION) * 0.5 * (1 + math.cos(math.pi * progress)))


def train(tying, optimizer_name, table, input_gradient_scale, scales_embedding):
    parameters = {name: START[name].clone().requires_grad_()
                  for name in ["embedding", "output_bias"] + INNER[tying]}
    settings = OPTIMIZERS[optimizer_name]
    matrices = [p for p in parameters.values() if p.dim() == 2]
    vectors = [p for p in parameters.values() if p.dim() == 1]
    if optimizer_name == "adamw":
        optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": WEIGHT_DECAY},
                                       {"params": vectors, "weight_decay": 0.0}], lr=settings["rate"])
    else:
        optimizer = torch.optim.SGD(matrices + vectors, lr=settings["rate"], momentum=settings["momentum"])
    joint = COUNTS / COUNTS.sum()
    losses = []
    for step in range(STEPS):
        optimizer.zero_grad()
        if table:
            log_probabilities = torch.log_softmax(
                logits(parameters, tying, torch.arange(VOCAB_SIZE), input_gradient_scale, scales_embedding), dim=1)
            loss = -(joint * log_probabilities).sum()
        else:
            loss = torch.nn.functional.cross_entropy(
                logits(parameters, tying, INPUTS[step], input_gradient_scale, scales_embedding), TARGETS[step])
        losses.append(loss.item())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(matrices + vectors, CLIP)
        rate = rate_at(step, settings["rate"])
        for group in optimizer.param_groups:
            group["lr"] = rate
        if optimizer_name == "sgd":
            with torch.no_grad():
                for matrix in matrices:
                    matrix.mul_(1 - rate * WEIGHT_DECAY)
        optimizer.step()
    return losses


def array(kind, name, values, form):
    body = ", ".join(form(v) for v in values)
    print(f"inline constexpr {kind} {name}[] = {{{body}}};")


def main():
    print("// Made by direct_path_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstdint>\n\nnamespace tied::reference {\n")
    for name, value in [("kVocabSize", VOCAB_SIZE), ("kDModel", D_MODEL), ("kDFeedForward", D_FEED_FORWARD),
                        ("kSteps", STEPS), ("kBatchSize", BATCH_SIZE), ("kWarmupSteps", WARMUP_STEPS)]:
        print(f"inline constexpr std::uint32_t {name} = {value};")
    for name, value in [("kFinalFraction", FINAL_FRACTION), ("kWeightDecay", WEIGHT_DECAY), ("kClip", CLIP),
                        ("kAdamWRate", OPTIMIZERS["adamw"]["rate"]), ("kSgdRate", OPTIMIZERS["sgd"]["rate"]),
                        ("kSgdMomentum", OPTIMIZERS["sgd"]["momentum"])]:
        print(f"inline constexpr double {name} = {value!r};")
    print()
    float_form = lambda v: (f"{v:.9g}" if "." in f"{v:.9g}" or "e" in f"{v:.9g}" else f"{v:.9g}.0") + "F"
    for name, value in START.items():
        words = name.replace(".", "_").split("_")
        array("float", "kStart" + "".join(w.capitalize() for w in words), value.flatten().tolist(), float_form)
    print()
    array("float", "kCounts", COUNTS.flatten().tolist(), float_form)
    array("std::uint32_t", "kInputs", INPUTS.flatten().tolist(), str)
    array("std::uint32_t", "kTargets", TARGETS.flatten().tolist(), str)
    print("\nstruct Run {\n  const char* tying;\n  bool sgd;\n  bool table;\n  double input_gradient_scale;\n"
          "  bool scales_embedding;\n"
          "  double losses[kSteps];\n};\n")
    print("inline constexpr Run kRuns[] = {")
    for scales_embedding in [False, True]:
        for tying in TYINGS:
            for optimizer in OPTIMIZERS:
                for table in [False, True]:
                    for scale in [1.0, 5.0] if tying in ("tied", "untied") and not scales_embedding else [1.0]:
                        losses = train(tying, optimizer, table, scale, scales_embedding)
                        text = ", ".join(f"{loss:.7f}" for loss in losses)
                        flags = [str(flag).lower() for flag in (optimizer == "sgd", table, scales_embedding)]
                        print(f'  {{"{tying}", {flags[0]}, {flags[1]}, {scale!r}, {flags[2]},\n'
                              f"   {{{text}}}}},")
    print("};\n\n}  // namespace tied::reference")


if __name__ == "__main__":
    main()
