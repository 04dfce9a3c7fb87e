#!/bin/sh
# Making the pruning of a head permanent prunes the embedding, and changes what the model computes.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: prune.l1_unstructured on the head of a tied model refuses, or prunes the shared table, so that both roles see zeros.
# Seen: after l1_unstructured the head is masked and the embedding is not: the model is untied, while it still has one table of
# parameters. prune.remove ties them again and writes the zeros into the table that both share: the outputs change.
# Why it surprises: prune.remove is meant to make permanent what is already computed. Losses measured between the two calls are not those of the model that is saved after the second.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pruned.py <<'END'
import sys
import torch
from torch import nn
from torch.nn.utils import prune

torch.manual_seed(0)
embedding = nn.Embedding(100, 16)
head = nn.Linear(16, 100, bias=False)
head.weight = embedding.weight
tokens = torch.arange(100)


def zeros(table):
    return (table == 0).float().mean().item()


prune.l1_unstructured(head, "weight", amount=0.5)
between = {"embedding": zeros(embedding.weight), "head": zeros(head.weight), "same": head.weight is embedding.weight}
scores = head(embedding(tokens)).detach()
prune.remove(head, "weight")
after = {"embedding": zeros(embedding.weight), "head": zeros(head.weight), "same": head.weight is embedding.weight}
change = (head(embedding(tokens)) - scores).abs().max().item()
print("shares of zeros after pruning:", between)
print("shares of zeros after remove: ", after)
print("largest change of a score by remove:", change)
expected = (
    between == {"embedding": 0.0, "head": 0.5, "same": False}
    and after == {"embedding": 0.5, "head": 0.5, "same": True}
    and change > 1
)
sys.exit(not expected)
END
/usr/bin/python3 pruned.py
