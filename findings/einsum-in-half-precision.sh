#!/bin/sh
# In half precision, the scores of a hidden state depend on the order of the letters in einsum.
#
# Software: NumPy 1.24 (Debian's python3-numpy; not installed here, since that needs an administrator).
# Guess before running: einsum of a table of 4,096 columns of ones and a state of ones is 4096 in float16 in every spelling, as "@" gives: sums in single
# precision, rounded once.
# Seen: 'vd,d->v' gives 4096, and 'dv,d->v', the same product from a head that is stored as [d, V], gives 2048: it adds in half precision, where 2048 + 1 is 2048.
# With optimize=True it gives 4096. With normal numbers it is off by 19 times as much as "@". sum(axis=0) of that head is 2048 as well, sum(axis=1) of the other 4096.
# Why it surprises: the letters say what is summed, not how, and tables are stored in both layouts. optimize=True is said to choose the order of products;
# with two operands there is one order only, and it changes the scores by a factor of two.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import numpy, sys; sys.exit(not numpy.__version__.startswith("1.24"))' 2> /dev/null || {
  echo "not tried: needs NumPy 1.24 (Debian 12: apt-get install python3-numpy)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > letters.py <<'END'
import sys
import numpy as np

half = np.float16


def scores(table, state):
    """The scores in each spelling; table is [V, d], head the same numbers stored as [d, V]."""
    head = np.ascontiguousarray(table.T)
    return {
        "table @ state": table @ state,
        "state @ head": state @ head,
        "'vd,d->v'": np.einsum("vd,d->v", table, state),
        "'dv,d->v'": np.einsum("dv,d->v", head, state),
        "'nd,dv->nv'": np.einsum("nd,dv->nv", np.stack([state, state]), head)[0],
        "'dv,d->v', optimize=True": np.einsum("dv,d->v", head, state, optimize=True),
    }


ones = scores(np.ones((3, 4096), half), np.ones(4096, half))
random = np.random.default_rng(1)
table, state = random.normal(size=(1000, 768)).astype(half), random.normal(size=768).astype(half)
normal = scores(table, state)
right = table.astype(float) @ state.astype(float)
errors = {name: float(np.sqrt(np.mean((values - right) ** 2))) for name, values in normal.items()}
for name in ones:
    print(f"{name}: {ones[name][0]} for ones; error for normal numbers {errors[name]:.4f}")
sums = np.ones((4096, 3), half).sum(axis=0)[0], np.ones((3, 4096), half).sum(axis=1)[0]
print("sums over an axis:", *sums)
values = [float(value[0]) for value in ones.values()]
ratio = errors["'dv,d->v'"] / errors["table @ state"]
print(f"ratio of the errors: {ratio:.1f}")
sys.exit(not (values == [4096, 4096, 4096, 2048, 2048, 4096] and sums == (2048, 4096) and ratio > 5))
END
/usr/bin/python3 letters.py
