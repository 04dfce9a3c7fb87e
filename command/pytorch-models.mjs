// The models of replay's PyTorch scripts.

export const directPath = String.raw`
# ---------------------------------------------------------------- the model


def initial_weights(m, seed):
    """In the order of the record's hash."""
    V, d, std = m["vocabSize"], m["dModel"], m["initStd"]
    w = {"embedding": normal(seed, "embedding", V, d, std)}
    if m["tying"] == "untied":
        w["unembedding"] = normal(seed, "unembedding", V, d, std)
    if m["tying"] == "tied-mlp":
        width = m["dFeedForward"]
        w["mlp.up.weight"] = normal(seed, "mlp.up.weight", width, d, 1 / math.sqrt(d))
        w["mlp.up.bias"] = torch.zeros(width)
        w["mlp.down.weight"] = torch.zeros(d, width)
        w["mlp.down.bias"] = torch.zeros(d)
    if m["tying"] == "tied-linear":
        w["between"] = torch.eye(d)
    if m["outputBias"]:
        w["output_bias"] = torch.zeros(V)
    return w


def logits_of(m, p, h):
    """From rows of the embedding to scores of the next token: the direct path, and nothing else."""
    if "mlp.up.weight" in p:
        hidden = F.gelu(F.linear(h, p["mlp.up.weight"], p["mlp.up.bias"]), approximate="tanh")
        h = h + F.linear(hidden, p["mlp.down.weight"], p["mlp.down.bias"])
    if "between" in p:
        h = h @ p["between"]
    return F.linear(h, p["unembedding"], p.get("output_bias"))


def loss_of(m, t, p, tokens, step):
    if "batchSize" in t:
        read, wanted = batch(tokens, step, t["seed"], t["batchSize"], 1)
        return F.cross_entropy(logits_of(m, p, p["embedding"][read.flatten()]), wanted.flatten())
    # Without batches: the exact loss over all pairs of neighbours in the text.
    V = m["vocabSize"]
    counts = torch.bincount(tokens[:-1] * V + tokens[1:], minlength=V * V).reshape(V, V)
    return -(counts.float() / counts.sum() * F.log_softmax(logits_of(m, p, p["embedding"]), dim=-1)).sum()
`;

/** From tokens to hidden states and logits: all that a script that measures needs. */
export const forward = String.raw`
# ---------------------------------------------------------------- the model


def norm(m, p, x, name):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + m["normEpsilon"]) * p[name + ".weight"]


def states_of(m, p, read):
    """The hidden states of a GPT before its first layer and after each: norms before each branch, causal attention, a
    feed-forward layer, learned positions."""
    B, n = read.shape
    d, heads = m["dModel"], m["nHeads"]
    later = torch.ones(n, n, dtype=torch.bool).triu(1)
    h = p["embedding"][read] * (math.sqrt(d) if m["embeddingScale"] == "sqrt-d-model" else 1) + p["positions"][:n]
    states = [h]
    for i in range(m["nLayers"]):
        at = f"layers.{i}."
        qkv = F.linear(norm(m, p, h, at + "attention_norm"), p[at + "attention.query_key_value.weight"])
        q, k, v = (x.reshape(B, n, heads, d // heads).transpose(1, 2) for x in qkv.split(d, dim=-1))
        scores = (q @ k.transpose(-1, -2) / math.sqrt(d // heads)).masked_fill(later, -math.inf)
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, n, d)
        h = h + F.linear(mixed, p[at + "attention.output.weight"])
        up, down = at + "feed_forward.up", at + "feed_forward.down"
        hidden = F.linear(norm(m, p, h, at + "feed_forward_norm"), p[up + ".weight"], p[up + ".bias"])
        h = h + F.linear(F.gelu(hidden, approximate="tanh"), p[down + ".weight"], p[down + ".bias"])
        states.append(h)
    return states


def head_of(m, p, h):
    """Logits of hidden states."""
    h = norm(m, p, h, "final_norm")
    logits = F.linear(h @ p["between"] if "between" in p else h, p["unembedding"])
    return logits + h @ p["low_rank.b"] @ p["low_rank.a"].T if "low_rank.a" in p else logits
`;

export const transformer = String.raw`${forward}

def initial_weights(m, seed):
    """In the order of the record's hash. Maps into the residual stream begin smaller, so that depth does not add up."""
    V, d, std, width = m["vocabSize"], m["dModel"], m["initStd"], m["dFeedForward"]
    branch = std / math.sqrt(2 * m["nLayers"])
    w = {"embedding": normal(seed, "embedding", V, d, std)}
    if m["tying"] == "untied":
        w["unembedding"] = normal(seed, "unembedding", V, d, std)
    w["positions"] = normal(seed, "positions", m["contextLength"], d, std)
    for i in range(m["nLayers"]):
        at = f"layers.{i}."
        w[at + "attention_norm.weight"] = torch.ones(d)
        for name, rows, cols, scale in (("query_key_value", 3 * d, d, std), ("output", d, d, branch)):
            w[at + f"attention.{name}.weight"] = normal(seed, at + f"attention.{name}.weight", rows, cols, scale)
        w[at + "feed_forward_norm.weight"] = torch.ones(d)
        for name, rows, cols, scale in (("up", width, d, std), ("down", d, width, branch)):
            w[at + f"feed_forward.{name}.weight"] = normal(seed, at + f"feed_forward.{name}.weight", rows, cols, scale)
            w[at + f"feed_forward.{name}.bias"] = torch.zeros(rows)
    w["final_norm.weight"] = torch.ones(d)
    if m["tying"] == "tied-linear":
        w["between"] = torch.eye(d)
    if m["tying"] == "tied-low-rank":
        w["low_rank.a"] = torch.zeros(V, m["lowRank"])
        w["low_rank.b"] = normal(seed, "low_rank.b", d, m["lowRank"], 1 / math.sqrt(d))
    return w


def logits_of(m, p, read):
    return head_of(m, p, states_of(m, p, read)[-1])


def loss_of(m, t, p, tokens, step):
    read, wanted = batch(tokens, step, t["seed"], t["batchSize"], m["contextLength"])
    return F.cross_entropy(logits_of(m, p, read).flatten(0, 1), wanted.flatten())
`;
