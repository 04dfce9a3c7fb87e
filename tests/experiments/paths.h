// How much of a text's bigrams the direct path of a transformer knows: the verb `directPathReport`.
#pragma once

#include <string>

#include "readouts.h"

namespace tied::experiments {

// On the validation pairs, with the bigrams of the training tokens: for the path through the two tables, also with the
// final norm, also with the first feed-forward part, and for the whole model. `at` follows the names of the quantities.
Status measure_paths(Trainer<float>& trainer, const Split& split, const std::string& at, const Print& print);

// For the bigrams and for single tokens, on the same pairs.
Status measure_bigrams(const Split& split, const Print& print);

}  // namespace tied::experiments
