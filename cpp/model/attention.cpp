#include "model/attention.h"

#include <algorithm>
#include <cmath>

#include "linalg/attention.h"
#include "linalg/dropout.h"
#include "linalg/matmul.h"

namespace tied {
namespace {

// Rows [first, first + rows) of a head, which look at `cols` tokens at most.
template <class T>
struct Block {
  std::size_t head;
  std::size_t kv_head;
  std::size_t first;
  std::size_t rows;
  std::size_t cols;
  std::size_t width;

  // Its first row looks at so many tokens before its own.
  std::size_t row_offset() const { return cols - rows; }

  // What the block's queries, keys or values are in views of all heads.
  template <class Number>
  MatrixView<Number> of_queries(MatrixView<Number> queries) const {
    return {queries.data + first * queries.stride + head * width, rows, width, queries.stride};
  }
  template <class Number>
  MatrixView<Number> of_keys(MatrixView<Number> keys) const {
    return {keys.data + kv_head * width, cols, width, keys.stride};
  }
};

template <class T, class Function>
void for_each_block(const AttentionSequence<T>& sequence, Function function) {
  const std::size_t n = sequence.queries.rows;
  const std::size_t m = sequence.keys.rows;
  const std::size_t group = sequence.n_heads / sequence.n_kv_heads;
  for (std::size_t head = 0; head < sequence.n_heads; ++head) {
    for (std::size_t first = 0; first < n; first += kAttentionBlockRows) {
      const std::size_t rows = std::min(kAttentionBlockRows, n - first);
      function(
          Block<T>{head, head / group, first, rows, m - n + first + rows, sequence.queries.cols / sequence.n_heads});
    }
  }
}

template <class T>
T scale_for(std::size_t width) {
  return static_cast<T>(1 / std::sqrt(static_cast<double>(width)));
}

template <class T>
MatrixView<T> probabilities_of(const AttentionSequence<T>& sequence, const Block<T>& block) {
  const std::size_t m = sequence.keys.rows;
  const std::size_t row = sequence.kept ? block.head * sequence.queries.rows + block.first : 0;
  return {sequence.probabilities + row * m, block.rows, block.cols, m};
}

template <class T>
void compute_probabilities(MatrixView<T> out, const AttentionSequence<T>& sequence, const Block<T>& block) {
  matmul_nt(out, block.of_queries(sequence.queries), block.of_keys(sequence.keys), Accumulate::kOverwrite,
            block.row_offset());
  causal_softmax_rows(out, scale_for<T>(block.width), block.row_offset());
}

// Up to the diagonal: what stands above it is zero, or is never read.
template <class T>
void drop(MatrixView<T> x, const AttentionSequence<T>& sequence, const Block<T>& block) {
  const AttentionDropout& dropout = sequence.dropout;
  const std::size_t n = sequence.queries.rows;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const std::uint64_t row = block.head * n + block.first + i;
    tied::dropout(x.row(i), block.row_offset() + i + 1, dropout.share, dropout.key, dropout.first + row * n);
  }
}

// What values are weighted by: the probabilities, or a copy of them with some dropped.
template <class T>
ConstMatrixView<T> weights_of(const AttentionSequence<T>& sequence, const Block<T>& block,
                              MatrixView<T> probabilities) {
  if (sequence.dropout.share == 0) return probabilities;
  const MatrixView<T> dropped(sequence.dropped, block.rows, block.cols);
  for (std::size_t i = 0; i < block.rows; ++i) std::copy_n(probabilities.row(i), block.cols, dropped.row(i));
  drop(dropped, sequence, block);
  return dropped;
}

}  // namespace

template <class T>
void attention_forward(const MatrixView<T>& mixed, const AttentionSequence<T>& sequence) {
  for_each_block(sequence, [&](const Block<T>& block) {
    const MatrixView<T> probabilities = probabilities_of(sequence, block);
    compute_probabilities(probabilities, sequence, block);
    matmul_nn(block.of_queries(mixed), weights_of(sequence, block, probabilities), block.of_keys(sequence.values),
              Accumulate::kOverwrite, block.row_offset());
  });
}

template <class T>
void attention_backward(const MatrixView<T>& gradient, const Deduced<ConstMatrixView<T>>& dmixed,
                        const AttentionSequence<T>& sequence, T* probability_gradient) {
  const std::size_t query_cols = sequence.queries.cols;
  const std::size_t key_cols = sequence.keys.cols;
  TIED_ASSERT(gradient.cols == query_cols + 2 * key_cols);
  // Keys and values gather from many blocks.
  for (std::size_t i = 0; i < gradient.rows; ++i) std::fill_n(gradient.row(i) + query_cols, 2 * key_cols, T{0});
  const MatrixView<T> dkeys(gradient.data + query_cols, gradient.rows, key_cols, gradient.stride);
  const MatrixView<T> dvalues(dkeys.data + key_cols, gradient.rows, key_cols, gradient.stride);
  for_each_block(sequence, [&](const Block<T>& block) {
    const MatrixView<T> probabilities = probabilities_of(sequence, block);
    if (!sequence.kept) compute_probabilities(probabilities, sequence, block);
    const MatrixView<T> dscores(probability_gradient, block.rows, block.cols);
    const ConstMatrixView<T> dmixed_block = block.of_queries(dmixed);
    const std::size_t row_offset = block.row_offset();
    matmul_nt(dscores, dmixed_block, block.of_keys(sequence.values), Accumulate::kOverwrite, row_offset);
    matmul_tn(block.of_keys(dvalues), weights_of(sequence, block, probabilities), dmixed_block, Accumulate::kAdd,
              row_offset);
    if (sequence.dropout.share != 0) drop(dscores, sequence, block);
    causal_softmax_rows_backward(dscores, probabilities, scale_for<T>(block.width), row_offset);
    matmul_nn(block.of_queries(gradient), dscores, block.of_keys(sequence.keys), Accumulate::kOverwrite, row_offset);
    matmul_tn(block.of_keys(dkeys), dscores, block.of_queries(sequence.queries), Accumulate::kAdd, row_offset);
  });
}

template <class T>
void attention_probabilities(const MatrixView<T>& out, const AttentionSequence<T>& sequence) {
  const std::size_t n = sequence.queries.rows;
  for (std::size_t i = 0; i < out.rows; ++i) std::fill_n(out.row(i), out.cols, T{0});
  for_each_block(sequence, [&](const Block<T>& block) {
    const MatrixView<T> rows = out.row_block(block.head * n + block.first, block.rows);
    compute_probabilities(MatrixView<T>(rows.data, block.rows, block.cols, rows.stride), sequence, block);
  });
}

#define TIED_INSTANTIATE(T)                                                                                         \
  template void attention_forward<T>(const MatrixView<T>&, const AttentionSequence<T>&);                            \
  template void attention_backward<T>(const MatrixView<T>&, const ConstMatrixView<T>&, const AttentionSequence<T>&, \
                                      T*);                                                                          \
  template void attention_probabilities<T>(const MatrixView<T>&, const AttentionSequence<T>&)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
