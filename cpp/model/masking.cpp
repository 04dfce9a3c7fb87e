#include "model/masking.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/random.h"
#include "model/transformer_model.h"

namespace tied {

Status check_masked(const ModelConfig& config) {
  constexpr auto kInvalid = ErrorCode::kInvalidArgument;
  const auto name = config.objective == Objective::kMasked ? "'masked'" : "'masked-diffusion'";
  if (config.kind != ModelKind::kTransformer) {
    return make_error(kInvalid, "objective", name, "'next-token': only transformers predict hidden tokens");
  }
  if (config.head != HeadKind::kFull) {
    return make_error(kInvalid, "objective", name, "'next-token' with another head than a full one");
  }
  // Their rows are those of tokens, and the mask is none.
  if (config.is_factorized()) return make_error(kInvalid, "objective", name, "'next-token' with factorized tables");
  if (config.has_ngrams()) return make_error(kInvalid, "objective", name, "'next-token' with n-grams");
  if (config.has_value_embeddings()) {
    return make_error(kInvalid, "objective", name, "'next-token' with value embeddings");
  }
  return {};
}

Status reads_both_sides() {
  return make_error(ErrorCode::kUnsupported, "objective", "one that predicts hidden tokens",
                    "'next-token', for a verb that continues a text");
}

void hide_tokens(std::uint32_t* inputs, std::uint32_t* targets, std::size_t n, const ModelConfig& config,
                 std::uint64_t key) {
  Random random(key, stream_of("hidden tokens"));
  const auto size = static_cast<std::uint32_t>(n);
  // Uniform up to a bias of `bound` / 2^32, with one draw each.
  const auto below = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(std::uint64_t{random.bits()} * bound >> 32);
  };
  std::uint32_t left = config.objective == Objective::kMaskedDiffusion
                           ? 1 + below(size)
                           : std::max(1u, static_cast<std::uint32_t>(std::floor(config.mask_rate * size + 0.5)));
  // Algorithm S of Knuth, volume 2: of the tokens that are left, each of the ways to choose is equally likely.
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool hides = below(size - i) < left;
    inputs[i] = hides ? static_cast<std::uint32_t>(config.vocab_size) : targets[i];
    if (!hides) targets[i] = kNotPredicted;
    left -= hides ? 1 : 0;
  }
}

std::uint64_t evaluation_key(const std::uint32_t* tokens, std::size_t n) {
  std::uint64_t hash = fnv1a_64({});
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(tokens[i]), static_cast<std::uint8_t>(tokens[i] >> 8),
                                  static_cast<std::uint8_t>(tokens[i] >> 16),
                                  static_cast<std::uint8_t>(tokens[i] >> 24)};
    hash = fnv1a_64(bytes, hash);
  }
  return hash;
}

// The head reads hidden rows only: they are copied together, as far as their targets have one weight.
template <class T>
double TransformerModel<T>::masked_loss(const TokenBatch& batch, Pass pass) {
  const bool with_gradient = pass == Pass::kForwardBackward;
  const std::size_t length = batch.sequence_length == 0 ? context_length() : batch.sequence_length;
  TIED_ASSERT(length <= context_length() && batch.size % length == 0);
  const std::size_t rows_at_once = static_cast<std::size_t>(layout_.rows) / length * length;
  const auto width = static_cast<std::size_t>(this->config().d_model);
  const auto buffer = [&](const TransformerLayout::Rows& rows, std::size_t count) {
    return MatrixView<T>(workspace_.data() + static_cast<std::size_t>(rows.offset), count, width);
  };
  const std::size_t sequences = batch.size / length;
  const double weight = batch.weight / static_cast<double>(sequences);
  const std::size_t end = batch.shard.end(sequences) * length;
  double loss = 0;
  for (std::size_t first = batch.shard.first(sequences) * length; first < end; first += rows_at_once) {
    Chunk<T> chunk;
    chunk.inputs = batch.inputs + first;
    chunk.rows = std::min(rows_at_once, end - first);
    chunk.sequences = {length, chunk.rows / length};
    chunk.dropout_key = this->config().dropout > 0 ? batch.dropout_key : 0;
    chunk.stores_for_backward = with_gradient;
    chunk.first_row = first;
    const ConstMatrixView<T> h = layers_.forward(chunk);
    const MatrixView<T> dh = layers_.output_gradient();
    const std::uint32_t* const targets = batch.targets + first;
    const auto is_predicted = [&](std::size_t row) { return targets[row] != kNotPredicted; };
    // The rows [from, to) of sequences with `count` hidden tokens each, `hidden` in all.
    const auto predict = [&](std::size_t from, std::size_t to, std::size_t count, std::size_t hidden) {
      const MatrixView<T> predicted = buffer(layout_.predicted, hidden);
      const MatrixView<T> gradient = buffer(layout_.predicted_gradient, hidden);
      std::size_t next = 0;
      for (std::size_t row = from; row < to; ++row) {
        if (!is_predicted(row)) continue;
        std::copy_n(h.row(row), width, predicted.row(next));
        predicted_tokens_[next++] = targets[row];
      }
      loss += this->head_->loss(
          predicted, {predicted_tokens_.data(), weight / static_cast<double>(count), {}, batch.label_smoothing},
          with_gradient, gradient);
      next = 0;
      for (std::size_t row = from; row < to && with_gradient; ++row) {
        if (is_predicted(row)) std::copy_n(gradient.row(next++), width, dh.row(row));
      }
    };
    if (with_gradient) std::fill_n(dh.data, dh.rows * dh.cols, T{0});
    std::size_t from = 0;
    std::size_t count = 0;  // of each sequence since `from`
    std::size_t hidden = 0;
    for (std::size_t row = 0; row < chunk.rows; row += length) {
      std::size_t here = 0;
      for (std::size_t i = 0; i < length; ++i) here += is_predicted(row + i) ? 1 : 0;
      TIED_ASSERT(here > 0);
      if (here != count && hidden > 0) {
        predict(from, row, count, hidden);
        from = row;
        hidden = 0;
      }
      count = here;
      hidden += here;
    }
    predict(from, chunk.rows, count, hidden);
    if (with_gradient) this->parameters().add_position_square(layers_.backward());
  }
  return loss;
}

template double TransformerModel<float>::masked_loss(const TokenBatch&, Pass);
template double TransformerModel<double>::masked_loss(const TokenBatch&, Pass);

}  // namespace tied
