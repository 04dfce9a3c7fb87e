#!/usr/bin/env python3
"""Products and decompositions of numpy on one thread, for comparison; see lines.py."""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import re

import numpy

import lines

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


def prepare(case):
    shape = lines.product_shape(case)
    if shape:
        return product(*shape)
    kind, size = re.fullmatch(r"decompose/([a-z-]+)/(\d+)", case).groups()
    return decomposition(kind, int(size))


lines.serve(f"numpy {numpy.__version__}", prepare)
