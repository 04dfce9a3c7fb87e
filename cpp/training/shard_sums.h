// Sums over shards that wait for others, as bytes that trainers in the same state exchange.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "model/parameter_store.h"
#include "training/shards.h"
#include "training/training_config.h"
#include "training/tree_sum.h"

namespace tied {

// Which step of which trainer a sum belongs to.
struct ShardState {
  std::uint64_t shards = 1;
  std::uint64_t steps_done = 0;
  std::uint64_t hash = 0;  // of whatever else must be equal

  friend bool operator==(const ShardState&, const ShardState&) = default;
};

// Loss and gradients of nodes of one step's tree, none of which overlap. T = float or double (in the tests).
template <class T>
class ShardSums {
 public:
  // What a step needs that gets no messages, and its bytes. Errors: kOutOfMemory.
  Status allocate(const ParameterTable& table, std::uint64_t shards);
  static std::uint64_t extent(const ParameterTable& table, std::uint64_t shards, std::uint64_t number_bytes);

  bool has(ShardNode node) const { return find(node) != nullptr; }
  // Whether a node is here, or all parts of it.
  bool has_all(ShardNode node) const {
    return has(node) || (!node.is_leaf() && has_all(node.left()) && has_all(node.right()));
  }
  // Replaces the gradients of `parameters` by those of such a node, or adds to them. Returns its loss.
  double read(ShardNode node, bool adds, ParameterStore<T>& parameters) const;

  // Keeps the sum that is in `parameters` until release(level).
  void hold(std::size_t level, ShardNode node, double loss, ParameterStore<T>& parameters);
  void release(std::size_t level) { kept_[level].node = {}; }

  // Errors: kInvalidArgument naming `shards`, unless it is a node of the tree that overlaps none here.
  Status check(ShardNode node, std::uint64_t shards) const;
  // Keeps the sum that is in `parameters` until clear(). Errors: kOutOfMemory.
  Status keep(ShardNode node, double loss, ParameterStore<T>& parameters, const ShardState& state);
  // Where the next message may be received, so that take() need not copy it; null if there is no memory.
  std::uint8_t* room(std::uint64_t bytes);
  // Keeps a copy of another trainer's message. Errors: kBadFile naming `message`; kOutOfMemory. Nothing is kept then.
  Status take(ShardNode node, std::span<const std::uint8_t> message, ParameterStore<T>& parameters,
              const ShardState& state);
  // What is kept of a node, as a message; empty if it is not here.
  std::span<const std::uint8_t> message(ShardNode node) const;
  // The memory stays for the next step.
  void clear();

 private:
  struct Kept {
    ShardNode node;  // {} = free
    std::size_t bytes = 0;
    AlignedBuffer<std::uint64_t> words;
  };
  // What a sum has besides gradients.
  struct Facts {
    double loss = 0;
    double position_square = 0;
  };
  const Kept* find(ShardNode node) const;
  Facts collect(ShardNode node, const Kept* in_place, const ParameterStore<T>& parameters, TreeSum<T>& sum) const;
  Status make_room(Kept*& place, std::uint64_t bytes);
  static void write(Kept& kept, ShardNode node, double loss, ParameterStore<T>& parameters, const ShardState& state);

  // First those of the levels, then the others.
  Kept kept_[shard_levels(kMaxShards) + kMaxShards];
  // The last that keep() got, and the changes of the gradients then.
  const Kept* in_place_ = nullptr;
  std::uint32_t in_place_at_ = 0;
};

}  // namespace tied
