#!/bin/sh
# In bfloat16, the gradient of a common word's row stops growing at the word's 256th occurrence.
#
# Software: PyTorch 1.13 on the CPU (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: a token that is read 1,000 times, each time with gradients of ones, has the gradient 1,000, as the head's row has: a sum in single
# precision, rounded once.
# Seen: 256 from F.embedding, from table[tokens] and from index_select, which add row by row in bfloat16, where 256 + 1 is 256. The same lookup written as
# a product with one-hot rows gives 1,000, and so does the head.
# Why it surprises: in a tied model, the table's gradient is the sum of a part from reading and one from writing. In this precision, the part from writing
# is right, and the other is cut off for exactly those words that occur most, so the balance of the two roles depends on the size of the batch.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > common.py <<'END'
import sys
import torch
import torch.nn.functional as F

size, width, count = 4, 8, 1000
tokens = torch.zeros(count, dtype=torch.long)
ways = {
    "embedding": lambda table: F.embedding(tokens, table),
    "table[tokens]": lambda table: table[tokens],
    "index_select": lambda table: table.index_select(0, tokens),
    "one-hot rows times table": lambda table: F.one_hot(tokens, size).to(table.dtype) @ table,
    "head: states times table": lambda table: torch.ones(count, width, dtype=table.dtype) @ table.T,
}
found = {}
for name, read in ways.items():
    for dtype in (torch.float32, torch.bfloat16):
        table = torch.ones(size, width, dtype=dtype, requires_grad=True)
        read(table).sum().backward()
        found[name, dtype] = table.grad[0, 0].item()
    print(f"{name}: {found[name, torch.float32]} in float32, {found[name, torch.bfloat16]} in bfloat16")
is_so = all(value == 1000 for (_, dtype), value in found.items() if dtype == torch.float32)
sys.exit(not is_so or [found[name, torch.bfloat16] for name in ways] != 3 * [256] + 2 * [1000])
END
/usr/bin/python3 common.py
