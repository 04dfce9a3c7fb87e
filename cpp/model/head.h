// The head of every kind of model: logits from hidden states, and the loss with its gradient, in tiles of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "linalg/matrix_view.h"
#include "model/config.h"
#include "model/end_parameters.h"
#include "model/parameter_store.h"
#include "model/token_batch.h"

namespace tied {

// Targets of the rows: one token each, or one row of a joint distribution each.
template <class T>
struct Targets {
  const std::uint32_t* tokens = nullptr;  // [rows], or null
  double weight = 1;                      // of each token
  ConstMatrixView<T> joint;               // [rows, V]; used if there are no tokens
  // Fraction of each target that is spread evenly over all tokens that the softmax is over.
  double label_smoothing = 0;
  // Loss of the rows before these, to which theirs is added. Only the full head reads it.
  double loss_before = 0;

  Targets rows(std::size_t first, std::size_t count) const {
    if (tokens != nullptr) return {tokens + first, weight, {}, label_smoothing};
    return {nullptr, weight, joint.row_block(first, count), label_smoothing};
  }
};

// How often each token occurs in the training data, and the tokens that a culled head keeps.
struct HeadTokens {
  std::span<const std::uint32_t> counts;  // [V]; empty = all equal
  std::span<const std::uint32_t> kept;    // config.head_kept ids, ascending; empty = the most frequent
};

// Logits of a row h [d]:
//   tied, untied    z = s (h U^T) + b              tied-mlp too: its MLP is the model's
//   tied-linear     z = s ((h M) U^T) + b
//   tied-low-rank   z = h U^T + (h B) A^T + b
//   factorized      z = s ((h F^T) U^T) + b     tied or untied, with U [V, r] and F = `unembedding_factor` [r, d]
// with U the unembedding [V, d] (the embedding itself if tied), M = `between` [d, d], A = `low_rank.a` [V, r], B =
// `low_rank.b` [d, r], b = `output_bias` [V], each if the model has it, and s = logit_scale(config). A temperature
// other than 1 divides z.
//
// This class is the full head: a softmax over z. Other heads derive from it.
//
// Rows are processed in tiles, so logits take memory for one tile, never for all tokens. Each logit sums its products
// in the same order everywhere.
template <class T>
class Head {
 public:
  virtual ~Head() = default;

  // To be called once, before anything else. Uses head_extent(config, max_rows) elements at `workspace`; allocates the
  // tables of heads other than the full one. Errors: kOutOfMemory.
  virtual Status bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
                      std::uint64_t max_rows, const HeadTokens& tokens);

  // Before the loss of a batch's rows.
  virtual void begin(const TokenBatch&) {}
  // How many of these targets have a probability; all but for a culled head.
  virtual std::size_t count_sayable(const std::uint32_t*, std::size_t n) const { return n; }

  // out [rows, V] from h [rows, d]: logits whose softmax is the head's distribution. Tokens that it cannot predict have
  // kUnsayableLogit.
  virtual void logits(const MatrixView<T>& out, const ConstMatrixView<T>& h);

  // Cross-entropy against targets, summed over rows, in nats: see linalg/softmax.h. Added to targets.loss_before. With
  // `with_gradient`: adds (+=) the gradients of the head's parameters and writes that of h to dh [rows, d], which must
  // not overlap h.
  virtual double loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
                      const MatrixView<T>& dh);

  void set_temperature(double temperature) { inverse_temperature_ = static_cast<T>(1 / temperature); }

  // Rows per tile.
  std::size_t tile_rows() const { return tile_rows_; }

 protected:
  // Whether read_out(h) is another matrix than h.
  bool maps_hidden() const { return ends_.between != kNoParameter || (ends_.unembedding_factor != kNoParameter); }
  // What the table is multiplied with: h, h M or h F^T.
  ConstMatrixView<T> read_out(const ConstMatrixView<T>& h);
  // From the gradient of read_out(h), which is dh itself without M and F, and otherwise read_out_gradient().
  void backward_read_out(const ConstMatrixView<T>& h, const MatrixView<T>& dh);
  MatrixView<T> read_out_gradient(const MatrixView<T>& dh) const;

  ParameterStore<T>* parameters_ = nullptr;
  EndParameters ends_;

  T scale_ = 1;
  T inverse_temperature_ = 1;
  std::size_t tile_rows_ = 0;

 private:
  void forward(const MatrixView<T>& logits, const ConstMatrixView<T>& h);
  // Overwrites dlogits.
  void backward(const MatrixView<T>& dlogits, const ConstMatrixView<T>& h, const MatrixView<T>& dh);

  std::size_t inner_cols_ = 0;   // columns of the two below: d with `between`, r with a rank, otherwise 0
  T* logits_ = nullptr;          // z, dz         [tile_rows, V], rows of whole batches
  T* inner_ = nullptr;           // h M or h B    [tile_rows, inner_cols]
  T* inner_gradient_ = nullptr;  //               [tile_rows, inner_cols]
};

// The logit of a token that a head cannot predict: its probability is 0.
inline constexpr double kUnsayableLogit = -1e30;

// Cross-entropy of rows of logits. `with_gradient`: replaces the logits by their gradients. With label smoothing e, a
// target is spread: 1 - e for it, and e / cols more for every token. margin: see cross_entropy_tokens.
template <class T>
double smoothed_cross_entropy(const MatrixView<T>& logits, const Targets<T>& targets, bool with_gradient,
                              std::size_t margin = 0);

// The heads that the program has: those of create_head.cpp, or the full one alone if the program defines these
// functions itself.
bool has_head(HeadKind kind);
// `kind`: one that the program has.
template <class T>
std::unique_ptr<Head<T>> create_head(HeadKind kind);
// Elements of its workspace in addition to those of the full head, and bytes that it allocates itself.
std::uint64_t other_head_extent(const ModelConfig& config, std::uint64_t tile_rows);
std::uint64_t head_table_bytes(const ModelConfig& config, std::uint64_t max_rows);

// With config.scales_embedding, the factor sqrt(d) of a direct path without an MLP. Such a path is linear in the
// looked-up row; scaling its logits instead of the row keeps the tied one symmetric to the last bit, which rounded
// products s e_ik e_jk would not be. With config.scales_logits, the factor 1 / sqrt(d) of an encoder-decoder. 1 for
// every other model.
double logit_scale(const ModelConfig& config);

// Rows per tile for batches of at most max_rows, and the workspace in elements.
std::uint64_t head_tile_rows(const ModelConfig& config, std::uint64_t max_rows);
std::uint64_t head_extent(const ModelConfig& config, std::uint64_t max_rows);
// The part of it that comes first, and that every head has.
std::uint64_t full_head_extent(const ModelConfig& config, std::uint64_t max_rows);

}  // namespace tied
