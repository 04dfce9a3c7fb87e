"""What the workers share: they answer lines as the benchmark program does (bench/README.md), and report what multiplies.

    describe                     {"version": ..., "blas": ..., "isReference": ...}
    cases                        the ids that can be measured
    measure <milliseconds> <id>  {"seconds": ..., "calls": ...}, or {"error": ...}
"""

import ctypes
import json
import re
import sys
import time


def timed(run, milliseconds):
    """Calls for at least the given CPU time, reading the clock only occasionally."""
    calls = 0
    chunk = 1
    start = time.process_time()
    while True:
        for _ in range(chunk):
            run()
        calls += chunk
        seconds = time.process_time() - start
        if seconds * 1000 >= milliseconds:
            return {"seconds": seconds, "calls": calls}
        if seconds * 8000 < milliseconds:
            chunk *= 2


def loaded_libraries():
    """Paths of all shared libraries of this process; none if the system does not list them."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            return sorted(set(re.findall(r"/\S+\.so[.\d]*", maps.read())))
    except OSError:
        return []


def blas():
    """The loaded BLAS, with the processor that it has detected."""
    libraries = [path for path in loaded_libraries() if re.search(r"blas|mkl_rt|libmkl|Accelerate|blis", path)]
    for path in libraries:
        try:
            library = ctypes.CDLL(path)
            library.openblas_get_config.restype = ctypes.c_char_p
            return " ".join(library.openblas_get_config().decode().split()[:2]) + ", " + core_name(library)
        except (AttributeError, OSError):
            continue
    if any("mkl" in path for path in libraries):
        return "MKL"
    if any(re.search(r"/libblas\.so|/blas/", path) for path in libraries):
        return "reference BLAS"
    return "its own BLAS"


def core_name(library):
    library.openblas_get_corename.restype = ctypes.c_char_p
    return library.openblas_get_corename().decode()


def describe(version):
    name = blas()
    return {"version": f"{version}, {name}", "isReference": name == "reference BLAS"}


def product_shape(case):
    """m, k, n of a product's id, or None. Which factor the id calls transposed is ignored: both are stored as is fastest."""
    match = re.match(r"product/(\d+)x(\d+)x(\d+)/", case)
    return match and tuple(int(size) for size in match.groups())


def check_entry(value, exact, k):
    """Checks an entry of a product of values below 1/2, as the pages do: errors grow with the square root of k."""
    if not abs(value - exact) <= 4e-7 * k**0.5:
        raise ValueError(f"its product is wrong: {value}; expected {exact}")


def serve(version, prepare):
    """`prepare(case)` checks the results and returns the call."""
    prepared = {}

    def answer(line):
        if line == "describe":
            return describe(version)
        match = re.match(r"measure (\S+) (.+)", line)
        if not match:
            raise ValueError(f"{line} is not a request; expected describe, or measure <milliseconds> <id>")
        case = match[2]
        if case not in prepared:
            prepared[case] = prepare(case)
        return timed(prepared[case], float(match[1]))

    for line in sys.stdin:
        try:
            result = answer(line.strip())
        except Exception as error:  # Whatever it is, the benchmark goes on without this value and reports why.
            result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), flush=True)
