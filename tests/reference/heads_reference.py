#!/usr/bin/env python3
"""Heads other than the full one in PyTorch: logits, every gradient and 50 training losses; the reference of the C++ heads.

    python3 tests/reference/heads_reference.py > tests/reference/heads_reference.h

The layers below the head, the values, the text and the batches are those of transformer_reference.py. The heads are
written from their definitions, and the adaptive one is also compared with PyTorch's own. The sampled head draws like the
trainer, by Philox4x32-10. Rows that a step does not touch keep their values and moments: AdamW is PyTorch's, and those
rows are restored after it.

Written with PyTorch 1.13 (Debian's python3-torch); needs nothing else.
"""
import bisect
import math

import torch

import reference_header
import transformer_reference as base

VOCAB_SIZE = base.VOCAB_SIZE
SAMPLES, CLUSTERS, KEPT = 5, 3, 7
CUTOFFS, DIVISOR = [4, 8], 2
RANK = 3
COUNTS = [base.text().count(token) for token in range(VOCAB_SIZE)]
BY_FREQUENCY = sorted(range(VOCAB_SIZE), key=lambda token: (-COUNTS[token], token))


# ---------------------------------------------------------------- draws

def stream_of(name):
    return base.fnv1a(name, 0xCBF29CE484222325, 0x100000001B3, 64)


def bits(seed, stream, position):
    block = position // 4
    words = base.philox((block & 0xFFFFFFFF, block >> 32, stream & 0xFFFFFFFF, stream >> 32),
                        (seed & 0xFFFFFFFF, seed >> 32))
    return words[position % 4]


def drawn(step, proposal):
    """Tokens drawn for a step, and their probabilities."""
    at = step * 2 * (1 << 22)
    key = (bits(base.SEED, stream_of("dropout"), at) << 32 | bits(base.SEED, stream_of("dropout"), at + 1)) | 1
    stream = stream_of("samples")
    tokens = []
    for i in range(SAMPLES):
        high, low = bits(key, stream, 2 * i) >> 5, bits(key, stream, 2 * i + 1) >> 6
        uniform = ((high << 26) | low) * 2.0 ** -53
        if proposal == "counts":
            ends = [sum(count + 1 for count in COUNTS[:token + 1]) for token in range(VOCAB_SIZE)]
            tokens.append(bisect.bisect_right(ends, uniform * ends[-1]))
        else:
            tokens.append(BY_FREQUENCY[int(math.exp(uniform * math.log(VOCAB_SIZE + 1))) - 1])
    return tokens


def probability(token, proposal):
    if proposal == "counts":
        return (COUNTS[token] + 1) / sum(count + 1 for count in COUNTS)
    rank = BY_FREQUENCY.index(token)
    return math.log((rank + 2) / (rank + 1)) / math.log(VOCAB_SIZE + 1)


# ---------------------------------------------------------------- heads

def clusters():
    return [BY_FREQUENCY[c * VOCAB_SIZE // CLUSTERS:(c + 1) * VOCAB_SIZE // CLUSTERS] for c in range(CLUSTERS)]


def kept():
    return sorted(BY_FREQUENCY[:KEPT])


def tails():
    return [BY_FREQUENCY[a:b] for a, b in zip(CUTOFFS, CUTOFFS[1:] + [VOCAB_SIZE])]


def width_of(k):
    return base.D_MODEL // DIVISOR ** (k + 1)


def adaptive_logits(p, h, run):
    """Logits of the first softmax, and of the softmax of each cluster."""
    def with_bias(z, tokens):
        return z + p["output_bias"][tokens] if run["output_bias"] else z

    frequent = BY_FREQUENCY[:CUTOFFS[0]]
    tied = run["tying"] == "tied"
    rows = p["unembedding"][frequent] if tied else p["unembedding"]
    found = [torch.cat((with_bias(h @ rows.T, frequent), h @ p["clusters"].T), dim=-1)]
    for k, tokens in enumerate(tails()):
        rows = p["unembedding"][tokens, :width_of(k)] if tied else p[f"tails.{k}.table"]
        found.append(with_bias(h @ p[f"tails.{k}.map"].T @ rows.T, tokens))
    return [z / run["temperature"] for z in found]


def compare_with_pytorch(p, h, targets, loss):
    """An untied adaptive head without options is torch.nn.AdaptiveLogSoftmaxWithLoss, with tokens named by rank."""
    theirs = torch.nn.AdaptiveLogSoftmaxWithLoss(base.D_MODEL, VOCAB_SIZE, CUTOFFS, div_value=DIVISOR).double()
    with torch.no_grad():
        theirs.head.weight.copy_(torch.cat((p["unembedding"], p["clusters"])))
        for k, tail in enumerate(theirs.tail):
            tail[0].weight.copy_(p[f"tails.{k}.map"])
            tail[1].weight.copy_(p[f"tails.{k}.table"])
    ranks = torch.tensor([BY_FREQUENCY.index(target) for target in targets.tolist()])
    assert abs(theirs(h.detach(), ranks).loss.item() - loss.item()) < 1e-12


def cross_entropy(logits, targets, run, reduction="mean"):
    return torch.nn.functional.cross_entropy(logits, targets, reduction=reduction,
                                             label_smoothing=run["label_smoothing"])


def multiplied(p, run):
    """Parameters with each factorized table as the product of its two matrices."""
    if not run["table_rank"]:
        return p
    return dict(p, **{name: p[name] @ p[name + ".factor"] for name in ("embedding", "unembedding")})


def full_logits(p, h, run):
    p = multiplied(p, run)
    z = h @ p["unembedding"].T
    return (z + p["output_bias"] if run["output_bias"] else z) / run["temperature"]


def cluster_logits(p, h, run):
    read_out = h @ p["unembedding.factor"].T if run["table_rank"] else h
    return read_out @ p["clusters"].T / run["temperature"]


def predictions(p, h, run):
    """The predictions of the head in the form of logits: [row, token]."""
    if run["head"] == "adaptive":
        first, *others = [torch.log_softmax(z, dim=-1) for z in adaptive_logits(p, h, run)]
        out = torch.empty(len(h), VOCAB_SIZE, dtype=h.dtype)
        out[:, BY_FREQUENCY[:CUTOFFS[0]]] = first[:, :CUTOFFS[0]]
        for k, tokens in enumerate(tails()):
            out[:, tokens] = first[:, CUTOFFS[0] + k, None] + others[k]
        return out
    z = full_logits(p, h, run)
    if run["head"] == "culled":
        mask = torch.full((VOCAB_SIZE,), True)
        mask[kept()] = False
        return z.masked_fill(mask, -1e30)
    if run["head"] != "clustered":
        return z
    of_clusters = torch.log_softmax(cluster_logits(p, h, run), dim=-1)
    out = torch.empty_like(z)
    for c, tokens in enumerate(clusters()):
        out[:, tokens] = of_clusters[:, c:c + 1] + torch.log_softmax(z[:, tokens], dim=-1)
    return out


def sampled_loss(p, h, targets, run, step):
    z = full_logits(p, h, run)
    tokens = drawn(step, run["proposal"])
    loss = 0
    for i, target in enumerate(targets.tolist()):
        # Each draw counts: a token that was drawn twice appears twice.
        others = [token for token in tokens if token != target]
        expected = torch.tensor([SAMPLES * probability(token, run["proposal"]) for token in others], dtype=h.dtype)
        corrected = torch.cat((z[i, target:target + 1], z[i, others] - expected.log()))
        plain = torch.logsumexp(corrected, dim=0)
        mean = z[i, target] / VOCAB_SIZE + (z[i, others] / expected).sum() / VOCAB_SIZE
        loss = loss + plain - (1 - run["label_smoothing"]) * z[i, target] - run["label_smoothing"] * mean
    return loss / len(targets)


def adaptive_loss(p, h, targets, run):
    first, *others = adaptive_logits(p, h, run)
    ranks = [BY_FREQUENCY.index(target) for target in targets.tolist()]
    tail_of = [sum(rank >= cutoff for cutoff in CUTOFFS) - 1 for rank in ranks]
    places = torch.tensor([rank if k < 0 else CUTOFFS[0] + k for rank, k in zip(ranks, tail_of)])
    loss = cross_entropy(first, places, run, "sum")
    for i, (rank, k) in enumerate(zip(ranks, tail_of)):
        if k >= 0:
            loss = loss + cross_entropy(others[k][i:i + 1], torch.tensor([rank - CUTOFFS[k]]), run, "sum")
    loss = loss / len(targets)
    if run["tying"] == "untied" and not run["output_bias"]:
        compare_with_pytorch(p, h, targets, loss)
    return loss


def training_loss(p, h, targets, run, step):
    if run["head"] == "adaptive":
        return adaptive_loss(p, h, targets, run)
    if run["head"] == "sampled":
        return sampled_loss(p, h, targets, run, step)
    z = full_logits(p, h, run)
    if run["head"] == "full":
        return cross_entropy(z, targets, run)
    if run["head"] == "culled":
        there = [i for i, target in enumerate(targets.tolist()) if target in kept()]
        return cross_entropy(z[there][:, kept()], torch.tensor([kept().index(targets[i]) for i in there]), run)
    groups = clusters()
    of = torch.tensor([next(c for c, tokens in enumerate(groups) if target in tokens) for target in targets.tolist()])
    loss = cross_entropy(cluster_logits(p, h, run), of, run, "sum")
    for i, target in enumerate(targets.tolist()):
        tokens = groups[of[i]]
        loss = loss + cross_entropy(z[i:i + 1, tokens], torch.tensor([tokens.index(target)]), run, "sum")
    return loss / len(targets)


def written_rows(targets, run, step):
    """Tokens whose rows and biases the head's loss touches."""
    targets = set(targets.tolist())
    if run["head"] == "sampled":
        return targets | set(drawn(step, run["proposal"]))
    if run["head"] == "culled":
        return set(kept())
    if run["head"] == "clustered":
        return {token for tokens in clusters() if targets & set(tokens) for token in tokens}
    if run["head"] == "adaptive":
        return set(BY_FREQUENCY[:CUTOFFS[0]]) | {
            token for tokens in tails() if targets & set(tokens) for token in tokens}
    return set(range(VOCAB_SIZE))


# ---------------------------------------------------------------- training

def hidden(p, inputs, run):
    """The input of the head [row, d]: transformer_reference with the identity as its unembedding."""
    without_head = dict(multiplied(p, run), unembedding=torch.eye(base.D_MODEL, dtype=torch.float64))
    return base.forward(without_head, inputs, dict(run, output_bias=False))[0].flatten(0, 1)


def shapes(run):
    found = base.shapes(run)
    if run["head"] == "clustered":
        found["clusters"] = (CLUSTERS, RANK if run["table_rank"] else base.D_MODEL)
    if run["table_rank"]:
        for name in ("embedding", "unembedding"):
            found[name] = (VOCAB_SIZE, RANK)
            found[name + ".factor"] = (RANK, base.D_MODEL)
    if run["head"] == "adaptive":
        found["clusters"] = (len(CUTOFFS), base.D_MODEL)
        for k, tokens in enumerate(tails()):
            found[f"tails.{k}.map"] = (width_of(k), base.D_MODEL)
            if run["tying"] == "untied":
                found["unembedding"] = (CUTOFFS[0], base.D_MODEL)
                found[f"tails.{k}.table"] = (len(tokens), width_of(k))
    return found


def starts(run):
    return {name: base.start_of(name, shape) for name, shape in shapes(run).items()
            if not name.startswith("unembedding") or run["tying"] == "untied"}


def leaves(stored):
    named = base.leaves(stored)
    if "embedding.factor" in stored and "unembedding.factor" not in stored:
        named["unembedding.factor"] = stored["embedding.factor"].detach().clone().requires_grad_()
    return named


def train(run):
    stored = starts(run)
    optimizer = base.optimizer_for(stored, run)
    losses = []
    for step in range(base.STEPS):
        parameters = leaves(stored)
        inputs, targets = base.sequences(step, base.BATCH_SIZE)
        loss = training_loss(parameters, hidden(parameters, inputs, run), targets.flatten(), run, step)
        losses.append(loss.item())
        loss.backward()
        for name, value in stored.items():
            value.grad = parameters[name].grad
        written = written_rows(targets.flatten(), run, step)
        touched = {"embedding": set(inputs.flatten().tolist()), "unembedding": written, "output_bias": written}
        if run["head"] == "adaptive" and run["tying"] == "untied":
            # Rows of these tables are ordered by frequency.
            for name, tokens in [("unembedding", BY_FREQUENCY[:CUTOFFS[0]])] + [
                    (f"tails.{k}.table", tokens) for k, tokens in enumerate(tails())]:
                touched[name] = {place for place, token in enumerate(tokens) if token in written}
        if "unembedding" not in stored:
            stored["embedding"].grad += parameters["unembedding"].grad
            if run["table_rank"]:
                stored["embedding.factor"].grad += parameters["unembedding.factor"].grad
            touched["embedding"] |= written
        before = {name: (stored[name].clone(), {key: value.clone() for key, value in
                                                optimizer.state[stored[name]].items()})
                  for name in touched if name in stored}
        base.update(stored, optimizer, step, run)
        if run["head"] == "full":
            continue
        for name, (value, state) in before.items():
            rows = sorted(set(range(len(value))) - touched[name])
            with torch.no_grad():
                stored[name][rows] = value[rows]
                for key in ("exp_avg", "exp_avg_sq"):
                    moment = optimizer.state[stored[name]][key]
                    moment[rows] = state[key][rows] if state else 0
    return losses


def details(run):
    parameters = leaves(starts(run))
    inputs, targets = base.sequences(0, base.BATCH_SIZE)
    h = hidden(parameters, inputs, run)
    training_loss(parameters, h, targets.flatten(), run, 0).backward()
    gradients = {name: parameters[name].grad if parameters[name].grad is not None else torch.zeros(shape)
                 for name, shape in shapes(run).items()}
    return predictions(parameters, h, run).detach(), gradients


def all_runs():
    runs = [dict(head="full", label_smoothing=0.1, temperature=1.5, output_bias=True, detail=True)]
    for head in ("sampled", "clustered", "culled", "adaptive"):
        for tying in ("tied", "untied"):
            runs += [dict(head=head, tying=tying, detail=True),
                     dict(head=head, tying=tying, output_bias=True, scales_embedding=True, label_smoothing=0.1,
                          temperature=1.5, proposal="counts" if head == "sampled" else "log-uniform",
                          detail=tying == "untied")]
    for tying in ("tied", "untied"):
        runs += [dict(head=head, tying=tying, table_rank=RANK, output_bias=head == "full", detail=head != "sampled",
                      scales_embedding=head == "full") for head in ("full", "clustered", "sampled")]
    return [dict(base.DEFAULTS, **dict(dict(proposal="log-uniform", table_rank=0, label_smoothing=0.0, temperature=1.0), **run))
            for run in runs]


# ---------------------------------------------------------------- printing

FIELDS = {"head": "const char*", "tying": "const char*", "proposal": "const char*", "output_bias": "bool",
          "scales_embedding": "bool", "label_smoothing": "double", "temperature": "double", "table_rank": "std::uint32_t"}


def main():
    print("// Made by heads_reference.py with PyTorch", torch.__version__.split("+")[0] + "; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstddef>\n\n#include \"transformer_reference.h\"\n")
    print("namespace tied::heads_reference {\n")
    for name, value in (("kSamples", SAMPLES), ("kClusters", CLUSTERS), ("kKept", KEPT), ("kDivisor", DIVISOR)):
        print(f"inline constexpr std::uint32_t {name} = {value};")
    print(f"inline constexpr std::uint64_t kCutoffs[] = {{{', '.join(map(str, CUTOFFS))}}};")
    print("\nusing transformer_reference::Gradient;\n")
    print("// Of the first batch, before any step; logits [sequence, position, token] are what the head predicts.")
    reference_header.print_runs(all_runs(), FIELDS, details, train)
    print("};\n\n}  // namespace tied::heads_reference")


if __name__ == "__main__":
    main()
