// Lenses: what a model would predict if the hidden state of an earlier layer were its last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/record.h"
#include "diagnostics/readout.h"
#include "linalg/softmax.h"

namespace tied {

// Translators of a tuned lens, one per layer l < L:   h + h A_l + b_l
// Without data, the states are read unchanged (logit lens). The last layer L has no translator.
struct LensMaps {
  ConstMatrixView<float> weights;  // [L d, d]: A_l begins in row l d
  ConstMatrixView<float> biases;   // [L, d]

  using Answered = Record<&LensMaps::weights, &LensMaps::biases>;
};

// Sums over tokens.
struct LensTotals {
  Matrix<float> total;  // [1, V]: the last layer's probabilities
  double entropy = 0;   // their entropies, nats

  using Answered = Record<&LensTotals::total, &LensTotals::entropy>;
};

// [L + 1, n], one row per layer.
struct LensReading : LensTotals {
  Matrix<float> divergence;              // KL(last || lens), bits
  Matrix<float> probability;             // of the token that the lens predicts
  Matrix<float> loss;                    // of the targets, nats; empty without targets
  std::vector<std::uint32_t> predicted;  // the most probable token

  using Answered =
      Record<&LensReading::divergence, &LensReading::probability, &LensReading::loss, &LensReading::predicted>;
};

// states: hidden states [n, d] before layer 0, ..., after the last, before the final norm. The divergence of the last
// is 0 to the bit.
// nostalgebraist, "interpreting GPT: the logit lens", 2020; N. Belrose and others, "Eliciting latent predictions from
// transformers with the tuned lens", arXiv 2303.08112, section 3.
// Errors: kShapeMismatch unless states, maps and targets fit together; kInvalidArgument for a target of V or more;
// kNotFinite if a divergence is not finite; kOutOfMemory.
Result<LensReading> read_lens(Readout& readout, std::span<const ConstMatrixView<float>> states, const LensMaps& maps,
                              std::span<const std::uint32_t> targets);

// Buffers for a few tokens at a time.
struct LensTile {
  Matrix<float> last;             // logits of the last layer [rows, V]
  Matrix<float> last_share;       // the same as probabilities
  std::vector<LogSum> last_sums;  // [rows]
  Matrix<float> lens;             // logits of a lens [rows, V]
  Matrix<float> lens_gradient;    // of the divergence with respect to them; for training only
  Matrix<float> translated;       // h + h A + b [rows, d]
  Matrix<float> gradient;         // of `translated`

  // Errors: kOutOfMemory.
  static Result<LensTile> create(const Readout& readout, std::size_t rows, bool trains);
  std::size_t rows() const { return last.rows(); }
};

// The training of a tuned lens. Translators start at zero, so the lens starts as the logit lens; the model does not
// change. Minimizes the mean of KL(last || lens) over tokens for each layer, with Adam (beta 0.9, 0.999).
class LensTraining {
 public:
  // layers: L. Errors: kOutOfMemory.
  static Result<LensTraining> create(const Readout& readout, std::size_t layers);

  // Adds the gradient of weight * KL, summed over the tokens of one sequence, and that sum to sums [L], in bits.
  // states as above, [n, d] each. Errors: kShapeMismatch; kNotFinite if a divergence is not finite.
  Status accumulate(Readout& readout, std::span<const ConstMatrixView<float>> states, double weight, double* sums);
  // One step of the optimizer; afterwards the gradient is zero.
  void update(double learning_rate);

  LensMaps maps() const;
  // Gradients of all translators, in the layout of the maps.
  ConstMatrixView<float> weight_gradients() const { return weight_gradients_.view(); }
  ConstMatrixView<float> bias_gradients() const { return bias_gradients_.view(); }

 private:
  std::size_t layers_ = 0;
  Matrix<float> weights_;
  Matrix<float> biases_;
  Matrix<float> weight_gradients_;
  Matrix<float> bias_gradients_;
  LensTile tile_;
  // First and second moments of both.
  Matrix<float> moments_;
  // beta^t after t updates.
  double decay1_ = 1;
  double decay2_ = 1;
};

}  // namespace tied
