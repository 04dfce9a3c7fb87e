// Sampled softmax: a head that trains on the targets and a few tokens drawn for the whole batch.
#pragma once

#include "model/subset_head.h"
#include "model/token_order.h"

namespace tied {

// The loss of a row with target t, with S tokens drawn with replacement from the distribution q:
//   log(exp(z_t) + sum_j m_j exp(z_j) / (S q_j)) - z_t
// over the distinct tokens j other than t that were drawn, m_j times each. The sum's mean over draws is that of
// exp(z_j) over all tokens but t, so the mean of what is inside the logarithm is the full softmax's. t itself is always
// there, and its logit has no correction. The gradient of the logarithm is biased; the bias falls as 1 / S.
// With label smoothing e, the mean of all logits is estimated by the same weights.
//
// Without a key (TokenBatch::sample_key), and for all logits, this is the full head.
//
// S. Jean and others, "On using very large target vocabulary for neural machine translation", 2015; Y. Bengio and J.-S.
// Senecal, "Adaptive importance sampling to accelerate training of a neural probabilistic language model", 2008.
template <class T>
class SampledHead final : public SubsetHead<T> {
 public:
  Status bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
              std::uint64_t max_rows, const HeadTokens& tokens) override;
  void begin(const TokenBatch& batch) override;
  double loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
              const MatrixView<T>& dh) override;

 private:
  double tile_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                   const MatrixView<T>& read_out_gradient);

  TokenProposal proposal_;
  std::size_t samples_ = 0;
  bool samples_now_ = false;
  AlignedBuffer<std::uint32_t> draws_;    // [samples]: then the distinct tokens, ascending, `drawn_` of them
  AlignedBuffer<std::uint32_t> slots_;    // [V]: the place of a token in draws_, or kNoSlot
  AlignedBuffer<std::uint32_t> targets_;  // [tile_rows]: the last column
  std::size_t drawn_ = 0;
  T* rows_ = nullptr;              // [drawn + 1, d], the last one 0
  T* rows_gradient_ = nullptr;     // the same
  T* z_ = nullptr;                 // [tile_rows, drawn + 1]
  T* log_weights_ = nullptr;       // [drawn]: log(m_j / (S q_j))
  T* shares_ = nullptr;            // [drawn]: m_j / (S q_j V)
  T* target_gradients_ = nullptr;  // [tile_rows]
};

// Elements of its workspace in addition to that of the full head, and bytes that it allocates itself.
std::uint64_t sampled_head_extent(const ModelConfig& config, std::uint64_t tile_rows);
std::uint64_t sampled_head_bytes(const ModelConfig& config, std::uint64_t tile_rows);

}  // namespace tied
