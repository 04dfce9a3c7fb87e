// Cases of whole training steps (forward, backward, AdamW) on random tokens, and of decoding.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// "train/A", "train/B", "train/laboratory": transformers with RMSNorm, GELU, learned positions and biases in
// feed-forward layers, tied; with "/untied" behind they are not. "train/C": the direct path with two tables, V 2000, d
// 64, 1024 pairs; "train/C/tied" with one; "train/little" with V 65, d 16. "decode/laboratory": one token after
// another. Counted as operations are those of the matrix products, of the transformers as "products/<name>" counts
// them. "memory/train/50257x64": what a program holds that trains such a transformer, or (with "/direct-path" behind) a
// direct path, with two tables.
void add_training_steps(std::vector<Case>& cases);

}  // namespace tied::bench
