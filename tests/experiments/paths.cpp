#include "paths.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnostics/bigram_text.h"
#include "diagnostics/feed_forward_map.h"
#include "diagnostics/path_reading.h"
#include "direct_path/symmetry.h"
#include "head.h"
#include "linalg/softmax.h"
#include "model/sequence_outputs.h"

namespace tied::experiments {

namespace {

struct Stage {
  const char* name;
  bool final_norm;
  bool mlp0;
};

constexpr Stage kStages[] = {
    {"embeddings", false, false},
    {"with final norm", true, false},
    {"with norm and MLP0", true, true},
};

Result<FeedForwardMap> first_feed_forward(const Trainer<float>& trainer) {
  const auto find = [&](const std::string& name) { return matrix_if_any(trainer, "layers.0.feed_forward" + name); };
  const ModelConfig& model = trainer.model_config();
  FeedForwardWeights weights;
  weights.norm = {.norm = norm_of(model),
                  .weight = find("_norm.weight").data,
                  .bias = find("_norm.bias").data,
                  .epsilon = model.norm_epsilon};
  weights.up = find(".up.weight");
  weights.up_bias = find(".up.bias").data;
  weights.gate = find(".gate.weight");
  weights.gate_bias = find(".gate.bias").data;
  weights.down = find(".down.weight");
  weights.down_bias = find(".down.bias").data;
  return FeedForwardMap::create(weights, static_cast<std::size_t>(model.d_model), kReadRows);
}

// `read` [V, d]: what is multiplied with the rows of the unembedding.
Result<double> asymmetry_of(const Trainer<float>& trainer, const Readout& readout, const Matrix<float>& read,
                            const Stage& stage) {
  DirectPathFactors factors{.embedding = read.view(), .unembedding = readout.unembedding().view(), .between = {}};
  // The logits of a shared table are symmetric to the last bit.
  const bool is_shared = matrix_if_any(trainer, "embedding").data == matrix_if_any(trainer, "unembedding").data;
  if (is_shared && !stage.final_norm && matrix_if_any(trainer, "between").data == nullptr) factors.unembedding.reset();
  auto found = direct_path_symmetry(factors);
  if (!found) return found.failure();
  return found.value().asymmetry;
}

Status measure_stage(Trainer<float>& trainer, const BigramText& text, const Stage& stage, const std::string& at,
                     const Print& print) {
  auto readout = readout_of(trainer, stage.final_norm);
  if (!readout) return readout.failure();
  auto reading = PathReading::create(readout.value(), text);
  if (!reading) return reading.failure();
  auto first_layer = first_feed_forward(trainer);
  if (!first_layer) return first_layer.failure();
  const ConstMatrixView<float> embedding = matrix_if_any(trainer, "embedding");
  auto read = Matrix<float>::create(embedding.rows, embedding.cols);
  auto block = Matrix<float>::create(kReadRows, embedding.cols);
  if (!read) return read.failure();
  if (!block) return block.failure();
  const ModelConfig& model = trainer.model_config();
  const float scale = model.scales_embedding ? std::sqrt(static_cast<float>(model.d_model)) : 1;
  for (std::size_t first = 0; first < embedding.rows; first += kReadRows) {
    const std::size_t count = std::min(kReadRows, embedding.rows - first);
    const MatrixView<float> x = block.value().view().row_block(0, count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < embedding.cols; ++j) x(i, j) = scale * embedding(first + i, j);
    }
    if (stage.mlp0) first_layer.value().apply(x, x);
    if (Status status = reading.value().add(readout.value(), text, x, first); !status) return status;
    const ConstMatrixView<float> rows = readout.value().read();
    for (std::size_t i = 0; i < count; ++i) std::copy_n(rows.row(i), rows.cols, read.value().view().row(first + i));
  }
  const PathSummary found = reading.value().summarize(text);
  auto asymmetry = asymmetry_of(trainer, readout.value(), read.value(), stage);
  if (!asymmetry) return asymmetry.failure();
  const std::string which = std::string(", ") + stage.name + at;
  print("correlation with bigrams" + which, found.correlation);
  print("loss of the path" + which, found.loss);
  print("self-prediction" + which, found.self_prediction);
  print("breaking pairs" + which, found.breaking);
  print("asymmetry" + which, asymmetry.value());
  return {};
}

Status measure_whole(Trainer<float>& trainer, const Split& split, const BigramText& text, const std::string& at,
                     const Print& print) {
  const std::size_t tokens = split.validation.size() - 1;
  const std::size_t length = context_of(trainer);
  Correlation agreement;
  for (std::size_t first = 0; first < tokens; first += length) {
    const std::size_t count = std::min(length, tokens - first);
    auto logits = sequence_logits(trainer.model(), split.validation.subspan(first, count));
    if (!logits) return logits.failure();
    const MatrixView<float> logs = logits.value().view();
    log_softmax_rows<float>(logs, logs);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t next = split.validation[first + i + 1];
      agreement.add(static_cast<double>(logs(i, next)), text.log_probability(split.validation[first + i], next));
    }
  }
  print("correlation with bigrams, whole model" + at, agreement.value());
  print("loss, whole model" + at, -agreement.mean());
  return {};
}

Result<BigramText> bigrams_of(const Split& split) {
  return BigramText::create(split.validation, split.training, split.counts.size());
}

}  // namespace

Status measure_paths(Trainer<float>& trainer, const Split& split, const std::string& at, const Print& print) {
  auto text = bigrams_of(split);
  if (!text) return text.failure();
  for (const Stage& stage : kStages) {
    if (Status status = measure_stage(trainer, text.value(), stage, at, print); !status) return status;
  }
  return measure_whole(trainer, split, text.value(), at, print);
}

Status measure_bigrams(const Split& split, const Print& print) {
  auto text = bigrams_of(split);
  if (!text) return text.failure();
  const BigramFacts facts = text.value().facts();
  print("loss of bigrams", facts.loss);
  print("loss of single tokens", facts.unigram_loss);
  print("correlation of single tokens with bigrams", facts.unigram_correlation);
  print("self-prediction of bigrams", facts.self_prediction);
  print("breaking pairs of bigrams", facts.breaking);
  return {};
}

}  // namespace tied::experiments
