#include "text/bigrams.h"

#include <cmath>

#include "base/token_ids.h"
#include "linalg/reduce.h"
#include "text/key_heap.h"

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

void conditional_distribution(std::span<float> out, ConstMatrixView<float> counts, std::size_t row) {
  TIED_ASSERT(out.size() == counts.cols);
  const float* const from = counts.row(row);
  const double total = sum(from, counts.cols);
  for (std::size_t j = 0; j < counts.cols; ++j) {
    out[j] = total > 0 ? static_cast<float>(static_cast<double>(from[j]) / total) : 0.0F;
  }
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

std::vector<RankedBigram> top_bigrams(ConstMatrixView<float> counts, std::size_t n) {
  TIED_ASSERT(counts.cols <= kLargestBigramVocabSize);
  // Larger keys are better: more frequent, then smaller (from, to). 25, 14 and 14 bits.
  constexpr std::uint32_t kIdBits = 14;
  constexpr std::uint64_t kIdMask = (1u << kIdBits) - 1;
  KeyHeap best;  // the n best so far, the worst of them on top
  for (std::size_t i = 0; i < counts.rows && n > 0; ++i) {
    for (std::size_t j = 0; j < counts.cols; ++j) {
      const float count = counts(i, j);
      if (!(count > 0)) continue;
      const std::uint64_t place = std::uint64_t{i} << kIdBits | j;
      const std::uint64_t key =
          (static_cast<std::uint64_t>(count) << (2 * kIdBits)) | (~place & (kIdMask << kIdBits | kIdMask));
      if (best.size() == n) {
        if (key < best.smallest()) continue;
        best.pop();
      }
      best.push(key);
    }
  }
  std::vector<RankedBigram> ranked(best.size());
  for (std::size_t i = ranked.size(); i-- > 0;) {
    const std::uint64_t key = best.pop();
    ranked[i] = {static_cast<std::uint32_t>(~key >> kIdBits & kIdMask), static_cast<std::uint32_t>(~key & kIdMask),
                 static_cast<float>(key >> (2 * kIdBits))};
  }
  return ranked;
}

}  // namespace tied
