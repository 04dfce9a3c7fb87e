#include "layers.h"

#include <algorithm>
#include <cmath>

#include "head.h"
#include "linalg/softmax.h"
#include "model/sequence_outputs.h"

namespace tied::experiments {

namespace {

struct Increase {
  double sum = 0;
  double squares = 0;
};

Result<std::vector<double>> losses_of(Trainer<float>& trainer, std::span<const std::uint32_t> ids,
                                      std::span<const std::uint32_t> targets, std::size_t left_out) {
  auto logits = sequence_logits(trainer.model(), ids, left_out);
  if (!logits) return logits.failure();
  const MatrixView<float> logs = logits.value().view();
  log_softmax_rows<float>(logs, logs);
  std::vector<double> losses;
  for (std::size_t i = 0; i < ids.size(); ++i) losses.push_back(-static_cast<double>(logs(i, targets[i])));
  return losses;
}

}  // namespace

Status measure_layers(Trainer<float>& trainer, const Split& split, const Print& print) {
  std::vector<Increase> increases(static_cast<std::size_t>(trainer.model_config().n_layers));
  const std::size_t predictions = split.validation.size() - 1;
  const std::size_t length = context_of(trainer);
  for (std::size_t first = 0; first < predictions; first += length) {
    const std::size_t count = std::min(length, predictions - first);
    const auto ids = split.validation.subspan(first, count);
    const auto targets = split.validation.subspan(first + 1, count);
    auto whole = losses_of(trainer, ids, targets, kNoLayer);
    if (!whole) return whole.failure();
    for (std::size_t layer = 0; layer < increases.size(); ++layer) {
      auto without = losses_of(trainer, ids, targets, layer);
      if (!without) return without.failure();
      for (std::size_t i = 0; i < count; ++i) {
        const double increase = without.value()[i] - whole.value()[i];
        increases[layer].sum += increase;
        increases[layer].squares += increase * increase;
      }
    }
  }
  const double tokens = static_cast<double>(predictions);
  for (std::size_t layer = 0; layer < increases.size(); ++layer) {
    const auto& [sum, squares] = increases[layer];
    const std::string quantity = "loss added without layer " + text_of(layer);
    print(quantity, sum / tokens);
    print(quantity + ", standard error", std::sqrt((squares - sum * sum / tokens) / (tokens - 1) / tokens));
  }
  return {};
}

}  // namespace tied::experiments
