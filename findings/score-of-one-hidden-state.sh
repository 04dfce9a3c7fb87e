#!/bin/sh
# In bfloat16, the scores of one hidden state are other numbers than those of two.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB), its own products on the CPU: oneDNN, which takes
# over large ones on processors with AVX-512 only, is switched off.
# Guess before running: a table of ones, 768 wide, times a state of ones is 768 in every spelling: sums in single precision, rounded once.
# Seen: table @ state, a matrix by a vector, and dot give 256: they add in bfloat16, where 256 + 1 is 256. state @ table.T, linear and two states at
# once give 768. With normal numbers table @ state is off by twenty times as much as the others.
# Why it surprises: writing text one token at a time takes the first form, training and evaluation the second, so a model's scores
# depend on how many positions are asked for, and the sum is wrong by a factor of three without anything out of range.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > scores.py <<'END'
import sys
import torch
from torch.nn.functional import linear

torch.backends.mkldnn.set_flags(False)
torch.manual_seed(0)


def spellings(table, state):
    return {
        "table @ state": table @ state,
        "state @ table.T": state @ table.T,
        "linear of one": linear(state, table),
        "linear of two": linear(torch.stack([state, state]), table)[0],
    }


ones = torch.ones(5000, 768, dtype=torch.bfloat16)
found = {name: scores[0].item() for name, scores in spellings(ones, ones[0]).items()}
found["dot"] = torch.dot(ones[0], ones[0]).item()
print("of ones:", found)
table, state = torch.randn(5000, 768).bfloat16(), torch.randn(768).bfloat16()
exact = table.double() @ state.double()
errors = {name: (scores.double() - exact).abs().mean().item() for name, scores in spellings(table, state).items()}
print("mean error of normal numbers:", errors)
is_so = list(found.values()) == [256.0, 768.0, 768.0, 768.0, 256.0] and errors["table @ state"] > 10 * max(list(errors.values())[1:])
sys.exit(not is_so)
END
/usr/bin/python3 scores.py
