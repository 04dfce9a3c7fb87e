"""The diagnostics of bench/diagnostics.cpp and bench/paths.cpp with numpy, in the fastest form found for it."""

import numpy

SAMPLE, STATES, PATH_ROWS = 256, 64, 64
EPSILON = numpy.float32(1e-5)


def lengths_of(table):
    return numpy.sqrt(numpy.einsum("ij,ij->i", table, table))[:, None]


def unit_rows(table):
    return table / lengths_of(table)


def cosines(a, b):
    return numpy.einsum("ij,ij->i", a, b) / numpy.sqrt(numpy.einsum("ij,ij->i", a, a) * numpy.einsum("ij,ij->i", b, b))


def gram(table):
    wide = table.astype(numpy.float64)
    return wide.T @ wide


def align(method, x, y):
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    if method == "orthogonal":
        u, _, v = numpy.linalg.svd(x.T @ y)
        w = u @ v
    else:
        w = numpy.linalg.solve(gram(x), (x.T @ y).astype(numpy.float64)).astype(numpy.float32)
    return cosines(x @ w, y).mean()


def spectrum(table):
    return numpy.sqrt(numpy.maximum(numpy.linalg.eigvalsh(gram(table - table.mean(axis=0))), 0))


def isotropy(table):
    mean = table.mean(axis=0)
    direction = mean / numpy.linalg.norm(mean)
    sums = [unit_rows(rows).sum(axis=0) for rows in (table, table - mean, table - numpy.outer(table @ direction, direction))]
    products = gram(table)
    covariance = products - len(table) * numpy.outer(mean, mean)
    others = numpy.eye(len(mean)) - numpy.outer(direction, direction)
    ratios = []
    for shift, matrix in ((0, products), (mean, covariance), (0, others @ covariance @ others)):
        vectors = numpy.linalg.eigh(matrix)[1].astype(numpy.float32)
        # The eigenvector of 0 is the mean's direction, which was projected out.
        if matrix is not products and matrix is not covariance:
            vectors = vectors[:, 1:]
        projections = (table - shift) @ vectors
        partitions = numpy.concatenate([numpy.exp(projections).sum(axis=0), numpy.exp(-projections).sum(axis=0)])
        ratios.append(partitions.min() / partitions.max())
    return sums, ratios


def cka(x, y):
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    own_x, own_y, cross = gram(x), gram(y), (x.T @ y).astype(numpy.float64)
    left, right = (numpy.linalg.eigh(one)[1][:, -10:] for one in (own_x, own_y))
    return (cross**2).sum() / numpy.linalg.norm(own_x) / numpy.linalg.norm(own_y), left, right


def nearest(table, rows, k):
    found = rows @ table.T
    found[numpy.arange(len(rows)), numpy.arange(len(rows))] = -2
    return numpy.argpartition(-found, k, axis=1)[:, :k]


def neighbors(x, y):
    a, b = unit_rows(x), unit_rows(y)
    pairs = zip(nearest(a, a[:SAMPLE], 10), nearest(b, b[:SAMPLE], 10))
    return sum(len(numpy.intersect1d(p, q)) for p, q in pairs) / 10 / SAMPLE


def ranks(values):
    _, places, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    return (numpy.cumsum(counts) - (counts - 1) / 2)[places]


def norm_frequency(table, counts):
    norms = lengths_of(table)[:, 0].astype(numpy.float64)
    pearson = numpy.corrcoef(norms, numpy.log10(1 + counts))[0, 1]
    return numpy.corrcoef(ranks(norms), ranks(counts))[0, 1], pearson


def hidden_states(states, table, targets, embedding, random):
    rows = table[targets]
    along = numpy.einsum("ij,ij->i", states, rows) / numpy.einsum("ij,ij->i", rows, rows)
    rest = states - along[:, None] * rows
    # Beside random directions, for the largest cosine by chance.
    drawn = random.standard_normal(states.shape, dtype=numpy.float32)
    directions = unit_rows(numpy.concatenate([rest, drawn]))
    found = []
    for one in (table, table - table.mean(axis=0)):
        others = numpy.abs(directions @ unit_rows(one).T)
        others[numpy.arange(len(states)), targets] = 0
        found.append(others.max(axis=1))
    return lengths_of(rest)[:, 0] / numpy.abs(along) / lengths_of(rows)[:, 0], found, cosines(states, embedding[targets])


def graph(table, k):
    unit = unit_rows(table)
    near = nearest(unit, unit, k)
    edges = numpy.zeros((len(table), len(table)))
    numpy.put_along_axis(edges, near, 1, axis=1)
    return (edges + edges.T) / 2


def spectral_distance(x, y, k=64, dimensions=128):
    a, b = graph(x, k), graph(y, k)
    values, vectors = numpy.linalg.eigh(numpy.block([[a, (a + b) / 2], [(a + b) / 2, b]]))
    largest = numpy.argsort(-numpy.abs(values))[:dimensions]
    z = vectors[:, largest] * numpy.sqrt(numpy.abs(values[largest]))
    z_a, z_b = z[: len(x)], z[len(x) :]
    return numpy.linalg.norm(z_a - z_b, 2) / min(numpy.linalg.norm(z_a, 2), numpy.linalg.norm(z_b, 2))


def path(table, up, down):
    def normed(x):
        return x / numpy.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON)

    x = table[:PATH_ROWS]
    raised = normed(x) @ up.T
    raised *= 0.5 * (1 + numpy.tanh(numpy.float32(0.7978845608) * (raised + numpy.float32(0.044715) * raised**3)))
    logits = normed(x + raised @ down.T) @ table.T
    logs = logits - logits.max(axis=1, keepdims=True)
    logs -= numpy.log(numpy.exp(logs).sum(axis=1, keepdims=True))
    return (logits.argmax(axis=1) == numpy.arange(PATH_ROWS)).sum(), logs


def diagnostic(verb, rows, width, uniform, random):
    """The call of a case; `uniform` makes a table."""
    x = uniform(rows, width)
    if verb == "path":
        up, down = uniform(4 * width, width), uniform(width, 4 * width)
        return lambda: path(x, up, down)
    y = uniform(rows, width)
    counts = random.integers(10000, size=rows)
    targets = 7 * numpy.arange(STATES)
    order = random.permutation(rows)
    # A table has no distance from itself.
    if verb == "spectral-distance" and not spectral_distance(x[:200], x[:200] * 2, 10, 20) < 1e-5:
        raise ValueError("the spectral distance of a table from itself is not 0")
    return {
        "align/orthogonal": lambda: align("orthogonal", x, y),
        "align/linear": lambda: align("linear", x, y),
        "spectrum": lambda: spectrum(x),
        "isotropy": lambda: isotropy(x),
        "cka": lambda: cka(x, y),
        "neighbors": lambda: neighbors(x, y),
        "norm-frequency": lambda: norm_frequency(x, counts),
        "hidden-states": lambda: hidden_states(x[:STATES], y, targets, x, random),
        # With the defaults, of shuffled rows too. Without scipy there are only all eigenvectors of a dense matrix.
        "spectral-distance": lambda: (spectral_distance(x, y), spectral_distance(x, y[order])),
    }[verb]
