#include "diagnostics/neighbors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/allocate.h"
#include "base/random.h"
#include "diagnostics/tables.h"
#include "linalg/checks.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

// Queries and rows of one product.
constexpr std::size_t kQueries = 32;
constexpr std::size_t kBlock = 512;

// Scales x to length 1. False if it has no direction: x is then zero.
bool make_unit(float* x, std::size_t size) {
  const double square = squared_norm(x, size);
  if (square == 0) return false;
  const double factor = 1 / std::sqrt(square);
  for (std::size_t j = 0; j < size; ++j) x[j] = static_cast<float>(static_cast<double>(x[j]) * factor);
  return true;
}

bool is_before(const Neighbor& a, const Neighbor& b) {
  return a.cosine > b.cosine || (a.cosine == b.cosine && a.row < b.row);
}

std::size_t common(std::span<const Neighbor> a, std::span<const Neighbor> b) {
  return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [b](const Neighbor& one) {
    return std::any_of(b.begin(), b.end(), [one](const Neighbor& other) { return other.row == one.row; });
  }));
}

}  // namespace

Result<Directions> Directions::create(std::string_view name, ConstMatrixView<float> table, NeighborMetric metric) {
  if (Status status = check_some_rows(name, table); !status) return status;
  auto usable = nonzero_rows({table});
  if (!usable) return usable.failure();
  const std::span<const std::uint32_t> ids(usable.value().data(), usable.value().size());
  Directions made;
  if (Status status = make_zeros(made.rows_, table.rows, table.cols); !status) return status;
  if (metric == NeighborMetric::kCenteredCosine) {
    if (Status status = allocate(made.means_, table.cols); !status) return status;
    column_means(made.means_.data(), table, ids);
  }
  auto present = AlignedBuffer<std::uint8_t>::create(table.rows);
  if (!present) return present.failure();
  made.present_ = std::move(present).value();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!made.direction_of(made.rows_.view().row(ids[i]), table.row(ids[i]))) continue;
    made.present_[ids[i]] = 1;
    ++made.count_;
  }
  if (made.count_ > 0) return made;
  return make_error(ErrorCode::kInvalidArgument, name, "the same in all rows", "rows that differ from their mean");
}

bool Directions::direction_of(float* out, const float* vector) const {
  const std::size_t size = rows_.cols();
  for (std::size_t j = 0; j < size; ++j) {
    const double mean = means_.size() > 0 ? means_[j] : 0;
    out[j] = static_cast<float>(static_cast<double>(vector[j]) - mean);
  }
  return make_unit(out, size);
}

Result<NeighborSearch> NeighborSearch::create(std::size_t most_queries, std::size_t k) {
  NeighborSearch made;
  made.k_ = k;
  auto found = AlignedBuffer<Neighbor>::create(most_queries * k);
  if (!found) return found.failure();
  made.found_ = std::move(found).value();
  if (Status status = allocate(made.found_count_, most_queries); !status) return status;
  if (Status status = make_zeros(made.cosines_, most_queries, kBlock); !status) return status;
  return made;
}

void NeighborSearch::find(const Directions& table, ConstMatrixView<float> queries,
                          std::span<const std::uint32_t> skipped) {
  std::fill_n(found_count_.data(), queries.rows, 0U);
  for (std::size_t first = 0; first < table.view().rows; first += kBlock) {
    const std::size_t count = std::min(kBlock, table.view().rows - first);
    const MatrixView<float> cosines{cosines_.data(), queries.rows, count, kBlock};
    matmul_nt<float>(cosines, queries, table.view().row_block(first, count));
    for (std::size_t i = 0; i < queries.rows; ++i) {
      const float* row = cosines.row(i);
      for (std::size_t j = 0; j < count; ++j) {
        const std::size_t other = first + j;
        const std::size_t size = found_count_[i];
        // Most rows end here.
        if (size == k_ && !(row[j] > found_[i * k_ + k_ - 1].cosine)) continue;
        if (!table.has(other) || (!skipped.empty() && skipped[i] == other)) continue;
        insert(i, {static_cast<std::uint32_t>(other), row[j]});
      }
    }
  }
}

void NeighborSearch::insert(std::size_t query, Neighbor neighbor) {
  Neighbor* list = found_.data() + query * k_;
  std::size_t place = found_count_[query];
  if (place < k_) {
    ++found_count_[query];
  } else {
    --place;
  }
  for (; place > 0 && is_before(neighbor, list[place - 1]); --place) list[place] = list[place - 1];
  list[place] = neighbor;
}

Result<NeighborOverlap> NeighborOverlap::create(ConstMatrixView<float> a, ConstMatrixView<float> b,
                                                const OverlapOptions& options) {
  if (a.rows != b.rows) {
    return rows_error("b", b.rows, joined({"as many rows as a has, ", text_of(a.rows)}));
  }
  NeighborOverlap made;
  auto directions_a = Directions::create("a", a, options.metric);
  if (!directions_a) return directions_a.failure();
  made.a_ = std::move(directions_a).value();
  auto directions_b = Directions::create("b", b, options.metric);
  if (!directions_b) return directions_b.failure();
  made.b_ = std::move(directions_b).value();

  AlignedBuffer<std::uint32_t> ids;
  if (Status status = allocate(ids, a.rows); !status) return status;
  for (std::size_t i = 0; i < a.rows; ++i) {
    if (made.a_.has(i) && made.b_.has(i)) ids[made.usable_++] = static_cast<std::uint32_t>(i);
  }
  const std::size_t usable = made.usable_;
  // Not k + 2 > usable: that sum could wrap.
  if (options.k < 1 || usable < 3 || options.k > usable - 2) {
    return make_error(ErrorCode::kInvalidArgument, "k", options.k,
                      joined({"at least 1 and at most ", text_of(usable > 2 ? usable - 2 : 0), ", 2 below the ",
                              text_of(usable), " rows that have a direction"}));
  }
  if (options.sample > usable) {
    return make_error(ErrorCode::kInvalidArgument, "sample", options.sample,
                      joined({"at most ", text_of(usable), ", as many as rows have a direction"}));
  }
  made.k_ = options.k;
  const std::size_t size = options.sample == 0 ? usable : options.sample;
  if (size < usable) {
    Random random(options.seed, stream_of("diagnostics:neighbors"));
    shuffle({ids.data(), usable}, random);
    sort_ids({ids.data(), size}, nullptr);
  }
  if (Status status = allocate(made.sample_, size); !status) return status;
  std::copy_n(ids.data(), size, made.sample_.data());
  if (Status status = allocate(made.overlaps_, size); !status) return status;
  for (auto* search : {&made.in_a_, &made.in_b_}) {
    auto created = NeighborSearch::create(kQueries, options.k);
    if (!created) return created.failure();
    *search = std::move(created).value();
  }
  if (Status status = make_zeros(made.queries_a_, kQueries, a.cols); !status) return status;
  if (Status status = make_zeros(made.queries_b_, kQueries, b.cols); !status) return status;
  return made;
}

void NeighborOverlap::advance(std::size_t blocks) {
  for (; blocks > 0 && !finished(); --blocks) {
    const std::size_t count = std::min(kQueries, sample_.size() - done_);
    const std::span<const std::uint32_t> ids(sample_.data() + done_, count);
    const auto queries_a = queries_a_.view().row_block(0, count);
    const auto queries_b = queries_b_.view().row_block(0, count);
    gather_rows<float>(queries_a, a_.view(), ids, nullptr);
    gather_rows<float>(queries_b, b_.view(), ids, nullptr);
    in_a_.find(a_, queries_a, ids);
    in_b_.find(b_, queries_b, ids);
    for (std::size_t i = 0; i < count; ++i) {
      overlaps_[done_ + i] = static_cast<float>(common(in_a_.of(i), in_b_.of(i))) / static_cast<float>(k_);
      shareable_a_ += shareable(in_a_.of(i));
      shareable_b_ += shareable(in_b_.of(i));
    }
    done_ += count;
  }
}

double NeighborOverlap::overlap() const { return sum(overlaps_.data(), done_) / static_cast<double>(done_); }

double NeighborOverlap::standard_error() const {
  const auto n = static_cast<double>(done_);
  if (done_ < 2 || done_ == usable_) return 0;
  const double mean = overlap();
  double squares = 0;
  for (const float value : overlaps_)
    squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  // Drawn without replacement.
  return std::sqrt(squares / (n - 1) / n * (1 - n / static_cast<double>(usable_)));
}

double NeighborOverlap::shareable(std::span<const Neighbor> found) const {
  return static_cast<double>(std::count_if(found.begin(), found.end(),
                                           [this](const Neighbor& one) { return a_.has(one.row) && b_.has(one.row); }));
}

double NeighborOverlap::by_chance() const {
  const auto n = static_cast<double>(done_);
  return shareable_a_ / n * (shareable_b_ / n) / static_cast<double>(k_) / static_cast<double>(usable_ - 1);
}

}  // namespace tied
