#!/bin/sh
# Weight normalization of a tied head leaves two parameters in one memory.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: weight_norm makes the head's direction a copy, and the model is untied; or it keeps the shared parameter, and the model
# is tied. Either way each number in memory belongs to one parameter.
# Seen: the embedding and the head's direction are two parameters, counted twice, on one storage. A step of plain gradient descent with
# gradients of ones moves the table by twice the learning rate. model.double() parts them, and it then moves by once.
# Why it surprises: every way to ask says untied (other names, "is", the count of parameters), and every step changes both. An
# optimizer keeps two states for one table, decays it twice, and a change of precision changes which model is trained.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > norm.py <<'END'
import sys
import torch
from torch import nn

torch.manual_seed(0)


def normalized():
    model = nn.ModuleDict({"embedding": nn.Embedding(20, 8), "head": nn.Linear(8, 20, bias=False)})
    model["head"].weight = model["embedding"].weight
    nn.utils.weight_norm(model["head"])
    return model


def moved(model):
    """By how many learning rates the embedding moves if all gradients are ones."""
    table = model["embedding"].weight
    before = table.detach().clone()
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    torch.optim.SGD(model.parameters(), lr=0.5).step()
    return ((before - table.detach()) / 0.5).mean().item()


model, parted = normalized(), normalized().double()
table, direction = model["embedding"].weight, model["head"].weight_v
found = {
    "same parameter": table is direction,
    "same memory": table.data_ptr() == direction.data_ptr(),
    "counted": sum(parameter.numel() for parameter in model.parameters()),
    "same memory after double()": parted["embedding"].weight.data_ptr() == parted["head"].weight_v.data_ptr(),
    "moved": round(moved(model), 3),
    "moved after double()": round(moved(parted), 3),
}
print(found)
sys.exit(list(found.values()) != [False, True, 2 * 160 + 20, False, 2.0, 1.0])
END
/usr/bin/python3 norm.py
