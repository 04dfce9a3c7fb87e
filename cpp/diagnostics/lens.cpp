#include "diagnostics/lens.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/elementary.h"
#include "base/token_ids.h"
#include "diagnostics/tables.h"
#include "linalg/checks.h"
#include "linalg/matmul.h"
#include "linalg/optimizer_kernels.h"
#include "linalg/reduce.h"
#include "linalg/simd.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

using States = std::span<const ConstMatrixView<float>>;

Status check_states(const Readout& readout, States states, const LensMaps& maps) {
  for (const ConstMatrixView<float>& state : states) {
    if (Status status = check_table("states", state); !status) return status;
    if (state.rows != states[0].rows) return rows_error("states", state.rows, text_of(states[0].rows));
    if (state.cols != readout.width()) return cols_error("states", state.cols, text_of(readout.width()));
  }
  if (maps.weights.data == nullptr) return {};
  const std::size_t layers = states.size() - 1;
  if (maps.biases.rows != layers) return rows_error("biases", maps.biases.rows, text_of(layers));
  if (maps.weights.rows != layers * readout.width()) {
    return rows_error("weights", maps.weights.rows, text_of(layers * readout.width()));
  }
  if (Status status = check_table("weights", maps.weights); !status) return status;
  if (Status status = check_table("biases", maps.biases); !status) return status;
  if (maps.weights.cols != readout.width()) return cols_error("weights", maps.weights.cols, text_of(readout.width()));
  if (maps.biases.cols != readout.width()) return cols_error("biases", maps.biases.cols, text_of(readout.width()));
  return {};
}

// Fills in the logits of the last layer.
void read_last(LensTile& tile, Readout& readout, const ConstMatrixView<float>& h) {
  const MatrixView<float> logits = tile.last.view().row_block(0, h.rows);
  readout.logits(logits, h);
  for (std::size_t i = 0; i < h.rows; ++i) {
    tile.last_sums[i] = softmax_minus<float>(tile.last_share.view().row(i), logits.row(i), nullptr, logits.cols);
  }
}

// Fills in the logits of a lens; the state that it reads remains in `translated`.
MatrixView<float> read_layer(LensTile& tile, Readout& readout, const ConstMatrixView<float>& h, const LensMaps& maps,
                             std::size_t layer) {
  const MatrixView<float> read = tile.translated.view().row_block(0, h.rows);
  for (std::size_t i = 0; i < h.rows; ++i) std::copy_n(h.row(i), h.cols, read.row(i));
  if (maps.weights.data != nullptr) {
    matmul_nn<float>(read, h, maps.weights.row_block(layer * h.cols, h.cols), Accumulate::kAdd);
    add_row_to_rows(read, maps.biases.row(layer));
  }
  const MatrixView<float> logits = tile.lens.view().row_block(0, h.rows);
  readout.logits(logits, read);
  return logits;
}

// KL(last || lens) of row i, in nats, from the logits of the lens and their log sum.
double divergence_of(const LensTile& tile, std::size_t i, const float* logits, const LogSum& sums) {
  const LogSum& last = tile.last_sums[i];
  const double shift = (last.maximum - sums.maximum) + (last.log_sum - sums.log_sum);
  return weighted_difference(tile.last_share.view().row(i), tile.last.view().row(i), logits, shift, tile.last.cols());
}

// The index of the first element that is `value`; of the last one if there is none.
std::size_t first_equal(const float* x, std::size_t size, float value) {
  constexpr std::size_t kLanes = simd::kLanes<float>;
  const simd::Batch<float> wanted(value);
  std::size_t i = 0;
  while (i + kLanes <= size && !xsimd::any(simd::load(x + i) == wanted)) i += kLanes;
  while (i + 1 < size && x[i] != value) ++i;
  return i;
}

Status not_finite(double divergence) {
  return make_error(ErrorCode::kNotFinite, "divergence", divergence, "hidden states with finite logits");
}

}  // namespace

Result<LensTile> LensTile::create(const Readout& readout, std::size_t rows, bool trains) {
  LensTile made;
  for (Matrix<float>* logits : {&made.last, &made.last_share, &made.lens}) {
    if (Status status = make_zeros(*logits, rows, readout.vocab_size()); !status) return status;
  }
  if (trains) {
    if (Status status = make_zeros(made.lens_gradient, rows, readout.vocab_size()); !status) return status;
  }
  for (Matrix<float>* wide : {&made.translated, &made.gradient}) {
    if (Status status = make_zeros(*wide, rows, readout.width()); !status) return status;
  }
  made.last_sums.resize(rows);
  return made;
}

Result<LensReading> read_lens(Readout& readout, States states, const LensMaps& maps,
                              std::span<const std::uint32_t> targets) {
  TIED_ASSERT(!states.empty());
  if (Status status = check_states(readout, states, maps); !status) return status;
  const std::size_t tokens = states[0].rows;
  if (!targets.empty()) {
    if (targets.size() != tokens) {
      return make_error(ErrorCode::kShapeMismatch, "targets.length", targets.size(), text_of(tokens));
    }
    if (Status status = check_token_ids("targets", targets, readout.vocab_size()); !status) return status;
  }
  auto made = LensTile::create(readout, std::min(readout.max_rows(), tokens), false);
  if (!made) return made.failure();
  LensTile& tile = made.value();
  LensReading reading;
  if (Status status = make_zeros(reading.divergence, states.size(), tokens); !status) return status;
  if (Status status = make_zeros(reading.probability, states.size(), tokens); !status) return status;
  if (!targets.empty()) {
    if (Status status = make_zeros(reading.loss, states.size(), tokens); !status) return status;
  }
  reading.predicted.resize(states.size() * tokens);
  if (Status status = make_zeros(reading.total, 1, readout.vocab_size()); !status) return status;
  for (std::size_t first = 0; first < tokens; first += tile.rows()) {
    const std::size_t count = std::min(tile.rows(), tokens - first);
    read_last(tile, readout, states.back().row_block(first, count));
    add_column_sums<float>(reading.total.view().row(0), tile.last_share.view().row_block(0, count));
    for (std::size_t i = 0; i < count; ++i) {
      const float* z = tile.last.view().row(i);
      reading.entropy += tile.last_sums[i].loss_of(dot(tile.last_share.view().row(i), z, tile.last.cols()));
    }
    for (std::size_t layer = 0; layer < states.size(); ++layer) {
      // The last layer has been read: no map changes it.
      const bool is_last = layer + 1 == states.size();
      const MatrixView<float> logits =
          is_last ? tile.last.view().row_block(0, count)
                  : read_layer(tile, readout, states[layer].row_block(first, count), maps, layer);
      for (std::size_t i = 0; i < count; ++i) {
        const float* z = logits.row(i);
        const LogSum sums = is_last ? tile.last_sums[i] : log_sum_exp(z, logits.cols);
        const double divergence = divergence_of(tile, i, z, sums);
        if (!std::isfinite(divergence)) return not_finite(divergence);
        const std::size_t best = first_equal(z, logits.cols, static_cast<float>(sums.maximum));
        reading.divergence(layer, first + i) = static_cast<float>(divergence / std::numbers::ln2);
        reading.probability(layer, first + i) = static_cast<float>(exponential(-sums.log_sum));
        reading.predicted[layer * tokens + first + i] = static_cast<std::uint32_t>(best);
        if (!targets.empty()) {
          reading.loss(layer, first + i) = static_cast<float>(sums.loss_of(static_cast<double>(z[targets[first + i]])));
        }
      }
    }
  }
  return reading;
}

Result<LensTraining> LensTraining::create(const Readout& readout, std::size_t layers) {
  const std::size_t width = readout.width();
  LensTraining made;
  made.layers_ = layers;
  for (Matrix<float>* weights : {&made.weights_, &made.weight_gradients_}) {
    if (Status status = make_zeros(*weights, layers * width, width); !status) return status;
  }
  for (Matrix<float>* biases : {&made.biases_, &made.bias_gradients_}) {
    if (Status status = make_zeros(*biases, layers, width); !status) return status;
  }
  if (Status status = make_zeros(made.moments_, 2, layers * (width + 1) * width); !status) return status;
  auto tile = LensTile::create(readout, readout.max_rows(), true);
  if (!tile) return tile.failure();
  made.tile_ = std::move(tile).value();
  return made;
}

LensMaps LensTraining::maps() const { return {weights_.view(), biases_.view()}; }

Status LensTraining::accumulate(Readout& readout, States states, double weight, double* sums) {
  TIED_ASSERT(states.size() == layers_ + 1);
  if (Status status = check_states(readout, states, maps()); !status) return status;
  const std::size_t tokens = states[0].rows;
  const std::size_t width = readout.width();
  for (std::size_t first = 0; first < tokens; first += tile_.rows()) {
    const std::size_t count = std::min(tile_.rows(), tokens - first);
    read_last(tile_, readout, states.back().row_block(first, count));
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      const ConstMatrixView<float> h = states[layer].row_block(first, count);
      const MatrixView<float> logits = read_layer(tile_, readout, h, maps(), layer);
      const MatrixView<float> dlogits = tile_.lens_gradient.view().row_block(0, count);
      for (std::size_t i = 0; i < count; ++i) {
        // d KL / d logits = lens - last, as probabilities. The weight is applied later, to d elements per token instead
        // of V.
        const LogSum of_lens =
            softmax_minus<float>(dlogits.row(i), logits.row(i), tile_.last_share.view().row(i), logits.cols);
        const double divergence = divergence_of(tile_, i, logits.row(i), of_lens);
        if (!std::isfinite(divergence)) return not_finite(divergence);
        sums[layer] += divergence / std::numbers::ln2;
      }
      const MatrixView<float> gradient = tile_.gradient.view().row_block(0, count);
      readout.backward(gradient, dlogits, tile_.translated.view().row_block(0, count));
      for (std::size_t i = 0; i < count; ++i) scale(gradient.row(i), width, static_cast<float>(weight));
      matmul_tn<float>(weight_gradients_.view().row_block(layer * width, width), h, gradient, Accumulate::kAdd);
      add_column_sums<float>(bias_gradients_.view().row(layer), gradient);
    }
  }
  return {};
}

void LensTraining::update(double learning_rate) {
  decay1_ *= kBeta1;
  decay2_ *= kBeta2;
  std::size_t offset = 0;
  for (const auto& [values, gradients] :
       {std::pair{&weights_, &weight_gradients_}, std::pair{&biases_, &bias_gradients_}}) {
    const std::size_t size = values->rows() * values->cols();
    adamw_update(values->data(), moments_.view().row(0) + offset, moments_.view().row(1) + offset, gradients->data(),
                 size, learning_rate, kBeta1, kBeta2, kEpsilon, 0.0, 1 - decay1_, 1 - decay2_, 1.0);
    std::fill_n(gradients->data(), size, 0.0F);
    offset += size;
  }
}

}  // namespace tied
