#!/usr/bin/env python3
"""An encoder-decoder in PyTorch: logits, every gradient and 50 training losses in every tying of its three tables.

    python3 tests/reference/encoder_decoder_reference.py > tests/reference/encoder_decoder_reference.h

In double precision, with sequences padded to the same length and masked, while the C++ code stores them one after the other.
Values that both programs compute, layers and schedule are those of transformer_reference.py.

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""
import math

import torch

import reference_header
import transformer_reference as base

VOCAB_SIZE, D_MODEL, D_FEED_FORWARD = base.VOCAB_SIZE, base.D_MODEL, base.D_FEED_FORWARD
N_ENCODER_LAYERS, N_LAYERS, SOURCE_LENGTH, CONTEXT_LENGTH = 1, 2, 7, 6
N_PAIRS, BATCH_SIZE, START, END = 20, 3, 0, 1
# Large enough to keep AdamW from turning gradients that are only rounding into full-size steps.
EPSILON = 1e-4

DEFAULTS = dict(tying="untied", encoder_table="own", layer_norm=False, scales_embedding=False, scales_logits=False,
                output_bias=False, positions="learned", swiglu=False, n_heads=2, n_kv_heads=2, biases="feed-forward",
                final_norm=True, input_gradient_scale=1.0, detail=False)


def pairs():
    """Sources of one to seven tokens; targets are their first tokens, at most five, in reverse."""
    found = []
    for i in range(N_PAIRS):
        length = 1 + int((base.unit("length", i) + 1) / 2 * SOURCE_LENGTH)
        source = [2 + int((base.unit(f"source{i}", k) + 1) / 2 * (VOCAB_SIZE - 2)) for k in range(length)]
        found.append((source, source[:CONTEXT_LENGTH - 1][::-1]))
    return found


def batch_of(step):
    """Draws 2 i and 2 i + 1 of a step choose its pair i, like the starts of sequences."""
    everything, chosen = pairs(), []
    for i in range(BATCH_SIZE):
        position = step * 2 * (1 << 22) + 2 * i
        chosen.append(everything[(((base.drawn_bits(position) << 32) | base.drawn_bits(position + 1)) * N_PAIRS) >> 64])
    return chosen


def padded(lists, fill):
    longest = max(len(tokens) for tokens in lists)
    return torch.tensor([tokens + [fill] * (longest - len(tokens)) for tokens in lists])


def shapes(run):
    d, f = D_MODEL, D_FEED_FORWARD
    width = d // run["n_heads"]
    all_biases = run["biases"] == "all"
    found = {"embedding": (VOCAB_SIZE, d), "unembedding": (VOCAB_SIZE, d), "encoder.embedding": (VOCAB_SIZE, d)}

    def norm(name):
        found[name + ".weight"] = (d,)
        if run["layer_norm"] and all_biases:
            found[name + ".bias"] = (d,)

    def linear(name, n_out, n_in, biased):
        found[name + ".weight"] = (n_out, n_in)
        if biased:
            found[name + ".bias"] = (n_out,)

    for stack, layers, length in (("encoder.", N_ENCODER_LAYERS, SOURCE_LENGTH), ("", N_LAYERS, CONTEXT_LENGTH)):
        if run["positions"] == "learned":
            found[stack + "positions"] = (length, d)
        for layer in range(layers):
            prefix = f"{stack}layers.{layer}."
            norm(prefix + "attention_norm")
            linear(prefix + "attention.query_key_value", (run["n_heads"] + 2 * run["n_kv_heads"]) * width, d, all_biases)
            linear(prefix + "attention.output", d, d, all_biases)
            if stack == "":
                norm(prefix + "cross_attention_norm")
                linear(prefix + "cross_attention.query", d, d, all_biases)
                linear(prefix + "cross_attention.key_value", 2 * run["n_kv_heads"] * width, d, all_biases)
                linear(prefix + "cross_attention.output", d, d, all_biases)
            norm(prefix + "feed_forward_norm")
            linear(prefix + "feed_forward.up", f, d, run["biases"] != "none")
            if run["swiglu"]:
                linear(prefix + "feed_forward.gate", f, d, run["biases"] != "none")
            linear(prefix + "feed_forward.down", d, f, run["biases"] != "none")
        if run["final_norm"]:
            norm(stack + "final_norm")
    if run["output_bias"]:
        found["output_bias"] = (VOCAB_SIZE,)
    return found


def mix(query, key, value, hidden, run, rotates):
    """Attention of queries [batch, n, heads width] to keys and values [batch, m, ...]; hidden: the mask."""
    heads, kv, width = run["n_heads"], run["n_kv_heads"], D_MODEL // run["n_heads"]
    batch, length = query.shape[:2]

    def by_head(y, count):
        return y.reshape(batch, y.shape[1], count, width).transpose(1, 2)

    query, key, value = by_head(query, heads), by_head(key, kv), by_head(value, kv)
    if rotates:
        query, key = base.rotated(query), base.rotated(key)
    key, value = key.repeat_interleave(heads // kv, dim=1), value.repeat_interleave(heads // kv, dim=1)
    scores = query @ key.transpose(2, 3) / math.sqrt(width)
    attention = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
    return (attention @ value).transpose(1, 2).reshape(batch, length, heads * width)


def self_attention(x, prefix, hidden, p, run):
    heads, kv, width = run["n_heads"], run["n_kv_heads"], D_MODEL // run["n_heads"]
    joined = base.affine(x, prefix + "query_key_value", p)
    query, key, value = joined.split([heads * width, kv * width, kv * width], dim=-1)
    return base.affine(mix(query, key, value, hidden, run, run["positions"] == "rotary"), prefix + "output", p)


def cross_attention(x, memory, prefix, hidden, p, run):
    query = base.affine(x, prefix + "query", p)
    key, value = base.affine(memory, prefix + "key_value", p).chunk(2, dim=-1)
    return base.affine(mix(query, key, value, hidden, run, False), prefix + "output", p)


def stack(tokens, table, prefix, layers, hidden, memory, memory_hidden, p, run):
    x = p[table][tokens]
    if run["scales_embedding"]:
        x = x * math.sqrt(D_MODEL)
    if run["positions"] == "learned":
        x = x + p[prefix + "positions"][:tokens.shape[1]]
    for layer in range(layers):
        name = f"{prefix}layers.{layer}."
        x = x + self_attention(base.normalized(x, name + "attention_norm", p, run), name + "attention.", hidden, p, run)
        if memory is not None:
            normed = base.normalized(x, name + "cross_attention_norm", p, run)
            x = x + cross_attention(normed, memory, name + "cross_attention.", memory_hidden, p, run)
        x = x + base.feed_forward(base.normalized(x, name + "feed_forward_norm", p, run), name + "feed_forward.", p, run)
    return base.normalized(x, prefix + "final_norm", p, run) if run["final_norm"] else x


def forward(p, chosen, run):
    """The logits of the target tokens, and these tokens; padding is excluded."""
    sources = padded([source for source, _ in chosen], 0)
    lengths = torch.tensor([len(source) for source, _ in chosen])
    inputs = padded([[START] + target for _, target in chosen], 0)
    targets = padded([target + [END] for _, target in chosen], -100)
    is_padding = (torch.arange(sources.shape[1])[None, :] >= lengths[:, None])[:, None, None, :]
    future = torch.ones(inputs.shape[1], inputs.shape[1], dtype=torch.bool).triu(1)
    memory = stack(sources, "encoder.embedding", "encoder.", N_ENCODER_LAYERS, is_padding, None, None, p, run)
    h = stack(inputs, "embedding", "", N_LAYERS, future, memory, is_padding, p, run)
    logits = h @ p["unembedding"].T
    if run["scales_logits"]:
        logits = logits / math.sqrt(D_MODEL)
    if run["output_bias"]:
        logits = logits + p["output_bias"]
    real = targets.flatten() != -100
    return logits.flatten(0, 1)[real], targets.flatten()[real]


def owners(run):
    """The matrix that each table uses."""
    unembedding = "embedding" if run["tying"] == "tied" else "unembedding"
    encoder = {"own": "encoder.embedding", "embedding": "embedding", "unembedding": unembedding}[run["encoder_table"]]
    return {"unembedding": unembedding, "encoder.embedding": encoder}


def starts(run):
    owner = owners(run)
    return {name: base.start_of(name, shape) for name, shape in shapes(run).items() if owner.get(name, name) == name}


def leaves(stored, run):
    owner = owners(run)
    return {name: stored[owner.get(name, name)].detach().clone().requires_grad_() for name in shapes(run)}


def optimizer_for(stored, run):
    groups = [{"params": [value], "weight_decay": base.WEIGHT_DECAY if value.dim() == 2 else 0.0}
              for value in stored.values()]
    return torch.optim.AdamW(groups, lr=base.ADAMW_RATE, betas=(base.BETA1, base.BETA2), eps=EPSILON)


def train(run):
    owner, stored, losses = owners(run), starts(run), []
    optimizer = optimizer_for(stored, run)
    for step in range(base.STEPS):
        parameters = leaves(stored, run)
        loss = torch.nn.functional.cross_entropy(*forward(parameters, batch_of(step), run))
        losses.append(loss.item())
        loss.backward()
        for name in ("embedding", "encoder.embedding"):
            parameters[name].grad *= run["input_gradient_scale"]
        for name, value in stored.items():
            value.grad = sum(parameters[other].grad for other in parameters if owner.get(other, other) == name)
        norm = math.sqrt(sum((value.grad ** 2).sum().item() for value in stored.values()))
        for value in stored.values():
            value.grad *= min(1.0, base.CLIP / norm)
        for group in optimizer.param_groups:
            group["lr"] = base.rate_at(step, base.ADAMW_RATE)
        optimizer.step()
    return losses


def all_runs():
    runs = []
    for tying, encoder_table in (("untied", "own"), ("untied", "embedding"), ("untied", "unembedding"), ("tied", "own"),
                                 ("tied", "embedding")):
        tables = dict(tying=tying, encoder_table=encoder_table)
        runs += [
            dict(tables, detail=True),
            dict(tables, layer_norm=True, biases="all", scales_embedding=True, scales_logits=True, output_bias=True,
                 input_gradient_scale=5.0, detail=tying == "tied"),
            dict(tables, positions="rotary", swiglu=True, n_kv_heads=1, biases="none"),
        ]
    runs.append(dict(tying="tied", encoder_table="embedding", positions="none", biases="none", final_norm=False,
                     layer_norm=True, n_heads=1, n_kv_heads=1))
    return [dict(DEFAULTS, **run) for run in runs]


def details(run):
    parameters = leaves(starts(run), run)
    logits, targets = forward(parameters, batch_of(0), run)
    torch.nn.functional.cross_entropy(logits, targets).backward()
    return logits.detach(), {name: parameters[name].grad for name in shapes(run)}


STRUCTS = """
struct Gradient {
  const char* name;
  const double* numbers;
  std::size_t size;
};

// Of the first batch, before any step. Gradients are those of each name, so that a table with several roles has several.
struct Details {
  const double* logits;  // [target token, token]
  const Gradient* gradients;
  std::size_t n_gradients;
};

struct Run {
  const char* tying;
  const char* encoder_table;
  bool layer_norm;
  bool scales_embedding;
  bool scales_logits;
  bool output_bias;
  const char* positions;
  bool swiglu;
  std::uint32_t n_heads;
  std::uint32_t n_kv_heads;
  const char* biases;
  bool final_norm;
  double input_gradient_scale;
  const Details* details;  // or null
  double losses[kSteps];
};
"""


def main():
    print(f"// Made by encoder_decoder_reference.py with PyTorch {torch.__version__}; not edited by hand.")
    print("// clang-format off\n#pragma once\n\n#include <cstddef>\n#include <cstdint>\n")
    print("namespace tied::encoder_decoder_reference {\n")
    for name, value in (("VocabSize", VOCAB_SIZE), ("DModel", D_MODEL), ("DFeedForward", D_FEED_FORWARD),
                        ("EncoderLayers", N_ENCODER_LAYERS), ("Layers", N_LAYERS), ("SourceLength", SOURCE_LENGTH),
                        ("ContextLength", CONTEXT_LENGTH), ("BatchSize", BATCH_SIZE), ("Steps", base.STEPS),
                        ("Seed", base.SEED), ("WarmupSteps", base.WARMUP_STEPS)):
        print(f"inline constexpr std::uint32_t k{name} = {value};")
    for name, value in (("FinalFraction", base.FINAL_FRACTION), ("WeightDecay", base.WEIGHT_DECAY), ("Clip", base.CLIP),
                        ("Beta1", base.BETA1), ("Beta2", base.BETA2), ("Epsilon", EPSILON),
                        ("AdamWRate", base.ADAMW_RATE), ("NormEpsilon", base.NORM_EPSILON),
                        ("RotaryBase", base.ROTARY_BASE)):
        print(f"inline constexpr double k{name} = {value};")
    for name, which in (("Source", 0), ("Target", 1)):
        lists = [pair[which] for pair in pairs()]
        print(f"inline constexpr std::uint32_t k{name}Ids[] = "
              f"{{{', '.join(str(token) for tokens in lists for token in tokens)}}};")
        print(f"inline constexpr std::uint32_t k{name}Sizes[] = {{{', '.join(str(len(tokens)) for tokens in lists)}}};")
    print(STRUCTS)
    runs = all_runs()
    for index, run in enumerate(runs):
        if run["detail"]:
            reference_header.print_details(index, *details(run))
    print("inline constexpr Run kRuns[] = {")
    for index, run in enumerate(runs):
        fields = [base.literal(value) for name, value in run.items() if name != "detail"]
        fields.append(f"&kDetails{index}" if run["detail"] else "nullptr")
        print(f"    {{{', '.join(fields)},")
        print(f"     {{{', '.join(f'{loss:.10f}' for loss in train(run))}}}}},")
    print("};\n\n}  // namespace tied::encoder_decoder_reference")


if __name__ == "__main__":
    main()
