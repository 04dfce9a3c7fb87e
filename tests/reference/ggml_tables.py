"""Tables of our own, quantized by ggml's own code. Needs Python 3.8 and the shared library of ggml (libggml-base.so), as in the npm package
@node-llama-cpp/linux-x64 3.22.1 (llama.cpp v0.5.0).

usage: python3 ggml_tables.py LIBRARY OUT.json            the committed fixture
       python3 ggml_tables.py LIBRARY OUT.bin CASE ROWS   one case, with so many rows of 256: for each type its bytes, after a line of JSON
"""

import base64
import ctypes
import json
import math
import random
import struct
import sys

D = 256
# Numbers of types as in GGUF files, and bytes per block.
TYPES = {
    "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20), "Q5_0": (6, 32, 22), "Q5_1": (7, 32, 24), "Q8_0": (8, 32, 34),
    "Q4_K": (12, 256, 144), "Q5_K": (13, 256, 176), "Q6_K": (14, 256, 210),
}
FIXTURE_ROWS = 4


def normal(draw, rows):
    return [[draw.gauss(0, 1) for _ in range(D)] for _ in range(rows)]


def loud_column(times):
    def make(draw, rows):
        table = normal(draw, rows)
        for row in table:
            row[100] *= times
        return table

    return make


def student(degrees):
    def make(draw, rows):
        def one():
            return draw.gauss(0, 1) / math.sqrt(draw.gammavariate(degrees / 2, 2) / degrees)

        return [[one() for _ in range(D)] for _ in range(rows)]

    return make


def loud_columns(draw, rows):
    return [[x * (8 if i < 32 else 1) for i, x in enumerate(row)] for row in normal(draw, rows)]


def quiet_rows(draw, rows):
    return [[x * 10.0 ** -(i % 7) for x in row] for i, row in enumerate(normal(draw, rows))]


def one_sided(draw, rows):
    return [[abs(x) + 0.5 for x in row] for row in normal(draw, rows)]


def zeros_among(draw, rows):
    return [[x if draw.random() < 0.1 else 0.0 for x in row] for row in normal(draw, rows)]


CASES = {
    "normal": normal,
    **{f"one column x {times}": loud_column(times) for times in (4, 5, 6, 8, 10, 15, 20, 30, 100)},
    "32 columns x 8": loud_columns,
    **{f"Student's t, {degrees} degrees": student(degrees) for degrees in (3, 4, 6)},
    "quiet rows": quiet_rows,
    "positive": one_sided,
    "mostly zeros": zeros_among,
}
# Noise as a share of the size of each number's column; the second table is the noisy one.
NOISES = {"none": 0, "1 %": 0.01, "3 %": 0.03, "5 %": 0.05}


class Ggml:
    def __init__(self, library):
        self.ggml = ctypes.CDLL(library)
        quantize = self.ggml.ggml_quantize_chunk
        quantize.restype = ctypes.c_size_t
        quantize.argtypes = [
            ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p,
        ]

    def quantize(self, name, table, weights=None):
        number, elements, size = TYPES[name]
        rows = len(table)
        values = (ctypes.c_float * (rows * D))(*[x for row in table for x in row])
        out = (ctypes.c_uint8 * (rows * D // elements * size))()
        importance = None if weights is None else (ctypes.c_float * D)(*weights)
        self.ggml.ggml_quantize_chunk(number, values, out, 0, rows, D, importance)
        return bytes(out)


def noisy(draw, table, share):
    if share == 0:
        return table
    sizes = [math.sqrt(sum(row[i] ** 2 for row in table) / len(table)) for i in range(D)]
    return [[x + share * sizes[i] * draw.gauss(0, 1) for i, x in enumerate(row)] for row in table]


def fixture(ggml):
    cases = []
    for name, make in CASES.items():
        draw = random.Random(f"{name} 1")
        table = make(draw, FIXTURE_ROWS)
        stored = {type_: base64.b64encode(ggml.quantize(type_, table)).decode() for type_ in TYPES}
        cases.append({"name": name, "rows": FIXTURE_ROWS, "stored": stored})
    apart = []
    for noise in ("3 %", "5 %"):
        draw = random.Random(f"noise {noise}")
        table = normal(draw, FIXTURE_ROWS)
        other = noisy(draw, table, NOISES[noise])
        stored = {type_: base64.b64encode(ggml.quantize(type_, table)).decode() for type_ in TYPES}
        changed = {type_: base64.b64encode(ggml.quantize(type_, other)).decode() for type_ in ("Q6_K", "Q8_0")}
        apart.append({"name": noise, "rows": FIXTURE_ROWS, "stored": stored, "changed": changed})
    draw = random.Random("importance")
    table = normal(draw, FIXTURE_ROWS)
    weights = [draw.gammavariate(0.3, 1) for _ in range(D)]
    stored = {type_: base64.b64encode(ggml.quantize(type_, table, weights)).decode() for type_ in TYPES}
    important = {"name": "importance matrix", "rows": FIXTURE_ROWS, "stored": stored}
    return {"program": "ggml of llama.cpp v0.5.0", "cols": D, "equal": cases, "apart": apart, "important": important}


def main():
    library, out, *rest = sys.argv[1:]
    ggml = Ggml(library)
    if not rest:
        with open(out, "w", encoding="utf-8") as file:
            json.dump(fixture(ggml), file, indent=1)
            file.write("\n")
        return
    name, rows = rest[0], int(rest[1])
    noise = NOISES[rest[2]] if len(rest) > 2 else 0
    draw = random.Random(f"{name} {rows}")
    table = CASES[name](draw, rows)
    weights = [draw.gammavariate(0.3, 1) for _ in range(D)] if "importance" in rest else None
    other = noisy(draw, table, noise)
    with open(out, "wb") as file:
        for type_ in TYPES:
            for which in (table, other):
                stored = ggml.quantize(type_, which, weights)
                file.write(struct.pack("<I", len(stored)) + stored)


main()
