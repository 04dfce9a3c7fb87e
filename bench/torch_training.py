#!/usr/bin/env python3
"""The models of bench_core in PyTorch on one thread, for comparison: tokens (or pairs) a second of the
processor in a training step.

    python3 bench/torch_training.py

Prints one line a model. Same shapes and structure: RMSNorm, biases in feed-forward layers alone, GELU in its tanh form,
learned positions, one matrix for embedding and logits; AdamW. Random tokens, as there. The norm is written out, for
PyTorch had none when this was measured; of what PyTorch offers the fastest way found is taken (AdamW over all
parameters at once).
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import time

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)

ROUNDS = 9
SECONDS_PER_ROUND = 0.3


class Norm(torch.nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * self.weight


class Layer(torch.nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.attention_norm = Norm(d_model)
        self.query_key_value = torch.nn.Linear(d_model, 3 * d_model, bias=False)
        self.output = torch.nn.Linear(d_model, d_model, bias=False)
        self.feed_forward_norm = Norm(d_model)
        self.up = torch.nn.Linear(d_model, 4 * d_model)
        self.down = torch.nn.Linear(4 * d_model, d_model)

    def forward(self, x, mask):
        batch, length, d_model = x.shape
        width = d_model // self.n_heads
        rows = self.query_key_value(self.attention_norm(x)).view(batch, length, 3, self.n_heads, width)
        query, key, value = rows.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(query @ key.transpose(-1, -2) * width**-0.5 + mask, -1)
        x = x + self.output((weights @ value).transpose(1, 2).reshape(batch, length, d_model))
        return x + self.down(F.gelu(self.up(self.feed_forward_norm(x)), approximate="tanh"))


class Transformer(torch.nn.Module):
    def __init__(self, vocab_size, d_model, context_length, n_layers=4, n_heads=4):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocab_size, d_model)
        torch.nn.init.normal_(self.embedding.weight, std=0.02)
        self.positions = torch.nn.Parameter(0.02 * torch.randn(context_length, d_model))
        self.layers = torch.nn.ModuleList([Layer(d_model, n_heads) for _ in range(n_layers)])
        self.final_norm = Norm(d_model)
        mask = torch.full((context_length, context_length), float("-inf")).triu(1)
        self.register_buffer("mask", mask)

    def forward(self, inputs):
        x = self.embedding(inputs) + self.positions
        for layer in self.layers:
            x = layer(x, self.mask)
        return self.final_norm(x) @ self.embedding.weight.t()


class DirectPath(torch.nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocab_size, d_model)
        torch.nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, inputs):
        return self.embedding(inputs) @ self.embedding.weight.t()


def step_of(model, vocab_size, shape):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
    inputs = torch.randint(0, vocab_size, shape)
    targets = torch.randint(0, vocab_size, shape)

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = model(inputs)
        F.cross_entropy(logits.view(-1, vocab_size), targets.view(-1)).backward()
        optimizer.step()

    return step, inputs.numel()


def seconds_of(step):
    start = time.process_time()
    calls = 0
    while True:
        step()
        calls += 1
        end = time.process_time()
        if end - start >= SECONDS_PER_ROUND:
            return (end - start) / calls


MODELS = {
    "direct path, tied, V 2000, d 64, 1024 pairs": step_of(DirectPath(2000, 64), 2000, (1024,)),
    "A: transformer, V 65, d 64, T 64, B 16, tied": step_of(Transformer(65, 64, 64), 65, (16, 64)),
    "B: transformer, V 4096, d 128, T 64, B 8, tied": step_of(Transformer(4096, 128, 64), 4096, (8, 64)),
    "laboratory: transformer, V 512, d 64, T 64, B 16, tied": step_of(Transformer(512, 64, 64), 512, (16, 64)),
}

capability = [line for line in torch.__config__.show().split("\n") if "CPU capability" in line]
print(f"PyTorch {torch.__version__}, one thread;{capability[0].strip(' -') if capability else ''}")
# A reference BLAS instead of an optimised one makes everything below slower by an order of magnitude: it shows here.
a = torch.rand(1024, 1024)
fastest = min(seconds_of(lambda: a @ a) for _ in range(3))
print(f"product 1024 x 1024 x 1024: {2 * 1024**3 / fastest * 1e-9:.0f} GFLOP/s")
print(f"{'':58} {'items/s':>9} {'at best':>9}")
rounds = {name: [] for name in MODELS}
for step, _ in MODELS.values():
    step()
for _ in range(ROUNDS):
    for name, (step, _) in MODELS.items():
        rounds[name].append(seconds_of(step))
for name, (_, items) in MODELS.items():
    seconds = sorted(rounds[name])
    print(f"{name:58} {items / seconds[len(seconds) // 2]:9.0f} {items / seconds[0]:9.0f}")
