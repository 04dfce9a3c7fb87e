#include "accounting/batch.h"

#include <string_view>

namespace tied {
namespace {

constexpr ErrorCode kInvalid = ErrorCode::kInvalidArgument;
constexpr std::uint64_t kLargestSize = (std::uint64_t{1} << 53) - 1;

Status in_range(std::string_view name, std::uint64_t value, std::uint64_t lowest, std::uint64_t highest) {
  if (value >= lowest && value <= highest) return {};
  return make_error(kInvalid, name, value, text_of(lowest) + " to " + text_of(highest));
}

// Clusters after the head must begin later one after the other, and the vectors of the last have at least one number.
Status validate_cutoffs(const HeadOptions& heads, const Architecture& architecture) {
  std::uint64_t lowest = 1;
  std::uint64_t width = architecture.d_model;
  for (const std::uint64_t cutoff : heads.cutoffs) {
    if (Status status = in_range("cutoffs", cutoff, lowest, architecture.output_vocab_size - 1); !status) return status;
    lowest = cutoff + 1;
    if (Status status = in_range("divisor", heads.divisor, 1, width); !status) return status;
    width /= heads.divisor;
  }
  return {};
}

}  // namespace

Status validate(const Batch& batch, const Architecture& architecture) {
  const HeadOptions& heads = batch.heads;
  const std::uint64_t vocab_size = architecture.output_vocab_size;
  const bool expects = !heads.cutoffs.empty();
  struct Range {
    std::string_view name;
    std::uint64_t value, lowest, highest;
  };
  const Range ranges[] = {
      {"sequences", batch.sequences, 1, kLargestSize},
      {"tokens", batch.tokens, 1, expects ? kLargestSize / batch.sequences : kLargestSize},
      {"encoder_tokens", batch.encoder_tokens, 1, kLargestSize},
      {"samples", heads.samples, 0, vocab_size - 1},
      {"culled_vocab_size", heads.culled_vocab_size, 0, vocab_size},
      {"clusters", heads.clusters, 0, vocab_size},
  };
  for (const Range& range : ranges) {
    if (Status status = in_range(range.name, range.value, range.lowest, range.highest); !status) return status;
  }
  return validate_cutoffs(heads, architecture);
}

}  // namespace tied
