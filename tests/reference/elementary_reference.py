#!/usr/bin/env python3
"""Values of elementary functions to 32 digits, as the sum of two doubles, for doubles drawn from a seed.

exp and ln are those of Python's decimal arithmetic; the others are sums of series in the same arithmetic, of 80 digits. Needs only Python.
usage: elementary_reference.py > elementary_reference.json
"""
import json
import random
import struct
from decimal import Decimal, getcontext

getcontext().prec = 80
draw = random.Random(5)
TINY = Decimal(10) ** -78


def series(first, ratio):
    """first (1 + ratio(1) (1 + ratio(2) ...))"""
    total, term, n = first, first * ratio(1), 2
    while abs(term) > TINY * abs(total):
        total += term
        term *= ratio(n)
        n += 1
    return total


def arctan(x):
    x = +x
    halvings = 0
    while abs(x) > Decimal("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    total, power, n = x, -x * x * x, 3
    while abs(power) > TINY * abs(x):
        total += power / n
        power *= -x * x
        n += 2
    return total * 2**halvings


PI = 4 * arctan(Decimal(1))


def sine(x):
    x = x - 2 * PI * (x / (2 * PI)).to_integral_value()
    return series(x, lambda n: -x * x / ((2 * n) * (2 * n + 1)))


def cosine(x):
    x = x - 2 * PI * (x / (2 * PI)).to_integral_value()
    return series(Decimal(1), lambda n: -x * x / ((2 * n - 1) * (2 * n)))


FUNCTIONS = {
    "exp": (lambda x: x.exp(), [0.0, 1.0, -1.0, 0.5 * 0.6931471805599453, 709.78, -708.3, 1e-300, -1e-17]),
    "log": (lambda x: x.ln(), [1.0 + 2**-52, 1.0 - 2**-53, 2.0**0.5, 0.5**0.5, 1e308, 5e-324, 1e-310, 2.0, 10.0, 1024.0]),
    "log1p": (lambda x: (1 + x).ln(), [1e-30, -1e-17, 1e-10, -1e-10, 0.4142135623730951, -0.2928932188134524, -1 + 2**-53, 1e15]),
    "sinh": (lambda x: (x.exp() - (-x).exp()) / 2, [1e-30, 1.0, -1.0, 2.9999, 3.0, 708.9, 710.4, 1e-9]),
    "sin": (sine, [1e-300, 3.141592653589793, 1.5707963267948966, -0.7853981633974483, 22.0, 355.0, 500000.0]),
    "cos": (cosine, [0.0, 1e-300, 3.141592653589793, 1.5707963267948966, 4.71238898038469, 0.7853981633974483, 11.0, 344.0]),
    "atan": (arctan, [1e-300, 0.25, 0.75, 1.25, 1.75, -1.0, 1e300, 0.24999, 1.7500001]),
}
RANGES = {
    "exp": [(-708, 709), (-1, 1), (-0.001, 0.001)],
    "log": [(0.5, 2), (0, 20), (0.99, 1.01)],
    "log1p": [(-0.99, 1), (0, 20), (-0.001, 0.001)],
    "sinh": [(-1, 1), (-8, 8), (-700, 700)],
    "sin": [(-1, 1), (-4, 4), (-5e5, 5e5)],
    "cos": [(-1, 1), (-4, 4), (-5e5, 5e5)],
    "atan": [(-1, 1), (-3, 3), (-100, 100)],
}


def any_positive():
    """A double of any exponent."""
    return struct.unpack(">d", struct.pack(">Q", draw.randrange(1, 0x7FE << 52)))[0]


def row(of, x):
    value = of(Decimal(x))
    high = float(value)
    return [x, high, float(value - Decimal(high))]


def main():
    found = {}
    for name, (of, chosen) in FUNCTIONS.items():
        xs = list(chosen) + [draw.uniform(*bounds) for bounds in RANGES[name] for _ in range(60)]
        if name == "log":
            xs += [any_positive() for _ in range(60)]
        found[name] = [row(of, x) for x in xs]
    print("{")
    for i, (name, rows) in enumerate(found.items()):
        print(f' "{name}": [')
        print(",\n".join("  " + json.dumps(r) for r in rows))
        print(" ]" + ("," if i + 1 < len(found) else ""))
    print("}")


main()
