#include "model/attention.h"

#include <algorithm>
#include <cmath>

#include "linalg/attention.h"
#include "linalg/dropout.h"
#include "linalg/matmul.h"

namespace tied {
namespace {

// Rows [first, first + rows), which attend to at most `cols` tokens, of one or several heads that are processed
// together: of every `group`-th query head from `head` on, and of every key and value head from `kv_head` on.
template <class T>
struct Block {
  std::size_t head;
  std::size_t kv_head;
  std::size_t heads;
  std::size_t group;
  std::size_t first;
  std::size_t rows;
  std::size_t cols;
  std::size_t width;
  AttentionMask mask;

  // Tokens before the block's first row, or kWholeProduct without a mask.
  std::size_t row_offset() const { return mask == AttentionMask::kCausal ? cols - rows : kWholeProduct; }
  // The tokens that row i attends to.
  std::size_t row_cols(std::size_t i) const { return mask == AttentionMask::kCausal ? cols - rows + i + 1 : cols; }

  // The block's queries, keys or values in a view of all heads: those of its first head.
  template <class Number>
  MatrixView<Number> of_queries(MatrixView<Number> queries) const {
    return {queries.data + first * queries.stride + head * width, rows, width, queries.stride};
  }
  template <class Number>
  MatrixView<Number> of_keys(MatrixView<Number> keys) const {
    return {keys.data + kv_head * width, cols, width, keys.stride};
  }
  // The distance to the same of the next head.
  std::size_t query_step() const { return group * width; }
  std::size_t key_step() const { return width; }
};

// Several heads at once if `together`, otherwise one by one. Either way, the blocks of a key and value head come in the
// same order, in which their gradients accumulate.
template <class T, class Function>
void for_each_block(const AttentionSequence<T>& sequence, bool together, Function function) {
  const std::size_t n = sequence.queries.rows;
  const std::size_t m = sequence.keys.rows;
  const std::size_t group = sequence.n_heads / sequence.n_kv_heads;
  const std::size_t heads = together ? sequence.n_kv_heads : 1;
  for (std::size_t head = 0; head < sequence.n_heads / heads; ++head) {
    for (std::size_t first = 0; first < n; first += kAttentionBlockRows) {
      const std::size_t rows = std::min(kAttentionBlockRows, n - first);
      const std::size_t cols = sequence.mask == AttentionMask::kCausal ? m - n + first + rows : m;
      function(Block<T>{head, head / group, heads, group, first, rows, cols, sequence.queries.cols / sequence.n_heads,
                        sequence.mask});
    }
  }
}

template <class T>
T scale_for(std::size_t width) {
  return static_cast<T>(1 / std::sqrt(static_cast<double>(width)));
}

// One matrix of scores or probabilities per head of a block.
template <class T>
struct Scores {
  MatrixView<T> first;
  std::size_t step;

  MatrixView<T> of(std::size_t i) const { return {first.data + i * step, first.rows, first.cols, first.stride}; }
};

// The matrices of `block` within those of all heads [n_heads n, m], with n queries each.
template <class T>
Scores<T> part_of(const MatrixView<T>& all, std::size_t n, const Block<T>& block) {
  return {{all.row(block.head * n + block.first), block.rows, block.cols, all.stride}, block.group * n * all.stride};
}

template <class T>
Scores<T> probabilities_of(const AttentionSequence<T>& sequence, const Block<T>& block) {
  const std::size_t n = sequence.queries.rows;
  const std::size_t m = sequence.keys.rows;
  if (sequence.stored) return part_of<T>({sequence.probabilities, sequence.n_heads * n, m}, n, block);
  return {{sequence.probabilities, block.rows, block.cols, m}, 0};
}

// Consecutive matrices in `buffer`.
template <class T>
Scores<T> scores_in(T* buffer, const Block<T>& block) {
  return {{buffer, block.rows, block.cols}, block.rows * block.cols};
}

template <class T>
void compute_probabilities(const Scores<T>& out, const AttentionSequence<T>& sequence, const Block<T>& block) {
  matmul_nt({block.heads, out.step, block.query_step(), block.key_step()}, out.first,
            block.of_queries(sequence.queries), block.of_keys(sequence.keys), Accumulate::kOverwrite,
            block.row_offset());
  for (std::size_t i = 0; i < block.heads; ++i) {
    attention_softmax_rows(out.of(i), scale_for<T>(block.width), block.row_offset());
  }
}

// The part that the mask leaves: other entries are zero or never read.
template <class T>
void drop(const Scores<T>& x, const AttentionSequence<T>& sequence, const Block<T>& block) {
  const AttentionDropout& dropout = sequence.dropout;
  const std::size_t n = sequence.queries.rows;
  const std::size_t m = sequence.keys.rows;
  for (std::size_t head = 0; head < block.heads; ++head) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      const std::uint64_t row = (block.head + head * block.group) * n + block.first + i;
      tied::dropout(x.of(head).row(i), block.row_cols(i), dropout.rate, dropout.key, dropout.first + row * m);
    }
  }
}

// The weights of the values: the probabilities, or a copy of them with dropout.
template <class T>
Scores<T> weights_of(const AttentionSequence<T>& sequence, const Block<T>& block, const Scores<T>& probabilities) {
  if (sequence.dropout.rate == 0) return probabilities;
  const Scores<T> dropped = scores_in(sequence.dropped, block);
  for (std::size_t head = 0; head < block.heads; ++head) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      std::copy_n(probabilities.of(head).row(i), block.cols, dropped.of(head).row(i));
    }
  }
  drop(dropped, sequence, block);
  return dropped;
}

// A single query, without dropout. Scores take little time if they are as many as are summed at a time, so those of a
// few more keys are computed; the softmax of one head hides the latency of the others.
template <class T>
void attend_alone(const MatrixView<T>& mixed, const AttentionSequence<T>& sequence) {
  constexpr std::size_t kAtATime = 16;
  const std::size_t m = sequence.keys.rows;
  const std::size_t scored = std::min((m + kAtATime - 1) / kAtATime * kAtATime, sequence.readable_keys);
  const std::size_t width = mixed.cols / sequence.n_heads;
  const std::size_t group = sequence.n_heads / sequence.n_kv_heads;
  const MatrixView<T> scores(sequence.row_scores, sequence.n_heads, m, scored);
  const auto of_head = [&](const ConstMatrixView<T>& all, std::size_t head, std::size_t rows) {
    return ConstMatrixView<T>(all.data + head * width, rows, width, all.stride);
  };
  for (std::size_t head = 0; head < sequence.n_heads; ++head) {
    matmul_nt(MatrixView<T>(scores.row(head), 1, scored), of_head(sequence.queries, head, 1),
              of_head(sequence.keys, head / group, scored));
  }
  attention_softmax_rows(scores, scale_for<T>(width), kWholeProduct, scored - m);
  for (std::size_t head = 0; head < sequence.n_heads; ++head) {
    matmul_nn(MatrixView<T>(mixed.data + head * width, 1, width), scores.row_block(head, 1),
              of_head(sequence.values, head / group, m));
  }
}

}  // namespace

template <class T>
void attention_forward(const MatrixView<T>& mixed, const AttentionSequence<T>& sequence) {
  if (sequence.row_scores != nullptr) {
    attend_alone(mixed, sequence);
    return;
  }
  for_each_block(sequence, sequence.stored, [&](const Block<T>& block) {
    const Scores<T> probabilities = probabilities_of(sequence, block);
    compute_probabilities(probabilities, sequence, block);
    const Scores<T> weights = weights_of(sequence, block, probabilities);
    matmul_nn({block.heads, block.query_step(), weights.step, block.key_step()}, block.of_queries(mixed), weights.first,
              block.of_keys(sequence.values), Accumulate::kOverwrite, block.row_offset());
  });
}

template <class T>
void attention_backward(const AttentionGradients<T>& gradients, const Deduced<ConstMatrixView<T>>& dmixed,
                        const AttentionSequence<T>& sequence, T* probability_gradient) {
  const MatrixView<T>& dqueries = gradients.queries;
  const MatrixView<T>& dkeys = gradients.keys;
  const MatrixView<T>& dvalues = gradients.values;
  TIED_ASSERT(dqueries.cols == sequence.queries.cols && dkeys.cols == sequence.keys.cols);
  // They accumulate over many blocks.
  for (const MatrixView<T>& sums : {dkeys, dvalues}) {
    for (std::size_t i = 0; i < sums.rows; ++i) std::fill_n(sums.row(i), sums.cols, T{0});
  }
  for_each_block(sequence, sequence.stored, [&](const Block<T>& block) {
    const std::size_t heads = block.heads;
    const std::size_t query_step = block.query_step();
    const std::size_t key_step = block.key_step();
    const std::size_t row_offset = block.row_offset();
    const Scores<T> probabilities = probabilities_of(sequence, block);
    if (!sequence.stored) compute_probabilities(probabilities, sequence, block);
    const Scores<T> dscores = scores_in(probability_gradient, block);
    const ConstMatrixView<T> dmixed_block = block.of_queries(dmixed);
    matmul_nt({heads, dscores.step, query_step, key_step}, dscores.first, dmixed_block, block.of_keys(sequence.values),
              Accumulate::kOverwrite, row_offset);
    const Scores<T> weights = weights_of(sequence, block, probabilities);
    matmul_tn({heads, key_step, weights.step, query_step}, block.of_keys(dvalues), weights.first, dmixed_block,
              Accumulate::kAdd, row_offset);
    if (sequence.dropout.rate != 0) drop(dscores, sequence, block);
    for (std::size_t i = 0; i < heads; ++i) {
      attention_softmax_rows_backward(dscores.of(i), probabilities.of(i), scale_for<T>(block.width), row_offset);
    }
    matmul_nn({heads, query_step, dscores.step, key_step}, block.of_queries(dqueries), dscores.first,
              block.of_keys(sequence.keys), Accumulate::kOverwrite, row_offset);
    matmul_tn({heads, key_step, dscores.step, query_step}, block.of_keys(dkeys), dscores.first,
              block.of_queries(sequence.queries), Accumulate::kAdd, row_offset);
  });
}

template <class T>
void attention_probabilities(const MatrixView<T>& out, const AttentionSequence<T>& sequence) {
  for (std::size_t i = 0; i < out.rows; ++i) std::fill_n(out.row(i), out.cols, T{0});
  for_each_block(sequence, true, [&](const Block<T>& block) {
    compute_probabilities(part_of(out, sequence.queries.rows, block), sequence, block);
  });
}

#define TIED_INSTANTIATE(T)                                                                    \
  template void attention_forward<T>(const MatrixView<T>&, const AttentionSequence<T>&);       \
  template void attention_backward<T>(const AttentionGradients<T>&, const ConstMatrixView<T>&, \
                                      const AttentionSequence<T>&, T*);                        \
  template void attention_probabilities<T>(const MatrixView<T>&, const AttentionSequence<T>&)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
