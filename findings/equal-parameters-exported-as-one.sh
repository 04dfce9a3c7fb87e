#!/bin/sh
# Two tables that are equal when a model is exported are one table in the file.
#
# Software: PyTorch 1.13 and onnx 1.12 (Debian's python3-torch and python3-onnx; not installed here, since they take 640 MB).
# Guess before running: each parameter of the model becomes an initializer of its own; only parameters that are one object share one.
# Seen: an untied model whose head begins as a copy of the embedding is exported with one table, and both of its norms, all ones and zeros
# at first, become one norm: 1,680 parameters are 848. After one number is changed, the file has both tables.
# Why it surprises: whether parameters are tied is read off their numbers. Starting an untied head from the table is the usual way to untie;
# exported there for training elsewhere, the model is tied again, and two norms learn as one. No option is needed for this and no warning says so.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import onnx, torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 and onnx (Debian 12: apt-get install python3-torch python3-onnx)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > exported.py <<'END'
import io
import sys
from onnx import load_from_string, numpy_helper
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 16)
        self.first = nn.LayerNorm(16)
        self.map = nn.Parameter(torch.randn(16))
        self.second = nn.LayerNorm(16)
        self.head = nn.Parameter(self.embedding.weight.detach().clone())

    def forward(self, tokens):
        states = self.second(self.map * self.first(self.embedding(tokens)))
        return torch.einsum("btd,vd->btv", states, self.head)


def exported(model):
    """The names and the number of elements of the initializers."""
    file = io.BytesIO()
    torch.onnx.export(model, (torch.tensor([[1, 2, 3]]),), file, opset_version=15)
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in load_from_string(file.getvalue()).graph.initializer}
    named = {name: array for name, array in arrays.items() if name in dict(model.named_parameters())}
    return sorted(named), sum(array.size for array in named.values())


model = Model().eval()
count = sum(parameter.numel() for parameter in model.parameters())
equal = exported(model)
with torch.no_grad():
    model.head[0, 0] += 1
    model.second.weight[0] += 1
    model.second.bias[0] += 1
different = exported(model)
print("parameters of the model:", count)
print("equal numbers:    ", equal)
print("one number differs:", different)
sys.exit(not (count == different[1] == 1680 and "head" in different[0] and len(equal[0]) == 4 and equal[1] == 848))
END
/usr/bin/python3 exported.py 2> /dev/null
