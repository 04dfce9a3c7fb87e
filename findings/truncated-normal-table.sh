#!/bin/sh
# One entry in sixteen million of a table drawn from a truncated normal distribution is a hundred standard deviations off.
#
# Software: PyTorch 1.13 on the CPU (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: trunc_normal_(table, std=0.02) of the size of GPT-2's has no entry beyond 0.12, six standard deviations; in bfloat16 it is the same,
# coarser. (Half remembered: its limits, -2 and 2, are not in units of std.)
# Seen: three entries are -2 exactly with seed 1, none with seed 0; the next smallest is -0.11. In bfloat16 one in 256 is, and the table's deviation is
# 0.127 for 0.02. With limits of -0.04 and 0.04 nothing is beyond them.
# Why it surprises: truncation is asked for to keep such entries out, and normal_, which has no limits, does not make any. A row with a -2 has three to four times the
# norm of the others, and in a tied model it reads and scores so from the first step. Small tables pass every test.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > truncated.py <<'END'
import sys
import torch

found = {}
for dtype, rows in ((torch.float32, 50257), (torch.bfloat16, 2000)):
    for seed in (0, 1):
        for limits in ({}, {"a": -0.04, "b": 0.04}):
            torch.manual_seed(seed)
            table = torch.nn.init.trunc_normal_(torch.empty(rows, 768, dtype=dtype), std=0.02, **limits).float()
            least = table[table > -2].min().item()
            found[dtype, seed, bool(limits)] = values = (table == -2).sum().item(), least, table.std().item()
            print(f"{dtype}, {rows} x 768, seed {seed}, {limits or 'usual limits'}: {values[0]} entries are -2, the next is {least:.4f}; deviation {values[2]:.4f}")

single, half = torch.float32, torch.bfloat16
is_so = (
    [found[single, seed, False][0] for seed in (0, 1)] == [0, 3]
    and all(values[1] > -0.125 for (dtype, _, _), values in found.items() if dtype == single)
    and all(abs(found[half, seed, False][0] * 256 / (2000 * 768) - 1) < 0.1 and found[half, seed, False][2] > 0.12 for seed in (0, 1))
    and all(values[0] == 0 and values[1] > -0.0402 for (_, _, limited), values in found.items() if limited)
)
sys.exit(not is_so)
END
/usr/bin/python3 truncated.py
