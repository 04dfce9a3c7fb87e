// The tree in which gradients of a batch's shards are summed.
#pragma once

#include <bit>
#include <cstdint>

namespace tied {

// The sum over shards [first, end). A node of more than one shard is the sum of its two halves, element by element; the
// tree is that of [0, shards). So a sum has the same bits wherever its parts were computed.
struct ShardNode {
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  bool is_leaf() const { return end - first == 1; }
  std::uint64_t middle() const { return first + (end - first + 1) / 2; }
  ShardNode left() const { return {first, middle()}; }
  ShardNode right() const { return {middle(), end}; }

  friend bool operator==(const ShardNode&, const ShardNode&) = default;
};

// How many left halves wait for their right ones at a time, if the left ones, which are not smaller, are computed
// first.
constexpr std::uint64_t shard_levels(std::uint64_t shards) { return std::bit_width(shards) - 1; }

}  // namespace tied
