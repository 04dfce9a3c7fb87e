#include "training/batches.h"

#include <utility>

#include "base/allocate.h"
#include "training/training_config.h"

namespace tied {
namespace {

// Distance between the draws of consecutive steps: fixed, so a step's draws do not depend on the batch size.
constexpr std::uint64_t kDrawsPerStep = 2 * kMaxBatchSize;

// floor(bits * bound / 2^64), bound < 2^32: uniform up to a bias below 2^-32, with a fixed number of draws.
std::size_t scaled_to(std::uint64_t bits, std::uint32_t bound) {
  const std::uint64_t high = (bits >> 32) * bound;
  const std::uint64_t low = (bits & 0xFFFFFFFFu) * bound;
  return static_cast<std::size_t>((high + (low >> 32)) >> 32);
}

}  // namespace

StepDraws::StepDraws(std::uint64_t seed, std::uint64_t steps_done, std::uint64_t first)
    : random_(seed, stream_of("batches")) {
  random_.seek(steps_done * kDrawsPerStep + 2 * first);
}

std::size_t StepDraws::below(std::uint32_t bound) {
  const std::uint64_t high = random_.bits();
  const std::uint64_t low = random_.bits();
  return scaled_to((high << 32) | low, bound);
}

Status BatchSampler::allocate(std::uint64_t seed, std::size_t batch_size, std::size_t context_length) {
  const std::uint64_t size = std::uint64_t{batch_size} * context_length;
  if (Status status = tied::allocate(inputs_, size); !status) return status;
  if (Status status = tied::allocate(targets_, size); !status) return status;
  seed_ = seed;
  batch_size_ = batch_size;
  context_length_ = context_length;
  return {};
}

TokenBatch BatchSampler::draw(const std::uint32_t* token_ids, std::size_t n_token_ids, std::uint64_t steps_done,
                              std::uint64_t part) {
  TIED_ASSERT(n_token_ids > context_length_);
  const auto n_starts = static_cast<std::uint32_t>(n_token_ids - context_length_);
  StepDraws draws(seed_, steps_done, part * batch_size_);
  for (std::size_t i = 0; i < batch_size_; ++i) {
    const std::size_t start = draws.below(n_starts);
    for (std::size_t j = 0; j < context_length_; ++j) {
      inputs_[i * context_length_ + j] = token_ids[start + j];
      targets_[i * context_length_ + j] = token_ids[start + j + 1];
    }
  }
  return {inputs_.data(), targets_.data(), batch_size_ * context_length_, context_length_};
}

// Steps and parts are below 2^53 and 2^22.
std::uint64_t dropout_key(std::uint64_t seed, std::uint64_t steps_done, std::uint64_t part) {
  Random random(seed, stream_of("dropout"));
  random.seek(steps_done * kDrawsPerStep + 2 * part);
  const std::uint64_t high = random.bits();
  return (high << 32 | random.bits()) | 1;
}

}  // namespace tied
