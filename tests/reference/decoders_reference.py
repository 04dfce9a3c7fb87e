#!/usr/bin/env python3
"""Elements of checkpoints with numpy, from the formulas of their formats: the reference of test_decode.cpp.

    python3 tests/reference/decoders_reference.py > tests/reference/decoders_reference.h

Blocks are random bytes with chosen scales. Narrow floats are decoded one by one with integers and powers of two,
quantized elements by index, one at a time. Written with numpy 1.24.
"""
import math

import numpy as np

rng = np.random.default_rng(151936)
INF = math.inf
# As f16: normal, negative, subnormal, the largest, the smallest, zero, not finite.
SCALES = [0.0123, -1.7, 3e-7, 65504.0, 2**-24, 0.0, INF, -INF, math.nan]


def narrow(bits, exponent_bits, fraction_bits, ieee):
    """The value of a narrow float."""
    sign = -1.0 if bits >> (exponent_bits + fraction_bits) else 1.0
    exponent = bits >> fraction_bits & (1 << exponent_bits) - 1
    fraction = bits & (1 << fraction_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    if ieee and exponent == (1 << exponent_bits) - 1:
        return sign * (math.nan if fraction else INF)
    if not ieee and exponent == (1 << exponent_bits) - 1 and fraction == (1 << fraction_bits) - 1:
        return math.nan
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fraction_bits)
    return sign * math.ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)


def half(block, at):
    return np.float32(narrow(int(block[at]) | int(block[at + 1]) << 8, 5, 10, True))


def q8_0(b):
    d = half(b, 0)
    return [d * np.float32(np.int8(b[2 + j])) for j in range(32)]


def nibble(b, first, j):
    return int(b[first + j]) & 15 if j < 16 else int(b[first + j - 16]) >> 4


def q4_0(b):
    d = half(b, 0)
    return [d * np.float32(nibble(b, 2, j) - 8) for j in range(32)]


def q4_1(b):
    d, m = half(b, 0), half(b, 2)
    return [d * np.float32(nibble(b, 4, j)) + m for j in range(32)]


def fifth(b, first, j):
    high = int.from_bytes(bytes(b[first : first + 4]), "little")
    return (high >> j & 1) << 4


def q5_0(b):
    d = half(b, 0)
    return [d * np.float32((nibble(b, 6, j) | fifth(b, 2, j)) - 16) for j in range(32)]


def q5_1(b):
    d, m = half(b, 0), half(b, 2)
    return [d * np.float32(nibble(b, 8, j) | fifth(b, 4, j)) + m for j in range(32)]


def scale_and_min(s, j):
    s = [int(x) for x in s]
    if j < 4:
        return s[j] & 63, s[j + 4] & 63
    return (s[j + 4] & 15) | (s[j - 4] >> 6) << 4, (s[j + 4] >> 4) | (s[j] >> 6) << 4


def k_blocks(b, quants, fifths):
    d, dmin = half(b, 0), half(b, 2)
    out = []
    for group in range(8):
        scale, minimum = scale_and_min(b[4:16], group)
        for l in range(32):
            byte = int(b[quants + group // 2 * 32 + l])
            q = byte >> 4 if group % 2 else byte & 15
            if fifths is not None:
                q += 16 * (int(b[fifths + l]) >> group & 1)
            out.append(d * np.float32(scale) * np.float32(q) - dmin * np.float32(minimum))
    return out


def q4_k(b):
    return k_blocks(b, 16, None)


def q5_k(b):
    return k_blocks(b, 48, 16)


def q6_k(b):
    d = half(b, 208)
    out = []
    for i in range(256):
        part, at = divmod(i, 128)
        quarter, l = divmod(at, 32)
        low = int(b[64 * part + l + 32 * (quarter % 2)])
        low = low >> 4 if quarter >= 2 else low & 15
        upper = int(b[128 + 32 * part + l]) >> 2 * quarter & 3
        scale = np.int8(b[192 + 8 * part + l // 16 + 2 * quarter])
        out.append(d * np.float32(scale) * np.float32((low | upper << 4) - 32))
    return out


# name, bytes, places of f16 scales, decoder
BLOCKS = [
    ("Q8_0", 34, [0], q8_0),
    ("Q6K", 210, [208], q6_k),
    ("Q5K", 176, [0, 2], q5_k),
    ("Q4K", 144, [0, 2], q4_k),
    ("Q4_0", 18, [0], q4_0),
    ("Q4_1", 20, [0, 2], q4_1),
    ("Q5_0", 22, [0], q5_0),
    ("Q5_1", 24, [0, 2], q5_1),
]


def bits_of(values):
    """All NaNs are mapped to the same bits, since products may give any of them."""
    bits = np.array(values, np.float32).view(np.uint32)
    return [0x7FC00000 if math.isnan(v) else int(b) for v, b in zip(values, bits)]


def fnv(values):
    """FNV-1a, 64 bits, over little-endian words of 32."""
    found = 0xCBF29CE484222325
    for value in values:
        for byte in int(value).to_bytes(4, "little"):
            found = (found ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return found


def print_array(kind, name, values, form):
    lines, line = [], ""
    for value in values:
        text = form(value) + ","
        if len(line) + len(text) > 118:
            lines.append(line)
            line = ""
        line += text
    print(f"inline constexpr {kind} {name}[] = {{\n" + "\n".join(lines + [line]) + "\n};")


np.seterr(all="ignore")
print(f"// Made by decoders_reference.py with numpy {np.__version__}; not edited by hand.")
print("// clang-format off")
print("#pragma once\n")
print("#include <cstddef>\n#include <cstdint>\n")
print("namespace tied::reference {\n")
print("// Of all numbers of the type, in the order of their bits; every NaN as 0x7FC00000.")
for name, exponent, fraction, ieee in [("F16", 5, 10, True), ("Bf16", 8, 7, True), ("E4m3", 4, 3, False), ("E5m2", 5, 2, True)]:
    size = 1 << 1 + exponent + fraction
    print(f"inline constexpr std::uint64_t k{name}Hash = 0x{fnv(bits_of([narrow(i, exponent, fraction, ieee) for i in range(size)])):016X};")
print("\n// Blocks with every scale, and the hash of the bits of their elements.")
print(f"inline constexpr std::size_t kBlockCount = {len(SCALES)};")
for name, size, places, decode in BLOCKS:
    stored, decoded = [], []
    for i, scale in enumerate(SCALES):
        block = rng.integers(0, 256, size, dtype=np.uint8)
        for k, place in enumerate(places):
            # The second scale, for minima, is the previous one in the list.
            block[place : place + 2] = np.frombuffer(np.float16(SCALES[i - k]).tobytes(), np.uint8)
        stored += list(block)
        decoded += decode(block)
    bits = bits_of(decoded)
    print_array("std::uint8_t", f"k{name}Bytes", stored, lambda b: f"{int(b)}")
    print_array("std::uint32_t", f"k{name}First", bits[: 32 if size < 100 else 256], lambda b: f"0x{b:08X}")
    print(f"inline constexpr std::uint64_t k{name}Hash = 0x{fnv(bits):016X};")
print("\n}  // namespace tied::reference")
