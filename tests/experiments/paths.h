// How much of the bigrams of a text the direct path of a transformer knows: the verb `directPathReport`.
#pragma once

#include <string>

#include "readouts.h"

namespace tied::experiments {

// On the validation pairs, with the bigrams of the training tokens: of the path through the two tables, with the final
// norm, and with the first feed-forward part too, and of the whole model. `at` follows the names of the quantities.
Status measure_paths(Trainer<float>& trainer, const Split& split, const std::string& at, const Print& print);

// Of the bigrams and of single tokens, on the same pairs.
Status measure_bigrams(const Split& split, const Print& print);

}  // namespace tied::experiments
