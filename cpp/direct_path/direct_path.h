// The direct path of a language model: the logit of every next token given the current one, through W_E and W_U alone.
#pragma once

#include <cstddef>
#include <optional>

#include "linalg/matrix_view.h"

namespace tied {

// Factors of A = E M U^T [V, V]; A(i, j) is the logit of token j given token i.
struct DirectPathFactors {
  ConstMatrixView<float> embedding;                   // E [V, d]
  std::optional<ConstMatrixView<float>> unembedding;  // U [V, d], one row per token; absent: tied, U = E
  std::optional<ConstMatrixView<float>> between;      // M [d, d]; absent: the identity
};

// The largest vocabulary for which the [V, V] matrix is formed: 4 V^2 bytes are then 1 GiB.
inline constexpr std::size_t kLargestDirectPathVocabSize = 16384;

// Errors: kShapeMismatch if E has no rows or no columns, U is not [V, d] or M not [d, d]; kNotFinite, naming the entry.
Status check_factors(const DirectPathFactors& factors);

// Computes the direct path in float: out = E M U^T [V, V]. out must not overlap the factors. Tied without M, it is
// symmetric to the last bit. With M, allocates [256, d].
// Errors: those of check_factors; kShapeMismatch if out is not [V, V]; kNotFinite if an entry leaves the range of float
// (out is then overwritten); kOutOfMemory.
Status direct_path_into(MatrixView<float> out, const DirectPathFactors& factors);

// The same as a new matrix. Errors: as above; kOutOfMemory for V > kLargestDirectPathVocabSize, before allocating.
Result<Matrix<float>> direct_path(const DirectPathFactors& factors);

}  // namespace tied
