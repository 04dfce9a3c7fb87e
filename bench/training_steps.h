// Cases of whole training steps (forward, backward, AdamW) on random tokens, and of decoding.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// "train/A", "train/B", "train/laboratory": transformers with RMSNorm, GELU, learned positions and biases in
// feed-forward layers. "train/C": the direct path, V 2000, d 64, 1024 pairs; "train/little" with V 65, d 16. All are
// tied; those with "/untied" behind are not. "decode/laboratory": one token after another. Counted as operations are
// those of the matrix products, of the transformers as "products/<name>" counts them.
void add_training_steps(std::vector<Case>& cases);

}  // namespace tied::bench
