// Pairs of a source and a target as training data, and the batches that a model reads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/aligned_buffer.h"
#include "model/config.h"
#include "model/pair_model.h"

namespace tied {

// Sequences of different lengths, one after the other.
struct Sequences {
  AlignedBuffer<std::uint32_t> ids;
  AlignedBuffer<std::uint32_t> starts;  // [size() + 1], from 0; empty if there are none

  std::size_t size() const { return starts.size() == 0 ? 0 : starts.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {ids.data() + starts[i], starts[i + 1] - starts[i]};
  }
  std::uint64_t bytes() const { return (std::uint64_t{ids.size()} + starts.size()) * sizeof(std::uint32_t); }
};

// Targets do not include the tokens that start and end them.
struct Pairs {
  Sequences sources;
  Sequences targets;

  std::size_t size() const { return sources.size(); }
  std::uint64_t bytes() const { return sources.bytes() + targets.bytes(); }
};

// A caller's sequences: ids one after the other, and how many each has.
struct GivenSequences {
  std::span<const std::uint32_t> ids;
  std::span<const std::uint32_t> sizes;  // their sum is ids.size()
};

// Copies pairs; `name` is that of the argument in errors, such as "pairs".
// Errors: kShapeMismatch if there are not as many targets as sources; kInvalidArgument for a sequence without tokens,
// one that is longer than the model reads, and an id that is not below vocab_size or is, in a target, the start or end
// token; kOutOfMemory.
Result<Pairs> pairs_from(std::string_view name, const GivenSequences& sources, const GivenSequences& targets,
                         const ModelConfig& model);

// The same checks for pairs that are already in place.
Status check_pairs(std::string_view name, const Pairs& pairs, const ModelConfig& model);

// Collects pairs in the form of a PairBatch.
class PairBatcher {
 public:
  // For at most `size` pairs. Errors: kOutOfMemory.
  Status allocate(std::size_t size, const ModelConfig& model);

  void clear() { size_ = 0; }
  void add(const Pairs& pairs, std::size_t i);
  // Valid until the next call.
  PairBatch batch() const;
  std::size_t capacity() const { return source_starts_.size() - 1; }

  // The pairs of part `part` of the step after `steps_done` steps: as in BatchSampler, the choice of each pair depends
  // only on (seed, steps_done, its index) and the number of pairs.
  PairBatch draw(const Pairs& pairs, std::uint64_t seed, std::uint64_t steps_done, std::uint64_t part);

  // Number of 4-byte elements that `allocate` takes.
  static std::uint64_t extent(std::uint64_t size, const ModelConfig& model);

 private:
  // Unused where core.wasm replaces this class.
  [[maybe_unused]] std::uint32_t start_token_ = 0;
  [[maybe_unused]] std::uint32_t end_token_ = 0;
  std::size_t size_ = 0;
  AlignedBuffer<std::uint32_t> sources_;
  AlignedBuffer<std::uint32_t> inputs_;
  AlignedBuffer<std::uint32_t> targets_;
  AlignedBuffer<std::uint32_t> source_starts_;
  AlignedBuffer<std::uint32_t> target_starts_;
};

}  // namespace tied
