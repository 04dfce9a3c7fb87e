// The models of replay's PyTorch scripts.

export const directPath = String.raw`
# ---------------------------------------------------------------- the model


def initial_weights(m, seed):
    """In the order in which they are hashed."""
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
    # Without batches: the exact loss over all pairs of neighboring tokens in the text.
    V = m["vocabSize"]
    counts = torch.bincount(tokens[:-1] * V + tokens[1:], minlength=V * V).reshape(V, V)
    return -(counts.float() / counts.sum() * F.log_softmax(logits_of(m, p, p["embedding"]), dim=-1)).sum()
`;

const norm = String.raw`
# ---------------------------------------------------------------- the model


def norm(m, p, x, name):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + m["normEpsilon"]) * p[name + ".weight"]
`;

/** From tokens to hidden states and logits: all that a measuring script needs. */
export const forward = String.raw`${norm}

def states_of(m, p, read):
    """The hidden states of a GPT before its first layer and after each: norms before each branch, causal attention, a
    feed-forward layer, learned positions."""
    B, n = read.shape
    d, heads = m["dModel"], m["nHeads"]
    later = torch.ones(n, n, dtype=torch.bool).triu(1)
    h = p["embedding"][read] + p.get("read besides", 0)
    h = h * (math.sqrt(d) if m["embeddingScale"] == "sqrt-d-model" else 1) + p["positions"][:n]
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
        if i + 1 < m["nLayers"]:
            h = h + p.get("read before every layer", 0)
        states.append(h)
    return states


def head_of(m, p, h):
    """Logits of hidden states."""
    h = norm(m, p, h, "final_norm")
    logits = F.linear(h @ p["between"] if "between" in p else h, p["unembedding"])
    return logits + h @ p["low_rank.b"] @ p["low_rank.a"].T if "low_rank.a" in p else logits
`;

const layers = String.raw`

def add_layers(w, m, seed, stack, count, length, branches):
    """In the order in which they are hashed. Maps into the residual stream start smaller, so their sum does not grow with depth."""
    d, std, width = m["dModel"], m["initStd"], m["dFeedForward"]
    into = std / math.sqrt(branches * count)

    def add_maps(name, *maps):
        w[name + "_norm.weight"] = torch.ones(d)
        for part, rows, cols, scale in maps:
            at = f"{name}.{part}"
            w[at + ".weight"] = normal(seed, at + ".weight", rows, cols, scale)
            if name.endswith("feed_forward"):
                w[at + ".bias"] = torch.zeros(rows)

    w[stack + "positions"] = normal(seed, stack + "positions", length, d, std)
    for i in range(count):
        at = f"{stack}layers.{i}."
        add_maps(at + "attention", ("query_key_value", 3 * d, d, std), ("output", d, d, into))
        if branches == 3:
            add_maps(at + "cross_attention", ("query", d, d, std), ("key_value", 2 * d, d, std), ("output", d, d, into))
        add_maps(at + "feed_forward", ("up", width, d, std), ("down", d, width, into))
    w[stack + "final_norm.weight"] = torch.ones(d)
`;

export const transformer = String.raw`${forward}${layers}

def initial_weights(m, seed):
    """In the order in which they are hashed."""
    V, d, std = m["vocabSize"], m["dModel"], m["initStd"]
    w = {"embedding": normal(seed, "embedding", V, d, std)}
    if m["tying"] == "untied":
        w["unembedding"] = normal(seed, "unembedding", V, d, std)
    add_layers(w, m, seed, "", m["nLayers"], m["contextLength"], 2)
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

/** Small GPTs with the heads and tables of a figure. In some tables, a step changes only the rows that it touches. */
export const heads = String.raw`${forward}${layers}

def roles_of(m, w):
    """The names that share another table, and that table: each role has its own gradient."""
    return {name: name[2:] for name in ("unembedding", "unembedding.factor") if name[2:] in w and name not in w}


def kind_of(m):
    return m.get("head", {"kind": "full"})["kind"]


def ngram_sizes(m):
    """Order of the longest n-grams, rows of each head's part of a table, and heads."""
    ngrams = m.get("ngrams", {"order": 0, "rows": 1})
    return ngrams["order"], ngrams["rows"], ngrams.get("heads", 1)


def ngram_rows(m, read):
    """Rows of the n-grams that end at each position, one for each head, by the name of their table: hashes of tokens from
    the last one to the first, continued by the number of the head before, with the mix of SplitMix64 (Steele, Lea and
    Flood, OOPSLA 2014), modulo the rows."""

    def continued(h, tokens):
        x = h + np.uint64(0x9E3779B97F4A7C15) * (tokens + np.uint64(1))
        x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return x ^ x >> np.uint64(31)

    order, rows, heads = ngram_sizes(m)
    tokens = read.numpy().astype(np.uint64)
    h, found = continued(np.zeros_like(tokens), tokens), {}
    for n in range(2, order + 1):
        # At the start of a sequence there are fewer tokens.
        h[:, n - 1 :] = continued(h[:, n - 1 :], tokens[:, : tokens.shape[1] - n + 1])
        hashes = [h, *(continued(h, np.full_like(h, head)) for head in range(heads - 1))]
        parts = [part % np.uint64(rows) + np.uint64(head * rows) for head, part in enumerate(hashes)]
        found[f"ngrams.{n}"] = torch.from_numpy(np.stack(parts, axis=-1).astype(np.int64))
    return found


def tail_widths(m):
    """Widths of the vectors of each cluster of an adaptive head."""
    return [m["dModel"] // m["head"]["divisor"] ** (k + 1) for k in range(len(m["head"]["cutoffs"]))]


def initial_weights(m, seed):
    """In the order in which they are hashed."""
    V, d, std = m["vocabSize"], m["dModel"], m["initStd"]
    untied, adaptive, rank = m["tying"] == "untied", kind_of(m) == "adaptive", m.get("tableRank", 0)
    ends = [*m["head"]["cutoffs"], V] if adaptive else [V]
    w = {"embedding": normal(seed, "embedding", V, rank or d, std)}
    if untied:
        w["unembedding"] = normal(seed, "unembedding", ends[0], rank or d, std)
    for name in ("embedding.factor", "unembedding.factor")[: (1 + untied) * (rank > 0)]:
        w[name] = normal(seed, name, rank, d, 1 / math.sqrt(rank))
    order, rows, heads = ngram_sizes(m)
    for n in range(2, order + 1):
        w[f"ngrams.{n}"] = normal(seed, f"ngrams.{n}", heads * rows, d // heads, std)
    add_layers(w, m, seed, "", m["nLayers"], m["contextLength"], 2)
    if kind_of(m) == "clustered":
        w["clusters"] = normal(seed, "clusters", m["head"]["clusters"], d, std)
    if adaptive:
        w["clusters"] = normal(seed, "clusters", len(ends) - 1, d, std)
        for k, width in enumerate(tail_widths(m) if untied else []):
            w[f"tails.{k}.table"] = normal(seed, f"tails.{k}.table", ends[k + 1] - ends[k], width, std)
        for k, width in enumerate(tail_widths(m)):
            w[f"tails.{k}.map"] = normal(seed, f"tails.{k}.map", width, d, 1 / math.sqrt(d))
    return w


@functools.lru_cache(maxsize=1)
def by_frequency(tokens, V):
    """The tokens, the most frequent first, and the rank of each."""
    order = torch.sort(torch.bincount(tokens, minlength=V), descending=True, stable=True).indices
    return order, torch.argsort(order)


def sampled_tokens(m, t, step, order):
    """Rank r, from 0, is drawn with probability log((r + 2) / (r + 1)) / log(V + 1); the batch shares the draws."""
    V = m["vocabSize"]
    high, low = bits(t["seed"], stream_of("dropout"), step * 2**23, 2).tolist()
    halves = bits((high << 32 | low) | 1, stream_of("samples"), 0, 2 * m["head"]["samples"]).reshape(-1, 2)
    shift = np.uint64
    uniform = ((halves[:, 0] >> shift(5) << shift(26)) | halves[:, 1] >> shift(6)).astype(np.float64) * 2.0**-53
    ranks = [min(int(math.exp(u * math.log(V + 1))) - 1, V - 1) for u in uniform.tolist()]
    return order[torch.tensor(ranks)]


def groups_of(m, order):
    """Tokens of the clusters of a head with two levels."""
    V, head = m["vocabSize"], m["head"]
    if head["kind"] == "clustered":
        ends = [c * V // head["clusters"] for c in range(head["clusters"] + 1)]
    else:
        ends = [*head["cutoffs"], V]
    return [order[first:end] for first, end in zip(ends, ends[1:])]


def sampled_loss(m, t, p, h, wanted, step, order, rank):
    V, drawn = m["vocabSize"], sampled_tokens(m, t, step, order)
    r = rank[drawn].double()
    expected = len(drawn) * torch.log((r + 2) / (r + 1)) / math.log(V + 1)
    z = h @ p["unembedding"][drawn].T - expected.log().float()
    z = z.masked_fill(drawn[None, :] == wanted[:, None], -math.inf)
    own = (h * p["unembedding"][wanted]).sum(-1, keepdim=True)
    return F.cross_entropy(torch.cat((own, z), dim=1), torch.zeros_like(wanted))


def two_level_loss(m, p, h, wanted, order, rank):
    """First a cluster, or in an adaptive head one of the frequent tokens; then a token of the cluster."""
    head, groups = m["head"], groups_of(m, order)
    adaptive = head["kind"] == "adaptive"
    frequent = head["cutoffs"][0] if adaptive else 0
    ends = torch.tensor([frequent, *(len(group) for group in groups)]).cumsum(0)
    cluster = torch.bucketize(rank[wanted], ends[:-1], right=True) - 1
    first = h @ p["clusters"].T
    if adaptive:
        rows = p["unembedding"][order[:frequent]] if m["tying"] == "tied" else p["unembedding"]
        first = torch.cat((h @ rows.T, first), dim=1)
    place = torch.where(cluster < 0, rank[wanted], frequent + cluster)
    loss = F.cross_entropy(first, place, reduction="sum")
    for k in cluster[cluster >= 0].unique().tolist():
        there = cluster == k
        state, rows = h[there], p["unembedding"]
        if adaptive:
            state = state @ p[f"tails.{k}.map"].T
            rows = rows[groups[k], : state.shape[1]] if m["tying"] == "tied" else p[f"tails.{k}.table"]
        else:
            rows = rows[groups[k]]
        loss = loss + F.cross_entropy(state @ rows.T, rank[wanted[there]] - ends[k], reduction="sum")
    return loss / len(wanted)


def loss_of(m, t, p, tokens, step):
    if "tableRank" in m:
        p = {**p, **{name: p[name] @ p[name + ".factor"] for name in ("embedding", "unembedding")}}
    read, wanted = batch(tokens, step, t["seed"], t["batchSize"], m["contextLength"])
    wanted, (order, rank) = wanted.flatten(), by_frequency(tokens, m["vocabSize"])
    ngrams = sum(p[name][rows].flatten(-2) for name, rows in ngram_rows(m, read).items())
    p = {**p, "read besides": ngrams}
    if m.get("ngrams", {}).get("places") == "every-layer":
        p["read before every layer"] = ngrams
    h = norm(m, p, states_of(m, p, read)[-1], "final_norm").flatten(0, 1)
    if kind_of(m) == "sampled":
        return sampled_loss(m, t, p, h, wanted, step, order, rank)
    if kind_of(m) in ("clustered", "adaptive"):
        return two_level_loss(m, p, h, wanted, order, rank)
    if kind_of(m) == "culled":
        kept = rank[wanted] < m["head"]["kept"]
        return F.cross_entropy(h[kept] @ p["unembedding"][order[: m["head"]["kept"]]].T, rank[wanted[kept]])
    return F.cross_entropy(h @ p["unembedding"].T, wanted)


def touched_of(m, t, tokens, step):
    """The rows that a step changes, by table: those that the input reads, and those that the head's loss uses."""
    kind, (order, rank) = kind_of(m), by_frequency(tokens, m["vocabSize"])
    read, wanted = batch(tokens, step, t["seed"], t["batchSize"], m["contextLength"])
    rows = {name: found.unique() for name, found in ngram_rows(m, read).items()}
    if kind == "full":
        return rows
    read, wanted = read.flatten(), wanted.flatten()
    if kind == "sampled":
        written = torch.cat((wanted, sampled_tokens(m, t, step, order)))
    elif kind == "culled":
        written = order[: m["head"]["kept"]]
    else:
        groups = groups_of(m, order)
        there = [bool(torch.isin(wanted, group).any()) for group in groups]
        frequent = order[: m["head"]["cutoffs"][0]] if kind == "adaptive" else order[:0]
        written = torch.cat((frequent, *(group for group, some in zip(groups, there) if some)))
        rows.update((f"tails.{k}.table", torch.arange(len(group) if some else 0)) for k, (group, some) in enumerate(zip(groups, there)))
    if m["tying"] == "tied":
        return {"embedding": torch.cat((read, written)).unique(), **rows}
    if kind == "adaptive":
        return {"embedding": read.unique(), **rows}
    return {"embedding": read.unique(), "unembedding": written.unique(), **rows}
`;

/** An encoder-decoder, whose three roles share one, two or three tables. */
export const encoderDecoder = String.raw`${norm}${layers}

def roles_of(m, w):
    """The names that share another table, and that table: each role has its own gradient."""
    return {name: "embedding" for name in ("unembedding", "encoder.embedding") if name not in w}


def touched_of(m, t, pairs, step):
    return {}


def initial_weights(m, seed):
    """In the order in which they are hashed."""
    apart = {"all": [], "decoder": ["encoder.embedding"], "none": ["unembedding", "encoder.embedding"]}[m["tying"]]
    w = {name: normal(seed, name, m["vocabSize"], m["dModel"], m["initStd"]) for name in ["embedding", *apart]}
    add_layers(w, m, seed, "encoder.", m["nEncoderLayers"], m["sourceLength"], 2)
    add_layers(w, m, seed, "", m["nDecoderLayers"], m["contextLength"], 3)
    return w


def mixed(m, q, k, v, hidden):
    """Attention of queries to keys and values: [pair, position, d]; hidden: what is masked."""
    heads = m["nHeads"]
    q, k, v = (x.reshape(*x.shape[:2], heads, -1).transpose(1, 2) for x in (q, k, v))
    scores = (q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])).masked_fill(hidden, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)


def states_of(m, p, stack, count, tokens, hidden, memory=None, memory_hidden=None):
    """After the last layer and its norm; the decoder also attends to memory, the states of the encoder."""
    h = p[stack + "embedding"][tokens] + p[stack + "positions"][: tokens.shape[1]]
    for i in range(count):
        at = f"{stack}layers.{i}."
        x = norm(m, p, h, at + "attention_norm")
        q, k, v = F.linear(x, p[at + "attention.query_key_value.weight"]).chunk(3, dim=-1)
        h = h + F.linear(mixed(m, q, k, v, hidden), p[at + "attention.output.weight"])
        if memory is not None:
            cross = at + "cross_attention"
            q = F.linear(norm(m, p, h, cross + "_norm"), p[cross + ".query.weight"])
            k, v = F.linear(memory, p[cross + ".key_value.weight"]).chunk(2, dim=-1)
            h = h + F.linear(mixed(m, q, k, v, memory_hidden), p[cross + ".output.weight"])
        up, down = at + "feed_forward.up", at + "feed_forward.down"
        hidden_layer = F.linear(norm(m, p, h, at + "feed_forward_norm"), p[up + ".weight"], p[up + ".bias"])
        h = h + F.linear(F.gelu(hidden_layer, approximate="tanh"), p[down + ".weight"], p[down + ".bias"])
    return norm(m, p, h, stack + "final_norm")


def padded(lists, fill):
    longest = max(map(len, lists))
    return torch.tensor([tokens + [fill] * (longest - len(tokens)) for tokens in lists])


def loss_of(m, t, p, pairs, step):
    """The loss on the tokens of the targets and their ends, without padding."""
    chosen = [pairs[i] for i in drawn_places(t["seed"], step, t["batchSize"], len(pairs)).tolist()]
    sources = padded([source for source, _ in chosen], 0)
    read = padded([[m["startToken"]] + target for _, target in chosen], 0)
    wanted = padded([target + [m["endToken"]] for _, target in chosen], -100)
    lengths = torch.tensor([len(source) for source, _ in chosen])
    is_padding = (torch.arange(sources.shape[1]) >= lengths[:, None])[:, None, None, :]
    later = torch.ones(read.shape[1], read.shape[1], dtype=torch.bool).triu(1)
    memory = states_of(m, p, "encoder.", m["nEncoderLayers"], sources, is_padding)
    h = states_of(m, p, "", m["nDecoderLayers"], read, later, memory, is_padding)
    return F.cross_entropy(F.linear(h, p["unembedding"]).flatten(0, 1), wanted.flatten())
`;
