"""What the pairs of a text show, with numpy: the cases bigrams/... of bench/paths.cpp, in the fastest form found for them."""

from bisect import bisect_right
from itertools import permutations

import numpy

TOKENS, LISTED = 100_000, 5
PSEUDO_COUNT = 0.5


def text_of(vocabulary, random, tokens=TOKENS):
    """Lower ids occur more often; half of the time, the next id is close to the one before."""
    others = (random.random(tokens) * (1 + (random.random(tokens) * vocabulary).astype(int))).astype(int)
    jumps = random.random(tokens) < 0.5
    ids = [0]
    for other, jump in zip(others[1:].tolist(), jumps[1:].tolist()):
        ids.append(other if jump else (ids[-1] + other % 8) % vocabulary)
    return numpy.array(ids)


def pairs_of(ids, vocabulary):
    """Each pair that occurs as first * V + second, ascending, and how often it occurs."""
    return numpy.unique(ids[:-1] * vocabulary + ids[1:], return_counts=True)


def correlation(x, y, weights):
    mean_x, mean_y = numpy.average(x, weights=weights), numpy.average(y, weights=weights)
    x, y = x - mean_x, y - mean_y
    return (weights * x * y).sum() / numpy.sqrt((weights * x * x).sum() * (weights * y * y).sum())


def facts(ids, vocabulary):
    keys, counts = pairs_of(ids, vocabulary)
    first, second = keys // vocabulary, keys % vocabulary

    def count(of):
        places = numpy.minimum(numpy.searchsorted(keys, of), len(keys) - 1)
        return numpy.where(keys[places] == of, counts[places], 0)

    followed = numpy.bincount(first, counts, vocabulary)
    smoothing = PSEUDO_COUNT * vocabulary
    bigram = numpy.log((counts + PSEUDO_COUNT) / (followed + smoothing)[first])
    unigram = numpy.log((numpy.bincount(second, counts, vocabulary) + PSEUDO_COUNT) / (counts.sum() + smoothing))[second]
    repeats = count(numpy.arange(vocabulary) * (vocabulary + 1))
    most = numpy.zeros(vocabulary)
    numpy.maximum.at(most, first, counts)
    different = first != second
    backward = count(second * vocabulary + first)
    around = (counts + PSEUDO_COUNT) * (backward + PSEUDO_COUNT)
    breaking = around > (repeats[first] + PSEUDO_COUNT) * (repeats[second] + PSEUDO_COUNT)
    return {
        "loss": -numpy.average(bigram, weights=counts),
        "unigram_loss": -numpy.average(unigram, weights=counts),
        "unigram_correlation": correlation(unigram, bigram, counts),
        "self_prediction": ((repeats > 0) & (repeats == most)).sum() / (followed > 0).sum(),
        "breaking": counts[different & breaking].sum() / counts[different].sum(),
    }


def divergence(counts):
    """JS of the pairs and of the same pairs read backwards, nats."""
    joint = counts / counts.sum()
    mean = (joint + joint.T) / 2
    occur = joint > 0
    return (joint[occur] * numpy.log(joint[occur] / mean[occur])).sum()


def reversible_text(counts, tokens, random):
    """A walk on the pairs in either order. numpy has no call that draws one: each step depends on the one before."""
    both = counts + counts.T
    columns = [numpy.flatnonzero(row) for row in both]
    sums = [numpy.cumsum(row[column]).tolist() for row, column in zip(both, columns)]
    columns = [column.tolist() for column in columns]
    token = int(random.choice(len(both), p=both.sum(axis=1) / both.sum()))
    walk = [token]
    for drawn in random.random(tokens - 1).tolist():
        row = sums[token]
        token = columns[token][bisect_right(row, drawn * row[-1])]
        walk.append(token)
    return numpy.array(walk)


def irreversibility(counts, random):
    flow = (counts - counts.T) / counts.sum()
    walk = reversible_text(counts, int(counts.sum()) + 1, random)
    sample = numpy.bincount(walk[:-1] * len(counts) + walk[1:], minlength=counts.size).reshape(counts.shape)
    return flow, divergence(counts), divergence(sample)


def cycles(counts, listed=LISTED):
    """The mean affinity in bits of the cycles i, j, k that have pairs all the way round in both directions, how many there
    are, how many in one direction only, and the largest flows round one."""
    forward = counts > 0
    either = (forward & forward.T) & ~numpy.eye(len(counts), dtype=bool)
    ratios = numpy.log2(numpy.where(either, counts, 1) / numpy.where(either, counts.T, 1))
    net = counts - counts.T
    total, compared, one_way = 0.0, 0, 0
    flows = numpy.zeros(listed)
    for i in range(len(counts) - 2):
        others = i + 1 + numpy.flatnonzero((forward[i] | forward[:, i])[i + 1 :])
        if len(others) < 2:
            continue
        block = numpy.ix_(others, others)
        # j, k and k, j are the same cycle in opposite directions: symmetric quantities are counted twice.
        there = forward[block] & forward[i, others][:, None] & forward[others, i][None, :]
        numpy.fill_diagonal(there, False)
        round_both = there & there.T
        affinity = numpy.abs(ratios[block] + ratios[i, others][:, None] - ratios[i, others][None, :])
        total += affinity[round_both].sum() / 2
        pairs = int(round_both.sum()) // 2
        compared += pairs
        one_way += int(there.sum()) - 2 * pairs
        if listed:
            flow = numpy.minimum(numpy.minimum(net[block], net[i, others][:, None]), net[others, i][None, :]).ravel()
            best = flow[numpy.argpartition(flow, -min(listed, len(flow)))[-listed:]]
            flows = numpy.sort(numpy.concatenate([flows, best]))[-listed:]
    return total / max(compared, 1), compared, one_way, flows


def with_null(counts, random):
    both = numpy.triu(counts + counts.T, 1)
    heads = random.binomial(both, 0.5)
    return cycles(counts), cycles(heads + (both - heads).T, 0)


def check(random):
    """Checks the fast forms against plain ones, on a text of few tokens."""
    size = 9
    ids = text_of(size, random, 200)
    counts = numpy.zeros((size, size), int)
    numpy.add.at(counts, (ids[:-1], ids[1:]), 1)
    log = numpy.log((counts + PSEUDO_COUNT) / (counts.sum(axis=1, keepdims=True) + PSEUDO_COUNT * size))
    found = facts(ids, size)
    breaks = [
        (counts[i, j] + 0.5) * (counts[j, i] + 0.5) > (counts[i, i] + 0.5) * (counts[j, j] + 0.5)
        for i, j in zip(ids, ids[1:])
        if i != j
    ]
    if abs(found["loss"] + log[ids[:-1], ids[1:]].mean()) > 1e-12 or abs(found["breaking"] - numpy.mean(breaks)) > 1e-12:
        raise ValueError(f"the facts of a text are wrong: {found}")
    affinities, one_way, flows = [], 0, []
    for i, j, k in permutations(range(size), 3):
        if i > min(j, k):
            continue
        around = [(i, j), (j, k), (k, i)]
        along, back = (numpy.prod([counts[pair[::step]] for pair in around], dtype=float) for step in (1, -1))
        if along > 0 and back > 0 and j < k:
            affinities.append(abs(numpy.log2(along / back)))
        one_way += along > 0 and back == 0
        flows.append(min(counts[pair] - counts[pair[::-1]] for pair in around))
    mean, compared, found_one_way, found_flows = cycles(counts)
    largest = sorted([0] * LISTED + [flow for flow in flows if flow > 0])[-LISTED:]
    plain = (len(affinities), one_way, largest)
    if (compared, found_one_way, found_flows.tolist()) != plain or abs(mean - numpy.mean(affinities)) > 1e-9:
        raise ValueError(f"the cycles of a text are wrong: {(compared, found_one_way, found_flows)}; expected {plain}")
    if divergence(counts + counts.T) != 0 or not divergence(counts) > 0:
        raise ValueError("the divergence of symmetric counts is not 0, or that of others is")


def bigrams(verb, vocabulary, random):
    """The call of a case."""
    check(random)
    ids = text_of(vocabulary, random)
    if verb == "facts":
        return lambda: facts(ids, vocabulary)
    counts = numpy.bincount(ids[:-1] * vocabulary + ids[1:], minlength=vocabulary**2).reshape(vocabulary, vocabulary)
    return {"irreversibility": lambda: irreversibility(counts, random), "cycles": lambda: with_null(counts, random)}[verb]
