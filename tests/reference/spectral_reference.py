#!/usr/bin/env python3
"""The spectral distance of the tables of diagnostics_reference.h with numpy: the reference of test_spectral_distance.cpp.

    python3 tests/reference/spectral_reference.py > tests/reference/spectral_reference.h

Written with numpy 1.24.
"""
import re
from pathlib import Path

import numpy as np

K, DIMENSIONS = 5, 8
header = Path(__file__).with_name("diagnostics_reference.h").read_text()


def table(name, cols):
    numbers = re.search(rf"double {name}\[\] = {{([^}}]*)}}", header).group(1)
    return np.array([float(x) for x in numbers.split(",")]).reshape(-1, cols)


def graph(x):
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    edges = np.zeros_like(cosines)
    for row, nearest in enumerate(np.argsort(-cosines, axis=1)[:, :K]):
        edges[row, nearest] = 1
    return (edges + edges.T) / 2


def distance(x, y):
    a, b = graph(x), graph(y)
    omnibus = np.block([[a, (a + b) / 2], [(a + b) / 2, b]])
    values, vectors = np.linalg.eigh(omnibus)
    largest = np.argsort(-np.abs(values))[:DIMENSIONS]
    z = vectors[:, largest] * np.sqrt(np.abs(values[largest]))
    z_a, z_b = z[: len(x)], z[len(x) :]
    return np.linalg.norm(z_a - z_b, 2) / min(np.linalg.norm(z_a, 2), np.linalg.norm(z_b, 2))


print(f"// Made by spectral_reference.py with numpy {np.__version__}; not edited by hand.")
print("// clang-format off")
print("#pragma once\n")
print("#include <cstddef>\n")
print("namespace tied::reference {\n")
print(f"inline constexpr std::size_t kSpectralNeighbors = {K};")
print(f"inline constexpr std::size_t kSpectralDimensions = {DIMENSIONS};")
print(f"inline constexpr double kSpectralDistance = {float(distance(table('kSource', 6), table('kNarrow', 4)))!r};")
print("\n}  // namespace tied::reference")
