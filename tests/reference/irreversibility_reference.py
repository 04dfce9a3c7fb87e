#!/usr/bin/env python3
"""JS(J, Jᵀ) of tables of counts, and of samples of their reversible chains: the reference of tests/cpp/direct_path.

Independent of the C++ core, with Python's own generator: single samples differ, but their mean and spread must not.

    python3 tests/reference/irreversibility_reference.py > tests/reference/irreversibility_reference.h

Needs nothing but Python 3.
"""
import math
import random
import statistics
from bisect import bisect_right
from itertools import accumulate

RUNS = 4000
TABLES = {
    # Few counts: most pairs never occur, so no large-sample formula holds.
    "Sparse": [[0, 9, 0, 1, 0], [0, 2, 7, 0, 3], [5, 0, 0, 4, 0], [0, 1, 3, 0, 6], [4, 0, 0, 4, 1]],
    # A symmetric table.
    "Reversible": [[10, 40, 25, 5], [40, 0, 60, 15], [25, 60, 80, 30], [5, 15, 30, 20]],
    # Words in an almost fixed order.
    "Directed": [[2, 190, 8, 0], [0, 10, 150, 30], [180, 0, 5, 40], [20, 0, 60, 5]],
}


def divergence(table):
    total = sum(map(sum, table))
    size = range(len(table))
    return sum(table[i][j] * math.log(2 * table[i][j] / (table[i][j] + table[j][i]))
               for i in size for j in size if table[i][j]) / total


def held_out(table):
    """For each pair in turn, the log of the odds of its order, from all others plus half a pair in either order."""
    logs = []
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            for _ in range(count):
                if i == j:
                    logs.append(0)
                    continue
                others = [list(line) for line in table]
                others[i][j] -= 1
                forward, backward = others[i][j] + 0.5, others[j][i] + 0.5
                logs.append(math.log(forward / (forward + backward) / 0.5))
    return math.fsum(logs) / len(logs)


def net_flow(table):
    total = sum(map(sum, table))
    return [(count - table[j][i]) / total for i, row in enumerate(table) for j, count in enumerate(row)]


def mutual_information(table):
    total = sum(map(sum, table))
    rows = [sum(row) for row in table]
    cols = [sum(col) for col in zip(*table)]
    return sum(count / total * math.log(count * total / (rows[i] * cols[j]))
               for i, row in enumerate(table) for j, count in enumerate(row) if count)


def reversible_sample(table, generator):
    size = range(len(table))
    both = [[table[i][j] + table[j][i] for j in size] for i in size]
    sums = [list(accumulate(row)) for row in both]
    tokens = list(accumulate(row[-1] for row in sums))
    token = bisect_right(tokens, generator.randrange(tokens[-1]))
    sample = [[0] * len(table) for _ in size]
    for _ in range(sum(map(sum, table))):
        following = bisect_right(sums[token], generator.randrange(sums[token][-1]))
        sample[token][following] += 1
        token = following
    return sample


def main():
    print("// Made by irreversibility_reference.py; not edited by hand.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstddef>\n\nnamespace tied::reference {\n")
    print("struct Irreversibility {\n  const char* name;\n  std::size_t size;\n  double counts[25];\n  double js;\n"
          "  double mutual_information;\n  // JS of samples of the reversible chain: mean, standard deviation.\n"
          "  double null_mean;\n  double null_deviation;\n  double net_flow[25];\n};\n")
    # Computed in web/core/direct-path/irreversibility.ts; its test has these values.
    print("".join(f"// {name}, held out: {held_out(table):.15g}\n" for name, table in TABLES.items()), end="")
    print(f"inline constexpr std::size_t kIrreversibilityRuns = {RUNS};")
    print("inline constexpr Irreversibility kIrreversibility[] = {")
    for name, table in TABLES.items():
        generator = random.Random(20261122)
        null = [divergence(reversible_sample(table, generator)) for _ in range(RUNS)]
        counts = ", ".join(str(count) for row in table for count in row)
        print(f'  {{"{name}", {len(table)}, {{{counts}}}, {divergence(table):.15g}, {mutual_information(table):.15g},\n'
              f"   {statistics.mean(null):.9g}, {statistics.stdev(null):.9g},\n"
              f"   {{{', '.join(f'{flow:.15g}' for flow in net_flow(table))}}}}},")
    print("};\n\n}  // namespace tied::reference")


if __name__ == "__main__":
    main()
