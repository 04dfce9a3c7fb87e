#!/bin/sh
# Clipping by norm leaves the gradient of a sparse embedding as it is.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: clip_grad_norm_ measures and scales the gradient of Embedding(sparse=True) as that of a dense one, repeated tokens included.
# Seen: it returns the right norm, 5.48, and the gradient still has that norm afterwards where 1 was asked for; a dense layer clipped in the same call is
# scaled by the right factor. With each token once, with coalesce() before, or in EmbeddingBag it is the same. norm_type=1 does nothing either.
# Why it surprises: sparse gradients exist for large tables, and a rare token's first large gradient is what clipping is for. The returned norm, which one
# logs, is right, nothing is raised, and the rest of the model is scaled down because of a table that is not.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > clip.py <<'END'
import sys
import torch
from torch import nn

found = {}
for name, sparse in {"dense": False, "sparse": True}.items():
    torch.manual_seed(1)
    embedding, layer = nn.Embedding(5, 3, sparse=sparse), nn.Linear(3, 1)
    embedding(torch.tensor([1, 1, 1, 2])).sum().backward()
    layer(torch.ones(1, 3)).sum().backward()
    norm = nn.utils.clip_grad_norm_([*embedding.parameters(), *layer.parameters()], 1.0).item()
    after = [parameter.grad.to_dense().norm().item() if parameter.grad.is_sparse else parameter.grad.norm().item() for parameter in (embedding.weight, layer.weight)]
    found[name] = norm, *after
    print(f"{name}: norm {norm:.4f} is clipped to 1; then the embedding's gradient has {after[0]:.4f}, the layer's {after[1]:.4f}")

once = nn.Embedding(5, 3, sparse=True)
once(torch.tensor([1, 2])).sum().backward()
once.weight.grad = once.weight.grad.coalesce()
asked = nn.utils.clip_grad_norm_(once.parameters(), 1.0).item()
left = once.weight.grad.to_dense().norm().item()
print(f"each token once, coalesced: {asked:.4f} before, {left:.4f} after")

close = lambda a, b: abs(a - b) < 1e-4
norm = (30 + 3 + 1) ** 0.5  # three and one gradients of (1, 1, 1), the layer's weights and its bias
is_so = (
    all(close(values[0], norm) and close(values[2], 3**0.5 / norm) for values in found.values())
    and close(found["dense"][1], 30**0.5 / norm)
    and close(found["sparse"][1], 30**0.5)
    and close(asked, left)
)
sys.exit(not is_so)
END
/usr/bin/python3 clip.py
