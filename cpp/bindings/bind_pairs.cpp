// Encoder-decoders: trainers of pairs, and what they read and write. Only models.wasm has them.
#include <memory>
#include <span>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/option_numbers.h"
#include "bindings/trainer_handle.h"
#include "bindings/transfer.h"
#include "model/pair_outputs.h"
#include "model/translation.h"
#include "training/trainer.h"

namespace tied::bindings {
namespace {

using Ids = std::span<const std::uint32_t>;

Ids ids_at(Address ids, Address size) { return {at<std::uint32_t>(ids), size}; }

// Pairs as web/core/training/pair-lists.ts packs them: [sizes of the sources, sizes of the targets, ids of the sources,
// ids of the targets].
Result<Pairs> pairs_at(const char* name, Address packed, Address count, const ModelConfig& model) {
  const auto* numbers = at<std::uint32_t>(packed);
  const auto take = [&](std::size_t size) {
    const Ids taken(numbers, size);
    numbers += size;
    return taken;
  };
  const auto sum = [](Ids sizes) {
    std::size_t all = 0;
    for (const std::uint32_t size : sizes) all += size;
    return all;
  };
  const Ids sources = take(count);
  const Ids targets = take(count);
  const Ids source_ids = take(sum(sources));
  const Ids target_ids = take(sum(targets));
  return pairs_from(name, {source_ids, sources}, {target_ids, targets}, model);
}

Result<std::unique_ptr<FloatTrainer>> made(const ModelConfig& model, const TrainingConfig& training, Address pairs,
                                           Address count, Address validation, Address validation_count) {
  TrainingData<float> data;
  data.vocab_size = model.vocab_size;
  if (Status status = validate(model); !status) return status;
  auto stored = pairs_at("pairs", pairs, count, model);
  if (!stored) return stored.failure();
  data.pairs = std::move(stored).value();
  if (validation_count != 0) {
    auto held_out = pairs_at("validation_pairs", validation, validation_count, model);
    if (!held_out) return held_out.failure();
    data.validation_pairs = std::move(held_out).value();
  }
  return FloatTrainer::create(model, training, std::move(data));
}

// Whether a trainer on `data_bytes` bytes of pairs fits; called before the pairs are copied into the core.
bool fits(Address model, Address training, double data_bytes) {
  return done(check_trainer_memory({DataKind::kPairs, whole(data_bytes)}, model_at(model), training_at(training)));
}

// 0 on failure.
Address create(Address model, Address training, Address pairs, Address count, Address validation,
               Address validation_count) {
  auto trainer = made(model_at(model), training_at(training), pairs, count, validation, validation_count);
  if (!trainer) {
    failed(trainer.error());
    return 0;
  }
  return reinterpret_cast<Address>(std::move(trainer).value().release());
}

// How many pairs evaluate_pairs reads by default.
double evaluation_size(Address handle) { return number(trainer_at(handle).evaluation_pairs().size()); }

// Of `count` pairs: the given ones, or the trainer's
// own from `first` on.
bool evaluate(Address handle, Address pairs, Address first, Address count, bool translates) {
  FloatTrainer& trainer = trainer_at(handle);
  Pairs given;
  if (pairs != 0) {
    auto stored = pairs_at("pairs", pairs, count, trainer.model_config());
    if (!stored) return failed(stored.error());
    given = std::move(stored).value();
  }
  return answered(trainer.evaluate_pairs(pairs != 0 ? given : trainer.evaluation_pairs(), pairs != 0 ? 0 : first, count,
                                         translates));
}

// `count` 0 = on the data of the next step.
bool gradient(Address handle, Address pairs, Address count) {
  FloatTrainer& trainer = trainer_at(handle);
  if (count == 0) return answered(trainer.gradient());
  auto stored = pairs_at("pairs", pairs, count, trainer.model_config());
  return stored ? answered(trainer.gradient(stored.value())) : failed(stored.error());
}

// `top_k` 0 = all.
bool translate(Address handle, Address source, Address size, Address max_tokens, Address beams, double temperature,
               double top_k, double seed) {
  const TranslationOptions options{max_tokens, beams, {temperature, whole(top_k), whole(seed)}};
  auto translation = Translation<float>::create(trainer_at(handle).model(), options);
  if (!translation) return failed(translation.error());
  return answered(translation.value()->translate(ids_at(source, size)));
}

// [target_size + 1, V]
bool logits(Address handle, Address source, Address size, Address target, Address target_size) {
  return answered(pair_logits(trainer_at(handle).model(), ids_at(source, size), ids_at(target, target_size)));
}

// See PairAttention.
bool attention(Address handle, Address source, Address size, Address target, Address target_size) {
  return answered(pair_attention(trainer_at(handle).model(), ids_at(source, size), ids_at(target, target_size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_pairs) {
  using emscripten::function;
  function("pairTrainerFits", &fits);
  function("createTrainerFromPairs", &create);
  function("pairEvaluationSize", &evaluation_size);
  function("evaluatePairs", &evaluate);
  function("pairGradient", &gradient);
  function("translate", &translate);
  function("pairLogits", &logits);
  function("pairAttention", &attention);
}

}  // namespace tied::bindings
