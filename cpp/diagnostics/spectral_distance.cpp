#include "diagnostics/spectral_distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/checks.h"
#include "linalg/decompositions.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/simd.h"

namespace tied {
namespace {

constexpr std::size_t kSearchedRows = 32;
// Size of the Krylov space at the first convergence check, in multiples of the dimensions, and its growth from check to
// check.
constexpr std::size_t kFirstCheck = 3;
constexpr double kNextCheck = 1.3;
// Residuals relative to the largest eigenvalue that count as converged, and lengths that count as zero.
constexpr double kConverged = 1e-8;
constexpr double kNoLength = 1e-10;
// The fraction of a vector's length that should remain after it was made orthogonal. If less remains, rounding matters
// and the step is repeated. J. Daniel and others, "Reorthogonalization and stable algorithms", 1976.
constexpr double kEnoughLength = 0.7;

double largest_singular_value(const Matrix<double>& gram, Status& status) {
  auto values = symmetric_eigenvalues(gram.view());
  if (!values) {
    status = values.failure();
    return 0;
  }
  const double largest = values.value()[gram.rows() - 1];
  return std::sqrt(std::max(0.0, largest));
}

}  // namespace

Result<NeighborGraph> NeighborGraph::create(std::size_t rows, std::size_t k) {
  NeighborGraph made;
  made.k_ = k;
  if (Status status = allocate(made.neighbors_, static_cast<std::uint64_t>(rows) * k); !status) return status;
  if (Status status = allocate(made.ends_, rows); !status) return status;
  return made;
}

void NeighborGraph::add(std::size_t row, std::span<const Neighbor> neighbors) {
  TIED_ASSERT(neighbors.size() <= k_);
  for (const Neighbor& neighbor : neighbors) neighbors_[row * k_ + ends_[row]++] = neighbor.row;
}

void NeighborGraph::multiply_add(double* y, const double* x, double scale,
                                 std::span<const std::uint32_t> permuted) const {
  static_assert(simd::kLanes<double> == 2);
  const auto place = [&](std::size_t node) { return 2 * (permuted.empty() ? node : permuted[node]); };
  const simd::Batch<double> half(scale / 2);
  for (std::size_t i = 0; i < rows(); ++i) {
    const std::size_t from = place(i);
    const simd::Batch<double> given = half * simd::load(x + from);
    simd::Batch<double> sum(0.0);
    for (std::size_t slot = 0; slot < ends_[i]; ++slot) {
      const std::size_t to = place(neighbors_[i * k_ + slot]);
      sum += simd::load(x + to);
      simd::store(y + to, simd::load(y + to) + given);
    }
    simd::store(y + from, simd::load(y + from) + half * sum);
  }
}

Result<OmnibusEigen> OmnibusEigen::create(std::size_t rows, std::size_t dimensions,
                                          std::vector<std::uint32_t> permutation) {
  OmnibusEigen made;
  made.rows_ = rows;
  made.dimensions_ = dimensions;
  made.permutation_ = std::move(permutation);
  made.most_ = 2 * rows;
  made.next_check_ = std::min(made.most_, kFirstCheck * dimensions + 20);
  return made;
}

double OmnibusEigen::share() const {
  return finished() ? 1 : static_cast<double>(size_) / static_cast<double>(next_check_ + 1);
}

void OmnibusEigen::multiply(double* y, const double* x, const NeighborGraph& a, const NeighborGraph& b) {
  const std::size_t n = rows_;
  // Each half of y is its own graph times half the sum of x's halves, plus A and B each times half of its own half of
  // x.
  double* const given = halves_.data();
  double* const of_a = given + 2 * n;
  double* const of_b = of_a + 2 * n;
  std::fill_n(of_a, 4 * n, 0.0);
  const auto give = [&](const double* own) {
    for (std::size_t i = 0; i < n; ++i) {
      given[2 * i] = x[i] + x[n + i];
      given[2 * i + 1] = own[i];
    }
  };
  give(x);
  a.multiply_add(of_a, given, 0.5, {});
  give(x + n);
  b.multiply_add(of_b, given, 0.5, permutation_);
  for (std::size_t i = 0; i < n; ++i) {
    const double own = of_a[2 * i + 1] + of_b[2 * i + 1];
    y[i] = of_a[2 * i] + own;
    y[n + i] = of_b[2 * i] + own;
  }
}

double OmnibusEigen::orthogonalize(double* next) {
  const MatrixView<double> vector = {next, 1, basis_.cols(), basis_.cols()};
  const MatrixView<double> products = {products_.data(), 1, size_, size_};
  double length = std::sqrt(squared_norm(next, basis_.cols()));
  // Twice is enough.
  for (int pass = 0; pass < 2 && size_ > 0; ++pass) {
    matmul_nt<double>(products, vector, basis_.view().row_block(0, size_));
    for (std::size_t i = 0; i < size_; ++i) products_[i] = -products_[i];
    matmul_nn<double>(vector, products, basis_.view().row_block(0, size_), Accumulate::kAdd);
    const double before = length;
    length = std::sqrt(squared_norm(next, basis_.cols()));
    if (length > kEnoughLength * before) break;
  }
  return length;
}

Status OmnibusEigen::restart(double* next) {
  Random random(restarts_++, stream_of("diagnostics:lanczos"));
  for (std::size_t i = 0; i < basis_.cols(); ++i) next[i] = random.normal();
  const double length = orthogonalize(next);
  if (!(length > kNoLength))
    return make_error(ErrorCode::kNotFinite, "length", length, "a direction that is not found yet");
  for (std::size_t i = 0; i < basis_.cols(); ++i) next[i] /= length;
  return {};
}

Status OmnibusEigen::step(const NeighborGraph& a, const NeighborGraph& b) {
  TIED_ASSERT(!finished());
  if (size_ == 0 || size_ == basis_.rows() - 1) {
    // Capacity up to the next check, and one more.
    Matrix<double> larger;
    if (Status status = make_zeros(larger, next_check_ + 1, 2 * rows_); !status) return status;
    std::copy_n(basis_.data(), basis_.rows() * basis_.cols(), larger.data());
    basis_ = std::move(larger);
    for (AlignedBuffer<double>* numbers : {&alpha_, &beta_, &products_}) {
      AlignedBuffer<double> longer;
      if (Status status = allocate(longer, next_check_ + 1); !status) return status;
      std::copy_n(numbers->data(), numbers->size(), longer.data());
      *numbers = std::move(longer);
    }
    if (size_ == 0) {
      if (Status status = allocate(halves_, std::uint64_t{6} * rows_); !status) return status;
      if (Status status = restart(basis_.view().row(0)); !status) return status;
    }
  }
  double* current = basis_.view().row(size_);
  double* next = basis_.view().row(size_ + 1);
  multiply(next, current, a, b);
  alpha_[size_] = dot(next, current, basis_.cols());
  // In exact arithmetic these two subtractions would be enough.
  add_scaled(next, current, basis_.cols(), -alpha_[size_]);
  if (size_ > 0) add_scaled(next, basis_.view().row(size_ - 1), basis_.cols(), -beta_[size_ - 1]);
  ++size_;
  const double length = orthogonalize(next);
  const bool last = size_ == most_;
  beta_[size_ - 1] = length > kNoLength && !last ? length : 0;
  if (!last) {
    if (length > kNoLength) {
      for (std::size_t i = 0; i < basis_.cols(); ++i) next[i] /= length;
    } else if (Status status = restart(next); !status) {
      return status;
    }
  }
  return size_ == next_check_ ? check() : Status{};
}

Status OmnibusEigen::check() {
  auto projected = Matrix<double>::create(size_, size_);
  if (!projected) return projected.failure();
  for (std::size_t i = 0; i < size_; ++i) {
    projected.value()(i, i) = alpha_[i];
    if (i + 1 < size_) projected.value()(i + 1, i) = projected.value()(i, i + 1) = beta_[i];
  }
  auto eigen = symmetric_eigen(projected.value().view());
  if (!eigen) return eigen.failure();
  const auto& [values, vectors] = eigen.value();
  std::vector<std::size_t> order(size_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t kept = std::min(dimensions_, size_);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const double size_i = std::fabs(values[i]);
    const double size_j = std::fabs(values[j]);
    return size_i > size_j || (size_i == size_j && i < j);
  });
  const double scale = std::fabs(values[order[0]]);
  residual_ = 0;
  for (std::size_t c = 0; c < kept; ++c) {
    const double left = std::fabs(beta_[size_ - 1] * vectors(size_ - 1, order[c]));
    residual_ = std::max(residual_, scale > 0 ? left / scale : 0);
  }
  if (residual_ > kConverged && size_ < most_) {
    const auto grown = static_cast<std::size_t>(kNextCheck * static_cast<double>(size_));
    next_check_ = std::min(most_, grown + 1);
    return {};
  }
  auto weights = Matrix<double>::create(size_, kept);
  auto z = Matrix<double>::create(2 * rows_, kept);
  if (!weights) return weights.failure();
  if (!z) return z.failure();
  for (std::size_t c = 0; c < kept; ++c) {
    const double root = std::sqrt(std::fabs(values[order[c]]));
    for (std::size_t i = 0; i < size_; ++i) weights.value()(i, c) = root * vectors(i, order[c]);
  }
  matmul_tn<double>(z.value().view(), basis_.view().row_block(0, size_), weights.value().view());
  const MatrixView<double> of_a = z.value().view().row_block(0, rows_);
  const MatrixView<double> of_b = z.value().view().row_block(rows_, rows_);
  auto gram = Matrix<double>::create(kept, kept);
  if (!gram) return gram.failure();
  Status status;
  const auto norm_of = [&](const MatrixView<double>& x) {
    matmul_tn<double>(gram.value().view(), x, x);
    return largest_singular_value(gram.value(), status);
  };
  const double least = std::min(norm_of(of_a), norm_of(of_b));
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t c = 0; c < kept; ++c) of_a(i, c) -= of_b(i, c);
  }
  const double difference = norm_of(of_a);
  if (!status) return status;
  distance_ = difference / least;
  basis_ = {};
  return {};
}

Result<SpectralDistance> SpectralDistance::create(ConstMatrixView<float> a, ConstMatrixView<float> b,
                                                  const SpectralOptions& options) {
  if (a.rows != b.rows) return rows_error("b", b.rows, joined({"as many rows as a has, ", text_of(a.rows)}));
  auto all_a = Directions::create("a", a, options.metric);
  if (!all_a) return all_a.failure();
  auto all_b = Directions::create("b", b, options.metric);
  if (!all_b) return all_b.failure();
  AlignedBuffer<std::uint32_t> ids;
  if (Status status = allocate(ids, a.rows); !status) return status;
  std::size_t usable = 0;
  for (std::size_t i = 0; i < a.rows; ++i) {
    if (all_a.value().has(i) && all_b.value().has(i)) ids[usable++] = static_cast<std::uint32_t>(i);
  }
  if (options.sample > usable) {
    return make_error(ErrorCode::kInvalidArgument, "sample", options.sample,
                      joined({"at most ", text_of(usable), ", as many as rows have a direction"}));
  }
  const std::size_t size = options.sample == 0 ? usable : options.sample;
  // Not k + 2 > size: that sum could wrap.
  if (options.k < 1 || size < 3 || options.k > size - 2) {
    return make_error(ErrorCode::kInvalidArgument, "k", options.k,
                      joined({"at least 1 and at most ", text_of(size > 2 ? size - 2 : 0), ", 2 below the ",
                              text_of(size), " rows of the graphs"}));
  }
  if (options.dimensions < 1 || options.dimensions > size) {
    return make_error(ErrorCode::kInvalidArgument, "dimensions", options.dimensions,
                      joined({"at least 1 and at most ", text_of(size), ", the rows of the graphs"}));
  }
  Random random(options.seed, stream_of("diagnostics:spectral"));
  if (size < usable) {
    shuffle({ids.data(), usable}, random);
    sort_ids({ids.data(), size}, nullptr);
  }
  SpectralDistance made;
  made.left_out_ = a.rows - usable;
  if (Status status = allocate(made.sample_, size); !status) return status;
  std::copy_n(ids.data(), size, made.sample_.data());
  const std::span<const std::uint32_t> rows(made.sample_.data(), size);
  for (auto& [kept, all, directions, name] :
       {std::tuple<Matrix<float>*, Directions*, std::optional<Directions>*, const char*>{&made.rows_a_, &all_a.value(),
                                                                                         &made.a_, "a"},
        {&made.rows_b_, &all_b.value(), &made.b_, "b"}}) {
    if (Status status = make_zeros(*kept, size, all->view().cols); !status) return status;
    gather_rows<float>(kept->view(), all->view(), rows, nullptr);
    auto among = Directions::create(name, kept->view(), NeighborMetric::kCosine);
    if (!among) return among.failure();
    *directions = std::move(among).value();
  }
  for (auto* search : {&made.in_a_, &made.in_b_}) {
    auto created = NeighborSearch::create(kSearchedRows, options.k);
    if (!created) return created.failure();
    *search = std::move(created).value();
  }
  for (auto* graph : {&made.graph_a_, &made.graph_b_}) {
    auto created = NeighborGraph::create(size, options.k);
    if (!created) return created.failure();
    *graph = std::move(created).value();
  }
  for (std::size_t run = 0; run <= options.null_runs; ++run) {
    std::vector<std::uint32_t> permutation(run == 0 ? 0 : size);
    std::iota(permutation.begin(), permutation.end(), 0U);
    shuffle(permutation, random);
    auto eigen = OmnibusEigen::create(size, options.dimensions, std::move(permutation));
    if (!eigen) return eigen.failure();
    made.work_.push_back(std::move(eigen).value());
  }
  return made;
}

void SpectralDistance::search() {
  const std::size_t count = std::min(kSearchedRows, sample_.size() - searched_);
  std::vector<std::uint32_t> own(count);
  std::iota(own.begin(), own.end(), static_cast<std::uint32_t>(searched_));
  in_a_.find(*a_, a_->view().row_block(searched_, count), own);
  in_b_.find(*b_, b_->view().row_block(searched_, count), own);
  for (std::size_t i = 0; i < count; ++i) {
    graph_a_.add(searched_ + i, in_a_.of(i));
    graph_b_.add(searched_ + i, in_b_.of(i));
  }
  searched_ += count;
}

Status SpectralDistance::advance(std::size_t blocks) {
  for (; blocks > 0 && !finished(); --blocks) {
    if (searched_ < sample_.size()) {
      search();
      continue;
    }
    OmnibusEigen& run = work_[next_];
    if (Status status = run.step(graph_a_, graph_b_); !status) return status;
    if (run.finished()) ++next_;
  }
  return {};
}

double SpectralDistance::share() const {
  if (finished()) return 1;
  const double searched = static_cast<double>(searched_) / static_cast<double>(sample_.size());
  const double steps = (static_cast<double>(next_) + work_[next_].share()) / static_cast<double>(work_.size());
  // Below 1 until everything is done.
  return std::min(0.99, 0.1 * searched + 0.9 * steps);
}

}  // namespace tied
