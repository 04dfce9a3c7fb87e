// Sums over shards that wait for others, as bytes that trainers in the same state exchange.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

// A sum to be sent: bytes, and the gradients that follow them, where the trainer has them.
struct ShardMessage {
  std::span<const std::uint8_t> bytes;
  // Of each run, its first in ParameterStore::all_gradients() and how many.
  std::vector<std::uint32_t> runs;
};

// Loss and gradients of nodes of one step's tree, none of which overlap. One of them may be in place: not copied, but
// in the gradients of `parameters`, as long as nobody changes them. T = float or double (in the tests).
template <class T>
class ShardSums {
 public:
  // What a step needs that gets no messages, and its bytes. Errors: kOutOfMemory.
  Status allocate(const ParameterTable& table, std::uint64_t shards);
  static std::uint64_t extent(const ParameterTable& table, std::uint64_t shards, std::uint64_t number_bytes);

  bool has(ShardNode node, const ParameterStore<T>& parameters) const {
    return find(node) != nullptr || (node == in_place_.node && is_in_place(parameters));
  }
  // Whether a node is here, or all parts of it.
  bool has_all(ShardNode node, const ParameterStore<T>& parameters) const {
    return has(node, parameters) ||
           (!node.is_leaf() && has_all(node.left(), parameters) && has_all(node.right(), parameters));
  }
  // Replaces the gradients of `parameters` by those of such a node, or adds to them. Returns its loss.
  double read(ShardNode node, bool adds, ParameterStore<T>& parameters) const;

  // Keeps the sum that is in `parameters` until release(level).
  void hold(std::size_t level, ShardNode node, double loss, ParameterStore<T>& parameters);
  void release(std::size_t level) { kept_[level].node = {}; }

  // Errors: kInvalidArgument naming `shards`, unless it is a node of the tree that overlaps none here, or, if it
  // `may_contain` others, no part of one.
  Status check(ShardNode node, std::uint64_t shards, bool may_contain, const ParameterStore<T>& parameters) const;
  // The sum that is in `parameters` is that of this node, which takes the place of all that it consists of.
  void leave(ShardNode node, double loss, const ParameterStore<T>& parameters);
  // Copies the sum that is in place, unless it is part of a node that read() can sum up, for others will be computed
  // there. Without memory for it, it is forgotten.
  void make_way(ShardNode node, ParameterStore<T>& parameters, const ShardState& state);
  bool is_in_place(const ParameterStore<T>& parameters) const {
    return in_place_.node.end != 0 && in_place_.at == parameters.gradient_changes();
  }
  // Where the next message may be received, so that take() need not copy it; null if there is no memory.
  std::uint8_t* room(std::uint64_t bytes);
  // Keeps a copy of another trainer's message. Errors: kBadFile naming `message`; kOutOfMemory. Nothing is kept then.
  Status take(ShardNode node, std::span<const std::uint8_t> message, ParameterStore<T>& parameters,
              const ShardState& state);
  // A node that is here, until the gradients change. Errors: kOutOfMemory.
  Result<ShardMessage> message(ShardNode node, const ParameterStore<T>& parameters, const ShardState& state);
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
  struct InPlace {
    ShardNode node;  // {} = none
    double loss = 0;
    std::uint32_t at = 0;  // changes of the gradients then
  };
  Facts collect(ShardNode node, const ParameterStore<T>& parameters, TreeSum<T>& sum) const;
  Status make_room(Kept*& place, std::uint64_t bytes);
  static void write(Kept& kept, ShardNode node, double loss, const ParameterStore<T>& parameters,
                    const ShardState& state);

  // First those of the levels, then the others.
  Kept kept_[shard_levels(kMaxShards) + kMaxShards];
  InPlace in_place_;
  AlignedBuffer<std::uint64_t> head_;  // of the last message that has no copy
};

}  // namespace tied
