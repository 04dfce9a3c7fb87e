"""Trains transformers in PyTorch from their description in docs/notation.md and in the types of their options.

usage: python3 arms.py FILE    FILE has the tokens and, by the name of each arm, its model and training, the weights at the start and after
the last step, the losses, and the first gradient of the token table in each of its roles.
Prints a line of JSON for each arm: the largest difference of a loss, of a gradient relative to its largest element, and of a weight.

Written apart from tests/reference, by one who had not read what trains the models; in double precision, for any sizes, from the weights
and the tokens of the public API. Batches and hidden tokens are drawn by Philox4x32-10 as the trainer draws them.
"""

import json
import math
import sys

import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
MASK = (1 << 64) - 1


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


def drawn(seed, purpose, position):
    stream, block = fnv1a(purpose), position >> 2
    c = [block & 0xFFFFFFFF, block >> 32, stream & 0xFFFFFFFF, stream >> 32]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k0, b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k1, a & 0xFFFFFFFF]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c[position & 3]


def two_words(seed, purpose, position):
    return drawn(seed, purpose, position) << 32 | drawn(seed, purpose, position + 1)


def batch(tokens, length, step, count, seed):
    starts = [two_words(seed, "batches", (step << 23) + 2 * i) * (len(tokens) - length) >> 64 for i in range(count)]
    return [tokens[s : s + length] for s in starts], [tokens[s + 1 : s + 1 + length] for s in starts]


def hidden(n, model, key):
    """Which of n tokens are hidden: each choice of so many places is equally likely."""
    position = iter(range(n + 1))

    def below(bound):
        return drawn(key, "hidden tokens", next(position)) * bound >> 32

    is_drawn = model["objective"] == "masked-diffusion"
    left = 1 + below(n) if is_drawn else max(1, math.floor(model["maskRate"] * n + 0.5))
    places = []
    for i in range(n):
        places.append(below(n - i) < left)
        left -= places[-1]
    return places


def mixed(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def continued(h, number):
    return mixed((h + 0x9E3779B97F4A7C15 * (number + 1)) & MASK)


def ngram_rows(sequence, n, options):
    """The rows of each position in a table of n-grams, one for each head."""
    rows, found = options["rows"], []
    for end in range(1, len(sequence) + 1):
        h = 0
        for token in reversed(sequence[max(0, end - n) : end]):
            h = continued(h, token)
        found.append([(continued(h, k - 1) if k else h) % rows + k * rows for k in range(options.get("heads", 1))])
    return found


class Model:
    def __init__(self, arm):
        self.model, self.training = arm["model"], arm["training"]
        self.heads, self.pairs = self.model["nHeads"], self.model["nKeyValueHeads"]
        self.width = self.model["dModel"] // self.heads
        self.is_masked, self.ngrams = "objective" in self.model, self.model.get("ngrams")

    def normalized(self, x, name, p):
        if self.model["norm"] == "layer-norm":
            x = x - x.mean(-1, keepdim=True)
        x = x / torch.sqrt((x * x).mean(-1, keepdim=True) + self.model["normEpsilon"]) * p[name + ".weight"].flatten()
        return x + p[name + ".bias"].flatten() if name + ".bias" in p else x

    @staticmethod
    def mapped(x, name, p):
        x = x @ p[name + ".weight"].T
        return x + p[name + ".bias"].flatten() if name + ".bias" in p else x

    def turned(self, x):
        """Each pair of elements, by an angle that grows with the position."""
        angle = torch.arange(x.shape[2])[:, None] * self.model["rotaryBase"] ** (-torch.arange(0, self.width, 2) / self.width)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), -1).reshape(x.shape)

    def attended(self, x, inputs, name, p):
        count, n = inputs.shape
        q, k, v = self.mapped(x, name + ".query_key_value", p).split([m * self.width for m in (self.heads, self.pairs, self.pairs)], -1)
        values = {"own": "value_embedding", "tied": "value"}.get(self.model.get("valueEmbeddings"))
        v = v if values is None else v + p[values][inputs]
        q, k, v = (y.reshape(count, n, -1, self.width).transpose(1, 2) for y in (q, k, v))
        if self.model["positions"] == "rotary":
            q, k = self.turned(q), self.turned(k)
        k, v = (y.repeat_interleave(self.heads // self.pairs, 1) for y in (k, v))
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.width)
        if not self.is_masked:
            scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -math.inf)
        return self.mapped((scores.softmax(-1) @ v).transpose(1, 2).reshape(count, n, -1), name + ".output", p)

    def fed_forward(self, x, name, p):
        up = self.mapped(x, name + ".up", p)
        if self.model["feedForward"] == "swiglu":
            gate = self.mapped(x, name + ".gate", p)
            up = gate * torch.sigmoid(gate) * up
        else:
            up = torch.nn.functional.gelu(up, approximate="tanh")
        return self.mapped(up, name + ".down", p)

    def states(self, inputs, sequences, p):
        x = (torch.cat((p["reading"], p["mask_embedding"])) if self.is_masked else p["reading"])[inputs]
        if self.ngrams:
            rows = {n: torch.tensor([ngram_rows(s, n, self.ngrams) for s in sequences]) for n in range(2, self.ngrams["order"] + 1)}
            added = sum(p[f"ngrams.{n}"][at].flatten(-2) for n, at in rows.items())
            x = x + added
        if self.model["embeddingScale"] == "sqrt-d-model":
            x = x * math.sqrt(self.model["dModel"])
        if self.model["positions"] == "learned":
            x = x + p["positions"][: inputs.shape[1]]
        for layer in range(self.model["nLayers"]):
            if layer and self.ngrams and self.ngrams.get("places") == "every-layer":
                x = x + added
            name = f"layers.{layer}."
            x = x + self.attended(self.normalized(x, name + "attention_norm", p), inputs, name + "attention", p)
            x = x + self.fed_forward(self.normalized(x, name + "feed_forward_norm", p), name + "feed_forward", p)
        x = self.normalized(x, "final_norm", p)
        return x @ p["between"] if "between" in p else x

    def loss(self, tokens, step, p):
        training, length = self.training, self.model["contextLength"]
        sequences, targets = batch(tokens, length, step, training["batchSize"], training["seed"])
        inputs, scored = sequences, [[True] * length] * len(targets)
        if self.is_masked:
            keys = [two_words(training["seed"], "masks", (step << 23) + 2 * i) for i in range(len(targets))]
            scored = [hidden(length, self.model, key) for key in keys]
            inputs = [[self.model["vocabSize"] if h else t for t, h in zip(*pair)] for pair in zip(targets, scored)]
        logits = self.states(torch.tensor(inputs), sequences, p) @ p["writing"].T / training.get("temperature", 1)
        each = -logits.log_softmax(-1).gather(-1, torch.tensor(targets)[..., None])[..., 0]
        smoothing = training.get("labelSmoothing", 0)
        each = (1 - smoothing) * each - smoothing * logits.log_softmax(-1).mean(-1)
        counted = torch.tensor(scored, dtype=torch.float64)
        return ((each * counted).sum(-1) / counted.sum(-1)).mean(), sequences


def at_step(schedule, step):
    if not isinstance(schedule, list):
        return schedule
    before = [point for point in schedule if point[0] <= step] or schedule[:1]
    after = [point for point in schedule if point[0] > step] or schedule[-1:]
    (s, x), (t, y) = before[-1], after[0]
    return x if t <= s else x + (y - x) * (step - s) / (t - s)


def orthogonalized(x):
    if x.shape[0] > x.shape[1]:
        return orthogonalized(x.T).T
    x = x / x.norm()
    for _ in range(5):
        gram = x @ x.T
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    return x


def role_of(name):
    is_read = name in ("embedding", "value_embedding", "mask_embedding") or name.startswith("ngrams.")
    return "embedding" if is_read else "unembedding" if name == "unembedding" else "inner"


class Optimizer:
    def __init__(self, model, weights):
        self.training, self.model = model.training, model
        self.state = {name: (torch.zeros_like(w), torch.zeros_like(w)) for name, w in weights.items()}

    def rate(self, step):
        t = self.training
        if step < t.get("warmupSteps", 0):
            return t["learningRate"] * (step + 1) / t["warmupSteps"]
        way = (step - t["warmupSteps"]) / (t["totalSteps"] - t["warmupSteps"])
        return t["learningRate"] * (t["finalLearningRateFraction"] * (1 - (c := 0.5 + 0.5 * math.cos(math.pi * way))) + c)

    def update(self, weights, gradients, step, touched):
        t, model = self.training, self.model
        norm = math.sqrt(sum((g * g).sum().item() for g in gradients.values()))
        clip = min(1, t["gradientClip"] / norm)
        for name, w in weights.items():
            g, (m, v), role = gradients[name] * clip, self.state[name], role_of(name)
            rate = self.rate(step) * at_step(t.get("learningRateMultipliers", {}).get(role, 1), step)
            is_table = role != "inner" or name == "positions"
            decay = t["weightDecay"] if w.shape[0] > 1 or name == "mask_embedding" else 0
            decay = decay if t.get("decayEmbeddings", True) or not is_table else 0
            if t["optimizer"] == "muon" and name.startswith("layers.") and w.shape[0] > 1:
                m.mul_(t["momentum"]).add_((1 - t["momentum"]) * g)
                u = t["momentum"] * m + (1 - t["momentum"]) * g
                heights = [k * model.width for k in (model.heads, model.pairs, model.pairs)]
                for part in u.split(heights) if "query_key_value" in name else [u]:
                    rows, cols = part.shape
                    scale = math.sqrt(max(1, rows / cols)) if t["muonScale"] == "original" else 0.2 * math.sqrt(max(rows, cols))
                    part.copy_(scale * orthogonalized(part))
                rate *= t.get("muonLearningRate", t["learningRate"]) / t["learningRate"]
                w.mul_(1 - rate * decay).sub_(rate * u)
                continue
            at = touched.get(name, slice(None))
            m[at] = t["beta1"] * m[at] + (1 - t["beta1"]) * g[at]
            v[at] = t["beta2"] * v[at] + (1 - t["beta2"]) * g[at] ** 2
            mean, square = m[at] / (1 - t["beta1"] ** (step + 1)), v[at] / (1 - t["beta2"] ** (step + 1))
            w[at] = w[at] * (1 - rate * decay) - rate * mean / (square.sqrt() + t["epsilon"])


def compared(tokens, arm):
    model, training = Model(arm), arm["training"]
    weights = {name: torch.tensor(w["data"], dtype=torch.float64).reshape(w["shape"]) for name, w in arm["start"].items()}
    writer = "unembedding" if "unembedding" in weights else "embedding"
    optimizer, worst = Optimizer(model, weights), {"loss": 0.0, "gradient": 0.0, "weight": 0.0}
    for step, expected in enumerate(arm["losses"]):
        p = {name: w.clone().requires_grad_() for name, w in weights.items()}
        for role, name in (("reading", "embedding"), ("writing", writer), ("value", "embedding")):
            p[role] = weights[name].clone().requires_grad_()
        loss, sequences = model.loss(tokens, step, p)
        loss.backward()
        worst["loss"] = max(worst["loss"], abs(loss.item() - expected))
        grad = {name: torch.zeros_like(w) if w.grad is None else w.grad for name, w in p.items()}
        if step == 0:
            for role, found in arm["gradients"].items():
                far = (grad[role].flatten() - torch.tensor(found)).abs().max() / grad[role].abs().max()
                worst["gradient"] = max(worst["gradient"], far.item())
        read, write = (at_step(training.get(f"{role}GradientScale", 1), step) for role in ("input", "output"))
        for name in weights:
            grad[name] = grad[name] * (read if role_of(name) == "embedding" else 1)
        grad["embedding"] = read * (grad["reading"] + grad["value"])
        grad[writer] = write * grad["writing"] + (grad["embedding"] if writer == "embedding" else 0)
        tables = [name for name in weights if name.startswith("ngrams.")]
        touched = {name: torch.tensor([ngram_rows(s, int(name[7:]), model.ngrams) for s in sequences]).unique() for name in tables}
        optimizer.update(weights, {name: grad[name] for name in weights}, step, touched)
    for name, found in arm["end"].items():
        worst["weight"] = max(worst["weight"], (weights[name].flatten() - torch.tensor(found["data"])).abs().max().item())
    return worst


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    for name, arm in given["arms"].items():
        print(json.dumps({"name": name, **compared(given["tokens"], arm)}), flush=True)


if __name__ == "__main__":
    main()
