// Inspection of a trainer's model, generation, and models that JavaScript fills. A generation's handle is its
// address, which JavaScript holds until it calls `deleteGeneration`; it must not outlive its trainer.
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "bindings/option_numbers.h"
#include "bindings/trainer_handle.h"
#include "bindings/transfer.h"
#include "model/generation.h"
#include "model/sequence_outputs.h"
#include "training/trainer.h"

namespace tied::bindings {
namespace {

using FloatGeneration = Generation<float>;

FloatGeneration& generation_at(Address handle) { return *reinterpret_cast<FloatGeneration*>(handle); }
std::span<const std::uint32_t> ids_at(Address ids, Address size) { return {at<std::uint32_t>(ids), size}; }

// [size, V]; `left_out` -1 = no layer; `resumes` as in Model::logits.
bool logits(Address handle, Address ids, Address size, double left_out, bool resumes) {
  const std::size_t layer = left_out < 0 ? kNoLayer : static_cast<std::size_t>(left_out);
  return answered(sequence_logits(trainer_at(handle).model(), ids_at(ids, size), layer, resumes));
}

// The hidden states [size, d], one after the other; at the end, if requested, what the head reads.
bool states(Address handle, Address ids, Address size, bool head_input) {
  const auto made =
      hidden_states(trainer_at(handle).model(), ids_at(ids, size), head_input ? HeadInput::kAdd : HeadInput::kLeaveOut);
  if (!made) return failed(made.error());
  const std::vector<Matrix<float>>& all = made.value();
  const std::size_t numbers = all[0].rows() * all[0].cols();
  auto block = Matrix<float>::create(all.size(), numbers);
  if (!block) return failed(block.error());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::memcpy(block.value().data() + i * numbers, all[i].data(), numbers * sizeof(float));
  }
  answer.matrix(std::move(block).value());
  return true;
}

// [layers * heads * size, size]
bool attention_weights(Address handle, Address ids, Address size) {
  return answered(attention(trainer_at(handle).model(), ids_at(ids, size)));
}

// 0 on failure; `top_k` 0 = all; `keeps`: BeyondContext::kKeep.
Address start(Address handle, Address prompt, Address size, double temperature, double top_k, double seed, bool keeps) {
  auto made = FloatGeneration::create(trainer_at(handle).model(), ids_at(prompt, size),
                                      {temperature, whole(top_k), whole(seed)},
                                      keeps ? BeyondContext::kKeep : BeyondContext::kRead);
  if (!made) {
    failed(made.error());
    return 0;
  }
  return reinterpret_cast<Address>(std::move(made).value().release());
}

// `changed`: whether parameters have changed since the last call.
bool generate(Address handle, Address count, bool changed) {
  FloatGeneration& generation = generation_at(handle);
  if (changed) generation.refresh();
  std::vector<std::uint32_t> ids(count);
  if (const Status status = generation.advance(ids); !status) return failed(status.error());
  answer.ids(std::move(ids));
  return true;
}

void drop(Address handle) { delete &generation_at(handle); }

// A model of these options with initial values, which `fill` replaces. No `training` = a model for inspection, without
// ids. 0 on failure.
Address create_blank(Address model, Address training, Address ids, Address n_ids, Address validation_ids,
                     Address n_validation_ids) {
  const ModelConfig config = model_at(model);
  auto data = data_of_model(training, config.vocab_size, ids, n_ids, validation_ids, n_validation_ids);
  if (!data) {
    failed(data.error());
    return 0;
  }
  return handle_of(
      FloatTrainer::create(config, training == 0 ? TrainingConfig() : training_at(training), std::move(data).value()));
}

// Rows of a parameter from `first_row` on; web/core checks that it has them. To be followed by `begin`.
bool fill(Address handle, Address parameter, Address first_row, Address values, Address rows) {
  ParameterStore<float>& store = trainer_at(handle).model().parameters();
  const MatrixView<float> target = store.values(store.table().list()[parameter]);
  std::memcpy(target.row(first_row), at<float>(values), rows * target.cols * sizeof(float));
  return true;
}

// Makes the current values those of step 0.
bool begin(Address handle) { return done(trainer_at(handle).restart()); }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_models) {
  using emscripten::function;
  function("logits", &logits);
  function("hiddenStates", &states);
  function("attention", &attention_weights);
  function("startGeneration", &start);
  function("generate", &generate);
  function("deleteGeneration", &drop);
  function("createBlank", &create_blank);
  function("fillParameter", &fill);
  function("beginTrainer", &begin);
}

}  // namespace tied::bindings
