#!/usr/bin/env python3
"""Blocks of GGUF's types as ggml's own code decodes them: the reference of test_decode.cpp for types that decoders_reference.py does not have.
Needs Python 3.8 and the shared library of ggml (libggml-base.so), as in the npm package @node-llama-cpp/linux-x64 3.22.1 (llama.cpp v0.5.0).

    python3 tests/reference/ggml_blocks_reference.py LIBRARY > tests/reference/ggml_blocks_reference.h

Blocks are random bytes with chosen scales: every quant and every small scale occurs. Also the floats of safetensors without -0 (FNUZ), decoded one by
one: their bias is larger by 1 than that of IEEE, all patterns are finite numbers but that of -0, which is NaN.
"""
import ctypes
import math
import random
import struct
import sys

draw = random.Random("blocks")
INF = math.inf
# As f16: normal, negative, subnormal, the largest, the smallest, zero, not finite.
SCALES = [0.0123, -1.7, 3e-7, 65504.0, 2**-24, 0.0, INF, -INF, math.nan]


class Traits(ctypes.Structure):
    """The beginning of ggml_type_traits."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("elements", ctypes.c_int64),
        ("interleaved", ctypes.c_int64),
        ("bytes", ctypes.c_size_t),
        ("is_quantized", ctypes.c_bool),
        ("to_float", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)),
    ]


# The four nibbles of an f16 scale are the uppermost bits of 16 each.
IN_NIBBLES = [49, 51, 53, 55]
# Name, number in GGUF files, places of f16 scales
BLOCKS = [
    ("Q2K", 10, [80, 82]),
    ("Q3K", 11, [108]),
    ("IQ4NL", 20, [0]),
    ("IQ4XS", 23, [0]),
    ("MXFP4", 39, []),
    ("NVFP4", 40, []),
    ("TQ10", 34, [52]),
    ("TQ20", 35, [64]),
    ("Q10", 41, [0]),
    ("Q20", 42, [0]),
    ("IQ2XXS", 16, [0]),
    ("IQ2XS", 17, [0]),
    ("IQ2S", 22, [0]),
    ("IQ3XXS", 18, [0]),
    ("IQ3S", 21, [0]),
    ("IQ1S", 19, [0]),
    ("IQ1M", 29, IN_NIBBLES),
]
# Of types with scales of 8 bits: enough blocks for all of these.
MANY = 256


def bits_of(values):
    """All NaNs are mapped to the same bits, since products may give any of them."""
    return [0x7FC00000 if math.isnan(v) else struct.unpack("<I", struct.pack("<f", v))[0] for v in values]


def fnv(values):
    """FNV-1a, 64 bits, over little-endian words of 32."""
    found = 0xCBF29CE484222325
    for value in values:
        for byte in value.to_bytes(4, "little"):
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


def fnuz(bits, fraction_bits, bias):
    sign = -1.0 if bits >> 7 else 1.0
    exponent = bits >> fraction_bits & (1 << 7 - fraction_bits) - 1
    fraction = bits & (1 << fraction_bits) - 1
    if bits == 0x80:
        return math.nan
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fraction_bits)
    return sign * math.ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)


def block_of(size, places, i):
    block = bytearray(draw.getrandbits(8) for _ in range(size))
    if places is IN_NIBBLES:
        (scale,) = struct.unpack("<H", struct.pack("<e", SCALES[i]))
        for k, place in enumerate(places):
            block[place] = block[place] & 15 | (scale >> 4 * k & 15) << 4
        return bytes(block)
    for k, place in enumerate(places):
        # The second scale, for minima, is the previous one in the list.
        block[place : place + 2] = struct.pack("<e", SCALES[i - k])
    # MXFP4 and NVFP4: every scale is the first of one block.
    return bytes(block) if places else bytes([i]) + bytes(block[1:])


def main():
    ggml = ctypes.CDLL(sys.argv[1])
    ggml.ggml_get_type_traits.restype = ctypes.POINTER(Traits)
    print("// Made by ggml_blocks_reference.py with ggml of llama.cpp v0.5.0; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n")
    print("#include <cstddef>\n#include <cstdint>\n")
    print("namespace tied::reference {\n")
    print("// Of all numbers of the type, in the order of their bits; NaN as 0x7FC00000.")
    for name, fraction_bits, bias in (("E4m3Fnuz", 3, 8), ("E5m2Fnuz", 2, 16)):
        found = fnv(bits_of([fnuz(i, fraction_bits, bias) for i in range(256)]))
        print(f"inline constexpr std::uint64_t k{name}Hash = 0x{found:016X};")
    print("\n// Blocks with every scale, and the hash of the bits of their elements.")
    for name, number, places in BLOCKS:
        traits = ggml.ggml_get_type_traits(number).contents
        stored = b"".join(block_of(traits.bytes, places, i) for i in range(len(SCALES) if places else MANY))
        elements = len(stored) // traits.bytes * traits.elements
        out = (ctypes.c_float * elements)()
        traits.to_float(stored, out, elements)
        bits = bits_of(out)
        print_array("std::uint8_t", f"k{name}Bytes", stored, str)
        print_array("std::uint32_t", f"k{name}First", bits[: traits.elements], lambda b: f"0x{b:08X}")
        print(f"inline constexpr std::uint64_t k{name}Hash = 0x{fnv(bits):016X};")
    print("\n}  // namespace tied::reference")


main()
