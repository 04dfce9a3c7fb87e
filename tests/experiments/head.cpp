#include "head.h"

namespace tied::experiments {

ConstMatrixView<float> matrix_if_any(const Trainer<float>& trainer, std::string_view name) {
  const auto found = trainer.matrix(name);
  return found ? found.value() : ConstMatrixView<float>();
}

ReadoutNorm norm_of(const ModelConfig& model) {
  return model.norm == Norm::kRms ? ReadoutNorm::kRms : ReadoutNorm::kLayer;
}

Result<Readout> readout_of(const Trainer<float>& trainer, bool has_norm) {
  const ModelConfig& model = trainer.model_config();
  ReadoutWeights weights;
  weights.unembedding = matrix_if_any(trainer, "unembedding");
  weights.between = matrix_if_any(trainer, "between");
  weights.low_rank_a = matrix_if_any(trainer, "low_rank.a");
  weights.low_rank_b = matrix_if_any(trainer, "low_rank.b");
  weights.output_bias = matrix_if_any(trainer, "output_bias").data;
  weights.norm = has_norm && model.final_norm ? norm_of(model) : ReadoutNorm::kNone;
  weights.norm_weight = matrix_if_any(trainer, "final_norm.weight").data;
  weights.norm_bias = matrix_if_any(trainer, "final_norm.bias").data;
  weights.norm_epsilon = model.norm_epsilon;
  return Readout::create(weights, kReadRows);
}

}  // namespace tied::experiments
