#!/bin/sh
# A tied model that is moved to the device "meta" has its table twice.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: model.to("meta") keeps the tie, as half(), double() and to("cpu") do, and the model has as many parameters as before.
# Seen: the embedding and the head are two parameters afterwards, and the count is larger by one table. to_empty(device="cpu") then makes two tables with
# memory of their own.
# Why it surprises: this device exists to handle a model's shape without its numbers: to count parameters, to plan memory, to load a checkpoint into. For
# a tied model, the count is of another model, and what is loaded into it trains untied.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > meta.py <<'END'
import sys
from torch import nn

moves = {
    "half()": lambda model: model.half(),
    "double()": lambda model: model.double(),
    'to("cpu")': lambda model: model.to("cpu"),
    'to("meta")': lambda model: model.to("meta"),
    'to("meta").to_empty(device="cpu")': lambda model: model.to("meta").to_empty(device="cpu"),
}
found = {}
for name, move in moves.items():
    model = nn.ModuleDict({"embedding": nn.Embedding(20, 8), "head": nn.Linear(8, 20, bias=False)})
    model["head"].weight = model["embedding"].weight
    move(model)
    is_tied = model["head"].weight is model["embedding"].weight
    found[name] = is_tied, sum(parameter.numel() for parameter in model.parameters())
    print(f"{name}: {'tied' if is_tied else 'untied'}, {found[name][1]} parameters")
sys.exit(list(found.values()) != 3 * [(True, 160)] + 2 * [(False, 320)])
END
/usr/bin/python3 meta.py
