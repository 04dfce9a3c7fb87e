// Cases of direct paths and of the bigrams of a text.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// Items are rows, 64 at a time, of a path with the final norm and the first feed-forward part:
// "readout/path/<V>x<d>": the logits of each row, and what they give on the pairs of a text;
// "readout/products/path/...": only the products. "bigrams/facts/<V>": what a text's pairs tell without a model, items
// are pairs; "bigrams/irreversibility/<V>" and "bigrams/cycles/<V>": of the same text, with one reversible sample.
void add_paths(std::vector<Case>& cases);

}  // namespace tied::bench
