#!/bin/sh
# Word vectors of a text are trained on its first 10,000 words only; all others keep random vectors.
#
# Software: gensim 4.2.0 (Debian's python3-gensim; not installed here, since that needs an administrator).
# Guess before running: Word2Vec on one list of 50,000 words moves the vectors of all words. A limit of 10,000 was known of the reader of files, which
# cuts longer lines into pieces; a list would be cut the same way.
# Seen: what is beyond the 10,000th word of a list is left out at every pass: of 500 words, each 100 times in a row, the first 100 have moved and 400 have
# the random vectors they began with. The vocabulary has all 500, with right counts. Cut into lists of 10,000 words, all have moved.
# Why it surprises: a token stream in one list is what every language model trains on. most_similar answers for the other words too, and the only sign is
# a return value, 50,000 of 250,000.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import gensim, sys; sys.exit(not gensim.__version__.startswith("4.2"))' 2> /dev/null || {
  echo "not tried: needs gensim 4.2 (Debian 12: apt-get install python3-gensim)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > stream.py <<'END'
import sys
import numpy as np
from gensim.models import Word2Vec

words = [f"w{i:03}" for i in range(500)]
stream = [word for word in words for _ in range(100)]
pieces = [stream[start : start + 10000] for start in range(0, len(stream), 10000)]
found = {}
for name, texts in {"one list": [stream], "lists of 10,000": pieces}.items():
    model = Word2Vec(vector_size=8, min_count=1, seed=1, workers=1, sample=0)
    model.build_vocab(texts)
    first = model.wv.vectors.copy()
    trained = model.train(texts, total_examples=len(texts), epochs=5)
    has_moved = (model.wv.vectors != first).any(1)
    moved = [word for word in words if has_moved[model.wv.key_to_index[word]]]
    counts = {model.wv.get_vecattr(word, "count") for word in words}
    found[name] = len(moved), moved[0], moved[-1], counts, trained
    print(f"{name}: {len(moved)} of {len(model.wv)} words have moved, {moved[0]} to {moved[-1]}; counts {counts}; train() returns {trained}")
sys.exit(list(found.values()) != [(100, "w000", "w099", {100}, (50000, 250000)), (500, "w000", "w499", {100}, (250000, 250000))])
END
/usr/bin/python3 stream.py
