#!/usr/bin/env python3
"""What PyTorch stores for the backward pass of small transformers, and the parameters of its adaptive softmax.

    python3 tests/reference/accounting_reference.py > tests/reference/accounting_reference.h

Every tensor that autograd saves passes through `torch.autograd.graph.saved_tensors_hooks`. The count is the elements of the
distinct blocks of floating-point storage among them, without parameters and constants (masks, tables of rotations, scalars).
The models are written the way a reader of a paper would write them. PyTorch 1.13 has no RMSNorm; a norm that stores its input and one
statistic replaces it, and the same model with the norm in elementary operations is counted as well.

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""
import math

import torch
import torch.nn.functional as F
from torch.autograd.graph import saved_tensors_hooks

torch.manual_seed(0)

DEFAULTS = dict(stack="decoder", tying="tied", vocab_size=50, d_model=24, n_layers=3, n_encoder_layers=0, n_heads=4,
                n_key_value_heads=4, d_head=6, d_feed_forward=96, gated=False, n_experts=0, n_active_experts=0,
                n_shared_experts=0, n_dense_layers=0, d_dense_feed_forward=0, positions="learned", norm="layer",
                norms_per_layer=2, query_key_norm="none", embedding_norm=False, final_norm=True, head_transform=False,
                output_bias=False, low_rank=0, table_rank=0, sequences=2, tokens=10, encoder_tokens=1, post_norm=False,
                elementary=False)

CASES = [
    dict(name="gpt2"),
    dict(name="gpt2_longer", tokens=37, sequences=3),
    dict(name="gpt2_without_layers", n_layers=0),
    dict(name="gpt2_linear", tying="tied-linear"),
    dict(name="gpt2_low_rank", tying="tied-low-rank", low_rank=5),
    dict(name="gpt2_factorized", table_rank=5),
    dict(name="gpt2_mlp", tying="tied-mlp"),
    dict(name="gpt2_untied_bias", tying="untied", output_bias=True),
    dict(name="no_norms", norm="none", norms_per_layer=0, final_norm=False, positions="none"),
    dict(name="side_by_side", norms_per_layer=1, positions="none"),
    dict(name="bert", stack="encoder", embedding_norm=True, final_norm=False, head_transform=True, output_bias=True,
         post_norm=True),
    dict(name="llama", norm="rms", positions="rotary", gated=True, n_key_value_heads=2, d_feed_forward=64, d_head=8),
    dict(name="llama_elementary", norm="rms", positions="rotary", gated=True, n_key_value_heads=2, d_feed_forward=64,
         d_head=8, elementary=True),
    dict(name="qwen3", norm="rms", positions="rotary", gated=True, n_key_value_heads=1, d_feed_forward=64,
         query_key_norm="head"),
    dict(name="gemma3", norm="rms", positions="rotary", gated=True, n_key_value_heads=2, d_feed_forward=64,
         query_key_norm="head", norms_per_layer=4),
    dict(name="olmo2", norm="rms", positions="rotary", gated=True, d_feed_forward=64, query_key_norm="full",
         post_norm=True, tying="untied"),
    dict(name="mixture", norm="rms", positions="rotary", gated=True, n_key_value_heads=2, d_feed_forward=40, n_experts=5,
         n_active_experts=2),
    dict(name="mixture_shared", norm="rms", positions="rotary", gated=True, n_key_value_heads=2, d_feed_forward=16,
         n_experts=7, n_active_experts=3, n_shared_experts=2, n_dense_layers=1, d_dense_feed_forward=80),
    dict(name="encoder_decoder", stack="encoder-decoder", norm="rms", positions="none", n_layers=2, n_encoder_layers=3,
         tokens=7, encoder_tokens=11),
    dict(name="encoder_decoder_factorized", stack="encoder-decoder", norm="rms", positions="none", n_layers=2,
         n_encoder_layers=3, tokens=7, encoder_tokens=11, table_rank=3, tying="untied"),
    dict(name="encoder_decoder_gated", stack="encoder-decoder", norm="layer", positions="none", gated=True, n_layers=3,
         n_encoder_layers=1, tokens=9, encoder_tokens=4, tying="untied", d_feed_forward=30),
]

ADAPTIVE = [(64, 1000, [100, 400], 4), (1024, 50257, [2000, 10000], 4), (96, 32000, [500, 4000, 12000], 2),
            (48, 20, [19], 3)]


# ---------------------------------------------------------------- operations

class RmsNorm(torch.autograd.Function):
    """Stores its input and one statistic per row."""

    @staticmethod
    def forward(context, x, weight):
        inverse = (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt()
        context.save_for_backward(x, inverse, weight)
        return x * inverse * weight

    @staticmethod
    def backward(context, *_):
        raise NotImplementedError


class Model:
    def __init__(self, config):
        self.c = config
        self.not_counted = set()

    def parameter(self, *shape):
        made = torch.nn.Parameter(0.1 * torch.randn(*shape))
        self.not_counted.add(made.storage().data_ptr())
        return made

    def constant(self, made):
        self.not_counted.add(made.storage().data_ptr())
        return made

    def linear(self, x, out):
        return F.linear(x, self.parameter(out, x.shape[-1]), self.parameter(out))

    def norm(self, x):
        if self.c["norm"] == "none":
            return x
        width = x.shape[-1]
        if self.c["norm"] == "layer":
            return F.layer_norm(x, (width,), self.parameter(width), self.parameter(width))
        if self.c["elementary"]:
            return x * (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt() * self.parameter(width)
        return RmsNorm.apply(x, self.parameter(width))

    def rotate(self, x):
        """x [B, heads, T, w]"""
        tokens, width = x.shape[-2], x.shape[-1]
        angle = torch.arange(tokens)[:, None] / 100.0 ** (torch.arange(width) % (width // 2) / (width / 2))
        cosine, sine = self.constant(angle.cos()), self.constant(angle.sin())
        turned = torch.cat((-x[..., width // 2:], x[..., :width // 2]), -1)
        return x * cosine + turned * sine

    def heads(self, x, heads, normed):
        c = self.c
        if normed and c["query_key_norm"] == "full":
            x = self.norm(x)
        x = x.view(*x.shape[:2], heads, c["d_head"])
        if normed and c["query_key_norm"] == "head":
            x = self.norm(x)
        x = x.transpose(1, 2)
        return self.rotate(x) if normed and c["positions"] == "rotary" else x

    def attention(self, x, others, causal):
        c = self.c
        heads, groups, width = c["n_heads"], c["n_key_value_heads"], c["d_head"]
        query = self.heads(self.linear(x, heads * width), heads, True)
        key = self.heads(self.linear(others, groups * width), groups, True)
        value = self.heads(self.linear(others, groups * width), groups, False)
        # The queries of a group are rows of one product, so keys and values need no copies.
        batch, rows, columns = x.shape[0], x.shape[1], others.shape[1]
        query = query.reshape(batch, groups, heads // groups * rows, width)
        scores = (query @ key.transpose(-2, -1) / math.sqrt(width)).view(batch, heads, rows, columns)
        if causal:
            scores = scores + self.constant(torch.full((rows, columns), -1e9).triu(1))
        weights = scores.softmax(-1)
        mixed = weights.view(batch, groups, heads // groups * rows, columns) @ value
        mixed = mixed.view(batch, heads, rows, width).transpose(1, 2).reshape(batch, rows, heads * width)
        return self.linear(mixed, c["d_model"])

    def hidden(self, x, width):
        if self.c["gated"]:
            return self.linear(F.silu(self.linear(x, width)) * self.linear(x, width), self.c["d_model"])
        return self.linear(F.gelu(self.linear(x, width)), self.c["d_model"])

    def experts(self, x):
        c = self.c
        flat = x.reshape(-1, c["d_model"])
        share, taken = self.linear(flat, c["n_experts"]).softmax(-1).topk(c["n_active_experts"], -1)
        out = torch.zeros_like(flat)
        for expert in range(c["n_experts"]):
            rows, slot = torch.where(taken == expert)
            added = self.hidden(flat[rows], c["d_feed_forward"]) * share[rows, slot, None]
            out = out.index_put((rows,), added, accumulate=True)  # index_add would store its operand to know the shape
        for _ in range(c["n_shared_experts"]):
            out = out + self.hidden(flat, c["d_feed_forward"])
        return out.view_as(x)

    def feed_forward(self, x, layer):
        c = self.c
        if c["n_experts"] == 0:
            return self.hidden(x, c["d_feed_forward"])
        return self.hidden(x, c["d_dense_feed_forward"]) if layer < c["n_dense_layers"] else self.experts(x)

    def layer(self, x, layer, causal, others):
        c = self.c
        if c["norms_per_layer"] == 1:
            normed = self.norm(x)
            return x + self.attention(normed, normed, causal) + self.feed_forward(normed, layer)
        before = (lambda y: y) if c["post_norm"] else self.norm
        after = self.norm if c["norms_per_layer"] == 4 else (lambda y: y)
        parts = [lambda y: self.attention(y, y, causal)]
        if others is not None:
            parts.append(lambda y: self.attention(y, others, False))
        parts.append(lambda y: self.feed_forward(y, layer))
        for part in parts:
            if c["name"] == "olmo2":
                x = x + self.norm(part(x))
            elif c["post_norm"]:
                x = self.norm(x + part(x))
            else:
                x = x + after(part(before(x)))
        return x

    def stack(self, table, layers, tokens, causal, others=None):
        c = self.c
        ids = torch.randint(c["vocab_size"], (c["sequences"], tokens))
        x = F.embedding(ids, table[0])
        if c["table_rank"]:
            x = F.linear(x, table[1])
        if c["positions"] == "learned":
            x = x + self.parameter(tokens, c["d_model"])
        if c["embedding_norm"]:
            x = self.norm(x)
        for layer in range(layers):
            x = self.layer(x, layer, causal, others)
        return self.norm(x) if c["final_norm"] else x

    def table(self):
        """The table and, if it is factorized, its factor."""
        c = self.c
        if not c["table_rank"]:
            return self.parameter(c["vocab_size"], c["d_model"]), None
        return self.parameter(c["vocab_size"], c["table_rank"]), self.parameter(c["d_model"], c["table_rank"])

    def logits(self):
        c = self.c
        table = self.table()
        others = None
        if c["stack"] == "encoder-decoder":
            others = self.stack(table, c["n_encoder_layers"], c["encoder_tokens"], False)
        h = self.stack(table, c["n_layers"], c["tokens"], c["stack"] != "encoder", others)
        if c["head_transform"]:
            h = self.norm(F.gelu(self.linear(h, c["d_model"])))
        if c["tying"] == "untied":
            table = self.table()
        if c["table_rank"]:
            h = F.linear(h, table[1].T)
        if c["tying"] == "tied-linear":
            h = h @ self.parameter(c["d_model"], c["d_model"])
        if c["tying"] == "tied-mlp":
            h = h + self.hidden(h, c["d_feed_forward"])
        bias = self.parameter(c["vocab_size"]) if c["output_bias"] else None
        z = F.linear(h, table[0], bias)
        if c["tying"] == "tied-low-rank":
            z = z + F.linear(h @ self.parameter(c["d_model"], c["low_rank"]),
                             self.parameter(c["vocab_size"], c["low_rank"]))
        return z


# ---------------------------------------------------------------- counting

def stored_elements(config):
    """Number of elements stored up to the logits, and from there to the loss."""
    model = Model(config)
    saved = []

    def keep(tensor):
        saved.append(tensor)
        return tensor

    def elements(tensors):
        arrays = [t for t in tensors if t.is_floating_point() and t.dim() > 0]
        blocks = {t.storage().data_ptr(): t.storage().size() for t in arrays}
        return sum(size for block, size in blocks.items() if block not in model.not_counted)

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        logits = model.logits()
        before = len(saved)
        targets = torch.randint(config["vocab_size"], logits.shape[:2])
        loss = F.cross_entropy(logits.view(-1, config["vocab_size"]), targets.view(-1))
    result = elements(saved[:before]), elements(saved[before:])
    del loss
    return result


def enumerator(word):
    return "k" + "".join(part.capitalize() for part in word.split("-"))


def architecture(c):
    fields = [f'.stack = Stack::{enumerator(c["stack"])}', f'.vocab_size = {c["vocab_size"]}',
              f'.output_vocab_size = {c["vocab_size"]}']
    for name in ("d_model", "n_layers", "n_encoder_layers", "n_heads", "n_key_value_heads", "d_head", "d_feed_forward"):
        fields.append(f".{name} = {c[name]}")
    fields.append(f'.feed_forward = FeedForwardKind::{"kGated" if c["gated"] else "kPlain"}')
    for name in ("n_experts", "n_active_experts", "n_shared_experts", "n_dense_layers", "d_dense_feed_forward"):
        fields.append(f".{name} = {c[name]}")
    fields += [f'.positions = PositionKind::{enumerator(c["positions"])}',
               f'.context_length = {c["tokens"] if c["positions"] == "learned" else 0}',
               f'.norm = NormKind::{enumerator(c["norm"])}', f'.norms_per_layer = {c["norms_per_layer"]}',
               f'.query_key_norm = QueryKeyNorm::{enumerator(c["query_key_norm"])}']
    for name in ("embedding_norm", "final_norm", "head_transform", "output_bias"):
        fields.append(f".{name} = {str(c[name]).lower()}")
    fields.append(f'.low_rank = {c["low_rank"] or 1}')
    if c["table_rank"]:
        fields.append(f'.table_rank = {c["table_rank"]}')
    return "{" + ", ".join(fields) + "}"


def main():
    print(f"// Made by accounting_reference.py with PyTorch {torch.__version__}; not edited by hand.")
    print("// clang-format off\n#pragma once\n\n#include <cstdint>\n#include <vector>\n")
    print('#include "accounting/architecture.h"\n\nnamespace tied::accounting_reference {\n')
    print("struct Activations {\n  const char* name;\n  Architecture architecture;\n  TableTying tying;\n"
          "  std::uint64_t sequences, tokens, encoder_tokens;\n  std::uint64_t values;  // up to the logits\n"
          "  std::uint64_t logits;  // from there to the loss\n};\n")
    print("inline const Activations kActivations[] = {")
    elementary = None
    for case in CASES:
        c = {**DEFAULTS, **case}
        values, logits = stored_elements(c)
        if c["elementary"]:
            elementary = values
            continue
        print(f'    {{"{c["name"]}", {architecture(c)}, TableTying::{enumerator(c["tying"])}, {c["sequences"]}, '
              f'{c["tokens"]}, {c["encoder_tokens"]}, {values}, {logits}}},')
    print("};\n\n// The case \"llama\" with its norms in elementary operations.")
    print(f"inline constexpr std::uint64_t kLlamaElementary = {elementary};\n")
    print("struct Adaptive {\n  std::uint64_t d_model, vocab_size;\n  std::vector<std::uint64_t> cutoffs;\n"
          "  std::uint64_t divisor;\n  std::uint64_t parameters;\n};\n")
    print("inline const Adaptive kAdaptive[] = {")
    for d_model, vocab_size, cutoffs, divisor in ADAPTIVE:
        module = torch.nn.AdaptiveLogSoftmaxWithLoss(d_model, vocab_size, cutoffs, div_value=divisor)
        count = sum(parameter.numel() for parameter in module.parameters())
        print(f'    {{{d_model}, {vocab_size}, {{{", ".join(map(str, cutoffs))}}}, {divisor}, {count}}},')
    print("};\n\n}  // namespace tied::accounting_reference")


main()
