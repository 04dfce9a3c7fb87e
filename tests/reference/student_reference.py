"""Quantiles of Student's t for tests/web/experiment/statistics.test.ts, and median ratios of random directions for
tests/web/core/random-median-ratio.test.ts: the density integrated by Gauss-Legendre quadrature, and inverted
by bisection. The program itself uses closed forms of the distribution.

    python3 tests/reference/student_reference.py
"""

import math

import numpy

nodes, weights = numpy.polynomial.legendre.leggauss(400)


def within(t, freedom):
    x = (nodes + 1) * t / 2
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    density = scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2)
    return t * float(numpy.sum(weights * density))


def quantile(probability, freedom):
    low, high = 0.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        if within(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


for freedom in [1, 2, 3, 4, 9, 10, 29, 99]:
    print(freedom, repr(quantile(0.95, freedom)))

for dimensions in [5, 8, 16, 64, 768, 4096]:
    print(dimensions, repr(math.sqrt(dimensions - 1) / quantile(0.5, dimensions - 1)))
