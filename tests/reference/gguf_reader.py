#!/usr/bin/env python3
"""Reads a GGUF file from standard input and prints its header and its tensors as JSON.

Written from https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, without code of this project and only with Python's standard library.
Strings that are not UTF-8 are printed as {"hex": ...}; floats of tensors as [count, first, last, sum].
"""
import json
import struct
import sys

FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        part = self.data[self.at:self.at + size]
        assert len(part) == size, f"the file ends within a value at byte {self.at}"
        self.at += size
        return part

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def string(self):
        raw = self.take(self.number("Q"))
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return {"hex": raw.hex()}

    def value(self, kind):
        if kind == 8:
            return self.string()
        if kind == 9:
            of, count = self.number("I"), self.number("Q")
            return [self.value(of) for _ in range(count)]
        return self.number(FORMATS[kind])


def main():
    data = sys.stdin.buffer.read()
    file = Reader(data)
    assert file.take(4) == b"GGUF"
    assert file.number("I") == 3
    tensor_count, key_count = file.number("Q"), file.number("Q")
    values, kinds = {}, {}
    for _ in range(key_count):
        key = file.string()
        assert key not in values
        kinds[key] = file.number("I")
        values[key] = file.value(kinds[key])
    entries = []
    for _ in range(tensor_count):
        name = file.string()
        shape = [file.number("Q") for _ in range(file.number("I"))]
        entries.append((name, shape, file.number("I"), file.number("Q")))
    alignment = values.get("general.alignment", 32)
    base = -(-file.at // alignment) * alignment
    assert not any(data[file.at:base]), "the padding after the header is not zero"
    tensors, end = {}, base
    for name, shape, kind, offset in entries:
        assert offset % alignment == 0 and base + offset >= end and name not in tensors
        count = 1
        for size in shape:
            count *= size
        code = {0: "f", 1: "e"}[kind]
        size = struct.calcsize(code) * count
        numbers = struct.unpack(f"<{count}{code}", data[base + offset:base + offset + size])
        end = base + offset + size
        tensors[name] = {"shape": shape, "type": kind, "values": [count, numbers[0], numbers[-1], sum(numbers)]}
    json.dump({"values": values, "kinds": kinds, "tensors": tensors, "padding": len(data) - end}, sys.stdout)


main()
