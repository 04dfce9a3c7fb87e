#!/usr/bin/env python3
"""Products and training steps of PyTorch on one thread, for comparison; see lines.py.

    python3 torch_worker.py <folder of references>

The models of bench/peers/models.mjs: RMSNorm, biases in feed-forward layers alone, GELU in its tanh form, learned
positions, one matrix for embedding and logits; a direct path with two. They start from the weights of our trainer and are
timed only where their losses are its losses. The norm is written out, for PyTorch had none when this was measured; of what
PyTorch offers the fastest way found is taken (AdamW over all parameters at once).
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import json
import re
import sys

import torch
import torch.nn.functional as F

import lines

# Relative tolerance of losses: far above rounding over five steps, far below the effect of another model or optimizer.
LOSS_TOLERANCE = 5e-5
NORM_EPSILON = 1e-5

torch.set_num_threads(1)
torch.manual_seed(0)


def norm(x, weight):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + NORM_EPSILON) * weight


def transformer_logits(model, p, inputs, mask):
    n_heads, d_model, length = model["nHeads"], model["dModel"], model["contextLength"]
    batch, width = inputs.numel() // length, d_model // n_heads
    x = F.embedding(inputs.view(batch, length), p["embedding"]) + p["positions"]
    for layer in range(model["nLayers"]):
        prefix = f"layers.{layer}."
        rows = F.linear(norm(x, p[prefix + "attention_norm.weight"]), p[prefix + "attention.query_key_value.weight"])
        query, key, value = rows.view(batch, length, 3, n_heads, width).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(query @ key.transpose(-1, -2) * width**-0.5 + mask, -1)
        mixed = (weights @ value).transpose(1, 2).reshape(batch, length, d_model)
        x = x + F.linear(mixed, p[prefix + "attention.output.weight"])
        normed = norm(x, p[prefix + "feed_forward_norm.weight"])
        up = F.linear(normed, p[prefix + "feed_forward.up.weight"], p[prefix + "feed_forward.up.bias"])
        hidden = F.gelu(up, approximate="tanh")
        x = x + F.linear(hidden, p[prefix + "feed_forward.down.weight"], p[prefix + "feed_forward.down.bias"])
    return (norm(x, p["final_norm.weight"]) @ p["embedding"].t()).view(-1, model["vocabSize"])


def logits_of(model):
    if model["kind"] == "direct-path":
        return lambda p, inputs: F.embedding(inputs, p["embedding"]) @ p["unembedding"].t()
    length = model["contextLength"]
    mask = torch.full((length, length), float("-inf")).triu(1)
    return lambda p, inputs: transformer_logits(model, p, inputs, mask)


def read_reference(folder, name):
    with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
        reference = json.load(file)
    with open(os.path.join(folder, f"{name}.f32"), "rb") as file:
        values = torch.frombuffer(bytearray(file.read()), dtype=torch.float32)
    parameters = {}
    for entry in reference["parameters"]:
        size = torch.Size(entry["shape"]).numel()
        start = values[entry["offset"] : entry["offset"] + size].clone()
        parameters[entry["name"]] = start.view(entry["shape"]).requires_grad_()
    return reference, parameters


def training(folder, name):
    reference, parameters = read_reference(folder, name)
    model, settings = reference["model"], reference["optimizer"]
    logits = logits_of(model)
    optimizer = torch.optim.AdamW(
        parameters.values(),
        lr=settings["learningRate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
        weight_decay=0,
        foreach=True,
    )

    def step(inputs, targets):
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(logits(parameters, inputs), targets)
        loss.backward()
        optimizer.step()
        return loss

    stream = torch.tensor(reference["stream"])
    timed = (stream[:-1], stream[1:])
    repeated = timed
    if model["kind"] == "transformer":
        length = model["contextLength"]
        repeated = tuple(part[:length].repeat(model["batchSize"]) for part in timed)
    losses = reference["losses"]
    for i, expected in enumerate(losses):
        loss = step(*(repeated if i + 1 < len(losses) else timed)).item()
        if not abs(loss - expected) <= LOSS_TOLERANCE * expected:
            raise ValueError(f"its loss of step {i + 1} of {name} is {loss}; expected {expected}, like ours")
    return lambda: step(*timed)


def product(m, k, n):
    a, b, out = torch.rand(m, k) - 0.5, torch.rand(k, n) - 0.5, torch.empty(m, n)
    torch.mm(a, b, out=out)
    for row, column in zip(torch.randint(m, (20,)), torch.randint(n, (20,))):
        lines.check_entry(out[row, column].item(), (a[row].double() @ b[:, column].double()).item(), k)
    return lambda: torch.mm(a, b, out=out)


def prepare(case):
    shape = lines.product_shape(case)
    return product(*shape) if shape else training(sys.argv[1], re.fullmatch("train/(.)", case)[1])


capability = re.search(r"CPU capability usage: (\S+)", torch.__config__.show())
version = f"PyTorch {torch.__version__}"
lines.serve(f"{version}, {capability[1]} kernels" if capability else version, prepare)
