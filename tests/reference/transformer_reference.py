#!/usr/bin/env python3
"""A small transformer in PyTorch: logits, every gradient and 50 training losses; the reference of the C++ one.

    python3 tests/reference/transformer_reference.py > tests/reference/transformer_reference.h

Computed in double precision. Only results are written: weights and text are computed from integers by formulas that the
test repeats (`unit`, `text` below), and are exactly representable in single precision. Batches are drawn as the trainer
draws them, by Philox4x32-10, which is implemented here independently.

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""
import itertools
import math

import torch

VOCAB_SIZE, D_MODEL, N_LAYERS, CONTEXT_LENGTH, D_FEED_FORWARD, LOW_RANK = 11, 8, 2, 6, 12, 3
STEPS, BATCH_SIZE, TEXT_SIZE, SEED = 50, 3, 64, 7
WARMUP_STEPS, FINAL_FRACTION, WEIGHT_DECAY, CLIP = 5, 0.1, 0.1, 1.0
BETA1, BETA2, EPSILON, ADAMW_RATE, SGD_RATE, MOMENTUM = 0.9, 0.95, 1e-8, 0.02, 0.05, 0.9
NORM_EPSILON, ROTARY_BASE = 1e-5, 100.0
EMBEDDING_RATE, UNEMBEDDING_RATE, INNER_RATE = 0.5, 1.5, 0.75
SCALE_POINTS = [(0, 1.0), (10, 5.0), (30, 0.5)]
CHANGE_STEP = 25

DEFAULTS = dict(tying="tied", layer_norm=False, scales_embedding=False, output_bias=False, accumulation=1, sgd=False,
                positions="learned", swiglu=False, n_heads=2, n_kv_heads=2, biases="feed-forward", final_norm=True,
                untie_at_step=0, tie_at_step=0, input_gradient_scale=1.0, scale_schedule=False, role_rates=False,
                decays_embeddings=True, detail=False)


# ---------------------------------------------------------------- values that both programs compute

def fnv1a(name, offset, prime, bits):
    value = offset
    for byte in name.encode():
        value = ((value ^ byte) * prime) % (1 << bits)
    return value


def unit(name, i):
    """A number in [-1, 1) with twelve bits, from a name and an index."""
    x = (fnv1a(name, 0x811C9DC5, 0x01000193, 32) + (i + 1) * 2654435761) % (1 << 32)
    x = ((x ^ (x >> 16)) * 0x45D9F3B) % (1 << 32)
    x ^= x >> 16
    return (x >> 20) / 2048 - 1


def text():
    """Mostly 3 t + 1 after t, so there is something to learn."""
    tokens = [0]
    for i in range(1, TEXT_SIZE):
        rule = unit("rule", i) < 0.4
        tokens.append((3 * tokens[-1] + 1) % VOCAB_SIZE if rule else int((unit("token", i) + 1) / 2 * VOCAB_SIZE))
    return tokens


def start_of(name, shape):
    numbers = torch.tensor([unit(name, i) for i in range(math.prod(shape))], dtype=torch.float64).reshape(shape)
    if name.endswith("norm.weight"):
        return 1 + 0.25 * numbers
    if name == "between":
        return torch.eye(D_MODEL, dtype=torch.float64) + 0.125 * numbers
    return (0.25 if len(shape) == 1 else 0.5) * numbers


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        product0, product1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(product1 >> 32) ^ c[1] ^ k[0], product1 & 0xFFFFFFFF, (product0 >> 32) ^ c[3] ^ k[1],
             product0 & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def drawn_bits(position):
    stream = fnv1a("batches", 0xCBF29CE484222325, 0x100000001B3, 64)
    block = position // 4
    words = philox((block & 0xFFFFFFFF, block >> 32, stream & 0xFFFFFFFF, stream >> 32), (SEED & 0xFFFFFFFF, SEED >> 32))
    return words[position % 4]


def sequences(step, n_sequences):
    """Inputs and targets of a step: draws 2 i and 2 i + 1 of the step give the start of sequence i."""
    tokens, inputs, targets = text(), [], []
    n_starts = TEXT_SIZE - CONTEXT_LENGTH
    for i in range(n_sequences):
        position = step * 2 * (1 << 22) + 2 * i
        start = (((drawn_bits(position) << 32) | drawn_bits(position + 1)) * n_starts) >> 64
        inputs.append(tokens[start:start + CONTEXT_LENGTH])
        targets.append(tokens[start + 1:start + 1 + CONTEXT_LENGTH])
    return torch.tensor(inputs), torch.tensor(targets)


# ---------------------------------------------------------------- model

def shapes(run):
    """Names and shapes of all parameters, weights [out, in]; a tied matrix has two names."""
    d, f = D_MODEL, D_FEED_FORWARD
    width = d // run["n_heads"]
    norm_bias = run["layer_norm"] and run["biases"] == "all"
    found = {"embedding": (VOCAB_SIZE, d), "unembedding": (VOCAB_SIZE, d)}

    def norm(name):
        found[name + ".weight"] = (d,)
        if norm_bias:
            found[name + ".bias"] = (d,)

    def linear(name, n_out, n_in, biased):
        found[name + ".weight"] = (n_out, n_in)
        if biased:
            found[name + ".bias"] = (n_out,)

    if run["positions"] == "learned":
        found["positions"] = (CONTEXT_LENGTH, d)
    for layer in range(N_LAYERS):
        prefix = f"layers.{layer}."
        norm(prefix + "attention_norm")
        linear(prefix + "attention.query_key_value", (run["n_heads"] + 2 * run["n_kv_heads"]) * width, d,
               run["biases"] == "all")
        linear(prefix + "attention.output", d, run["n_heads"] * width, run["biases"] == "all")
        norm(prefix + "feed_forward_norm")
        linear(prefix + "feed_forward.up", f, d, run["biases"] != "none")
        if run["swiglu"]:
            linear(prefix + "feed_forward.gate", f, d, run["biases"] != "none")
        linear(prefix + "feed_forward.down", d, f, run["biases"] != "none")
    if run["final_norm"]:
        norm("final_norm")
    if run["tying"] == "tied-linear":
        found["between"] = (d, d)
    if run["tying"] == "tied-low-rank":
        found["low_rank.a"], found["low_rank.b"] = (VOCAB_SIZE, LOW_RANK), (d, LOW_RANK)
    if run["output_bias"]:
        found["output_bias"] = (VOCAB_SIZE,)
    return found


def normalized(x, name, p, run):
    if run["layer_norm"]:
        x = x - x.mean(dim=-1, keepdim=True)
    x = x / torch.sqrt((x * x).mean(dim=-1, keepdim=True) + NORM_EPSILON) * p[name + ".weight"]
    return x + p[name + ".bias"] if name + ".bias" in p else x


def affine(x, name, p):
    x = x @ p[name + ".weight"].T
    return x + p[name + ".bias"] if name + ".bias" in p else x


def rotated(x):
    """x [batch, head, position, width]: each pair (2 i, 2 i + 1) rotated by position / base^(2 i / width)."""
    positions, width = x.shape[2], x.shape[3]
    frequency = ROTARY_BASE ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = torch.arange(positions, dtype=torch.float64)[:, None] * frequency[None, :]
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()),
                       dim=-1).flatten(-2)


def gelu(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def attend(x, prefix, p, run, seen):
    batch, length, _ = x.shape
    heads, kv, width = run["n_heads"], run["n_kv_heads"], D_MODEL // run["n_heads"]
    joined = affine(x, prefix + "query_key_value", p)
    query, key, value = joined.split([heads * width, kv * width, kv * width], dim=-1)

    def by_head(y, count):
        return y.reshape(batch, length, count, width).transpose(1, 2)

    query, key, value = by_head(query, heads), by_head(key, kv), by_head(value, kv)
    if run["positions"] == "rotary":
        query, key = rotated(query), rotated(key)
    key, value = key.repeat_interleave(heads // kv, dim=1), value.repeat_interleave(heads // kv, dim=1)
    scores = query @ key.transpose(2, 3) / math.sqrt(width)
    # Only a variant of this script reads both sides.
    future = torch.ones(length, length, dtype=torch.bool).triu(length if run.get("both_sides") else 1)
    attention = torch.softmax(scores.masked_fill(future, -math.inf), dim=-1)
    seen["attention"].append(attention)
    return affine((attention @ value).transpose(1, 2).reshape(batch, length, heads * width), prefix + "output", p)


def feed_forward(x, prefix, p, run):
    up = affine(x, prefix + "up", p)
    hidden = torch.nn.functional.silu(affine(x, prefix + "gate", p)) * up if run["swiglu"] else gelu(up)
    return affine(hidden, prefix + "down", p)


def forward(p, inputs, run, added=None):
    """Logits [batch, position, token], and intermediate values. `added`: to the states before layers 1, 2, ..."""
    seen = {"hidden": [], "attention": [], "looked_up": p["embedding"][inputs]}
    x = seen["looked_up"]
    if x.requires_grad:
        x.retain_grad()
    if run["scales_embedding"]:
        x = x * math.sqrt(D_MODEL)
    if run["positions"] == "learned":
        x = x + p["positions"][:inputs.shape[1]]
    seen["hidden"].append(x)
    for layer in range(N_LAYERS):
        prefix = f"layers.{layer}."
        x = x + attend(normalized(x, prefix + "attention_norm", p, run), prefix + "attention.", p, run, seen)
        x = x + feed_forward(normalized(x, prefix + "feed_forward_norm", p, run), prefix + "feed_forward.", p, run)
        if added is not None and layer + 1 < N_LAYERS:
            x = x + added
        seen["hidden"].append(x)
    h = normalized(x, "final_norm", p, run) if run["final_norm"] else x
    if run["tying"] == "tied-linear":
        h = h @ p["between"]
    writes = p["unembedding"]
    if run["tying"] == "tied-low-rank":
        writes = writes + p["low_rank.a"] @ p["low_rank.b"].T
    logits = h @ writes.T
    return (logits + p["output_bias"] if run["output_bias"] else logits), seen


def loss_of(logits, targets):
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


# ---------------------------------------------------------------- training

def starts(run):
    """The stored matrices: one for both names if they are tied."""
    return {name: start_of(name, shape) for name, shape in shapes(run).items()
            if name != "unembedding" or run["tying"] == "untied"}


def leaves(stored):
    """One leaf per name, so that gradients are split by role whether or not two names share a matrix."""
    named = dict(stored)
    named.setdefault("unembedding", stored["embedding"])
    return {name: value.detach().clone().requires_grad_() for name, value in named.items()}


def rate_at(step, rate):
    if step < WARMUP_STEPS:
        return rate * (step + 1) / WARMUP_STEPS
    progress = (step - WARMUP_STEPS) / (STEPS - WARMUP_STEPS)
    return rate * (FINAL_FRACTION + (1 - FINAL_FRACTION) * 0.5 * (1 + math.cos(math.pi * progress)))


def input_gradient_scale_at(step, run):
    if not run["scale_schedule"]:
        return run["input_gradient_scale"]
    for (step0, value0), (step1, value1) in zip(SCALE_POINTS, SCALE_POINTS[1:]):
        if step < step1:
            return value0 + (value1 - value0) * (step - step0) / (step1 - step0)
    return SCALE_POINTS[-1][1]


def group_of(name, value, run):
    rate = {"embedding": EMBEDDING_RATE, "unembedding": UNEMBEDDING_RATE}.get(name, INNER_RATE)
    decays = value.dim() == 2 and (run["decays_embeddings"] or name not in ("embedding", "unembedding", "positions"))
    return {"params": [value], "factor": rate if run["role_rates"] else 1.0,
            "decay": WEIGHT_DECAY if decays else 0.0}


def optimizer_for(stored, run):
    return optimizer_of([group_of(name, value, run) for name, value in stored.items()], run)


def optimizer_of(groups, run):
    if run["sgd"]:
        return torch.optim.SGD(groups, lr=SGD_RATE, momentum=MOMENTUM)
    return torch.optim.AdamW(groups, lr=ADAMW_RATE, betas=(BETA1, BETA2), eps=EPSILON)


def update(stored, optimizer, step, run):
    """Clips the gradients together, sets the step's rates, and updates. Variants of this script train with it, too."""
    norm = math.sqrt(sum((value.grad ** 2).sum().item() for value in stored.values()))
    for value in stored.values():
        value.grad *= min(1.0, CLIP / norm)
    rate = rate_at(step, SGD_RATE if run["sgd"] else ADAMW_RATE)
    for group in optimizer.param_groups:
        group["lr"] = rate * group["factor"]
        # The decay of both optimizers is decoupled from the gradient; PyTorch's SGD has none of this kind.
        group["weight_decay"] = 0.0 if run["sgd"] else group["decay"]
        if run["sgd"]:
            for value in group["params"]:
                value *= 1 - group["lr"] * group["decay"]
    optimizer.step()


def change_tying(stored, optimizer, run):
    """Untying copies one matrix into two, with its moments; tying takes the mean of two, and the sums of their moments."""
    state = {name: optimizer.state[value] for name, value in stored.items()}
    if "unembedding" in stored:
        stored["embedding"] = (stored["embedding"] + stored["unembedding"]) / 2
        other = state.pop("unembedding")
        del stored["unembedding"]
        for key, value in state["embedding"].items():
            if key != "step":
                state["embedding"][key] = value + other[key]
    else:
        stored["unembedding"] = stored["embedding"].clone()
        state["unembedding"] = {key: value.clone() for key, value in state["embedding"].items()}
    changed = optimizer_for(stored, run)
    for name, value in stored.items():
        changed.state[value] = state[name]
    return changed


def train(run):
    stored = starts(run)
    optimizer = optimizer_for(stored, run)
    losses = []
    for step in range(STEPS):
        parameters = leaves(stored)
        inputs, targets = sequences(step, BATCH_SIZE * run["accumulation"])
        losses.append(0.0)
        for part in range(run["accumulation"]):
            rows = slice(part * BATCH_SIZE, (part + 1) * BATCH_SIZE)
            loss = loss_of(forward(parameters, inputs[rows], run)[0], targets[rows]) / run["accumulation"]
            losses[-1] += loss.item()
            loss.backward()
        for name, value in stored.items():
            value.grad = parameters[name].grad
        stored["embedding"].grad *= input_gradient_scale_at(step, run)
        if "unembedding" not in stored:
            stored["embedding"].grad += parameters["unembedding"].grad
        update(stored, optimizer, step, run)
        if step + 1 in (run["untie_at_step"], run["tie_at_step"]):
            optimizer = change_tying(stored, optimizer, run)
    return losses


def details(run):
    parameters = leaves(starts(run))
    inputs, targets = sequences(0, BATCH_SIZE)
    logits, seen = forward(parameters, inputs, run)
    loss_of(logits, targets).backward()
    return {
        "logits": logits.detach(),
        # Of the first sequence.
        "hidden": torch.stack([x[0].detach() for x in seen["hidden"]]),
        "attention": torch.stack([x[0].detach() for x in seen["attention"]]),
        "position_square": (seen["looked_up"].grad ** 2).sum().item(),
        "gradients": {name: parameters[name].grad for name in shapes(run)},
    }


# ---------------------------------------------------------------- runs

def all_runs():
    runs = []
    for tying, layer_norm, scales, bias, accumulation in itertools.product(
            ["tied", "untied", "tied-linear", "tied-low-rank"], [False, True], [False, True], [False, True], [1, 2]):
        # Both norms of each tying in detail, once with few options and once with all.
        detail = accumulation == 1 and scales == bias == layer_norm
        runs.append(dict(tying=tying, layer_norm=layer_norm, scales_embedding=scales, output_bias=bias,
                         accumulation=accumulation, biases="all" if layer_norm else "feed-forward", detail=detail))
    llama = dict(positions="rotary", swiglu=True, n_heads=2, n_kv_heads=1, biases="none")
    runs += [
        dict(llama, detail=True),
        dict(llama, tying="untied", biases="all", n_heads=4, n_kv_heads=2),
        dict(positions="none", layer_norm=True, biases="none", final_norm=False, n_heads=1, n_kv_heads=1, detail=True),
        dict(positions="rotary", biases="all", scales_embedding=True),
    ]
    for tying in ["tied", "untied"]:
        runs += [
            dict(tying=tying, sgd=True),
            dict(tying=tying, input_gradient_scale=5.0),
            dict(tying=tying, sgd=True, input_gradient_scale=5.0, accumulation=2),
            dict(tying=tying, scale_schedule=True),
            dict(tying=tying, role_rates=True),
            dict(tying=tying, role_rates=True, sgd=True),
            dict(tying=tying, decays_embeddings=False),
        ]
        change = {"untie_at_step" if tying == "tied" else "tie_at_step": CHANGE_STEP}
        runs += [
            dict(tying=tying, **change),
            dict(tying=tying, sgd=True, role_rates=True, **change),
            dict(tying=tying, layer_norm=True, scales_embedding=True, output_bias=True, accumulation=2,
                 input_gradient_scale=5.0, **change),
        ]
    return [dict(DEFAULTS, **run) for run in runs]


# ---------------------------------------------------------------- printing

def numbers(values):
    """Ten decimals: the values are of size one."""
    return ",".join(f"{value:.10f}".rstrip("0").rstrip(".").replace("0.", ".", 1) if abs(value) < 1 else
                    f"{value:.10f}" for value in values)


def literal(value):
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)


def print_details(index, run):
    found = details(run)
    for name in ("logits", "hidden", "attention"):
        print(f"inline constexpr double k{name.capitalize()}{index}[] = {{{numbers(found[name].flatten().tolist())}}};")
    for k, (name, gradient) in enumerate(found["gradients"].items()):
        print(f"inline constexpr double kGradient{index}x{k}[] = {{{numbers(gradient.flatten().tolist())}}};")
    print(f"inline constexpr Gradient kGradients{index}[] = {{")
    for k, (name, gradient) in enumerate(found["gradients"].items()):
        print(f'    {{"{name}", kGradient{index}x{k}, {gradient.numel()}}},')
    print("};")
    print(f"inline constexpr Details kDetails{index} = {{kLogits{index}, kHidden{index}, kAttention{index}, "
          f"{found['position_square']:.12g}, kGradients{index}, {len(found['gradients'])}}};\n")


STRUCTS = """
struct Gradient {
  const char* name;
  const double* numbers;
  std::size_t size;
};

// Of the first batch, before any step. Gradients are those of each name, so that a tied matrix has two.
struct Details {
  const double* logits;     // [sequence, position, token]
  const double* hidden;     // [state, position, d_model] of the first sequence
  const double* attention;  // [layer, head, position, position] of the first sequence
  double position_gradient_square;
  const Gradient* gradients;
  std::size_t n_gradients;
};
"""


def main():
    print("// Made by transformer_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstddef>\n#include <cstdint>\n\nnamespace tied::transformer_reference {\n")
    integers = dict(kVocabSize=VOCAB_SIZE, kDModel=D_MODEL, kLayers=N_LAYERS, kContextLength=CONTEXT_LENGTH,
                    kDFeedForward=D_FEED_FORWARD, kLowRank=LOW_RANK, kSteps=STEPS, kBatchSize=BATCH_SIZE,
                    kTextSize=TEXT_SIZE, kSeed=SEED, kWarmupSteps=WARMUP_STEPS)
    reals = dict(kFinalFraction=FINAL_FRACTION, kWeightDecay=WEIGHT_DECAY, kClip=CLIP, kBeta1=BETA1, kBeta2=BETA2,
                 kEpsilon=EPSILON, kAdamWRate=ADAMW_RATE, kSgdRate=SGD_RATE, kMomentum=MOMENTUM,
                 kNormEpsilon=NORM_EPSILON, kRotaryBase=ROTARY_BASE, kEmbeddingRate=EMBEDDING_RATE,
                 kUnembeddingRate=UNEMBEDDING_RATE, kInnerRate=INNER_RATE)
    for name, value in integers.items():
        print(f"inline constexpr std::uint32_t {name} = {value};")
    for name, value in reals.items():
        print(f"inline constexpr double {name} = {value!r};")
    points = ", ".join(f"{{{step}, {value!r}}}" for step, value in SCALE_POINTS)
    print("struct ScalePoint {\n  std::uint64_t step;\n  double value;\n};")
    print(f"inline constexpr ScalePoint kScalePoints[] = {{{points}}};")
    print(f"inline constexpr std::uint32_t kText[] = {{{', '.join(map(str, text()))}}};")
    print(STRUCTS)
    runs = all_runs()
    for index, run in enumerate(runs):
        if run["detail"]:
            print_details(index, run)
    kinds = {str: "const char*", bool: "bool", int: "std::uint32_t", float: "double"}
    print("struct Run {")
    for name, value in DEFAULTS.items():
        if name != "detail":
            print(f"  {kinds[type(value)]} {name};")
    print("  const Details* details;\n  double losses[kSteps];\n};\n")
    print("inline constexpr Run kRuns[] = {")
    for index, run in enumerate(runs):
        fields = ", ".join(literal(value) for name, value in run.items() if name != "detail")
        detail = f"&kDetails{index}" if run["detail"] else "nullptr"
        print(f"  {{{fields}, {detail},\n   {{{numbers(train(run))}}}}},")
    print("};\n\n}  // namespace tied::transformer_reference")


if __name__ == "__main__":
    main()
