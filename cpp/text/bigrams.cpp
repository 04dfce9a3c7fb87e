#include "text/bigrams.h"

#include <cmath>

#include "base/token_ids.h"
#include "linalg/reduce.h"

namespace tied {

Result<BigramCounting> BigramCounting::create(std::size_t vocab_size) {
  if (vocab_size < 2) return make_error(ErrorCode::kInvalidArgument, "vocab_size", vocab_size, "at least 2");
  if (vocab_size > kLargestBigramVocabSize) {
    return make_error(ErrorCode::kOutOfMemory, "vocab_size", vocab_size,
                      "at most 16384 (the table of counts takes 4 bytes times its square)");
  }
  auto counts = Matrix<float>::create(vocab_size, vocab_size);
  if (!counts) return counts.failure();
  return BigramCounting(std::move(counts).value());
}

Status BigramCounting::count(std::span<const std::uint32_t> ids) {
  constexpr float kLargest = static_cast<float>(kLargestBigramCount);
  std::uint32_t from = last_;
  for (const std::uint32_t to : ids) {
    TIED_ASSERT(to < counts_.cols());
    if (from != kNoToken) {
      float& count = counts_(from, to);
      if (count == kLargest) {
        return make_error(ErrorCode::kInvalidArgument, "ids",
                          "more than 16777216 times " + text_of(from) + " followed by " + text_of(to),
                          "pairs that occur at most 16777216 times, so that counts are exact");
      }
      count += 1.0F;
    }
    from = to;
  }
  last_ = from;
  return {};
}

void BigramCounting::sum_up(std::size_t rows) {
  for (; rows > 0 && !is_summed_up(); --rows, ++row_) {
    const std::size_t i = row_;
    total_ += sum(counts_.view().row(i), counts_.cols());
    for (std::size_t j = 0; j < counts_.cols(); ++j) {
      const double here = static_cast<double>(counts_(i, j));
      norm_ += here * here;
      if (j <= i) continue;
      const double difference = here - static_cast<double>(counts_(j, i));
      skew_ += difference * difference;
    }
  }
}

double BigramCounting::asymmetry() const { return norm_ > 0 ? std::sqrt(skew_ / 2 / norm_) : 0; }

Result<Matrix<float>> count_bigrams(std::span<const std::uint32_t> ids, std::size_t vocab_size) {
  if (ids.size() < 2) {
    return make_error(ErrorCode::kInvalidArgument, "ids length", ids.size(), "at least 2, a token and the next");
  }
  if (vocab_size <= kLargestBigramVocabSize) {
    if (auto status = check_token_ids("ids", ids, vocab_size); vocab_size >= 2 && !status) return status;
  }
  auto counting = BigramCounting::create(vocab_size);
  if (!counting) return counting.failure();
  if (auto status = counting.value().count(ids); !status) return status;
  return counting.value().take_counts();
}

}  // namespace tied
