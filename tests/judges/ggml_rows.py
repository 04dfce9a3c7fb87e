"""What ggml makes of a table: quantized by its own code to every type that is read here, and decoded by its own code.

usage: python3 ggml_rows.py LIBRARY FOLDER ROWS COLS    LIBRARY: libggml-base.so; FOLDER has table.bin, floats [ROWS, COLS]
Writes TYPE.bin and TYPE.floats, and prints a line of JSON: the number of each type in GGUF files, by its name.
"""

import ctypes
import json
import os
import sys

# By their numbers in GGUF files.
NUMBERS = [2, 3, 6, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 29, 34, 35, 39, 40, 41, 42]
GRIDS = [16, 17, 18, 19, 21, 22, 29]


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


def main():
    library, folder, rows, cols = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    ggml = ctypes.CDLL(library)
    ggml.ggml_get_type_traits.restype = ctypes.POINTER(Traits)
    quantize = ggml.ggml_quantize_chunk
    quantize.restype = ctypes.c_size_t
    quantize.argtypes = [
        ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p,
    ]
    count = rows * cols
    with open(os.path.join(folder, "table.bin"), "rb") as file:
        values = (ctypes.c_float * count).from_buffer_copy(file.read())
    found = {}
    for number in NUMBERS:
        traits = ggml.ggml_get_type_traits(number).contents
        name = traits.name.decode().upper()
        stored = (ctypes.c_uint8 * (count // traits.elements * traits.bytes))()
        # Types with grids want to know how much each column matters: all alike.
        matters = (ctypes.c_float * cols)(*[1.0] * cols) if number in GRIDS else None
        quantize(number, values, stored, 0, rows, cols, matters)
        floats = (ctypes.c_float * count)()
        traits.to_float(stored, floats, count)
        for ending, data in (("bin", stored), ("floats", floats)):
            with open(os.path.join(folder, f"{name}.{ending}"), "wb") as file:
                file.write(bytes(data))
        found[name] = number
    print(json.dumps(found))


main()
