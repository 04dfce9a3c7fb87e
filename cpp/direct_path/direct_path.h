// The direct path of a language model: the logit of every next token given the current one, along W_E W_U alone.
#pragma once

#include <cstddef>
#include <optional>

#include "linalg/matrix_view.h"

namespace tied {

// A = E M U^T [V, V]; A(i, j) is the logit of token j given token i.
struct DirectPathFactors {
  ConstMatrixView<float> embedding;                   // E [V, d]
  std::optional<ConstMatrixView<float>> unembedding;  // U [V, d], one row a token; absent: tied, U = E
  std::optional<ConstMatrixView<float>> between;      // M [d, d]; absent: the identity
};

// The largest vocabulary whose [V, V] matrix is formed at all: 4 V^2 bytes are 1 GiB there.
inline constexpr std::size_t kLargestDirectPathVocabSize = 16384;

// Errors: kShapeMismatch where E has no row or no column, U is not [V, d] or M not [d, d]; kNotFinite, naming the
// place.
Status check_factors(const DirectPathFactors& factors);

// out = E M U^T [V, V], in float; out may not overlap the factors. Tied without M it is symmetric to the last bit.
// Errors: those of check_factors; kShapeMismatch where out is not [V, V]; kNotFinite where an entry leaves the range of
// float (out is then written, and of no use); kOutOfMemory (with M alone, which takes [256, d] of its own).
Status direct_path_into(MatrixView<float> out, const DirectPathFactors& factors);

// The same as a new matrix. Errors: those above; kOutOfMemory for V > kLargestDirectPathVocabSize, before anything is
// taken.
Result<Matrix<float>> direct_path(const DirectPathFactors& factors);

}  // namespace tied
