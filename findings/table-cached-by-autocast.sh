#!/bin/sh
# Within one autocast, a tied head goes on using the table of its first call.
#
# Software: PyTorch 1.13 on the CPU (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: autocast around a whole training loop computes what autocast around each step does, since the cache of converted weights sees that a
# weight has changed; and a call under no_grad before the step, to show a sample, changes nothing.
# Seen: the loop reports the loss 0.87, and the model that it leaves has 4.25; with autocast around each step it is 1.34 and 1.33. The head's table in bfloat16 is
# that of the first call, while the embedding reads the new one. After a call under no_grad in the same autocast, the table's gradient lacks writing's part.
# Why it surprises: autocast is described as a choice of precision. In an untied model the head's gradient is then None, which one notices; the tied
# table still gets reading's part, so it trains, by one of its two roles, and the losses look like learning. With cache_enabled=False all is as guessed.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > cached.py <<'END'
import contextlib
import sys
import torch
from torch import nn
from torch.nn import functional

size, width = 20, 8


def tied_model():
    torch.manual_seed(0)
    embedding, head = nn.Embedding(size, width), nn.Linear(width, size, bias=False)
    head.weight = embedding.weight
    tokens = torch.randint(0, size, (64,))
    return embedding, lambda: functional.cross_entropy(head(embedding(tokens)).float(), (tokens + 1) % size)


def autocast(**options):
    return torch.autocast("cpu", dtype=torch.bfloat16, **options)


def losses(around_loop, around_step):
    """The last loss of 60 steps, and the loss of the model that is left, in single precision."""
    embedding, loss_of = tied_model()
    optimizer = torch.optim.SGD(embedding.parameters(), lr=0.5)
    with around_loop():
        for _ in range(60):
            with around_step():
                loss = loss_of()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        return loss.item(), loss_of().item()


def gradient(sample, **options):
    embedding, loss_of = tied_model()
    with autocast(**options):
        if sample:
            with torch.no_grad():
                loss_of()
        loss = loss_of()
    loss.backward()
    return embedding.weight.grad


none = contextlib.nullcontext
runs = {
    "autocast around each step": losses(none, autocast),
    "autocast around the loop": losses(autocast, none),
    "the same without the cache": losses(lambda: autocast(cache_enabled=False), none),
}
for name, (last, left) in runs.items():
    print(f"{name}: last loss {last:.3f}, loss of the model {left:.3f}")
whole, after_sample, without_cache = gradient(False), gradient(True), gradient(True, cache_enabled=False)
share = (after_sample.norm() / whole.norm()).item()
print(f"norm of the table's gradient after a call under no_grad: {share:.3f} of that without; equal without the cache: {torch.equal(whole, without_cache)}")

gaps = [abs(last - left) for last, left in runs.values()]
sys.exit(not (gaps[0] < 0.1 and gaps[1] > 2 and gaps[2] < 0.1 and share < 0.8 and torch.equal(whole, without_cache)))
END
/usr/bin/python3 cached.py
