// Causal attention of one sequence: every head's products, on views of the rows where queries, keys and values stand.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"

namespace tied {

// Which numbers of attention are dropped: those of head h, row i, column j by number first + (h n + i) n + j.
struct AttentionDropout {
  double share = 0;  // 0: none
  std::uint64_t key = 0;
  std::uint64_t first = 0;
};

// n queries at the end of a sequence of m tokens (n = m while training), heads side by side in columns. Query head h
// reads head h / (n_heads / n_kv_heads) of keys and values:
//   P_h = softmax(Q_h K_h^T / sqrt(head width)), each row over the tokens up to its own;  mixed_h = dropout(P_h) V_h
// Done in blocks of at most kAttentionBlockRows rows, so that what stands above the diagonal is left out.
template <class T>
struct AttentionSequence {
  ConstMatrixView<T> queries;  // [n, n_heads head_width]
  ConstMatrixView<T> keys;     // [m, n_kv_heads head_width]
  ConstMatrixView<T> values;   // [m, n_kv_heads head_width]
  std::size_t n_heads = 0;
  std::size_t n_kv_heads = 0;
  // P of all heads [n_heads, n, m] where `kept`, else room for one block [kAttentionBlockRows, m], used again and
  // again. Where they are kept, blocks of n_kv_heads heads are worked on together, and need room side by side.
  T* probabilities = nullptr;
  bool kept = false;
  // Room for the blocks worked on together, for dropout only.
  T* dropped = nullptr;
  AttentionDropout dropout;
};

inline constexpr std::size_t kAttentionBlockRows = 64;

// mixed [n, n_heads head_width]
template <class T>
void attention_forward(const MatrixView<T>& mixed, const AttentionSequence<T>& sequence);

// Overwrites gradient [n, (n_heads + 2 n_kv_heads) head_width]: those of queries, keys and values side by side, n = m.
// It must not overlap anything of `sequence`. probability_gradient: room for the
// blocks worked on together.
template <class T>
void attention_backward(const MatrixView<T>& gradient, const Deduced<ConstMatrixView<T>>& dmixed,
                        const AttentionSequence<T>& sequence, T* probability_gradient);

// out [n_heads n, m]: P, head after head, 0 for tokens after a row's own. Of `sequence`, the first five members are
// read.
template <class T>
void attention_probabilities(const MatrixView<T>& out, const AttentionSequence<T>& sequence);

}  // namespace tied
