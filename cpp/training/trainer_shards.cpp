// The gradient of a step, as a sum over shards of its batches.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "training/trainer.h"

namespace tied {

// Loss and gradients by role on the data of the next step, as means over its batches.
template <class T>
double Trainer<T>::forward_backward() {
  return sum_of({0, training_.shards}, 0);
}

// Loss and gradients of a node, while the sums of `level` others wait for it.
template <class T>
double Trainer<T>::sum_of(ShardNode node, std::size_t level) {
  ParameterStore<T>& parameters = model_->parameters();
  typename ShardMessages<T>::Sum known;
  if (messages_.find(node, table(), known)) {
    parameters.unpack_gradients(known.gradients);
    return known.loss;
  }
  if (node.is_leaf()) return shard_loss(node.first);
  // The order of the two halves does not change the bits of their sum.
  for (const auto& [half, other] : {std::pair{node.right(), node.left()}, {node.left(), node.right()}}) {
    if (!messages_.find(half, table(), known)) continue;
    const double loss = sum_of(other, level);
    parameters.add_gradients(known.gradients);
    return loss + known.loss;
  }
  const double left = sum_of(node.left(), level);
  parameters.swap_gradients(levels_[level]);
  const double right = sum_of(node.right(), level + 1);
  parameters.add_gradients(levels_[level]);
  return left + right;
}

// Loss and gradients of one shard of all batches; of a table, which has a single one, all of it.
template <class T>
double Trainer<T>::shard_loss(std::uint64_t shard) {
  model_->zero_gradients();
  if (data_.has_table()) {
    JointBatch<T> batch = data_.table.batch();
    batch.label_smoothing = training_.label_smoothing;
    return model_->joint_loss(batch, Pass::kForwardBackward);
  }
  double loss = 0;
  const auto prepare = [&](auto& batch, std::uint64_t part) {
    batch.weight = 1 / static_cast<double>(training_.gradient_accumulation);
    if (model_config().dropout > 0) batch.dropout_key = dropout_key(training_.seed, steps_done_, part);
    batch.shard = {shard, training_.shards};
  };
  for (std::uint64_t part = 0; part < training_.gradient_accumulation; ++part) {
    if (PairModel<T>* const pairs = model_->pairs(); pairs != nullptr) {
      PairBatch batch = batcher_.draw(data_.pairs, training_.seed, steps_done_, part);
      prepare(batch, part);
      batch.label_smoothing = training_.label_smoothing;
      loss += pairs->loss(batch, Pass::kForwardBackward);
      continue;
    }
    TokenBatch batch = sampler_.draw(data_.token_ids.data(), data_.token_ids.size(), steps_done_, part);
    prepare(batch, part);
    as_in_training(batch, part);
    loss += model_->loss(batch, Pass::kForwardBackward);
  }
  return loss;
}

// ---------------------------------------------------------------- shards that others compute

// The weights are compared by some of them, which any step changes.
template <class T>
ShardState Trainer<T>::shard_state() const {
  constexpr std::size_t kCompared = 256;
  const AlignedBuffer<T>& values = model_->parameters().all_values();
  const auto add = [](std::uint64_t before, const auto& number) {
    return fnv1a_64({reinterpret_cast<const std::uint8_t*>(&number), sizeof(number)}, before);
  };
  std::uint64_t hash = fields_version();
  for (const std::uint64_t number : {training_.seed, training_.batch_size, training_.gradient_accumulation,
                                     data_.size().bytes, table().gradient_extent(), table().touched_extent()}) {
    hash = add(hash, number);
  }
  const std::size_t stride = std::max<std::size_t>(values.size() / kCompared, 1);
  for (std::size_t i = 0; i < values.size(); i += stride) hash = add(hash, values[i]);
  return {training_.shards, steps_done_, hash};
}

template <class T>
Result<std::span<const std::uint8_t>> Trainer<T>::compute_shards(std::uint64_t first, std::uint64_t end) {
  if (Status status = check_has_data(); !status) return status;
  const ShardNode node{first, end};
  if (const auto known = messages_.message(node); !known.empty()) return known;
  if (Status status = messages_.check(node, training_.shards); !status) return status;
  const double loss = sum_of(node, 0);
  return messages_.keep(node, loss, model_->parameters(), shard_state());
}

template <class T>
Status Trainer<T>::give_shards(std::uint64_t first, std::uint64_t end, std::span<const std::uint8_t> message) {
  if (Status status = check_has_data(); !status) return status;
  const ShardNode node{first, end};
  if (Status status = messages_.check(node, training_.shards); !status) return status;
  return messages_.take(node, message, table(), shard_state());
}

#define TIED_INSTANTIATE(T)                                                                                \
  template double Trainer<T>::forward_backward();                                                          \
  template Result<std::span<const std::uint8_t>> Trainer<T>::compute_shards(std::uint64_t, std::uint64_t); \
  template Status Trainer<T>::give_shards(std::uint64_t, std::uint64_t, std::span<const std::uint8_t>)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
