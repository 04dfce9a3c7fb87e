#include "text/bigrams.h"

#include <cmath>

#include "base/token_ids.h"
#include "linalg/reduce.h"

namespace tied {

Result<Matrix<float>> count_bigrams(std::span<const std::uint32_t> ids, std::size_t vocab_size) {
  if (ids.size() < 2) {
    return make_error(ErrorCode::kInvalidArgument, "ids length", ids.size(), "at least 2, a token and the next");
  }
  if (vocab_size < 2) return make_error(ErrorCode::kInvalidArgument, "vocab_size", vocab_size, "at least 2");
  if (vocab_size > kLargestBigramVocabSize) {
    return make_error(ErrorCode::kOutOfMemory, "vocab_size", vocab_size,
                      "at most 16384 (the table of counts takes 4 bytes times its square)");
  }
  if (auto status = check_token_ids("ids", ids, vocab_size); !status) return status;
  auto counts = Matrix<float>::create(vocab_size, vocab_size);
  if (!counts) return counts;
  float* const data = counts.value().data();
  constexpr float kLargest = static_cast<float>(kLargestBigramCount);
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
    float& count = data[ids[i] * vocab_size + ids[i + 1]];
    if (count == kLargest) {
      return make_error(ErrorCode::kInvalidArgument, "ids",
                        "more than 16777216 times " + text_of(ids[i]) + " followed by " + text_of(ids[i + 1]),
                        "pairs that occur at most 16777216 times, so that counts are exact");
    }
    count += 1.0F;
  }
  return counts;
}

double total_count(ConstMatrixView<float> counts) {
  double total = 0;
  for (std::size_t row = 0; row < counts.rows; ++row) total += sum(counts.row(row), counts.cols);
  return total;
}

double count_asymmetry(ConstMatrixView<float> counts) {
  TIED_ASSERT(counts.rows == counts.cols);
  double norm = 0;
  double skew = 0;  // sum over i < j of (a_ij - a_ji)^2, so ||(A - A^T) / 2||^2 is half of it
  for (std::size_t i = 0; i < counts.rows; ++i) {
    for (std::size_t j = 0; j < counts.cols; ++j) {
      const double here = static_cast<double>(counts(i, j));
      norm += here * here;
      if (j <= i) continue;
      const double difference = here - static_cast<double>(counts(j, i));
      skew += difference * difference;
    }
  }
  return norm > 0 ? std::sqrt(skew / 2 / norm) : 0;
}

}  // namespace tied
