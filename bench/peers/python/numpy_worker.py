#!/usr/bin/env python3
"""Products, decompositions, readouts, diagnostics and bigrams of numpy on one thread, for comparison; see lines.py."""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import re

import numpy

import lines
import numpy_bigrams
import numpy_diagnostics

random = numpy.random.default_rng(1)


def uniform(*shape):
    return (random.random(shape, dtype=numpy.float32) - 0.5).astype(numpy.float32)


def product(m, k, n):
    a, b, out = uniform(m, k), uniform(k, n), numpy.empty((m, n), numpy.float32)
    numpy.matmul(a, b, out=out)
    for row, column in zip(random.integers(m, size=20), random.integers(n, size=20)):
        exact = float(a[row].astype(float) @ b[:, column].astype(float))
        lines.check_entry(float(out[row, column]), exact, k)
    return lambda: numpy.matmul(a, b, out=out)


def decomposition(kind, size):
    a = uniform(size, size)
    symmetric = a + a.T
    return {
        # LAPACK's gesdd with vectors and without, and its syevd.
        "svd": lambda: numpy.linalg.svd(a),
        "singular-values": lambda: numpy.linalg.svd(a, compute_uv=False),
        "symmetric-eigen": lambda: numpy.linalg.eigh(symmetric),
        "symmetric-eigenvalues": lambda: numpy.linalg.eigvalsh(symmetric),
        # The orthogonal matrix nearest to a: one decomposition and one product.
        "polar": lambda: numpy.matmul(*numpy.linalg.svd(a)[::2]),
    }[kind]


TOKENS, LAYERS = 64, 4  # of a readout: bench/readouts.cpp


def log_softmax(z):
    z -= z.max(axis=1, keepdims=True)
    z -= numpy.log(numpy.exp(z).sum(axis=1, keepdims=True))
    return z


def unit(h):
    """The states after a norm without weights, and what they were divided by."""
    root = numpy.sqrt((h * h).mean(axis=1, keepdims=True) + numpy.float32(1e-5))
    return h / root, root


def readout(verb, vocabulary, width):
    table = uniform(vocabulary, width)
    states = [uniform(TOKENS, width) for _ in range(LAYERS + 1)]
    targets = random.integers(vocabulary, size=TOKENS)
    tokens = numpy.arange(TOKENS)

    def logs_of(h):
        return log_softmax(unit(h)[0] @ table.T)

    normed = unit(states[-1][:1].astype(numpy.float64))[0]
    exact = log_softmax(normed @ table.T.astype(numpy.float64))[0, targets[0]]
    if abs(logs_of(states[-1])[0, targets[0]] - exact) > 1e-4:
        raise ValueError(f"the loss of a token is not {exact}")

    def logit_lens():
        last = logs_of(states[-1])
        shares = numpy.exp(last)
        found = []
        for h in states:
            lens = last if h is states[-1] else logs_of(h)
            best = lens.argmax(axis=1)
            divergence = (shares * (last - lens)).sum(axis=1)
            found.append((divergence, best, numpy.exp(lens[tokens, best]), -lens[tokens, targets]))
        return found

    maps = [[numpy.zeros((width, width), numpy.float32), numpy.zeros(width, numpy.float32)] for _ in range(LAYERS)]
    moments = [[[numpy.zeros_like(part), numpy.zeros_like(part)] for part in parts] for parts in maps]
    steps = [0]

    def tuned_lens():
        steps[0] += 1
        last = logs_of(states[-1])
        shares = numpy.exp(last)
        for h, parts, moment in zip(states, maps, moments):
            read = h + h @ parts[0] + parts[1]
            normed, root = unit(read)
            lens = log_softmax(normed @ table.T)
            (shares * (last - lens)).sum(axis=1)
            dread = ((numpy.exp(lens) - shares) / numpy.float32(TOKENS)) @ table
            dread = (dread - normed * (dread * normed).mean(axis=1, keepdims=True)) / root
            for part, gradient, (first, second) in zip(parts, [h.T @ dread, dread.sum(axis=0)], moment):
                first *= numpy.float32(0.9)
                first += numpy.float32(0.1) * gradient
                second *= numpy.float32(0.999)
                second += numpy.float32(0.001) * gradient * gradient
                along = first / numpy.float32(1 - 0.9 ** steps[0])
                part -= numpy.float32(0.001) * along / (
                    numpy.sqrt(second / numpy.float32(1 - 0.999 ** steps[0])) + numpy.float32(1e-8)
                )

    def ledger_start():
        wide = table.astype(numpy.float64)
        return numpy.linalg.cholesky(wide.T @ wide)

    pull, push = numpy.zeros_like(table), numpy.zeros_like(table)
    inverse = numpy.linalg.inv(ledger_start().T) if verb == "ledger" else None

    def ledger():
        y = unit(states[-1])[0]
        dz = numpy.exp(log_softmax(y @ table.T))
        numpy.add.at(pull, targets, (dz[tokens, targets] - 1)[:, None] * y)
        dz[tokens, targets] -= 1
        net = dz.sum(axis=0)
        # |P g|^2 = |g^T U L^-T|^2, where L L^T = U^T U
        reached = ((dz @ table).astype(numpy.float64) @ inverse) ** 2
        dz[tokens, targets] = 0
        push[...] += dz.T @ y
        return net, reached.sum()

    def losses():
        return -logs_of(states[-1])[tokens, targets]

    return {
        "logit-lens": logit_lens,
        "tuned-lens": tuned_lens,
        "ledger": ledger,
        "ledger-start": ledger_start,
        "losses": losses,
    }[verb]


def prepare(case):
    shape = lines.product_shape(case)
    if shape:
        return product(*shape)
    table = re.fullmatch(r"(?:diagnose|readout)/(path|(?!products)[a-z/-]+)/(\d+)x(\d+)", case)
    if table and (table[1] == "path" or case.startswith("diagnose/")):
        return numpy_diagnostics.diagnostic(table[1], int(table[2]), int(table[3]), uniform, random)
    text = re.fullmatch(r"bigrams/([a-z]+)/(\d+)", case)
    if text:
        return numpy_bigrams.bigrams(text[1], int(text[2]), random)
    read = re.fullmatch(r"readout/([a-z-]+)/(\d+)x(\d+)", case)
    if read:
        return readout(read[1], int(read[2]), int(read[3]))
    kind, size = re.fullmatch(r"decompose/([a-z-]+)/(\d+)", case).groups()
    return decomposition(kind, int(size))


lines.serve(f"numpy {numpy.__version__}", prepare)
