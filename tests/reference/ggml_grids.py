#!/usr/bin/env python3
"""The points of the grids that IQ1, IQ2 and IQ3 store places in, measured: ggml's own code decodes blocks that name every place once. Needs Python 3.8 and
the shared library of ggml (libggml-base.so), as in the npm package @node-llama-cpp/linux-x64 3.22.1 (llama.cpp v0.5.0).

    python3 tests/reference/ggml_grids.py LIBRARY > cpp/checkpoint/grid_points.inc

In each grid the points are in ascending order, the first coordinate being the lowest digit of a number. So a grid is the set of these numbers, printed as one
bit for each number that the digits can make.
"""
import ctypes
import struct
import sys

ONE = struct.pack("<e", 1.0)
EIGHT = struct.pack("<e", 8.0)


def block(size, parts):
    made = bytearray(size)
    for place, some in parts.items():
        made[place : place + len(some)] = some
    return bytes(made)


# Name, function, digits, the level of each digit, and for a place a block whose first elements are its point.
GRIDS = [
    ("Iq2Xxs", "iq2_xxs", 8, [8, 25, 43], 256, lambda i: block(66, {0: EIGHT, 2: [i]})),
    ("Iq2Xs", "iq2_xs", 8, [8, 25, 43], 512, lambda i: block(74, {0: EIGHT, 2: [i & 255, i >> 8]})),
    ("Iq2S", "iq2_s", 8, [8, 25, 43], 1024, lambda i: block(82, {0: EIGHT, 2: [i & 255], 66: [i >> 8]})),
    ("Iq3Xxs", "iq3_xxs", 4, [4, 12, 20, 28, 36, 44, 52, 62], 256, lambda i: block(98, {0: struct.pack("<e", 4.0), 2: [i]})),
    ("Iq3S", "iq3_s", 4, [1, 3, 5, 7, 9, 11, 13, 15], 512, lambda i: block(110, {0: ONE, 2: [i & 255], 66: [i >> 8]})),
    # Every element is off by an eighth.
    ("Iq1S", "iq1_s", 8, [-0.875, 0.125, 1.125], 2048, lambda i: block(50, {0: ONE, 2: [i & 255], 34: [i >> 8]})),
]


def main():
    ggml = ctypes.CDLL(sys.argv[1])
    print("// Made by tests/reference/ggml_grids.py with ggml of llama.cpp v0.5.0; not edited by hand.")
    print("// clang-format off")
    for name, function, size, levels, count, block_of in GRIDS:
        decode = getattr(ggml, f"dequantize_row_{function}")
        decode.restype = None
        decode.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int64]
        numbers = []
        for place in range(count):
            out = (ctypes.c_float * 256)()
            decode(block_of(place), out, 256)
            numbers.append(sum(levels.index(value) * len(levels) ** at for at, value in enumerate(out[:size])))
        assert numbers == sorted(set(numbers)), f"{name} is in no ascending order"
        members = bytearray((len(levels) ** size + 7) // 8)
        for number in numbers:
            members[number // 8] |= 1 << number % 8
        lines, line = [], ""
        for byte in members:
            text = f"{byte},"
            if len(line) + len(text) > 118:
                lines.append(line)
                line = ""
            line += text
        print(f"constexpr std::uint8_t k{name}Members[] = {{\n" + "\n".join(lines + [line]) + "\n};")


main()
