// Which parameters Muon trains, and which AdamW does beside it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "pairs.h"
#include "support.h"

using namespace tied;

namespace {

TrainingConfig muon_training() {
  TrainingConfig training = test::small_training(OptimizerKind::kMuon);
  training.warmup_steps = 0;
  return training;
}

template <class T>
std::unique_ptr<Trainer<T>> any_trainer(const ModelConfig& model, const TrainingConfig& training) {
  if (model.is_encoder_decoder()) return test::trainer_on<T>(model, training, test::reversals(30, 6, 13, 5));
  return test::trainer_on<T>(model, training, test::small_stream());
}

std::vector<ModelConfig> models_with_layers() {
  std::vector<ModelConfig> models;
  for (const Tying tying : test::kTransformerTyings) {
    models.push_back(test::small_transformer(tying));
    models.back().output_bias = true;
  }
  for (ModelConfig model : test::models_of_other_heads()) {
    if (model.kind == ModelKind::kTransformer) models.push_back(model);
  }
  models.push_back(test::small_encoder_decoder(Tying::kTied, EncoderTable::kOwn));
  models.push_back(test::small_transformer(Tying::kUntied));
  models.back().table_rank = 2;
  models.push_back(test::small_transformer(Tying::kTied));
  models.back().ngram_order = 2;
  models.back().ngram_rows = 5;
  models.back().value_embeddings = ValueEmbeddings::kOwn;
  return models;
}

}  // namespace

TEST_CASE("Muon trains the maps of layers; AdamW moves everything else to the bits that it has without Muon") {
  for (const ModelConfig& model : models_with_layers()) {
    const auto muon = any_trainer<float>(model, muon_training());
    TrainingConfig plain = muon_training();
    plain.optimizer = OptimizerKind::kAdamW;
    const auto adamw = any_trainer<float>(model, plain);
    test::run(*muon, 1);
    test::run(*adamw, 1);
    for (const Parameter& parameter : muon->table().list()) {
      CAPTURE(parameter.name);
      const bool is_map = parameter.name.find("layers.") != std::string::npos && !parameter.is_vector;
      CHECK(parameter.is_layer_map() == is_map);
      const auto ours = test::elements_of(*muon, parameter.name);
      CHECK((ours == test::elements_of(*adamw, parameter.name)) == !is_map);
    }
  }
}

TEST_CASE("the parts of a map are all of its rows, and queries, keys and values are moved one by one") {
  ModelConfig model = test::small_transformer(Tying::kTied);
  model.n_kv_heads = 1;
  const std::uint64_t width = model.d_model / model.n_heads;
  TrainingConfig training = muon_training();
  training.weight_decay = 0;
  training.muon_scale = MuonScale::kOriginal;
  const auto trainer = any_trainer<double>(model, training);
  const Parameter* parameter = trainer->table().find("layers.0.attention.query_key_value.weight");
  REQUIRE(parameter != nullptr);
  const std::uint64_t ends[] = {model.d_model, model.d_model + width, model.d_model + 2 * width};
  for (std::size_t i = 0; i < 3; ++i) CHECK(parameter->part_ends[i] == ends[i]);
  const auto before = test::elements_of(*trainer, parameter->name);
  test::run(*trainer, 1);
  const auto after = test::elements_of(*trainer, parameter->name);
  std::size_t first = 0;
  for (const std::uint64_t end : ends) {
    // The singular values of an update are close to 1, so its square is about as large as their number; that of the
    // whole would be as many for all three parts together.
    double square = 0;
    const auto last = static_cast<std::size_t>(end * model.d_model);
    for (std::size_t i = first; i < last; ++i) square += std::pow((after[i] - before[i]) / training.learning_rate, 2);
    const std::uint64_t values = std::min<std::uint64_t>((last - first) / model.d_model, model.d_model);
    CHECK(square > 0.4 * static_cast<double>(values));
    CHECK(square < 1.5 * static_cast<double>(values));
    first = last;
  }
}

TEST_CASE("a direct path has no maps, so AdamW trains all of it") {
  for (const Tying tying : test::kTyings) {
    const ModelConfig model = test::small_model(tying);
    const auto muon = any_trainer<float>(model, muon_training());
    TrainingConfig plain = muon_training();
    plain.optimizer = OptimizerKind::kAdamW;
    const auto adamw = any_trainer<float>(model, plain);
    test::run(*muon, 5);
    test::run(*adamw, 5);
    CHECK(muon->parameter_hash() == adamw->parameter_hash());
  }
}

TEST_CASE("the maps' own rate follows warm-up, decay and the factor of inner parameters") {
  const ModelConfig model = test::small_transformer(Tying::kTied);
  TrainingConfig training = test::small_training(OptimizerKind::kMuon);
  training.inner_rate = 0.5;
  const auto same = [&](double learning_rate, double own) {
    TrainingConfig changed = training;
    changed.learning_rate = learning_rate;
    changed.muon_learning_rate = own;
    changed.embedding_rate = changed.unembedding_rate = 0;
    // Without weight decay at a rate of 0, tables stay, and one step of the maps depends on their rate alone.
    const auto trainer = any_trainer<double>(model, changed);
    test::run(*trainer, 1);
    return test::elements_of(*trainer, "layers.0.feed_forward.up.weight");
  };
  CHECK(same(0.02, 0) == same(0.02, 0.02));
  CHECK(same(0.02, 0.04) == same(0.04, 0));
  CHECK(same(0.02, 0.04) != same(0.02, 0));
}
