// Batches and evaluation of models that predict hidden tokens. In core.wasm, core_models.cpp replaces this file.
#include <algorithm>

#include "base/allocate.h"
#include "base/elementary.h"
#include "model/masking.h"
#include "training/batches.h"
#include "training/evaluation.h"
#include "training/training_config.h"

namespace tied {

TokenBatch BatchSampler::draw_hidden(const std::uint32_t* token_ids, std::size_t n_token_ids, std::uint64_t steps_done,
                                     std::uint64_t part, const ModelConfig& config) {
  const TokenBatch batch = draw(token_ids, n_token_ids, steps_done, part);
  Random keys(seed_, stream_of("masks"));
  keys.seek((steps_done * kMaxBatchSize + part * batch_size_) * 2);
  for (std::size_t i = 0; i < batch_size_; ++i) {
    const std::uint64_t high = keys.bits();
    const std::uint64_t key = high << 32 | keys.bits();
    const std::size_t first = i * context_length_;
    hide_tokens(inputs_.data() + first, targets_.data() + first, context_length_, config, key);
  }
  return batch;
}

template <class T>
Result<Evaluation> evaluate_hidden(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_token_ids) {
  constexpr std::size_t kSequencesAtOnce = 16;
  const std::size_t length = model.context_length();
  const std::size_t n = n_token_ids - 1;
  const std::size_t most = std::min(n, kSequencesAtOnce * length);
  AlignedBuffer<std::uint32_t> inputs;
  AlignedBuffer<std::uint32_t> targets;
  if (Status status = allocate(inputs, most); !status) return status;
  if (Status status = allocate(targets, most); !status) return status;
  double loss = 0;
  const auto add = [&](std::size_t first, std::size_t size, std::size_t sequence_length) {
    if (size == 0) return;
    std::copy_n(token_ids + 1 + first, size, targets.begin());
    for (std::size_t i = 0; i < size; i += sequence_length) {
      const std::uint64_t key = evaluation_key(targets.data() + i, sequence_length);
      hide_tokens(inputs.data() + i, targets.data() + i, sequence_length, model.config(), key);
    }
    const double weight = static_cast<double>(size) / static_cast<double>(n);
    loss += model.loss({inputs.data(), targets.data(), size, sequence_length, weight}, Pass::kForward);
  };
  const std::size_t whole = n - n % length;
  for (std::size_t first = 0; first < whole; first += most) add(first, std::min(most, whole - first), length);
  add(whole, n - whole, n - whole);
  return Evaluation{loss, exponential(loss), n, 0};
}

template Result<Evaluation> evaluate_hidden(Model<float>&, const std::uint32_t*, std::size_t);
template Result<Evaluation> evaluate_hidden(Model<double>&, const std::uint32_t*, std::size_t);

}  // namespace tied
