// A sum of gradients in the order of a tree, in one pass over memory.
#pragma once

#include <cstdint>

#include "model/parameter_store.h"
#include "training/shards.h"
#include "training/training_config.h"

namespace tied {

// The gradients that are summed, at most kMaxShards of them, and the order. T = float or double (in the tests).
template <class T>
class TreeSum {
 public:
  // As ParameterStore::packed packs them: bits of touched rows, and numbers. Null: those in the store itself, once at
  // most.
  void add(const std::uint64_t* touched, const T* numbers) {
    steps_[n_steps_++] = static_cast<std::uint8_t>(n_sources_);
    sources_[n_sources_++] = {touched, numbers};
  }
  // The sum of the last two takes their place.
  void add_sum() { steps_[n_steps_++] = kSum; }

  // Replaces the gradients of the store by the one sum that is left, and its touched rows by those of all. A row that
  // one of two lacks is that of the other one: since no gradient is -0, this is a sum with +0. Rows that none of them
  // has must be 0.
  void write_to(ParameterStore<T>& parameters);

 private:
  static constexpr std::uint8_t kSum = 0xFF;
  // Numbers that are summed at a time: the sums that wait stay in the first cache.
  static constexpr std::size_t kBlock = 256;
  static constexpr std::size_t kLevels = shard_levels(kMaxShards) + 2;

  struct Source {
    const std::uint64_t* touched = nullptr;
    const T* numbers = nullptr;  // those to come
  };

  void write(T* own, std::uint64_t there, std::size_t size);

  Source sources_[kMaxShards];
  std::uint8_t steps_[2 * kMaxShards] = {};
  std::size_t n_sources_ = 0;
  std::size_t n_steps_ = 0;
};

}  // namespace tied
