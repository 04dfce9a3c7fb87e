#!/usr/bin/env python3
"""Kolmogorov's criterion over all cycles of three tokens with numpy: the reference of test_cycles.cpp.

    python3 tests/reference/cycles_reference.py > tests/reference/cycles_reference.h

Written with numpy 1.24.
"""
from itertools import combinations

import numpy as np

VOCAB = 9
rng = np.random.default_rng(20)
counts = rng.poisson(rng.gamma(1.0, 8.0, (VOCAB, VOCAB)))
p = counts / counts.sum(axis=1, keepdims=True)


def product(a, b, c):
    return p[a, b] * p[b, c] * p[c, a]


affinities, one_way, flows = [], 0, []
for a, b, c in combinations(range(VOCAB), 3):
    forward, backward = product(a, b, c), product(a, c, b)
    if forward > 0 and backward > 0:
        affinities.append(abs(np.log2(forward / backward)))
    elif forward > 0 or backward > 0:
        one_way += 1
    for x, y, z in ((a, b, c), (a, c, b)):
        flow = min(counts[i, j] - counts[j, i] for i, j in ((x, y), (y, z), (z, x)))
        if flow > 0:
            flows.append((flow, (x, y, z), product(x, y, z), product(x, z, y)))
flow, tokens, forward, backward = max(flows)
assert sum(f[0] == flow for f in flows) == 1, "the strongest cycle is not the only one"

print(f"// Made by cycles_reference.py with numpy {np.__version__}; not edited by hand.")
print("// clang-format off")
print("#pragma once\n")
print("#include <cstddef>\n")
print("namespace tied::reference {\n")
print(f"inline constexpr std::size_t kCycleVocab = {VOCAB};")
print(f"inline constexpr float kCycleCounts[] = {{{', '.join(map(str, counts.ravel()))}}};")
print(f"inline constexpr std::size_t kCyclesCompared = {len(affinities)};")
print(f"inline constexpr std::size_t kCyclesOneWay = {one_way};")
print(f"inline constexpr double kCycleAffinity = {float(np.mean(affinities))!r};")
print(f"inline constexpr std::size_t kStrongestCycle[] = {{{', '.join(map(str, tokens))}}};")
print(f"inline constexpr double kStrongestFlow = {flow};")
print(f"inline constexpr double kStrongestForward = {float(forward)!r};")
print(f"inline constexpr double kStrongestBackward = {float(backward)!r};")
print("\n}  // namespace tied::reference")
