#include "diagnostics/hidden_states.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/allocate.h"
#include "diagnostics/neighbors.h"
#include "diagnostics/tables.h"
#include "linalg/checks.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/simd.h"

namespace tied {
namespace {

constexpr std::size_t kStates = 64;
constexpr std::size_t kTile = 512;
constexpr std::size_t kMostDirections = 256;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// The orthogonal part that rounding leaves of an h that is parallel to its target row, relative to |h|.
constexpr double kNothing = 1e-6;

// The largest |x_i|; 0 if there is none.
float largest_magnitude(const float* x, std::size_t size) {
  simd::Batch<float> largest(0.0F);
  simd::for_batches<float>(size, [&](auto at) { largest = xsimd::max(largest, xsimd::abs(at.load(x))); });
  return xsimd::reduce_max(largest);
}

}  // namespace

Result<HiddenStates> HiddenStates::create(ConstMatrixView<float> hidden, ConstMatrixView<float> unembedding,
                                          std::span<const std::uint32_t> targets, ConstMatrixView<float> embedding,
                                          std::uint64_t seed) {
  if (Status status = check_table("hidden", hidden); !status) return status;
  if (Status status = check_table("unembedding", unembedding); !status) return status;
  const bool has_embedding = embedding.data != nullptr;
  if (has_embedding) {
    if (Status status = check_table("embedding", embedding); !status) return status;
    if (embedding.rows != unembedding.rows) {
      return rows_error("embedding", embedding.rows,
                        joined({"as many rows as unembedding has, ", text_of(unembedding.rows)}));
    }
  }
  for (const auto& [name, cols] : {std::pair<std::string_view, std::size_t>{"unembedding", unembedding.cols},
                                   {"embedding", has_embedding ? embedding.cols : hidden.cols}}) {
    if (cols != hidden.cols) {
      return cols_error(name, cols, joined({"as many columns as hidden has, ", text_of(hidden.cols)}));
    }
  }
  if (targets.size() != hidden.rows) {
    return make_error(ErrorCode::kShapeMismatch, "targets.length", targets.size(),
                      joined({"as many as hidden has rows, ", text_of(hidden.rows)}));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] < unembedding.rows) continue;
    return make_error(ErrorCode::kInvalidArgument, joined({"targets[", text_of(i), "]"}), targets[i],
                      joined({"a row of unembedding, below ", text_of(unembedding.rows)}));
  }
  HiddenStates made;
  made.hidden_ = hidden;
  made.unembedding_ = unembedding;
  made.embedding_ = embedding;
  if (Status status = allocate(made.targets_, targets.size()); !status) return status;
  std::copy(targets.begin(), targets.end(), made.targets_.data());
  auto shuffled = made.targets_.clone();
  if (!shuffled) return shuffled.failure();
  made.shuffled_ = std::move(shuffled).value();
  made.random_ = Random(seed, stream_of("diagnostics:hidden-states"));
  shuffle({made.shuffled_.data(), made.shuffled_.size()}, made.random_);
  auto directions = Directions::create("unembedding", unembedding, NeighborMetric::kCosine);
  if (!directions) return directions.failure();
  made.directions_ = std::move(directions).value().take_rows();
  // A table whose rows are all the same has no centered directions: its cosines are NaN.
  auto centered = Directions::create("unembedding", unembedding, NeighborMetric::kCenteredCosine);
  if (centered) {
    made.centered_directions_ = std::move(centered).value().take_rows();
  } else if (centered.error().code == ErrorCode::kOutOfMemory) {
    return centered.failure();
  }
  if (Status status = make_zeros(made.orthogonal_, kStates, hidden.cols); !status) return status;
  if (Status status = make_zeros(made.cosines_, kStates, kTile); !status) return status;
  if (Status status = make_zeros(made.measures_, kHiddenMeasures, hidden.rows); !status) return status;
  std::fill_n(made.measures_.data(), kHiddenMeasures * hidden.rows, kNaN);
  const std::size_t directions_by_chance = std::min(hidden.rows, kMostDirections);
  if (Status status = make_zeros(made.by_chance_, 2, directions_by_chance); !status) return status;
  std::fill_n(made.by_chance_.data(), 2 * directions_by_chance, kNaN);
  return made;
}

double HiddenStates::baseline() const { return std::sqrt(static_cast<double>(hidden_.cols - 1)); }

void HiddenStates::advance(std::size_t blocks) {
  for (; blocks > 0 && !finished(); --blocks) {
    const bool by_chance = done_ >= hidden_.rows;
    const std::size_t first = by_chance ? done_ - hidden_.rows : done_;
    const std::size_t count = std::min(kStates, (by_chance ? by_chance_.cols() : hidden_.rows) - first);
    if (by_chance) {
      draw(count);
    } else {
      measure(first, count);
    }
    find_largest(by_chance ? &by_chance_(0, first) : &at(HiddenMeasure::kMaxOtherCosine, first), first, count,
                 directions_);
    find_largest(by_chance ? &by_chance_(1, first) : &at(HiddenMeasure::kMaxOtherCentered, first), first, count,
                 centered_directions_);
    done_ += count;
  }
}

void HiddenStates::measure(std::size_t first, std::size_t count) {
  const std::size_t width = hidden_.cols;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = first + i;
    const float* h = hidden_.row(row);
    const float* w = unembedding_.row(targets_[row]);
    float* rest = orthogonal_.view().row(i);
    std::fill_n(rest, width, 0.0F);
    const double square = squared_norm(h, width);
    const double target_square = squared_norm(w, width);
    if (square == 0 || target_square == 0) {
      ++left_out_;
      continue;
    }
    const double product = dot(h, w, width);
    const double factor = product / target_square;
    double rest_square = 0;
    const auto left_of = [&](std::size_t j) { return static_cast<double>(h[j]) - factor * static_cast<double>(w[j]); };
    for (std::size_t j = 0; j < width; ++j) rest_square += left_of(j) * left_of(j);
    const double parallel = product / std::sqrt(target_square);
    const double orthogonal = std::sqrt(rest_square);
    at(HiddenMeasure::kParallel, row) = static_cast<float>(parallel);
    at(HiddenMeasure::kOrthogonal, row) = static_cast<float>(orthogonal);
    // Infinite if h is orthogonal to w.
    at(HiddenMeasure::kRatio, row) = static_cast<float>(orthogonal / std::fabs(parallel));
    // Divided before it is rounded: floats would round, or lose, what is left of a state of tiny entries.
    if (rest_square > kNothing * kNothing * square) {
      for (std::size_t j = 0; j < width; ++j) rest[j] = static_cast<float>(left_of(j) / orthogonal);
    }
    const float* other = unembedding_.row(shuffled_[row]);
    const double other_square = squared_norm(other, width);
    const double along = dot(h, other, width);
    // NaN for a row of zeros.
    at(HiddenMeasure::kShuffledRatio, row) =
        static_cast<float>(std::sqrt(std::max(square * other_square / (along * along) - 1, 0.0)));
    if (embedding_.data == nullptr) continue;
    for (const HiddenMeasure measure : {HiddenMeasure::kInputCosine, HiddenMeasure::kShuffledInput}) {
      const float* input = embedding_.row((measure == HiddenMeasure::kInputCosine ? targets_ : shuffled_)[row]);
      const double input_square = squared_norm(input, width);
      // NaN for a row of zeros.
      at(measure, row) = static_cast<float>(dot(h, input, width) / std::sqrt(square * input_square));
    }
  }
}

void HiddenStates::draw(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    float* direction = orthogonal_.view().row(i);
    for (std::size_t j = 0; j < hidden_.cols; ++j) direction[j] = static_cast<float>(random_.normal());
    scale(direction, hidden_.cols, static_cast<float>(1 / std::sqrt(squared_norm(direction, hidden_.cols))));
  }
}

void HiddenStates::find_largest(float* largest, std::size_t first, std::size_t count, const Matrix<float>& directions) {
  const auto rest = orthogonal_.view().row_block(0, count);
  for (std::size_t begin = 0; begin < directions.rows(); begin += kTile) {
    const std::size_t size = std::min(kTile, directions.rows() - begin);
    const MatrixView<float> cosines{cosines_.data(), count, size, kTile};
    matmul_nt<float>(cosines, rest, directions.view().row_block(begin, size));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t target = targets_[first + i];
      // A state without measures, or without an orthogonal part.
      if (std::all_of(rest.row(i), rest.row(i) + rest.cols, [](float x) { return x == 0; })) continue;
      const std::size_t before = std::clamp(target, begin, begin + size) - begin;
      const std::size_t after = std::min(size, before + (begin + before == target ? 1 : 0));
      if (before + size == after) continue;
      const float* row = cosines.row(i);
      const float cosine = std::max(largest_magnitude(row, before), largest_magnitude(row + after, size - after));
      // It is NaN at first.
      if (!(cosine <= largest[i])) largest[i] = cosine;
    }
  }
}

}  // namespace tied
