// How often one token follows another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "linalg/matrix_view.h"

namespace tied {

// The largest vocabulary for which the [V, V] table of float counts is formed: 4 V^2 bytes are then 1 GiB.
inline constexpr std::size_t kLargestBigramVocabSize = 16384;
// A float represents every integer up to 2^24, so counts up to there are exact.
inline constexpr std::uint32_t kLargestBigramCount = 1u << 24;

// counts[i, j] = how often j follows i in `ids`; [vocab_size, vocab_size]. They sum to ids.size() - 1.
// Errors: kInvalidArgument for fewer than two ids, for vocab_size < 2, for an id that is not below vocab_size (naming
// its index), and for a pair that occurs more than 2^24 times; kOutOfMemory, also for vocab_size >
// kLargestBigramVocabSize. Sizes are checked before allocating.
Result<Matrix<float>> count_bigrams(std::span<const std::uint32_t> ids, std::size_t vocab_size);

// The sum of all counts, exact.
double total_count(ConstMatrixView<float> counts);

// ||(A - A^T) / 2||_F / ||A||_F in [0, 1] for the square table A, accumulated in double; 0 for a table of zeros.
double count_asymmetry(ConstMatrixView<float> counts);

}  // namespace tied
