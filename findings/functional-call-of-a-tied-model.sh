#!/bin/sh
# The gradient of a tied model's one table, taken through a functional call, lacks the part from writing.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: functional_call(model, parameters), with copies of all that named_parameters() lists, computes with them only; the
# gradient of the one table is that of backward(), the sum of both roles.
# Seen: the copy replaces the embedding and not the head, which goes on using the model's own table. The copy gets reading's part alone,
# the model's own table gets writing's part, and the two add up to the whole. A call with other numbers runs an untied model.
# Why it surprises: named_parameters() lists the table once, so the caller cannot name the head. Per-sample gradients, ensembles and
# meta-learning are written this way; they run without a warning and train the table by one of its two roles.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > call.py <<'END'
import sys
import torch
from torch import nn
from torch.nn.utils.stateless import functional_call

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.head = nn.Linear(8, 20, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        return self.head(self.embedding(tokens))


model = Model()
table = model.embedding.weight
tokens, targets = torch.tensor([1, 2, 3]), torch.tensor([2, 3, 4])
nn.functional.cross_entropy(model(tokens), targets).backward()
whole = table.grad.clone()
reading = torch.autograd.grad(nn.functional.cross_entropy(model.embedding(tokens) @ table.detach().T, targets), table)[0]
table.grad = None

copies = {name: parameter.detach().clone().requires_grad_() for name, parameter in model.named_parameters()}
nn.functional.cross_entropy(functional_call(model, copies, (tokens,)), targets).backward()
copied, kept = copies["embedding.weight"].grad, table.grad
print("named parameters:", list(copies))
print("norms: whole", whole.norm().item(), "reading", reading.norm().item(), "copy", copied.norm().item(), "model's own", kept.norm().item())
ones = {name: torch.ones_like(parameter) for name, parameter in model.named_parameters()}
scores = functional_call(model, ones, (tokens,)).detach()
print("score of token 0 with a table of ones:", scores[0, 0].item(), "(tied: 8)")
is_so = (
    list(copies) == ["embedding.weight"]
    and torch.allclose(copied, reading, atol=1e-6)
    and torch.allclose(copied + kept, whole, atol=1e-6)
    and not torch.allclose(copied, whole, atol=0.01)
    and torch.allclose(scores[0], table.detach().sum(1), atol=1e-5)
)
sys.exit(not is_so)
END
/usr/bin/python3 call.py
