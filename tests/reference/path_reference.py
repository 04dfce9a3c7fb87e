#!/usr/bin/env python3
"""The direct path of small transformers compared with the bigrams of a text, with numpy: the reference of tests/web/core/path-reference.test.ts.

The path through the two tables, with the final norm, and with the first feed-forward part; the whole model, with and without
each layer, and the input of its head; the bigrams. Computed in double from whole matrices [V, V] and tables of counts. Only the
texts and results are written: the test repeats the formula of the weights (`unit`, `weight`), which are exact in single
precision.

    python3 tests/reference/path_reference.py > tests/reference/path_reference.json

Written with numpy 1.24.
"""
import json

import numpy as np

VOCAB, WIDTH, HIDDEN, LAYERS, HEADS, CONTEXT, RANK = 23, 8, 12, 2, 2, 6, 2
EPSILON = 1e-5
ROWS = [0, 7, 22]  # of the logits of a path
SIZES = {"kind": "transformer", "vocabSize": VOCAB, "dModel": WIDTH, "dFeedForward": HIDDEN, "nLayers": LAYERS,
         "nHeads": HEADS, "contextLength": CONTEXT}
MODELS = [
    {"tying": "tied"},
    {"tying": "tied", "embeddingScale": "sqrt-d-model", "feedForward": "swiglu"},
    {"tying": "untied"},
    {"tying": "untied", "norm": "layer-norm", "biases": "all", "outputBias": True},
    {"tying": "tied-low-rank", "lowRank": RANK, "outputBias": True},
    {"tying": "tied-linear", "finalNorm": False},
]


def fnv1a(name):
    value = 0x811C9DC5
    for byte in name.encode():
        value = ((value ^ byte) * 0x01000193) % (1 << 32)
    return value


def unit(name, i):
    """A number in [-1, 1) with twelve bits, from a name and an index."""
    x = (fnv1a(name) + (i + 1) * 2654435761) % (1 << 32)
    x = ((x ^ (x >> 16)) * 0x45D9F3B) % (1 << 32)
    x ^= x >> 16
    return (x >> 20) / 2048 - 1


def weight(name, *shape):
    numbers = np.array([unit(name, i) for i in range(int(np.prod(shape)))]).reshape(shape)
    if name.endswith("norm.weight"):
        return 1 + 0.25 * numbers
    if name == "between":
        return np.eye(*shape) + 0.125 * numbers
    return (0.25 if len(shape) == 1 else 0.5) * numbers


def text(name, length):
    """Often 3 t + 1 after t, so bigrams are informative."""
    tokens = [0]
    for i in range(1, length):
        follows = unit(f"{name} rule", i) < 0
        tokens.append((3 * tokens[-1] + 1) % VOCAB if follows else int((unit(name, i) + 1) / 2 * VOCAB))
    return tokens


def log_softmax(z):
    z = z - z.max(axis=-1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


class Model:
    def __init__(self, options):
        self.layer_norm = options.get("norm") == "layer-norm"
        self.biases = options.get("biases", "feed-forward")
        self.gated = options.get("feedForward") == "swiglu"
        self.final_norm = options.get("finalNorm", True)
        self.scale = np.sqrt(WIDTH) if "embeddingScale" in options else 1
        tying = options["tying"]
        self.embedding = weight("embedding", VOCAB, WIDTH)
        self.table = weight("unembedding", VOCAB, WIDTH) if tying == "untied" else self.embedding
        if tying == "tied-low-rank":
            self.table = self.table + weight("low_rank.a", VOCAB, RANK) @ weight("low_rank.b", WIDTH, RANK).T
        self.between = weight("between", WIDTH, WIDTH) if tying == "tied-linear" else np.eye(WIDTH)
        self.bias = weight("output_bias", VOCAB) if options.get("outputBias") else 0

    def norm(self, x, name):
        if self.layer_norm:
            x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + EPSILON) * weight(f"{name}.weight", WIDTH)
        return x + weight(f"{name}.bias", WIDTH) if self.layer_norm and self.biases == "all" else x

    def linear(self, x, name, n_out, biased):
        y = x @ weight(f"{name}.weight", n_out, x.shape[-1]).T
        return y + weight(f"{name}.bias", n_out) if biased else y

    def feed_forward(self, x, layer):
        name, biased = f"layers.{layer}.feed_forward", self.biases != "none"
        y = self.norm(x, f"{name}_norm")
        raised = self.linear(y, f"{name}.up", HIDDEN, biased)
        if self.gated:
            gate = self.linear(y, f"{name}.gate", HIDDEN, biased)
            raised = raised * gate / (1 + np.exp(-gate))
        else:
            raised = raised / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (raised + 0.044715 * raised**3)))
        return x + self.linear(raised, f"{name}.down", WIDTH, biased)

    def attend(self, x, layer):
        name, biased = f"layers.{layer}.attention", self.biases == "all"
        joined = self.linear(self.norm(x, f"{name}_norm"), f"{name}.query_key_value", 3 * WIDTH, biased)
        queries, keys, values = (part.reshape(len(x), HEADS, -1) for part in np.split(joined, 3, axis=1))
        scores = np.einsum("ihw,jhw->hij", queries, keys) / np.sqrt(WIDTH / HEADS)
        scores[:, np.triu(np.ones((len(x), len(x)), bool), 1)] = -np.inf
        mixed = np.einsum("hij,jhw->ihw", np.exp(log_softmax(scores)), values).reshape(len(x), WIDTH)
        return x + self.linear(mixed, f"{name}.output", WIDTH, biased)

    def last(self, x, normed=True):
        return self.norm(x, "final_norm") if normed and self.final_norm else x

    def head(self, x, normed=True):
        return self.last(x, normed) @ self.between @ self.table.T + self.bias

    def states(self, tokens, left_out=None):
        x = self.scale * self.embedding[tokens] + weight("positions", CONTEXT, WIDTH)[: len(tokens)]
        for layer in range(LAYERS):
            if layer != left_out:
                x = self.feed_forward(self.attend(x, layer), layer)
        return x

    def losses(self, left_out=None):
        parts = [log_softmax(self.head(self.states(inputs[i : i + CONTEXT], left_out))) for i in range(0, len(inputs), CONTEXT)]
        return -np.concatenate(parts)[np.arange(len(inputs)), targets]

    def path(self, normed, mlp0):
        x = self.scale * self.embedding
        return self.head(self.feed_forward(x, 0) if mlp0 else x, normed)


def joint(tokens):
    """How often each pair of neighbors occurs [V, V]."""
    counts = np.zeros((VOCAB, VOCAB))
    np.add.at(counts, (tokens[:-1], tokens[1:]), 1)
    return counts


def correlation(x, y, weights):
    covariance = np.cov(np.ravel(x), np.ravel(y), aweights=np.ravel(weights))
    return covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])


def breaking(probabilities, counts):
    """The fraction of pairs of different tokens for which P(j|i) P(i|j) > P(i|i) P(j|j)."""
    own = np.diag(probabilities)
    breaks = probabilities * probabilities.T > np.outer(own, own)
    others = counts * (1 - np.eye(VOCAB))
    return others[breaks].sum() / others.sum()


TEXT, OTHER = text("text", 300), text("other", 500)
pairs, seen = joint(TEXT), joint(OTHER)
smoothed = (seen + 0.5) / (seen.sum(axis=1, keepdims=True) + VOCAB / 2)
bigrams = np.log(smoothed)
unigrams = np.log((seen.sum(axis=0) + 0.5) / (seen.sum() + VOCAB / 2)) + np.zeros((VOCAB, 1))
inputs, targets = np.array(TEXT[:-1]), np.array(TEXT[1:])


def measures(path):
    logs = log_softmax(path)
    return {
        "asymmetry": np.linalg.norm(path - path.T) / 2 / np.linalg.norm(path),
        "selfPrediction": (path.argmax(axis=1) == np.arange(VOCAB)).mean(),
        "breaking": breaking(np.exp(logs), pairs),
        "loss": -(pairs * logs).sum() / pairs.sum(),
        "correlation": correlation(logs, bigrams, pairs),
    }


def report(options):
    model = Model(options)
    paths = {"embeddings": model.path(False, False), "finalNorm": model.path(True, False), "mlp0": model.path(True, True)}
    if not model.final_norm:
        paths["finalNorm"] = None
    losses = model.losses()
    increases = [model.losses(layer) - losses for layer in range(LAYERS)]
    return {
        "model": {**SIZES, **options},
        "logits": {stage: None if path is None else path[ROWS].round(9).tolist() for stage, path in paths.items()},
        "paths": {stage: None if path is None else measures(path) for stage, path in paths.items()},
        "whole": {"loss": losses.mean(), "correlation": np.corrcoef(-losses, bigrams[inputs, targets])[0, 1]},
        "ablation": [{"increase": one.mean(), "standardError": one.std(ddof=1) / np.sqrt(len(one))} for one in increases],
        "last": model.last(model.states(inputs[:CONTEXT])).round(9).tolist(),
    }


own = seen.sum(axis=1) > 0
facts = {
    "selfPrediction": (np.diag(seen)[own] == seen[own].max(axis=1)).mean(),
    "breaking": breaking(seen + 0.5, pairs),
    "loss": -(pairs * bigrams).sum() / pairs.sum(),
}
chance = {"loss": -(pairs * unigrams).sum() / pairs.sum(), "correlation": correlation(unigrams, bigrams, pairs)}
texts = {"madeBy": f"path_reference.py with numpy {np.__version__}; not edited by hand", "text": TEXT, "other": OTHER, "rows": ROWS,
         "bigrams": facts, "chance": chance}


def members(parts):
    """One a line."""
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items())


models = ",\n".join("{" + members(report(options)) + "}" for options in MODELS)
print("{" + members(texts) + ',\n"models": [\n' + models + "\n]}")
