#!/usr/bin/env python3
"""The lowest loss of symmetric logits on the pairs of short texts, with numpy: the reference of tests/cpp/direct_path.

Independent of the C++ core, which solves a tournament: here the logits themselves are fitted, one for each unordered pair that
occurs, by L-BFGS. (All other logits are best at minus infinity.) Where logits have to grow without limit, the fit approaches the
floor from above.

    python3 tests/reference/symmetric_floor_reference.py > tests/reference/symmetric_floor_reference.h

Written with numpy 1.24.
"""
import numpy as np

STEPS, MEMORY = 20000, 20
WORDS = [
    "the cat sat on the mat and the dog sat on the cat until the cat left",
    "new york is a city in new york and the city never sleeps in new york",
    "a rose is a rose is a rose is a rose",
    "one two three four five six seven eight nine ten",
    "to be or not to be that is the question whether to be or not",
    "row row row your boat gently down the stream merrily merrily merrily merrily life is but a dream",
]
LETTERS = ["abracadabra", "mississippi", "banana bandana", "she sells sea shells by the sea shore", "aabbccaabbcca"]


def tokens(units):
    seen = {}
    return [seen.setdefault(unit, len(seen)) for unit in units]


def fit(ids):
    size = max(ids) + 1
    joint = np.zeros((size, size))
    for first, second in zip(ids, ids[1:]):
        joint[first, second] += 1 / (len(ids) - 1)
    rows = joint.sum(1)
    used = rows > 0
    first, second = np.nonzero(np.triu(joint + joint.T))

    def loss_and_slope(x):
        logits = np.full((size, size), -np.inf)
        logits[first, second] = logits[second, first] = x
        highest = logits.max(1, keepdims=True)
        exps = np.exp(logits - highest)
        sums = exps.sum(1, keepdims=True)
        log_sums = (highest + np.log(sums))[:, 0]
        loss = rows[used] @ log_sums[used] - (joint + joint.T)[first, second] @ (x * np.where(first == second, 0.5, 1))
        slope = rows[:, None] * exps / sums - joint
        slope = slope + slope.T
        return loss, np.where(first == second, 0.5, 1) * slope[first, second]

    x = np.log((joint + joint.T)[first, second])
    loss, slope = loss_and_slope(x)
    history = []
    for _ in range(STEPS):
        step = -slope.copy()
        weights = []
        for moved, turned, product in reversed(history):
            weight = moved @ step / product
            weights.append(weight)
            step -= weight * turned
        if history:
            moved, turned, product = history[-1]
            step *= product / (turned @ turned)
        for (moved, turned, product), weight in zip(history, reversed(weights)):
            step += (weight - turned @ step / product) * moved
        length = 1.0
        while length > 1e-12:
            next_loss, next_slope = loss_and_slope(x + length * step)
            if next_loss <= loss + 1e-4 * length * (slope @ step):
                break
            length /= 2
        else:
            break
        moved, turned = length * step, next_slope - slope
        if moved @ turned > 1e-300:
            history = (history + [(moved, turned, moved @ turned)])[-MEMORY:]
        x, loss, slope = x + moved, next_loss, next_slope
        if np.abs(slope).sum() < 1e-12:
            break
    return loss


print("// Made by symmetric_floor_reference.py; not edited by hand.\n// clang-format off\n#pragma once\n")
print("#include <cstddef>\n#include <cstdint>\n\nnamespace tied::reference {\n")
print("struct SymmetricFloorText {\n  std::size_t size;\n  std::uint32_t ids[40];\n  double fitted;\n};\n")
print("inline constexpr SymmetricFloorText kSymmetricFloorTexts[] = {")
for units in [text.split() for text in WORDS] + [list(text) for text in LETTERS]:
    ids = tokens(units)
    print(f"  {{{len(ids)}, {{{', '.join(map(str, ids))}}}, {fit(ids):.12g}}},")
print("};\n\n}  // namespace tied::reference")
