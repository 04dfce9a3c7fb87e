// The common part of heads that multiply with some rows of the unembedding at a time.
#pragma once

#include "model/head.h"

namespace tied {

// In place of a token's index in a subset that does not contain the token.
inline constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

template <class T>
class SubsetHead : public Head<T> {
 protected:
  // n tokens and the rows of their vectors.
  struct Subset {
    const std::uint32_t* ids = nullptr;  // [n]
    std::size_t n = 0;
    ParameterIndex table = kNoParameter;
    const std::uint32_t* places = nullptr;  // [n]: rows of the table; null: the first n

    std::size_t place(std::size_t j) const { return places == nullptr ? j : places[j]; }
  };
  Subset subset(const std::uint32_t* ids, std::size_t n) const { return {ids, n, this->ends_.unembedding, ids}; }

  // Copies the vectors to the first n rows of `rows`; of a wider table, its first columns.
  void gather(const MatrixView<T>& rows, const Subset& tokens) const;

  // z [m, rows.rows] = s read_out rows^T, with the tokens' biases in its first n columns. Other rows belong to no
  // token.
  void subset_logits(const MatrixView<T>& z, const ConstMatrixView<T>& read_out, const ConstMatrixView<T>& rows,
                     const Subset& tokens) const;

  // From the gradient dz of z, which it overwrites: adds the gradients of the tokens' vectors and biases, and writes
  // those of read_out and rows.
  void subset_backward(const MatrixView<T>& dz, const ConstMatrixView<T>& read_out, const ConstMatrixView<T>& rows,
                       const Subset& tokens, const MatrixView<T>& rows_gradient,
                       const MatrixView<T>& read_out_gradient);

  // Logit of one token, and the same for its row and bias; `gradient` is that of the logit. Returns its product with
  // the scale of the logits, to be multiplied with the row for the gradient of read_out.
  T logit_of(const T* read_out, std::uint32_t token) const;
  T backward_logit(T gradient, const T* read_out, std::uint32_t token);

  // Before a backward pass of the full head.
  void touch_all();

  // Columns of the table: d, or r if it is factorized.
  std::size_t table_width() const { return this->parameters_->values(this->ends_.unembedding).cols; }
  const T* bias() const;
};

}  // namespace tied
