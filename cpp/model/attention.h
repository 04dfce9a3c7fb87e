// Attention of one sequence, to itself or to another: the products of every head, on views of the rows that hold
// queries, keys and values.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"

namespace tied {

// Which keys a query attends to: those up to its own position, or all.
enum class AttentionMask : std::uint8_t { kCausal, kNone };

// Dropout of attention. The element in head h, row i, column j has the number first + (h n + i) m + j.
struct AttentionDropout {
  double rate = 0;  // 0: none
  std::uint64_t key = 0;
  std::uint64_t first = 0;
};

// n queries and m keys and values, with the heads in adjacent columns. Query head h uses key and value head
// h / (n_heads / n_kv_heads):
//   P_h = softmax(Q_h K_h^T / sqrt(head width)), each row over the tokens of its mask;   mixed_h = dropout(P_h) V_h
// Under the causal mask the queries are at the end of the sequence of m tokens (n = m in training). Computed in blocks
// of at most kAttentionBlockRows rows, so most masked entries are skipped.
template <class T>
struct AttentionSequence {
  ConstMatrixView<T> queries;  // [n, n_heads head_width]
  ConstMatrixView<T> keys;     // [m, n_kv_heads head_width]
  ConstMatrixView<T> values;   // [m, n_kv_heads head_width]
  std::size_t n_heads = 0;
  std::size_t n_kv_heads = 0;
  AttentionMask mask = AttentionMask::kCausal;
  // If `stored`: P of all heads [n_heads, n, m], and blocks of n_kv_heads heads are processed together. Otherwise a
  // buffer for one block [kAttentionBlockRows, m], which is reused.
  T* probabilities = nullptr;
  bool stored = false;
  // Where a decoder's single query attends, all heads at once: a buffer [n_heads, readable_keys], and how many keys may
  // be read, of which only the first m count. Otherwise null.
  T* row_scores = nullptr;
  std::size_t readable_keys = 0;
  // A buffer for the blocks processed together, needed for dropout only.
  T* dropped = nullptr;
  AttentionDropout dropout;
};

inline constexpr std::size_t kAttentionBlockRows = 64;

// mixed [n, n_heads head_width]
template <class T>
void attention_forward(const MatrixView<T>& mixed, const AttentionSequence<T>& sequence);

// Gradients of queries, keys and values, in the shapes of AttentionSequence.
template <class T>
struct AttentionGradients {
  MatrixView<T> queries;
  MatrixView<T> keys;
  MatrixView<T> values;
};

// Overwrites `gradients`, which must not overlap anything of `sequence`. Under the causal mask n = m.
// probability_gradient: a buffer for the blocks processed together.
template <class T>
void attention_backward(const AttentionGradients<T>& gradients, const Deduced<ConstMatrixView<T>>& dmixed,
                        const AttentionSequence<T>& sequence, T* probability_gradient);

// out [n_heads n, m]: P, head by head, 0 for tokens that a row is masked from. Uses only the first six members of
// `sequence`.
template <class T>
void attention_probabilities(const MatrixView<T>& out, const AttentionSequence<T>& sequence);

}  // namespace tied
