#include "training/data.h"

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "base/allocate.h"
#include "base/token_ids.h"

namespace tied {
namespace {

Status copy(AlignedBuffer<std::uint32_t>& to, const std::uint32_t* ids, std::size_t size) {
  Status status = allocate(to, size);
  if (status && size != 0) std::memcpy(to.data(), ids, size * sizeof(std::uint32_t));
  return status;
}

// Sums of counts are exact up to here.
constexpr double kMaxPairs = 9007199254740992.0;

std::string entry_name(std::string_view matrix, std::size_t row, std::size_t col) {
  return std::string(matrix) + "[" + text_of(row) + ", " + text_of(col) + "]";
}

}  // namespace

template <class T>
Result<TrainingData<T>> training_data_from_tokens(const std::uint32_t* token_ids, std::size_t n_token_ids,
                                                  const std::uint32_t* validation_token_ids,
                                                  std::size_t n_validation_token_ids, std::uint64_t vocab_size) {
  if (n_token_ids < 2) {
    return make_error(ErrorCode::kInvalidArgument, "token_ids.length", n_token_ids, "at least two tokens");
  }
  if (n_validation_token_ids == 1) {
    return make_error(ErrorCode::kInvalidArgument, "validation_token_ids.length", n_validation_token_ids,
                      "at least two tokens, or none");
  }
  if (Status status = check_token_ids("token_ids", {token_ids, n_token_ids}, vocab_size); !status) return status;
  if (Status status =
          check_token_ids("validation_token_ids", {validation_token_ids, n_validation_token_ids}, vocab_size);
      !status) {
    return status;
  }
  TrainingData<T> data;
  data.vocab_size = vocab_size;
  if (Status status = copy(data.token_ids, token_ids, n_token_ids); !status) return status;
  if (Status status = copy(data.validation_token_ids, validation_token_ids, n_validation_token_ids); !status) {
    return status;
  }
  return data;
}

template <class T>
Result<TrainingData<T>> training_data_from_counts(ConstMatrixView<float> counts) {
  if (counts.rows != counts.cols) {
    return make_error(ErrorCode::kShapeMismatch, "bigram_counts", text_of(counts.rows) + " x " + text_of(counts.cols),
                      "a square matrix");
  }
  double total = 0;
  std::size_t n_rows = 0;
  for (std::size_t i = 0; i < counts.rows; ++i) {
    bool any = false;
    for (std::size_t j = 0; j < counts.cols; ++j) {
      const auto count = static_cast<double>(counts(i, j));
      if (!std::isfinite(count)) {
        return make_error(ErrorCode::kNotFinite, entry_name("bigram_counts", i, j), count, "a finite count");
      }
      if (count < 0 || count != std::floor(count)) {
        return make_error(ErrorCode::kInvalidArgument, entry_name("bigram_counts", i, j), count,
                          "an integer of at least 0");
      }
      total += count;
      any = any || count > 0;
    }
    if (any) ++n_rows;
  }
  if (total > kMaxPairs) {
    return make_error(ErrorCode::kInvalidArgument, "bigram_counts", "in all " + text_of(total), "at most 2^53 pairs");
  }
  if (n_rows == 0) {
    return make_error(ErrorCode::kInvalidArgument, "bigram_counts", "zero everywhere", "at least one pair of tokens");
  }
  TrainingData<T> data;
  data.vocab_size = counts.cols;
  if (Status status = allocate(data.table.rows, n_rows); !status) return status;
  auto joint = Matrix<T>::create(n_rows, counts.cols);
  if (!joint) return joint.failure();
  data.table.joint = std::move(joint).value();
  data.table.n_pairs = static_cast<std::uint64_t>(total);
  std::size_t next = 0;
  for (std::size_t i = 0; i < counts.rows; ++i) {
    bool any = false;
    for (std::size_t j = 0; j < counts.cols; ++j) any = any || counts(i, j) > 0;
    if (!any) continue;
    data.table.rows[next] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 0; j < counts.cols; ++j) {
      data.table.joint(next, j) = static_cast<T>(static_cast<double>(counts(i, j)) / total);
    }
    ++next;
  }
  return data;
}

template Result<TrainingData<float>> training_data_from_tokens(const std::uint32_t*, std::size_t, const std::uint32_t*,
                                                               std::size_t, std::uint64_t);
template Result<TrainingData<double>> training_data_from_tokens(const std::uint32_t*, std::size_t, const std::uint32_t*,
                                                                std::size_t, std::uint64_t);
template Result<TrainingData<float>> training_data_from_counts(ConstMatrixView<float>);
template Result<TrainingData<double>> training_data_from_counts(ConstMatrixView<float>);

}  // namespace tied
