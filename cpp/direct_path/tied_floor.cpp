#include "direct_path/tied_floor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/elementary.h"
#include "base/random.h"
#include "direct_path/joint.h"
#include "linalg/checks.h"
#include "linalg/cholesky.h"
#include "linalg/matmul.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

constexpr std::size_t kMemory = 12;
constexpr std::size_t kCertified = 50;
// Tables of the search need no more columns than the best one has directions; texts of 500 words use some 60.
constexpr std::size_t kMostColumns = 160;

double inner_product(const AlignedBuffer<double>& a, const AlignedBuffer<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_multiple(AlignedBuffer<double>& to, double factor, const AlignedBuffer<double>& of) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * of[i];
}

Status check_whole_counts(ConstMatrixView<float> counts) {
  if (Status status = check_square("counts", counts.rows, counts.cols, 2); !status) return status;
  if (counts.rows > kLargestFloor) {
    return make_error(ErrorCode::kOutOfMemory, "counts.rows", counts.rows,
                      joined({"at most ", text_of(kLargestFloor), " tokens"}));
  }
  if (Status status = check_finite("counts", counts); !status) return status;
  bool any = false;
  for (std::size_t i = 0; i < counts.rows; ++i) {
    for (std::size_t j = 0; j < counts.cols; ++j) {
      const double count = static_cast<double>(counts(i, j));
      if (count < 0 || count != std::floor(count)) {
        return entry_error(ErrorCode::kInvalidArgument, "counts", i, j, count, "a whole number of at least 0");
      }
      any = any || count > 0;
    }
  }
  if (!any) return make_error(ErrorCode::kInvalidArgument, "counts", 0, "at least one pair");
  return {};
}

}  // namespace

Result<TiedFloor> TiedFloor::create(ConstMatrixView<float> counts, const TiedFloorOptions& options) {
  if (Status status = check_whole_counts(counts); !status) return status;
  std::vector<std::size_t> tokens;
  double total = 0;
  for (std::size_t i = 0; i < counts.rows; ++i) {
    double both = 0;
    for (std::size_t j = 0; j < counts.rows; ++j) {
      total += static_cast<double>(counts(i, j));
      both += static_cast<double>(counts(i, j)) + static_cast<double>(counts(j, i));
    }
    if (both > 0) tokens.push_back(i);
  }
  TiedFloor made;
  made.options_ = options;
  const std::size_t n = made.n_ = tokens.size();
  const std::size_t width = made.width_ = std::min(n, kMostColumns);
  for (auto* square : {&made.joint_, &made.table_, &made.certificate_, &made.difference_}) {
    auto matrix = Matrix<double>::create(n, n);
    if (!matrix) return matrix.failure();
    *square = std::move(matrix).value();
  }
  for (auto* tall : {&made.rows_, &made.row_gradient_}) {
    auto matrix = Matrix<double>::create(n, width);
    if (!matrix) return matrix.failure();
    *tall = std::move(matrix).value();
  }
  made.moves_.resize(kMemory);
  made.changes_.resize(kMemory);
  std::vector<std::pair<AlignedBuffer<double>*, std::size_t>> buffers = {
      {&made.p_, n}, {&made.q_, n}, {&made.root_, n}};
  for (auto* one : {&made.point_, &made.gradient_, &made.trial_, &made.before_, &made.direction_}) {
    buffers.push_back({one, n * width + n});
  }
  for (std::size_t k = 0; k < kMemory; ++k) {
    buffers.push_back({&made.moves_[k], n * width + n});
    buffers.push_back({&made.changes_[k], n * width + n});
  }
  for (const auto& [buffer, size] : buffers) {
    auto numbers = AlignedBuffer<double>::create(size);
    if (!numbers) return numbers.failure();
    *buffer = std::move(numbers).value();
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double count = static_cast<double>(counts(tokens[i], tokens[j]));
      made.joint_(i, j) = count / total;
      made.p_[i] += count;
      made.q_[j] += count;
    }
  }
  // Divided after whole numbers were added, so sums that are equal have equal shares.
  for (std::size_t i = 0; i < n; ++i) {
    made.p_[i] /= total;
    made.q_[i] /= total;
  }
  Random random(options.seed, stream_of("tied-floor"));
  for (std::size_t i = 0; i < n; ++i) {
    made.moving_ += made.p_[i] - std::min(made.p_[i], made.q_[i]);
    const double root = made.root_[i] = std::sqrt((made.p_[i] + made.q_[i]) / 2);
    for (std::size_t j = 0; j < n; ++j) made.bigram_ -= weighted_log(made.joint_(i, j), made.p_[i]);
    for (std::size_t k = 0; k < width; ++k) {
      made.point_[i * width + k] = 0.1 * random.normal() * root;
    }
    made.point_[n * width + i] = root * natural_log(root * root);
  }
  made.floor_ = made.bigram_;
  made.loss_ = made.reached_ = made.evaluate(made.point_);
  return made;
}

double TiedFloor::evaluate(const AlignedBuffer<double>& point) {
  const double* bias = point.data() + n_ * width_;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < width_; ++k) rows_(i, k) = point[i * width_ + k] / root_[i];
  }
  const MatrixView<double> table = table_.view();
  matmul_nt<double>(table, rows_.view(), rows_.view());
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) table(i, j) += bias[j] / root_[j];
  }
  double loss = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double* const logits = table.row(i);
    const LogSum sum = log_sum_exp(logits, n_);
    for (std::size_t j = 0; j < n_; ++j) {
      const double surprise = sum.loss_of(logits[j]);
      if (joint_(i, j) > 0) loss += joint_(i, j) * surprise;
      logits[j] = p_[i] * exponential(-surprise);
    }
  }
  // The gradient of the loss by the logits is G = K - J; by E it is (G + G^T) E, by b the sums of G's columns.
  const MatrixView<double> both = difference_.view();
  double* const by_bias = gradient_.data() + n_ * width_;
  std::fill_n(by_bias, n_, 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      both(i, j) = table(i, j) - joint_(i, j) + table(j, i) - joint_(j, i);
      by_bias[j] += (table(i, j) - joint_(i, j)) / root_[j];
    }
  }
  matmul_nn<double>(row_gradient_.view(), both, rows_.view());
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < width_; ++k) gradient_[i * width_ + k] = row_gradient_(i, k) / root_[i];
  }
  return loss;
}

void TiedFloor::direct() {
  for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = -gradient_[i];
  const std::size_t stored = std::min(pairs_, kMemory);
  double weights[kMemory] = {};
  for (std::size_t back = 1; back <= stored; ++back) {
    const std::size_t k = (pairs_ - back) % kMemory;
    weights[k] = inner_product(moves_[k], direction_) / inner_product(moves_[k], changes_[k]);
    add_multiple(direction_, -weights[k], changes_[k]);
  }
  if (stored > 0) {
    const std::size_t newest = (pairs_ - 1) % kMemory;
    const double scale =
        inner_product(moves_[newest], changes_[newest]) / inner_product(changes_[newest], changes_[newest]);
    for (double& number : direction_) number *= scale;
  }
  for (std::size_t back = stored; back >= 1; --back) {
    const std::size_t k = (pairs_ - back) % kMemory;
    const double correction = inner_product(changes_[k], direction_) / inner_product(moves_[k], changes_[k]);
    add_multiple(direction_, weights[k] - correction, moves_[k]);
  }
}

// Whether a step was found that lowers the loss. The length is halved until it lowers it by a part of what the slope
// promises.
bool TiedFloor::step() {
  constexpr double kPart = 1e-4;
  constexpr int kHalvings = 30;
  direct();
  double slope = inner_product(gradient_, direction_);
  if (!(slope < 0)) {
    pairs_ = 0;
    direct();
    slope = inner_product(gradient_, direction_);
    if (!(slope < 0)) return false;
  }
  // Before anything is known of the curvature: a step of length one at most.
  double length = pairs_ > 0 ? 1 : std::min(1.0, 1 / std::sqrt(-slope));
  std::copy(gradient_.begin(), gradient_.end(), before_.begin());
  for (int halvings = 0; halvings < kHalvings; ++halvings, length /= 2) {
    std::copy(point_.begin(), point_.end(), trial_.begin());
    add_multiple(trial_, length, direction_);
    const double loss = evaluate(trial_);
    if (!(loss <= loss_ + kPart * length * slope)) continue;
    const std::size_t k = pairs_ % kMemory;
    for (std::size_t i = 0; i < point_.size(); ++i) {
      moves_[k][i] = trial_[i] - point_[i];
      changes_[k][i] = gradient_[i] - before_[i];
    }
    if (inner_product(moves_[k], changes_[k]) > 1e-14 * inner_product(changes_[k], changes_[k])) ++pairs_;
    std::swap(point_, trial_);
    loss_ = loss;
    return true;
  }
  // Back to the point, without its history if that may have misled.
  loss_ = evaluate(point_);
  if (pairs_ == 0) return false;
  pairs_ = 0;
  return true;
}

// K0 has the margins p and q: min(p_i, q_i) stays in place, and the rest moves independently of where it came from.
double TiedFloor::held(std::size_t i, std::size_t j) const {
  const double stays = i == j ? std::min(p_[i], q_[i]) : 0;
  const double leaves = p_[i] - std::min(p_[i], q_[i]);
  const double arrives = q_[j] - std::min(p_[j], q_[j]);
  return leaves > 0 && arrives > 0 ? stays + leaves * arrives / moving_ : stays;
}

bool TiedFloor::has_no_negative_eigenvalue(double share) {
  const auto mixed = [&](std::size_t i, std::size_t j) {
    return (1 - share) * certificate_(i, j) + share * held(i, j) - joint_(i, j);
  };
  // Rounding of a factor of size n changes M by less than this, in units of its largest entry, of size one.
  const double margin = 4e-16 * static_cast<double>(n_ + 8);
  double largest = 1;
  for (std::size_t i = 0; i < n_; ++i) {
    double beside = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      if (i == j) continue;
      const double value = (mixed(i, j) + mixed(j, i)) / 2;
      beside += value;
      difference_(i, j) = value / (root_[i] * root_[j]);
    }
    // The rows of M sum to 0; so do these, to the last bit.
    difference_(i, i) = -beside / (root_[i] * root_[i]);
    largest = std::max(largest, std::fabs(difference_(i, i)));
  }
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) difference_(i, j) += root_[i] * root_[j];
    difference_(i, i) -= margin * largest;
  }
  return cholesky(difference_.view(), 0) == kIndependent;
}

double TiedFloor::entropy(double share) const {
  double sum = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) {
      sum -= weighted_log((1 - share) * certificate_(i, j) + share * held(i, j), p_[i]);
    }
  }
  return sum;
}

void TiedFloor::certify() {
  constexpr int kScalings = 10'000;
  constexpr double kExact = 1e-13;
  // Where a table reaches the bigram entropy, rounding may put it below.
  reached_ = std::max(bigram_, std::min(reached_, loss_));
  std::copy_n(table_.data(), n_ * n_, certificate_.data());
  AlignedBuffer<double>& sums = trial_;  // not in use between steps
  for (int round = 0; round < kScalings; ++round) {
    std::fill_n(sums.data(), n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) sums[j] += certificate_(i, j);
    }
    double off = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      off = std::max(off, std::fabs(sums[j] - q_[j]) / (root_[j] * root_[j]));
      sums[j] = sums[j] > 0 ? q_[j] / sums[j] : 0;
    }
    if (off < kExact) break;
    for (std::size_t i = 0; i < n_; ++i) {
      double row = 0;
      for (std::size_t j = 0; j < n_; ++j) row += certificate_(i, j) *= sums[j];
      const double scale = row > 0 ? p_[i] / row : 0;
      for (std::size_t j = 0; j < n_; ++j) certificate_(i, j) *= scale;
    }
  }
  // The smallest share of K0 that repairs M, to 2%: up from almost none, then between the last two.
  constexpr double kLeast = 1e-10;
  double share = kLeast;
  while (share <= 1 && !has_no_negative_eigenvalue(share)) share *= 4;
  if (share > 1) return;
  if (share > kLeast) {
    double low = share / 4;
    while (share > 1.02 * low) {
      const double middle = std::sqrt(low * share);
      (has_no_negative_eigenvalue(middle) ? share : low) = middle;
    }
  }
  // Where both are the infimum, rounding decides which is larger.
  floor_ = std::min(std::max(floor_, entropy(share)), reached_);
}

void TiedFloor::advance(std::size_t steps) {
  for (std::size_t k = 0; k < steps && !finished_; ++k) {
    const bool moved = step_ < options_.steps && step();
    if (moved) ++step_;
    const bool last = !moved || step_ == options_.steps;
    if (!last && step_ % kCertified != 0) continue;
    certify();
    finished_ = last || reached_ - floor_ <= options_.tolerance;
  }
}

double TiedFloor::share() const {
  if (finished_) return 1;
  return static_cast<double>(step_) / static_cast<double>(options_.steps + 1);
}

}  // namespace tied
