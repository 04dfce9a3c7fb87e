// Cases of whole training steps with each head, on a text whose tokens are as frequent as those of a language.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// "head/<head>/tied" and "/untied": transformers of 50,257 tokens at width 64, 16 sequences of 64 tokens. The
// operations are those of the matrix products that the head needs, with the expected number of its rows: the distinct
// ones of 1,024 draws, the clusters of the tokens that occur, the tokens of a culled vocabulary.
void add_head_steps(std::vector<Case>& cases);

}  // namespace tied::bench
