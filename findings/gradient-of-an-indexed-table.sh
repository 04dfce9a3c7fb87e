#!/bin/sh
# Reading a table by its index gives another gradient at every run, on a CPU.
#
# Software: PyTorch 1.13 on the CPU with 4 threads (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: table[tokens] has the same gradient, to the bit, each time; that sums depend on the order of threads is a thing of graphics cards.
# (Half remembered: the kernel adds with atomic operations.)
# Seen: with 20,000 tokens, 13 of 30 backward passes on the same numbers had bits of their own. F.embedding, index_select, gather and one-hot rows always
# give one. With torch.use_deterministic_algorithms(True) so does table[tokens].
# Why it surprises: the two spellings are the same line of a model to most, and the forward pass is the same. With table[tokens], equal seeds on one
# machine train different models, while whoever looks for the cause looks at seeds, workers and data.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > indexed.py <<'END'
import sys
import torch
import torch.nn.functional as F

torch.set_num_threads(4)
torch.manual_seed(0)
size, width, count, most_runs = 5, 16, 20000, 500
tokens, gradients = torch.randint(0, size, (count,)), torch.randn(count, width)
ways = {
    "table[tokens]": lambda table: table[tokens],
    "embedding": lambda table: F.embedding(tokens, table),
    "index_select": lambda table: table.index_select(0, tokens),
    "gather": lambda table: table.gather(0, tokens[:, None].expand(-1, width)),
    "one-hot rows": lambda table: F.one_hot(tokens, size).float() @ table,
}


def different(read, runs):
    """How many different gradients come out; stops at the second after 30 runs."""
    seen = set()
    for run in range(runs):
        table = torch.zeros(size, width, requires_grad=True)
        (read(table) * gradients).sum().backward()
        seen.add(table.grad.numpy().tobytes())
        if run >= 29 and len(seen) > 1:
            break
    return len(seen)


found = {name: different(read, most_runs if name == "table[tokens]" else 100) for name, read in ways.items()}
torch.use_deterministic_algorithms(True)
found["table[tokens], deterministic"] = different(ways["table[tokens]"], 100)
print("different gradients:", found)
first, *others = found.values()
sys.exit(first < 2 or others != 5 * [1])
END
/usr/bin/python3 indexed.py
