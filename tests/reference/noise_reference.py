#!/usr/bin/env python3
"""Measures of tables with independent normal entries, with numpy: the reference of tests/web/core/noise-reference.test.ts for the
theoretical chance levels of `spectrum` and `isotropy`.

    python3 tests/reference/noise_reference.py > tests/reference/noise_reference.json

Takes 10 minutes and 1 GB. Written with numpy 1.24.
"""
import json

import numpy as np

# Rows, columns, tables drawn.
SHAPES = [
    (50, 400, 400),
    (60, 60, 400),
    (500, 8, 1000),
    (500, 64, 400),
    (500, 256, 100),
    (500, 768, 40),
    (2000, 8, 1000),
    (2000, 64, 200),
    (2000, 768, 20),
    (10000, 8, 200),
    (10000, 64, 60),
    (10000, 256, 12),
    (50257, 8, 60),
    (50257, 64, 24),
    (50257, 768, 8),
]
# Standard deviations of the entries, for the partition; the same table is multiplied by each of them.
SIZES = [0.02, 0.1, 0.3, 0.5, 1, 1.4]
random = np.random.default_rng(20261123)


def dimensions(values):
    shares = values / values.sum()
    shares = shares[shares > 1e-9]
    return [1 / (shares**2).sum(), np.exp(-(shares * np.log(shares)).sum())]


def partitions(table, vectors):
    """-ln(min Z / max Z) for each size."""
    projections = table @ vectors.astype(np.float32)
    found = []
    for size in SIZES:
        powers = np.exp(np.float32(size) * projections)
        logs = np.log([powers.mean(axis=0, dtype=float), (1 / powers).mean(axis=0, dtype=float)])
        found.append(logs.max() - logs.min())
    return found


def sampled(found):
    found = np.array(found)
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    return [[float(f"{x:.6g}") for x in part] for part in [found.mean(axis=0), error]]


tables = []
for rows, cols, runs in SHAPES:
    plain, centered, partition, centered_partition = [], [], [], []
    for _ in range(runs):
        table = random.standard_normal((rows, cols), dtype=np.float32)
        gram = (table.T @ table).astype(float)
        mean = table.mean(axis=0, dtype=float)
        values, vectors = np.linalg.eigh(gram)
        plain.append(dimensions(values))
        values, centered_vectors = np.linalg.eigh(gram - rows * np.outer(mean, mean))
        centered.append(dimensions(values))
        partition.append(partitions(table, vectors))
        centered_partition.append(partitions(table - mean.astype(np.float32), centered_vectors))
    names = ["plain", "centered", "partition", "centeredPartition"]
    means = {name: dict(zip(["mean", "error"], sampled(found))) for name, found in zip(names, [plain, centered, partition, centered_partition])}
    tables.append({"rows": rows, "cols": cols, **means})
print(json.dumps({"sizes": SIZES, "tables": tables}, indent=1))
