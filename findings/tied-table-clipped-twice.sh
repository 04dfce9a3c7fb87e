#!/bin/sh
# Clipping scales a tied table twice if the table is listed for both of its roles.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: clip_grad_norm_ of a list that names the tied table twice counts and scales it once, as model.parameters() does; or it warns, as the
# optimizers do for such a list.
# Seen: no warning. The norm counts the table twice, 10 for 7.75, and the table's gradient is multiplied by the factor twice: ones become 0.01, while those
# of the other layer become 0.1. With model.parameters() both become 0.129.
# Why it surprises: lists of parts, embedding, body and head, are usual where parts have learning rates of their own. The stronger the clipping, the less the
# table learns beside the rest, by the square of the factor, so tied and untied models are trained differently for a reason that is in neither.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > twice.py <<'END'
import sys
import warnings
import torch
from torch import nn

warnings.simplefilter("error")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.body, self.head = nn.Embedding(10, 4), nn.Linear(4, 4), nn.Linear(4, 10, bias=False)
        self.head.weight = self.embedding.weight


def clipped(listed):
    """The norm that is returned, and one number of the gradients afterwards; all gradients are ones before."""
    model = Model()
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    norm = nn.utils.clip_grad_norm_(listed(model), 1.0).item()
    return norm, model.embedding.weight.grad[0, 0].item(), model.body.weight.grad[0, 0].item()


once = clipped(lambda model: model.parameters())
twice = clipped(lambda model: [*model.embedding.parameters(), *model.body.parameters(), *model.head.parameters()])
for name, (norm, table, body) in {"model.parameters()": once, "a list of three parts": twice}.items():
    print(f"{name}: norm {norm:.4f}, then the table's gradients are {table:.4f}, the body's {body:.4f}")
close = lambda values, expected: all(abs(a - b) < 1e-4 for a, b in zip(values, expected))
sys.exit(not (close(once, (60**0.5, 60**-0.5, 60**-0.5)) and close(twice, (10, 0.01, 0.1))))
END
/usr/bin/python3 twice.py
