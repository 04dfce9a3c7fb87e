#include "accounting/batch.h"

namespace tied {
namespace {

constexpr std::uint64_t kLargestSize = (std::uint64_t{1} << 53) - 1;

bool is_size(std::uint64_t value) { return value - 1 < kLargestSize; }

// Clusters after the head start in ascending order, and even the last has vectors of width 1 or more.
bool allows(const Architecture& architecture, const HeadOptions& heads) {
  const std::uint64_t vocab_size = architecture.output_vocab_size;
  if (heads.samples >= vocab_size || heads.culled_vocab_size > vocab_size || heads.clusters > vocab_size) return false;
  if (!heads.cutoffs.empty() && architecture.table_rank != 0) return false;
  std::uint64_t previous = 0;
  std::uint64_t width = architecture.d_model;
  for (const std::uint64_t cutoff : heads.cutoffs) {
    if (cutoff <= previous || cutoff >= vocab_size || heads.divisor - 1 >= width) return false;
    previous = cutoff;
    width /= heads.divisor;
  }
  return true;
}

}  // namespace

Status validate(const Batch& batch, const Architecture& architecture) {
  const bool has_expectation = !batch.heads.cutoffs.empty();
  if (is_size(batch.sequences) && is_size(batch.tokens) && is_size(batch.encoder_tokens) &&
      allows(architecture, batch.heads) && (!has_expectation || batch.tokens <= kLargestSize / batch.sequences)) {
    return {};
  }
  return make_error(ErrorCode::kInvalidArgument, "batch", "out of range",
                    "sizes from 1 to 2^53 - 1, and heads that fit the vocabulary and the width");
}

}  // namespace tied
