#!/bin/sh
# With the same seed, a table with one more row has other numbers in the rows before it.
#
# Software: PyTorch 1.13 on the CPU (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: torch.randn of a longer table begins with the shorter one, as in NumPy and as torch.rand does.
# Seen: the first rows of tables of 5 x 3 and 6 x 3 have no number in common: below 16 numbers another method is used. Above, the last 16 numbers are
# drawn anew unless the count is a multiple of 16: of 50 x 10 and 51 x 10, the last two rows that both have differ. torch.rand and tables of a multiple of
# 16 columns are as guessed.
# Why it surprises: "same seed, one more token" is how a change of the vocabulary is compared with nothing else changed, and tests use small tables. What
# differs are then also the rows that did not change.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > rows.py <<'END'
import sys
import numpy as np
import torch


def differing_rows(draw, rows, columns):
    """The rows of a table that are other numbers in a table with one more row."""
    one, other = draw((rows, columns)), draw((rows + 1, columns))
    return [row for row in range(rows) if (one[row] != other[row]).any()]


def seeded(draw):
    def numbers(shape):
        torch.manual_seed(1)
        return draw(shape).numpy()

    return numbers


draws = {"torch.randn": seeded(torch.randn), "torch.rand": seeded(torch.rand), "NumPy": lambda shape: np.random.default_rng(1).standard_normal(shape)}
found = {name: [differing_rows(draw, *shape) for shape in [(5, 3), (50, 10), (50, 16)]] for name, draw in draws.items()}
for name, rows in found.items():
    print(f"{name}: rows that differ of 5 x 3: {rows[0]}, of 50 x 10: {rows[1]}, of 50 x 16: {rows[2]}")
nothing = [[], [], []]
sys.exit(found != {"torch.randn": [[0, 1, 2, 3, 4], [48, 49], []], "torch.rand": nothing, "NumPy": nothing})
END
/usr/bin/python3 rows.py
