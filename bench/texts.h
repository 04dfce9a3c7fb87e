// Cases of byte pair encoding.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// "text/train/10MB": 4,096 tokens learned from ten million bytes. "text/encode/10MB": that text encoded with them. The
// text has 60,000 made-up words with the skewed frequencies of a natural language. With the suffix "/stories" it is
// generated stories, which have few distinct words.
void add_texts(std::vector<Case>& cases);

}  // namespace tied::bench
