#!/bin/sh
# The cosine distance of a row of 8-bit numbers from itself is 2.
#
# Software: SciPy 1.10 (Debian's python3-scipy; not installed here, since that needs an administrator).
# Guess before running: distances of two int8 rows are those of the same numbers in double precision; cdist converts them.
# Seen: distance.cosine gives 0.66 for 0.98 and 2 for a row and itself; euclidean, cityblock and chebyshev are wrong, too. sqeuclidean, correlation and
# cdist are right, so the square of euclidean is not sqeuclidean. The sums of products and the differences wrap around in 8 bits.
# Why it surprises: tables quantized to 8 bits are saved for search, and these functions return doubles in the usual range. Some of one module convert
# first and some do not, and a check with small numbers passes.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import scipy, sys; sys.exit(not scipy.__version__.startswith("1.10"))' 2> /dev/null || {
  echo "not tried: needs SciPy 1.10 (Debian 12: apt-get install python3-scipy)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > cosine.py <<'END'
import sys
import numpy as np
from scipy.spatial import distance

one, other = np.random.default_rng(0).integers(-100, 100, (2, 768)).astype(np.int8)
found = {}
for name in ("cosine", "euclidean", "cityblock", "chebyshev", "sqeuclidean", "correlation"):
    measure = getattr(distance, name)
    right = float(measure(one.astype(float), other.astype(float)))
    found[name] = float(measure(one, other)), right
    print(f"{name}: {found[name][0]} of int8, {right} of doubles, {distance.cdist(one[None], other[None], name)[0, 0]} by cdist of int8")
with_itself = float(distance.cosine(one, one))
print("cosine distance of a row from itself:", with_itself)
is_right = {name: bool(np.isclose(*pair)) for name, pair in found.items()}
sys.exit(list(is_right.values()) != 4 * [False] + 2 * [True] or with_itself != 2)
END
/usr/bin/python3 cosine.py
