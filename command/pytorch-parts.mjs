// The shared parts of replay's PyTorch scripts: Python that imports nothing of this package.

export const imports = String.raw`import functools
import hashlib
import json
import math
import sys
from pathlib import Path
from statistics import NormalDist

import numpy as np
import torch
import torch.nn.functional as F
`;

/** Philox, normal values and positions of batches, as in cpp/base/random.cpp and cpp/training/batches.cpp. */
export const draws = String.raw`
# ---------------------------------------------------------------- seeded draws


def stream_of(name):
    """FNV-1a of a purpose, which gives each purpose its own draws."""
    number = 0xCBF29CE484222325
    for byte in name.encode():
        number = (number ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return number


def bits(seed, stream, first, count):
    """The 32-bit draws first, first + 1, ...: Philox4x32-10 (Salmon et al., SC 2011), four per counter."""
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    counters = np.arange(first // 4, (first + count + 3) // 4, dtype=np.uint64)
    of_stream = [np.full_like(counters, half) for half in (stream & 0xFFFFFFFF, stream >> 32)]
    w = [counters & low, counters >> shift, *of_stream]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        a, b = w[0] * np.uint64(0xD2511F53), w[2] * np.uint64(0xCD9E8D57)
        w = [(b >> shift) ^ w[1] ^ np.uint64(key[0]), b & low, (a >> shift) ^ w[3] ^ np.uint64(key[1]), a & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(w, axis=1).reshape(-1)[first % 4 :][:count]


def normal(seed, name, rows, cols, std):
    """Initial values: the normal quantile (algorithm AS 241, which Python uses too) of uniform numbers with 52 bits."""
    pairs = (bits(seed, stream_of("parameter:" + name), 0, 2 * rows * cols) >> np.uint64(6)).reshape(-1, 2)
    uniform = ((pairs[:, 0] << np.uint64(26) | pairs[:, 1]).astype(np.float64) + 0.5) * 2.0**-52
    values = [std * NormalDist().inv_cdf(p) for p in uniform.tolist()]
    return torch.tensor(values, dtype=torch.float32).reshape(rows, cols)


def drawn_places(seed, step, count, places):
    """What a step draws: count numbers from 0 to places - 1, all equally likely."""
    pairs = bits(seed, stream_of("batches"), step * 2**23, 2 * count).reshape(-1, 2)
    places, shift = np.uint64(places), np.uint64(32)
    return ((pairs[:, 0] * places + (pairs[:, 1] * places >> shift)) >> shift).astype(np.int64)
`;

/** Reads the data of models that train on a text. */
export const textData = String.raw`

def read_data():
    return torch.from_numpy(np.load(Path(__file__).with_name(RUN["data"])).astype(np.int64))


def batch(tokens, step, seed, batch_size, context):
    """Inputs and targets of a step: sequences that begin anywhere in the text."""
    starts = torch.from_numpy(drawn_places(seed, step, batch_size, len(tokens) - context))
    read = starts[:, None] + torch.arange(context + 1)
    return tokens[read[:, :-1]], tokens[read[:, 1:]]
`;

/** Reads the data of models that train on pairs. */
export const pairData = String.raw`

def read_data():
    """For each pair, the file has the lengths of source and target, then the tokens of both."""
    numbers = np.load(Path(__file__).with_name(RUN["data"])).tolist()
    pairs, at = [], 0
    while at < len(numbers):
        middle = at + 2 + numbers[at]
        end = middle + numbers[at + 1]
        pairs.append((numbers[at + 2 : middle], numbers[middle:end]))
        at = end
    return pairs
`;

/** For text models with one or two tables, all of whose rows change at every step. */
export const twoTables = String.raw`

def roles_of(m, w):
    """The names that share another table, and that table: each role has its own gradient."""
    return {} if "unembedding" in w else {"unembedding": "embedding"}


def touched_of(m, t, tokens, step):
    return {}
`;

export const training = String.raw`
# ---------------------------------------------------------------- training


def learning_rate(t, step):
    """A linear warm-up, then the constant rate, or a cosine down to a fraction of it."""
    warmup, last = t["warmupSteps"], t["finalLearningRateFraction"]
    if step < warmup:
        return t["learningRate"] * (step + 1) / warmup
    if t["decay"] == "constant":
        return t["learningRate"]
    progress = min(1.0, (step - warmup) / (t["totalSteps"] - warmup))
    return t["learningRate"] * (last + (1 - last) * 0.5 * (1 + math.cos(math.pi * progress)))


def update(t, step, weights, gradients, moments, touched):
    """AdamW with weight decay of matrices only, or plain SGD, after clipping by the norm of the whole gradient. In some
    tables, a step changes only the rows that it touches."""
    norm = math.sqrt(sum(float(g.double().square().sum()) for g in gradients.values()))
    clip = t.get("gradientClip", 0)
    scale = clip / norm if 0 < clip < norm else 1.0
    rate = learning_rate(t, step)
    for name, gradient in gradients.items():
        rows = touched.get(name, slice(None))
        g, w = gradient[rows] * scale, weights[name][rows]
        w = w * (1 - rate * t["weightDecay"] if weights[name].dim() == 2 else 1)
        if t["optimizer"] == "sgd":
            weights[name][rows] = w - rate * g
            continue
        first, second = moments.setdefault(name, (torch.zeros_like(weights[name]), torch.zeros_like(weights[name])))
        m = first[rows] * t["beta1"] + (1 - t["beta1"]) * g
        v = second[rows] * t["beta2"] + (1 - t["beta2"]) * g * g
        first[rows], second[rows] = m, v
        corrected = v.sqrt() / math.sqrt(1 - t["beta2"] ** (step + 1)) + t["epsilon"]
        weights[name][rows] = w - rate / (1 - t["beta1"] ** (step + 1)) * m / corrected


def train(model, t, data, steps, expected_start):
    """The loss on each step's data, before its update."""
    weights, moments, losses, shares = initial_weights(model, t["initSeed"]), {}, [], []
    start = hashlib.sha256(b"".join(w.numpy().astype("<f4").tobytes() for w in weights.values())).hexdigest()
    print("  initial weights:", "the same bits" if start == expected_start else "different bits, because of rounding")
    for step in range(steps):
        roles = roles_of(model, weights)
        tied = "unembedding" in roles
        p = {name: weights[roles.get(name, name)].clone().requires_grad_() for name in [*weights, *roles]}
        loss = loss_of(model, t, p, data, step)
        losses.append(loss.item())
        # Parameters that a batch does not use, such as the map of a cluster of rare tokens, have a gradient of 0.
        found = torch.autograd.grad(loss, list(p.values()), allow_unused=True)
        gradients = {name: torch.zeros_like(p[name]) if g is None else g for name, g in zip(p, found)}
        reading, writing = gradients["embedding"].norm().item(), gradients["unembedding"].norm().item()
        shares.append(reading / (reading + writing))
        for name in gradients:
            if name in ("embedding", "embedding.factor", "encoder.embedding") or name.startswith("ngrams."):
                gradients[name] *= t["inputGradientScale"]
            if name in ("unembedding", "unembedding.factor"):
                gradients[name] *= t.get("outputGradientScale", 1)
        for name, owner in roles.items():
            gradients[owner] += gradients.pop(name)
        update(t, step, weights, gradients, moments, touched_of(model, t, data, step))
        change = change_of(model["tying"], step + 1, shares)
        if tied and change == "untie":
            weights["unembedding"] = weights["embedding"].clone()
            moments["unembedding"] = tuple(x.clone() for x in moments.get("embedding", ()))
        if not tied and change == "tie":
            weights["embedding"] = 0.5 * weights["embedding"] + 0.5 * weights.pop("unembedding")
            of_second = moments.pop("unembedding", ())
            moments["embedding"] = tuple(x + y for x, y in zip(moments.get("embedding", ()), of_second))
    return losses


def change_of(tying, steps, shares):
    """'untie', 'tie' or None, at a given step, or at the end of a block of steps with a small input share."""
    for change in tying if isinstance(tying, list) else [tying]:
        if isinstance(change, dict) and "untieWhen" in change:
            over, below = change["untieWhen"]["over"], change["untieWhen"]["inputShare"]["below"]
            if steps % over == 0 and sum(shares[-over:]) / over < below:
                return "untie"
        elif isinstance(change, dict):
            for kind in ("untie", "tie"):
                if change.get(kind + "AtStep") == steps:
                    return kind
    return None
`;

/** Lets the user compare only the first steps. */
export const asking = String.raw`

def steps_asked(most):
    """The number after the script's name; without one, all steps."""
    given = sys.argv[1] if len(sys.argv) > 1 else str(most)
    steps = int(given) if given.isdecimal() else 0
    if not 1 <= steps <= most:
        sys.exit(f"the number of steps is '{given}'; expected 1 to {most}")
    return steps
`;

export const comparison = String.raw`
# ---------------------------------------------------------------- comparison

if __name__ == "__main__":
    data = read_data()
    steps = steps_asked(RUN["steps"])
    agrees = True
    for name, arm in RUN["models"].items():
        print(name)
        losses = train(arm["model"], arm["training"], data, steps, arm["initialWeights"])
        worst = 0.0
        for step, recorded in arm["losses"].items():
            if int(step) > steps:
                break
            loss = losses[int(step) - 1]
            difference = abs(loss - recorded)
            tolerance = next(most for last, most in arm["tolerance"].items() if int(step) <= int(last))
            agrees = agrees and difference <= tolerance
            worst = max(worst, difference)
            note = "" if difference <= tolerance else f", more than {tolerance}"
            print(f"  step {step:>6}  recorded {recorded:.6f}  here {loss:.6f}  difference {difference:.1e}{note}")
        limits = ", ".join(f"{most} to step {last}" for last, most in arm["tolerance"].items())
        print(f"  largest difference {worst:.1e} nats per token; tolerance {limits}")
    print("the losses agree" if agrees else "THE LOSSES DIFFER")
    sys.exit(0 if agrees else 1)
`;
