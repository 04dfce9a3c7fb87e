#!/usr/bin/env python3
"""Diagnostics of embedding tables with numpy and scipy: the reference of tests/cpp/diagnostics/.

Tables are rounded to single precision before anything is computed from them in double precision.

    python3 tests/reference/diagnostics_reference.py > tests/reference/diagnostics_reference.h

Written with numpy 1.24 and scipy 1.10.
"""
import numpy as np
import scipy
from scipy import linalg, stats

random = np.random.default_rng(20261122)
ROWS, WIDTH, OTHER, K = 40, 6, 4, 5


def single(array):
    return np.asarray(array).astype(np.float32).astype(np.float64)


def elements(array):
    return ", ".join(repr(float(x)) for x in np.asarray(array).ravel())


def declare(name, array):
    print(f"inline constexpr double {name}[] = {{{elements(array)}}};")


def value(name, number):
    print(f"inline constexpr double {name} = {float(number)!r};")


source = single(random.normal(size=(ROWS, WIDTH)) * [3, 2, 1, 1, 0.5, 0.3] + [0.5, -1, 0, 2, 0, 0.1])
mixed = source @ random.normal(size=(WIDTH, WIDTH)) * 0.3
target = single(mixed + 0.8 * random.normal(size=(ROWS, WIDTH)) + 0.4)
narrow = single(mixed[:, :OTHER] + 0.5 * random.normal(size=(ROWS, OTHER)))
counts = random.integers(0, 400, size=ROWS) * random.integers(0, 2, size=ROWS)
hidden = single(random.normal(size=(7, WIDTH)) + 0.3)
hidden_targets = random.integers(0, ROWS, size=7)

print(f"// Made by diagnostics_reference.py with numpy {np.__version__} and scipy {scipy.__version__}; not edited by hand.")
print("// clang-format off")
print("#pragma once\n")
print("#include <cstddef>\n#include <cstdint>\n")
print("namespace tied::reference {\n")
for name, number in [("Rows", ROWS), ("Width", WIDTH), ("Other", OTHER), ("Neighbors", K), ("States", len(hidden))]:
    print(f"inline constexpr std::size_t kDiagnostic{name} = {number};")
declare("kSource", source)
declare("kTarget", target)
declare("kNarrow", narrow)
declare("kHidden", hidden)
for name, array in [("kFrequencies", counts), ("kHiddenTargets", hidden_targets)]:
    print(f"inline constexpr std::uint32_t {name}[] = {{{', '.join(str(int(x)) for x in array)}}};")

print("\nstruct AlignmentCase {\n  const char* method;\n  bool center;\n  bool narrow;\n  double mean_cosine;\n  double residual;")
print("  const double* map;\n  const double* cosines;\n};\n")
PENALTY = 2.5
value("kPenalty", PENALTY)


def centred(table, center):
    return table - table.mean(axis=0) if center else table


def cosines_of(a, b):
    return (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


def fit(method, x, y):
    if method == "identity":
        return np.eye(WIDTH)
    if method == "orthogonal":
        return linalg.orthogonal_procrustes(x, y)[0]
    if method == "linear":
        return np.linalg.lstsq(x, y, rcond=None)[0]
    return np.linalg.solve(x.T @ x + PENALTY * np.eye(WIDTH), x.T @ y)


cases = []
for method in ["identity", "orthogonal", "linear", "ridge"]:
    for center in [True, False]:
        for is_narrow in [False, True]:
            if is_narrow and method in ["identity", "orthogonal"]:
                continue
            x, y = centred(source, center), centred(narrow if is_narrow else target, center)
            w = fit(method, x, y)
            mapped = x @ w
            index = len(cases)
            declare(f"kMap{index}", w)
            declare(f"kCosines{index}", cosines_of(mapped, y))
            residual = np.linalg.norm(mapped - y) / np.linalg.norm(y)
            cases.append((method, center, is_narrow, cosines_of(mapped, y).mean(), residual, index))
print("\ninline constexpr AlignmentCase kAlignments[] = {")
for method, center, is_narrow, mean, residual, index in cases:
    flags = f"{str(center).lower()}, {str(is_narrow).lower()}"
    print(f'    {{"{method}", {flags}, {float(mean)!r}, {float(residual)!r}, kMap{index}, kCosines{index}}},')
print("};\n")


def singular(table):
    return np.linalg.svd(table, compute_uv=False)


def dimensions(squares):
    shares = squares / squares.sum()
    return squares.sum() ** 2 / (squares**2).sum(), np.exp(-(shares * np.log(shares)).sum())


mean = source.mean(axis=0)
direction = mean / np.linalg.norm(mean)
projected = source - np.outer(source @ direction, direction)
for name, table in [("Raw", source), ("Centered", centred(source, True)), ("Projected", projected)]:
    values = singular(table)
    declare(f"kSingular{name}", values)
    # Only rounding remains of the direction that was projected out.
    ratio, rank = dimensions((values[:-1] if name == "Projected" else values) ** 2)
    value(f"kParticipation{name}", ratio)
    value(f"kEffectiveRank{name}", rank)


def mean_cosine(table):
    units = table / np.linalg.norm(table, axis=1, keepdims=True)
    pairs = units @ units.T
    return (pairs.sum() - np.trace(pairs)) / (len(table) * (len(table) - 1))


value("kMeanCosine", mean_cosine(source))
value("kCenteredMeanCosine", mean_cosine(source - mean))
value("kProjectedMeanCosine", mean_cosine(projected))
value("kMeanShare", np.linalg.norm(mean) / np.sqrt((source**2).sum(axis=1).mean()))


def iso_score(variances):
    n = len(variances)
    scaled = np.sqrt(n) * variances / np.linalg.norm(variances)
    defect = np.linalg.norm(scaled - 1) / np.sqrt(2 * (n - np.sqrt(n)))
    return ((n - defect**2 * (n - np.sqrt(n))) ** 2 - n) / (n * (n - 1))


# An orthonormal basis of the space without the mean's direction.
others = linalg.null_space(direction[None, :])
value("kIsoScore", iso_score(np.linalg.eigvalsh(np.cov(source.T))))
value("kProjectedIsoScore", iso_score(np.linalg.eigvalsh(np.cov((source @ others).T))))
value("kProjectedMeanSquare", ((source @ others) ** 2).mean())
vectors = np.linalg.eigh(source.T @ source)[1]
partitions = np.exp(source @ np.hstack([vectors, -vectors])).sum(axis=0)
value("kPartition", partitions.min() / partitions.max())
vectors = np.linalg.eigh(np.cov(source.T))[1]
partitions = np.exp((source - mean) @ np.hstack([vectors, -vectors])).sum(axis=0)
value("kCenteredPartition", partitions.min() / partitions.max())
vectors = np.linalg.eigh(np.cov((source @ others).T))[1]
partitions = np.exp(source @ others @ np.hstack([vectors, -vectors])).sum(axis=0)
value("kProjectedPartition", partitions.min() / partitions.max())


def neighbor_sets(table, center):
    units = centred(table, center)
    units = units / np.linalg.norm(units, axis=1, keepdims=True)
    pairs = units @ units.T
    np.fill_diagonal(pairs, -2)
    return np.argsort(-pairs, axis=1)[:, :K], -np.sort(-pairs, axis=1)[:, :K]


for name, center in [("Raw", False), ("Centered", True)]:
    a, b = neighbor_sets(source, center)[0], neighbor_sets(narrow, center)[0]
    declare(f"kOverlaps{name}", [len(set(x) & set(y)) / K for x, y in zip(a, b)])
    rows, cosines = neighbor_sets(source, center)
    print(f"inline constexpr std::uint32_t kNearest{name}[] = {{{', '.join(str(int(x)) for x in rows[3])}}};")
    declare(f"kNearestCosines{name}", cosines[3])

x, y = centred(source, True), centred(narrow, True)
norms = np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y)
value("kCka", np.linalg.norm(x.T @ y) ** 2 / norms)
value("kCkaByChance", (x**2).sum() * (y**2).sum() / ((ROWS - 1) * norms))
left = np.linalg.svd(x, full_matrices=False)[0][:, :3]
right = np.linalg.svd(y, full_matrices=False)[0][:, :3]
value("kSubspaceOverlap", (np.cos(linalg.subspace_angles(left, right)) ** 2).mean())

lengths = np.linalg.norm(source, axis=1)
value("kSpearman", stats.spearmanr(lengths, counts)[0])
value("kPearson", stats.pearsonr(lengths, np.log10(1 + counts))[0])
value("kMeanNorm", lengths.mean())
value("kNormDeviation", lengths.std())

measures = []
for h, t in zip(hidden, hidden_targets):
    w = source[t]
    parallel = (h @ w) / (w @ w) * w
    rest = h - parallel
    others = np.delete(source, t, axis=0)
    middle = np.delete(source - mean, t, axis=0)
    largest = [np.abs(table @ rest / np.linalg.norm(table, axis=1)).max() / np.linalg.norm(rest) for table in [others, middle]]
    v = target[t]
    along = h @ w / np.linalg.norm(w)
    measures.append(
        [along, np.linalg.norm(rest), np.linalg.norm(rest) / abs(along), *largest, h @ v / np.linalg.norm(h) / np.linalg.norm(v)]
    )
declare("kHiddenMeasureValues", np.array(measures).T)
print("\n}  // namespace tied::reference")
