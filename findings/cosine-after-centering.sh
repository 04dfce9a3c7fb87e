#!/bin/sh
# After a table is centered, the nearest words are ranked by numbers that are not cosines.
#
# Software: gensim 4.2.0 (Debian's python3-gensim; not installed here, since that needs an administrator).
# Guess before running: most_similar uses the vectors as they are now, also after they were changed; it is called "cosine similarity".
# Seen: it divides by the norms that the vectors had when it was first called. After kv.vectors -= mean, the cosines 0.595, -0.411 and -0.096 of
# similarity() and distances() are 0.018, -0.040 and -0.008 in most_similar, and after kv.vectors *= 5 a "cosine" is 4.999.
# Why it surprises: subtracting the mean is the usual first step before words are compared, and the vectors are a plain array that invites it. Two
# methods of one object disagree from then on, in numbers that still look like cosines, and only if most_similar was called before the change.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import gensim, sys; sys.exit(not gensim.__version__.startswith("4.2"))' 2> /dev/null || {
  echo "not tried: needs gensim 4.2 (Debian 12: apt-get install python3-gensim)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > centered.py <<'END'
import sys
import numpy as np
from gensim.models import KeyedVectors

words = ["a", "b", "c", "d"]
numbers = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32) + 10


def cosines(is_asked_before, change):
    """By most_similar, by similarity, and by the definition."""
    table = KeyedVectors(3)
    table.add_vectors(words, numbers)
    if is_asked_before:
        table.most_similar("a")
    table.vectors = change(table.vectors)
    ranked = dict(table.most_similar("a"))
    rows = table.vectors / np.linalg.norm(table.vectors, axis=1, keepdims=True)
    return [[ranked[word] for word in words[1:]], [float(table.similarity("a", word)) for word in words[1:]], (rows @ rows[0])[1:].tolist()]


def is_near(these, those):
    return np.allclose(these, those, atol=1e-3)


is_so = True
for name, change in {"centered": lambda rows: rows - rows.mean(0), "times 5": lambda rows: rows * 5}.items():
    for is_asked_before in (False, True):
        ranked, similar, defined = cosines(is_asked_before, change)
        print(name, "asked before" if is_asked_before else "not asked before", "most_similar", ranked, "similarity", similar)
        is_so = is_so and is_near(similar, defined) and is_near(ranked, defined) != is_asked_before
        is_so = is_so and (name == "centered" or not is_asked_before or max(ranked) > 4.9)
sys.exit(not is_so)
END
/usr/bin/python3 centered.py
