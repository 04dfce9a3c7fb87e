// The gradient of a step, as a sum over shards of its batches.
#include <algorithm>
#include <bit>
#include <utility>

#include "training/trainer.h"

namespace tied {

// Loss and gradients by role on the data of the next step, as means over its batches.
template <class T>
double Trainer<T>::forward_backward() {
  const ShardNode all{0, training_.shards};
  ParameterStore<T>& parameters = model_->parameters();
  if (sums_.is_in_place(parameters)) sums_.make_way(all, parameters, shard_state());
  return sum_of(all, 0);
}

// Loss and gradients of a node, while the sums of `level` others wait for it.
template <class T>
double Trainer<T>::sum_of(ShardNode node, std::size_t level) {
  ParameterStore<T>& parameters = model_->parameters();
  if (sums_.has_all(node, parameters)) return sums_.read(node, false, parameters);
  if (node.is_leaf()) return shard_loss(node.first);
  ShardNode half = node.left();
  ShardNode other = node.right();
  // Either order gives the same bits, also in rows that only one half touched: gradients are added to +0, so none is
  // -0, which a sum with +0 would lose.
  if (sums_.has_all(other, parameters)) std::swap(half, other);
  const bool computes = !sums_.has_all(half, parameters);
  if (computes) sums_.hold(level, half, sum_of(half, level), parameters);
  const double loss = sum_of(other, level + computes);
  const double sum = loss + sums_.read(half, true, parameters);
  if (computes) sums_.release(level);
  return sum;
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
    const auto& ids = data_.token_ids;
    TokenBatch batch = model_config().is_masked()
                           ? sampler_.draw_hidden(ids.data(), ids.size(), steps_done_, part, model_config())
                           : sampler_.draw(ids.data(), ids.size(), steps_done_, part);
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
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t bits) { hash = (hash ^ bits) * 0x9E3779B97F4A7C15; };
  for (const std::uint64_t number : {training_.seed, training_.batch_size, training_.gradient_accumulation})
    add(number);
  for (std::size_t i = 0; i < values.size(); i += values.size() / kCompared + 1) {
    add(std::bit_cast<std::uint64_t>(static_cast<double>(values[i])));
  }
  return {training_.shards, steps_done_, hash};
}

template <class T>
Result<ShardMessage> Trainer<T>::compute_shards(std::uint64_t first, std::uint64_t end) {
  const ShardNode node{first, end};
  ParameterStore<T>& parameters = model_->parameters();
  const ShardState state = shard_state();
  if (!sums_.has(node, parameters)) {
    Status status = check_has_data();
    if (status) status = sums_.check(node, training_.shards, true, parameters);
    if (!status) return status;
    sums_.make_way(node, parameters, state);
    const double loss = sum_of(node, 0);
    sums_.leave(node, loss, parameters);
  }
  return sums_.message(node, parameters, state);
}

template <class T>
Status Trainer<T>::give_shards(std::uint64_t first, std::uint64_t end, std::span<const std::uint8_t> message) {
  const ShardNode node{first, end};
  Status status = check_has_data();
  if (status) status = sums_.check(node, training_.shards, false, model_->parameters());
  if (status) status = sums_.take(node, message, model_->parameters(), shard_state());
  return status;
}

// ---------------------------------------------------------------- copies that only compute shards

template <class T>
std::vector<std::uint32_t> Trainer<T>::changed_weights() const {
  const std::vector<Parameter>& list = table().list();
  const bool is_sparse = std::any_of(list.begin(), list.end(), [](const Parameter& one) { return one.sparse; });
  if (!is_sparse || model_config().changes_tying() || training_.optimizer == OptimizerKind::kCoupledAdamW) {
    return {0, static_cast<std::uint32_t>(model_->parameters().all_values().size())};
  }
  return model_->parameters().changed_runs();
}

template <class T>
void Trainer<T>::follow(std::uint64_t steps_done, bool joined) {
  steps_done_ = steps_done;
  model_->parameters().set_joined(joined);
  sums_.clear();
}

#define TIED_INSTANTIATE(T)                                                                             \
  template double Trainer<T>::forward_backward();                                                       \
  template Result<ShardMessage> Trainer<T>::compute_shards(std::uint64_t, std::uint64_t);               \
  template Status Trainer<T>::give_shards(std::uint64_t, std::uint64_t, std::span<const std::uint8_t>); \
  template std::vector<std::uint32_t> Trainer<T>::changed_weights() const;                              \
  template void Trainer<T>::follow(std::uint64_t, bool)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
