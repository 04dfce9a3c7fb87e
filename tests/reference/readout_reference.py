#!/usr/bin/env python3
"""What a model's head computes from hidden states, with numpy: the reference of tests/cpp/diagnostics/test_readout_reference.cpp.

Lenses, the gradient and two steps of a tuned lens by formula, the gradient of the unembedding in two parts, losses by
frequency. States and weights are rounded to single precision before anything is computed from them in double.

    python3 tests/reference/readout_reference.py > tests/reference/readout_reference.h

Written with numpy 1.24.
"""
import numpy as np

random = np.random.default_rng(20261123)
VOCAB, WIDTH, LAYERS, TOKENS, RANK = 40, 6, 2, 24, 2
EPSILON = 1e-5
RATES = [0.05, 0.03]
BETA1, BETA2, ADAM_EPSILON = 0.9, 0.999, 1e-8


def single(array):
    return np.asarray(array).astype(np.float32).astype(np.float64)


def declare(name, array):
    numbers = ", ".join(repr(float(x)) for x in np.asarray(array).ravel())
    print(f"inline constexpr double {name}[] = {{{numbers}}};")


def declare_ids(name, array):
    print(f"inline constexpr std::uint32_t {name}[] = {{{', '.join(str(int(x)) for x in np.asarray(array).ravel())}}};")


unembedding = single(random.normal(size=(VOCAB, WIDTH)) * [1.5, 1, 1, 0.7, 0.5, 0.3] + [0.3, 0, -0.2, 0, 0, 0])
between = single(np.eye(WIDTH) + 0.3 * random.normal(size=(WIDTH, WIDTH)))
low_rank_a = single(0.5 * random.normal(size=(VOCAB, RANK)))
low_rank_b = single(0.5 * random.normal(size=(WIDTH, RANK)))
output_bias = single(random.normal(size=VOCAB))
norm_weight = single(1 + 0.3 * random.normal(size=WIDTH))
norm_bias = single(0.3 * random.normal(size=WIDTH))
states = single(np.cumsum(random.normal(size=(LAYERS + 1, TOKENS, WIDTH)), axis=0))
targets = random.integers(0, VOCAB, size=TOKENS)
counts = np.floor(10 ** random.uniform(-0.5, 3.5, size=VOCAB)).astype(int)
input_gradient = single(0.1 * random.normal(size=(VOCAB, WIDTH)))


class Head:
    """z = (norm(h) M) (U + A B^T)^T + b, forward and backward."""

    def __init__(self, norm, corrected):
        self.norm = norm
        self.between = between if corrected else np.eye(WIDTH)
        self.table = unembedding + low_rank_a @ low_rank_b.T if corrected else unembedding
        self.bias = output_bias if corrected else np.zeros(VOCAB)
        self.weight = np.ones(WIDTH) if norm == "none" else norm_weight
        self.shift = norm_bias if norm == "layer" else np.zeros(WIDTH)

    def read(self, h):
        """What is multiplied with the rows of the table."""
        if self.norm == "none":
            return h @ self.between
        centred = h - h.mean(axis=1, keepdims=True) if self.norm == "layer" else h
        self.root = np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPSILON)
        self.unit = centred / self.root
        return (self.unit * self.weight + self.shift) @ self.between

    def logs(self, h):
        z = self.read(h) @ self.table.T + self.bias
        z = z - z.max(axis=1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=1, keepdims=True))

    def backward(self, dz):
        """The gradient with respect to h of the last call."""
        dy = dz @ self.table @ self.between.T
        if self.norm == "none":
            return dy
        dunit = dy * self.weight
        inner = (dunit * self.unit).mean(axis=1, keepdims=True)
        mean = dunit.mean(axis=1, keepdims=True) if self.norm == "layer" else 0
        return (dunit - mean - self.unit * inner) / self.root


def translated(h, maps, layer):
    return h + h @ maps[0][layer] + maps[1][layer]


def divergences(head, lens):
    last = head.logs(states[-1])
    return (np.exp(last) * (last - lens)).sum(axis=1)


def lens_gradient(head, maps):
    """Gradients of the mean over tokens of KL(last || lens) in nats, and that mean in bits, by layer."""
    weights, biases, means = [], [], []
    last = np.exp(head.logs(states[-1]))
    for layer in range(LAYERS):
        lens = head.logs(translated(states[layer], maps, layer))
        dh = head.backward((np.exp(lens) - last) / TOKENS)
        weights.append(states[layer].T @ dh)
        biases.append(dh.sum(axis=0))
        means.append(divergences(head, lens).mean() / np.log(2))
    return [np.array(weights), np.array(biases)], means


def zero_maps():
    return [np.zeros((LAYERS, WIDTH, WIDTH)), np.zeros((LAYERS, WIDTH))]


def trained(head):
    """Gradients and maps of the two steps of Adam."""
    maps, first, second = zero_maps(), zero_maps(), zero_maps()
    found = []
    for step, rate in enumerate(RATES, start=1):
        gradient, means = lens_gradient(head, maps)
        for i in range(2):
            first[i] = BETA1 * first[i] + (1 - BETA1) * gradient[i]
            second[i] = BETA2 * second[i] + (1 - BETA2) * gradient[i] ** 2
            along = first[i] / (1 - BETA1**step)
            maps[i] = maps[i] - rate * along / (np.sqrt(second[i] / (1 - BETA2**step)) + ADAM_EPSILON)
        found.append((gradient, means, [maps[0].copy(), maps[1].copy()]))
    return found


STARTS = [0] + [int(np.ceil(round(10 ** (k / 2), 9))) for k in range(20)]
band_of = np.searchsorted(STARTS, counts, side="right") - 1


def limits(band):
    return STARTS[band], STARTS[band + 1] - 1


def norms_of(parts, rows):
    return [np.linalg.norm(part[rows]) for part in parts]


print(f"// Made by readout_reference.py with numpy {np.__version__}; not edited by hand.")
print("// clang-format off")
print("#pragma once\n")
print("#include <cstddef>\n#include <cstdint>\n")
print("namespace tied::reference {\n")
for name, number in [("Vocab", VOCAB), ("Width", WIDTH), ("Layers", LAYERS), ("Tokens", TOKENS), ("Rank", RANK)]:
    print(f"inline constexpr std::size_t kReadout{name} = {number};")
for name, array in [
    ("Unembedding", unembedding),
    ("Between", between),
    ("LowRankA", low_rank_a),
    ("LowRankB", low_rank_b),
    ("OutputBias", output_bias),
    ("NormWeight", norm_weight),
    ("NormBias", norm_bias),
    ("States", states),
    ("Input", input_gradient),
    ("Rates", RATES),
]:
    declare(f"kReadout{name}", array)
declare_ids("kReadoutTargets", targets)
declare_ids("kReadoutCounts", counts)
print("\n// norm: index of ReadoutNorm. Lenses [layers + 1, tokens]; gradients and maps of two steps [2, layers, ...], means of")
print("// their divergences [2, layers] in bits. ledger: norms of input, output, pull, push, cosine, reach. bands: from, to, rows,")
print("// pushed rows, and the four norms of each.")
print("struct ReadoutCase {\n  std::size_t norm;\n  bool corrected;")
for field in ["divergences", "losses", "probabilities"]:
    print(f"  const double* {field};")
print("  const std::uint32_t* predicted;")
for field in ["weight_gradients", "bias_gradients", "means", "weights", "biases", "tuned", "output", "ledger", "bands"]:
    print(f"  const double* {field};")
print("  std::size_t band_count;\n};\n")

cases = []
for norm, kind in enumerate(["none", "rms", "layer"]):
    for corrected in [False, True]:
        head = Head(kind, corrected)
        index = len(cases)
        logs = np.array([head.logs(h) for h in states])
        tokens = np.arange(TOKENS)
        declare(f"kReadoutDivergences{index}", [divergences(head, lens) / np.log(2) for lens in logs])
        declare(f"kReadoutLosses{index}", -logs[:, tokens, targets])
        declare(f"kReadoutProbabilities{index}", np.exp(logs.max(axis=2)))
        declare_ids(f"kReadoutPredicted{index}", logs.argmax(axis=2))

        steps = trained(head)
        declare(f"kReadoutWeightGradients{index}", [gradient[0] for gradient, _, _ in steps])
        declare(f"kReadoutBiasGradients{index}", [gradient[1] for gradient, _, _ in steps])
        declare(f"kReadoutMeans{index}", [means for _, means, _ in steps])
        maps = steps[-1][2]
        declare(f"kReadoutWeights{index}", [after[0] for _, _, after in steps])
        declare(f"kReadoutBiases{index}", [after[1] for _, _, after in steps])
        tuned = [divergences(head, head.logs(translated(states[layer], maps, layer))) for layer in range(LAYERS)]
        declare(f"kReadoutTuned{index}", np.array(tuned) / np.log(2))

        probabilities = np.exp(logs[-1])
        y = head.read(states[-1])
        right = np.zeros((TOKENS, VOCAB))
        right[tokens, targets] = 1
        dz = probabilities - right
        pull = (dz * right).T @ y / TOKENS
        push = (probabilities * (1 - right)).T @ y / TOKENS
        output = pull + push
        assert np.allclose(output, dz.T @ y / TOKENS)
        parts = [input_gradient, output, pull, push]
        projection = head.table @ np.linalg.pinv(head.table)
        reach = np.linalg.norm(dz @ projection) / np.linalg.norm(dz)
        cosine = (input_gradient * output).sum() / np.linalg.norm(input_gradient) / np.linalg.norm(output)
        declare(f"kReadoutOutput{index}", output)
        declare(f"kReadoutLedger{index}", [*norms_of(parts, slice(None)), cosine, reach])
        bands = []
        for band in sorted(set(band_of)):
            rows = band_of == band
            bands.append([*limits(band), rows.sum(), (dz.sum(axis=0)[rows] > 0).sum(), *norms_of(parts, rows)])
        declare(f"kReadoutBands{index}", bands)
        cases.append((norm, corrected, index, len(bands)))

print("\ninline constexpr ReadoutCase kReadouts[] = {")
names = ["Divergences", "Losses", "Probabilities", "Predicted", "WeightGradients", "BiasGradients", "Means", "Weights", "Biases"]
for norm, corrected, index, count in cases:
    arrays = ", ".join(f"kReadout{name}{index}" for name in [*names, "Tuned", "Output", "Ledger", "Bands"])
    print(f"    {{{norm}, {str(corrected).lower()}, {arrays}, {count}}},")
print("};\n")

# Losses of the last layer of the first head, by how often their targets occur.
losses = single(-Head("none", False).logs(states[-1])[np.arange(TOKENS), targets])
declare("kFrequencyLosses", losses)
rows = []
for band in sorted(set(band_of[targets])):
    inside = losses[band_of[targets] == band]
    error = inside.std(ddof=1) / np.sqrt(len(inside)) if len(inside) > 1 else -1
    rows.append([*limits(band), len(inside), inside.mean(), error])
print("// from, to, tokens, mean loss, its standard error (-1: of a single token)")
declare("kFrequencyBands", rows)
print(f"inline constexpr std::size_t kFrequencyBandCount = {len(rows)};")
print("\n}  // namespace tied::reference")
