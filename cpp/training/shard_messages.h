// Sums over shards as bytes, which trainers in the same state exchange.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "model/parameter_store.h"
#include "training/shards.h"

namespace tied {

// Which step of which trainer a sum belongs to.
struct ShardState {
  std::uint64_t shards = 1;
  std::uint64_t steps_done = 0;
  std::uint64_t hash = 0;  // of whatever else must be equal
};

// Nodes of one step's tree that do not overlap. T = float or double (in the tests).
template <class T>
class ShardMessages {
 public:
  struct Sum {
    ShardNode node;
    double loss = 0;
    PackedGradients<T> gradients;
  };

  // Errors: kInvalidArgument naming `shards`, unless it is a node of the tree that overlaps none here.
  Status check(ShardNode node, std::uint64_t shards) const;
  // Writes and keeps the message of the sum that is in `parameters`. The view is valid until clear().
  // Errors: kOutOfMemory.
  Result<std::span<const std::uint8_t>> keep(ShardNode node, double loss, const ParameterStore<T>& parameters,
                                             const ShardState& state);
  // Keeps a copy of a message for that node. Errors: kBadFile naming `message`; kOutOfMemory. Nothing is kept then.
  Status take(ShardNode node, std::span<const std::uint8_t> message, const ParameterTable& table,
              const ShardState& state);

  // False if the node is not here.
  bool find(ShardNode node, const ParameterTable& table, Sum& sum) const;
  // The message of a node, empty if it is not here.
  std::span<const std::uint8_t> message(ShardNode node) const;
  // Keeps the memory for the next step.
  void clear();

 private:
  struct Kept {
    ShardNode node;  // {} = free
    std::size_t size = 0;
    AlignedBuffer<std::uint8_t> bytes;
  };
  Result<Kept*> free_with(std::size_t size);

  std::vector<Kept> kept_;
};

}  // namespace tied
