// What heads have in common that multiply with some rows of the unembedding at a time.
#pragma once

#include "model/head.h"

namespace tied {

// Instead of a token's place in a subset that does not have it.
inline constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

// A subset is a list of token ids and a copy of their rows.
template <class T>
class SubsetHead : public Head<T> {
 protected:
  // Copies the rows of these tokens to the first n rows of `rows`.
  void gather(const MatrixView<T>& rows, const std::uint32_t* ids, std::size_t n) const;

  // z [m, rows.rows]: the logits of n = z.cols tokens, or of n = z.cols - 1, whose last row is 0.
  void subset_logits(const MatrixView<T>& z, const ConstMatrixView<T>& read_out, const ConstMatrixView<T>& rows,
                     const std::uint32_t* ids, std::size_t n) const;

  // From the gradient dz of z, which it overwrites: adds the gradients of the tokens' rows and biases, and writes that
  // of read_out. rows_gradient: a buffer of the shape of rows.
  void subset_backward(const MatrixView<T>& dz, const ConstMatrixView<T>& read_out, const ConstMatrixView<T>& rows,
                       const std::uint32_t* ids, std::size_t n, const MatrixView<T>& rows_gradient,
                       const MatrixView<T>& read_out_gradient);

  // Logit of one token, and the same for its row and bias; `gradient` is that of the logit. Returns its product with
  // the scale of the logits, to be multiplied with the row for the gradient of read_out.
  T logit_of(const T* read_out, std::uint32_t token) const;
  T backward_logit(T gradient, const T* read_out, std::uint32_t token);

  // Before a backward pass of the full head.
  void touch_all();

  std::size_t d_model() const { return this->parameters_->values(this->ends_.unembedding).cols; }
  const T* bias() const;
};

}  // namespace tied
