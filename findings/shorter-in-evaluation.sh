#!/bin/sh
# In evaluation, a padded batch has fewer positions than in training.
#
# Software: PyTorch 1.13 (Debian's python3-torch; not installed here, since it takes 640 MB).
# Guess before running: TransformerEncoder without dropout gives the same shape and, at the positions that are not padding, the same numbers after eval()
# as after train().
# Seen: of six positions, two of them padding in every text, four are left in evaluation without gradients, and padding in the others is zeros. With
# gradients, or in training, there are six.
# Why it surprises: padding to a fixed length is the usual form of a batch. Scores no longer fit the labels; what sums or averages over positions gives
# other numbers, without an error, as soon as no text of the batch is full.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2> /dev/null || {
  echo "not tried: needs PyTorch 1.13 (Debian 12: apt-get install python3-torch)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > shorter.py <<'END'
import sys
import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2)
states = torch.randn(2, 6, 8)
is_padding = torch.tensor([[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]]).bool()


def encoded(is_training, with_gradients):
    with torch.set_grad_enabled(with_gradients):
        return encoder.train(is_training)(states, src_key_padding_mask=is_padding).detach()


found = {(mode, with_gradients): encoded(mode == "train", with_gradients) for mode in ("train", "eval") for with_gradients in (True, False)}
for (mode, with_gradients), result in found.items():
    print(mode, "with gradients" if with_gradients else "without gradients", list(result.shape), "mean over positions", result.mean(1)[0, :2].tolist())
short, whole = found["eval", False], found["train", True]
is_so = [list(result.shape) for result in found.values()] == 3 * [[2, 6, 8]] + [[2, 4, 8]]
is_so = is_so and torch.allclose(short[~is_padding[:, :4]], whole[~is_padding], atol=1e-5) and not short[1, 3].any() and whole[1, 3].any()
sys.exit(not is_so)
END
/usr/bin/python3 shorter.py 2> /dev/null
