#!/usr/bin/env python3
"""Chance levels of diagnostics for the tables of diagnostics_reference.h, on held-out rows and by frequency, with numpy: the
reference of test_chance_reference.cpp.

Orders and splits of rows are drawn with numpy's own generator: single values differ, but their mean and spread must not.

    python3 tests/reference/chance_reference.py > tests/reference/chance_reference.h

Written with numpy 1.24.
"""
import re
from pathlib import Path

import numpy as np

RUNS, SPECTRAL_RUNS, HELD_OUT, PENALTY = 4000, 1000, 0.2, 2.5
K, DIMENSIONS = 5, 8  # of the spectral distance
header = Path(__file__).with_name("diagnostics_reference.h").read_text()
random = np.random.default_rng(20261123)


def numbers(name):
    return np.array([float(x) for x in re.search(rf" {name}\[\] = {{([^}}]*)}}", header).group(1).split(",")])


source, target = numbers("kSource").reshape(-1, 6), numbers("kTarget").reshape(-1, 6)
narrow = numbers("kNarrow").reshape(-1, 4)
counts = numbers("kFrequencies")
hidden, targets = numbers("kHidden").reshape(-1, 6), numbers("kHiddenTargets").astype(int)


def fit(method, x, y):
    if method == "orthogonal":
        u, _, v = np.linalg.svd(x.T @ y)
        return u @ v
    if method == "linear":
        return np.linalg.lstsq(x, y, rcond=None)[0]
    return np.linalg.solve(x.T @ x + PENALTY * np.eye(x.shape[1]), x.T @ y)


def mean_cosine(a, b):
    return ((a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)).mean()


def by_chance(method):
    x, y = source - source.mean(axis=0), target - target.mean(axis=0)
    found = []
    for _ in range(RUNS):
        shuffled = random.permutation(y)
        found.append(mean_cosine(x @ fit(method, x, shuffled), shuffled))
    return found


def held_out(x, y, method, measure):
    """For rows that the fit and its means did not use."""
    found = []
    size = int(HELD_OUT * len(x))
    for _ in range(RUNS):
        order = random.permutation(len(x))
        unseen, seen = order[:size], order[size:]
        x_mean, y_mean = x[seen].mean(axis=0), y[seen].mean(axis=0)
        w = fit(method, x[seen] - x_mean, y[seen] - y_mean)
        found.append(measure((x[unseen] - x_mean) @ w, y[unseen] - y_mean))
    return found


def explained(mapped, y):
    return 1 - ((mapped - y) ** 2).sum() / (y**2).sum()


def graph(x):
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    edges = np.zeros_like(cosines)
    np.put_along_axis(edges, np.argsort(-cosines, axis=1)[:, :K], 1, axis=1)
    return (edges + edges.T) / 2


def spectral_distances():
    a, b = graph(source), graph(narrow)
    found = []
    for _ in range(SPECTRAL_RUNS):
        order = random.permutation(len(b))
        other = b[np.ix_(order, order)]
        values, vectors = np.linalg.eigh(np.block([[a, (a + other) / 2], [(a + other) / 2, other]]))
        largest = np.argsort(-np.abs(values))[:DIMENSIONS]
        z = vectors[:, largest] * np.sqrt(np.abs(values[largest]))
        z_a, z_b = z[: len(a)], z[len(a) :]
        found.append(np.linalg.norm(z_a - z_b, 2) / min(np.linalg.norm(z_a, 2), np.linalg.norm(z_b, 2)))
    return found


def squared_cosines(h, w):
    return (h * w).sum(axis=1) ** 2 / (h**2).sum(axis=1) / (w**2).sum(axis=1)


def shuffled_targets():
    """For each run, the mean over states of the squared cosine with the row of another state's target."""
    return [squared_cosines(hidden, source[random.permutation(targets)]).mean() for _ in range(RUNS)]


def largest_cosines(table):
    """For each run, the mean over random directions of the largest |cosine| with a row other than the target's."""
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    found = []
    for _ in range(RUNS):
        drawn = random.normal(size=hidden.shape)
        cosines = np.abs(drawn @ unit.T) / np.linalg.norm(drawn, axis=1, keepdims=True)
        cosines[np.arange(len(hidden)), targets] = 0
        found.append(cosines.max(axis=1).mean())
    return found


def declare(name, found):
    print(f"inline constexpr Sampled {name} = {{{float(np.mean(found))!r}, {float(np.std(found, ddof=1))!r}}};")


print(f"// Made by chance_reference.py with numpy {np.__version__}; not edited by hand.")
print("// clang-format off")
print("#pragma once\n")
print("#include <cstddef>\n")
print("namespace tied::reference {\n")
print("struct Sampled {\n  double mean;\n  double deviation;\n};\n")
print(f"inline constexpr std::size_t kChanceRuns = {RUNS};")
print(f"inline constexpr std::size_t kSpectralChanceRuns = {SPECTRAL_RUNS};")
for method in ["orthogonal", "linear", "ridge"]:
    declare(f"kChance{method.capitalize()}", by_chance(method))
    declare(f"kHeldOut{method.capitalize()}", held_out(source, target, method, mean_cosine))
declare("kChanceSpectral", spectral_distances())
declare("kShuffledSquaredCosine", shuffled_targets())
declare("kLargestCosine", largest_cosines(source))
declare("kLargestCenteredCosine", largest_cosines(source - source.mean(axis=0)))

# Only tokens that occur.
occurs = counts > 0
logs = np.log10(1 + counts[occurs])[:, None]
x, y = source[occurs] - source[occurs].mean(axis=0), logs - logs.mean()
print(f"inline constexpr double kFrequencyR2 = {float(explained(x @ fit('linear', x, y), y))!r};")
declare("kHeldOutFrequencyR2", held_out(source[occurs], logs, "linear", explained))

starts = [0] + [int(np.ceil(round(10 ** (k / 2), 9))) for k in range(20)]
bands = np.searchsorted(starts, counts, side="right") - 1
norms = np.linalg.norm(source, axis=1)
rows = [[starts[band], starts[band + 1] - 1, (bands == band).sum(), norms[bands == band].mean()] for band in sorted(set(bands))]
print("// from, to, rows, mean norm")
print(f"inline constexpr double kNormBands[] = {{{', '.join(repr(float(x)) for row in rows for x in row)}}};")
print(f"inline constexpr std::size_t kNormBandCount = {len(rows)};")
print("\n}  // namespace tied::reference")
