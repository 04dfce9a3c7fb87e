#!/bin/sh
# Making the head of a tied model orthogonal replaces the embedding by minus the identity, with zeros below.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: parametrizations.orthogonal(head) leaves the embedding's numbers as they are (then the two are untied), or makes both one
# orthogonal matrix.
# Seen: the head becomes orthogonal. The embedding of 20 tokens, 8 wide, becomes -1 on its diagonal and 0 elsewhere: 12 tokens have rows of zeros. It is
# the parameter from which the head is computed, so every step on either moves both. spectral_norm, called the same way, leaves the numbers.
# Why it surprises: the call names the head only. Of what the other role has learned nothing is left, most tokens read the same, and nothing is raised.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > orthogonal.py <<'END'
import sys
import torch
from torch import nn
from torch.nn.utils import parametrizations

found = {}
for name in ("orthogonal", "spectral_norm"):
    torch.manual_seed(0)
    model = nn.ModuleDict({"embedding": nn.Embedding(20, 8), "head": nn.Linear(8, 20, bias=False)})
    model["head"].weight = model["embedding"].weight
    before = model["embedding"].weight.detach().clone()
    getattr(parametrizations, name)(model["head"])
    embedding, head = model["embedding"].weight.detach(), model["head"].weight.detach()
    found[name] = {
        "embedding moved by": (embedding - before).abs().max().item(),
        "head orthogonal": torch.allclose(head.T @ head, torch.eye(8), atol=1e-5),
        "embedding minus the identity": torch.equal(embedding, -torch.eye(20, 8)),
        "rows of zeros": (~embedding.any(1)).sum().item(),
        "one parameter": model["embedding"].weight is model["head"].parametrizations.weight.original,
    }
    print(name, found[name])
moved, *others = found["orthogonal"].values()
sys.exit(moved < 1 or others != [True, True, 12, True] or found["spectral_norm"]["embedding moved by"] != 0)
END
/usr/bin/python3 orthogonal.py
