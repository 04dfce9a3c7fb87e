#!/usr/bin/env python3
"""Orthogonal polar factors by LAPACK's singular value decomposition: the reference of tests/cpp/linalg/test_polar.cpp.

Every matrix is rounded to single precision before it is decomposed in double, so that float and double get the same
input. Singular values are evenly spaced on a logarithmic scale.

    python3 tests/reference/polar_reference.py > tests/reference/polar_reference.h

Written with numpy 1.24; needs nothing else.
"""
import numpy as np

random = np.random.default_rng(20240211)


def orthonormal(rows, cols):
    q, r = np.linalg.qr(random.normal(size=(rows, cols)))
    return q * np.sign(np.diag(r))


def matrix(rows, cols, condition):
    values = np.geomspace(1, 1 / condition, cols)
    a = orthonormal(rows, cols) * values @ orthonormal(cols, cols).T
    return a.astype(np.float32).astype(np.float64)


def elements(array):
    return ", ".join(repr(float(x)) for x in array.ravel())


print(f"// Made by polar_reference.py with numpy {np.__version__}; not edited by hand.")
print("// clang-format off")
print("#pragma once\n")
print("#include <cstddef>\n")
print("namespace tied::reference {\n")
print("struct PolarCase {\n  std::size_t rows;\n  std::size_t cols;\n  double condition;")
print("  const double* matrix;\n  const double* factor;\n};\n")
shapes = [(4, 4, 10.0), (5, 5, 1e3), (7, 4, 1e2), (6, 6, 1e6)]
for index, (rows, cols, condition) in enumerate(shapes):
    a = matrix(rows, cols, condition)
    u, _, vt = np.linalg.svd(a, full_matrices=False)
    print(f"inline constexpr double kPolarMatrix{index}[] = {{{elements(a)}}};")
    print(f"inline constexpr double kPolarFactor{index}[] = {{{elements(u @ vt)}}};")
print("\ninline constexpr PolarCase kPolarCases[] = {")
for index, (rows, cols, condition) in enumerate(shapes):
    print(f"    {{{rows}, {cols}, {condition!r}, kPolarMatrix{index}, kPolarFactor{index}}},")
print("};\n\n}  // namespace tied::reference")
