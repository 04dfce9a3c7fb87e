// Nearest rows of embedding tables by cosine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

enum class NeighborMetric : std::uint8_t {
  kCosine,
  kCenteredCosine,  // after subtracting the mean row
};

// The rows of a table at length 1, for products that are cosines. Rows without a direction (zeros, or equal to the mean
// when centered) are zero and nobody's neighbors.
class Directions {
 public:
  // Errors: those of check_table under `name`; kInvalidArgument if no row has a direction; kOutOfMemory.
  static Result<Directions> create(std::string_view name, ConstMatrixView<float> table, NeighborMetric metric);

  ConstMatrixView<float> view() const { return rows_.view(); }
  Matrix<float> take_rows() && { return std::move(rows_); }
  bool has(std::size_t row) const { return present_[row] != 0; }
  std::size_t count() const { return count_; }

  // The direction of a vector [d] that is not a row: `out` [d]. False if it has none.
  bool direction_of(float* out, const float* vector) const;

 private:
  Matrix<float> rows_;
  AlignedBuffer<double> means_;  // empty unless centered
  AlignedBuffer<std::uint8_t> present_;
  std::size_t count_ = 0;
};

struct Neighbor {
  std::uint32_t row = 0;
  float cosine = 0;

  using Answered = Record<&Neighbor::row, &Neighbor::cosine>;
};

// The k rows nearest to each of several vectors, found a tile of the table at a time. Ties go to the lower row.
class NeighborSearch {
 public:
  // At most `most_queries` at a time. Errors: kOutOfMemory.
  static Result<NeighborSearch> create(std::size_t most_queries, std::size_t k);

  // Replaces the lists: for each query [n, d], its k nearest rows of `table`, nearest first. `skipped`: for each query,
  // a row to skip, such as the query itself; empty: none.
  void find(const Directions& table, ConstMatrixView<float> queries, std::span<const std::uint32_t> skipped);

  // Fewer than k only if the table has fewer rows with a direction.
  std::span<const Neighbor> of(std::size_t query) const { return {found_.data() + query * k_, found_count_[query]}; }

 private:
  void insert(std::size_t query, Neighbor neighbor);

  std::size_t k_ = 0;
  AlignedBuffer<Neighbor> found_;
  AlignedBuffer<std::uint32_t> found_count_;
  Matrix<float> cosines_;  // [most_queries, kTile]
};

struct OverlapOptions {
  std::size_t k = 10;
  NeighborMetric metric = NeighborMetric::kCosine;
  std::size_t sample = 0;  // number of rows to compare; 0: all
  std::uint64_t seed = 0;
};

// The mean fraction of a row's k nearest neighbors that two tables [V, d1], [V, d2] have in common. Rows that have no
// direction in either table are left out as queries, and are nobody's neighbors in that table. The row itself is not
// counted.
//
// By chance: let the n rows that have a direction in both tables be in a random order in one of them. A row then shares
// each pair of such neighbors with probability 1 / (n - 1), so the expected overlap is a b / (k (n - 1)), where a and b
// are the mean numbers of such rows among the k neighbors in either table. If no row has a direction in one table only,
// this is k / (n - 1).
class NeighborOverlap {
 public:
  // The tables are copied. Errors: kShapeMismatch unless the tables have equally many rows; kNotFinite;
  // kInvalidArgument unless 1 <= k < n - 1 and the sample is not larger than the tables; kOutOfMemory.
  static Result<NeighborOverlap> create(ConstMatrixView<float> a, ConstMatrixView<float> b,
                                        const OverlapOptions& options);

  // Works through `blocks` more blocks of rows of the sample.
  void advance(std::size_t blocks);
  double share() const { return static_cast<double>(done_) / static_cast<double>(sample_.size()); }
  bool finished() const { return done_ == sample_.size(); }

  double overlap() const;
  // The standard error of the sample's mean as an estimate of the mean over all rows; 0 if all rows are in the sample.
  double standard_error() const;
  // Once finished. Exact if all rows are in the sample.
  double by_chance() const;
  // The rows of the sample, ascending, and the overlap of each.
  std::span<const std::uint32_t> rows() const { return {sample_.data(), sample_.size()}; }
  std::span<const float> overlaps() const { return {overlaps_.data(), overlaps_.size()}; }
  std::size_t left_out() const { return a_.view().rows - usable_; }

  using Answered = Record<&NeighborOverlap::overlap, &NeighborOverlap::by_chance, &NeighborOverlap::standard_error,
                          &NeighborOverlap::rows, &NeighborOverlap::overlaps, &NeighborOverlap::left_out>;

 private:
  // How many of these rows have a direction in both tables.
  double shareable(std::span<const Neighbor> found) const;

  std::size_t k_ = 0;
  Directions a_;
  Directions b_;
  std::size_t usable_ = 0;
  AlignedBuffer<std::uint32_t> sample_;
  AlignedBuffer<float> overlaps_;
  NeighborSearch in_a_;
  NeighborSearch in_b_;
  Matrix<float> queries_a_;
  Matrix<float> queries_b_;
  std::size_t done_ = 0;
  // Neighbors, so far, that have a direction in both tables.
  double shareable_a_ = 0;
  double shareable_b_ = 0;
};

}  // namespace tied
