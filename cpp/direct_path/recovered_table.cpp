#include "direct_path/recovered_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/checks.h"
#include "linalg/decompositions.h"
#include "linalg/matmul.h"

namespace tied {

Result<RecoveredTable> RecoveredTable::create(ConstMatrixView<float> logits, const RecoveryOptions& options) {
  if (Status status = check_square("logits", logits.rows, logits.cols, 2); !status) return status;
  const std::size_t n = logits.rows;
  if (n > kLargestRecovery) {
    return make_error(ErrorCode::kOutOfMemory, "logits.rows", n,
                      joined({"at most ", text_of(kLargestRecovery), " tokens"}));
  }
  if (options.width > n) {
    return make_error(ErrorCode::kInvalidArgument, "width", options.width,
                      joined({"at most as many as there are tokens, ", text_of(n)}));
  }
  if (Status status = check_finite("logits", logits); !status) return status;
  RecoveredTable made;
  made.options_ = options;
  auto centered = Matrix<double>::create(n, n);
  if (!centered) return centered.failure();
  made.centered_ = std::move(centered).value();
  auto means = AlignedBuffer<double>::create(n);
  if (!means) return means.failure();
  made.column_means_ = std::move(means).value();
  const MatrixView<double> b = made.centered_.view();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += static_cast<double>(logits(i, j));
      largest = std::max(largest, std::fabs(static_cast<double>(logits(i, j))));
    }
    for (std::size_t j = 0; j < n; ++j) {
      b(i, j) = static_cast<double>(logits(i, j)) - sum / static_cast<double>(n);
      made.column_means_[j] += b(i, j) / static_cast<double>(n);
    }
  }
  double squares = 0;
  double skew = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b(i, j) -= made.column_means_[j];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      squares += b(i, j) * b(i, j);
      skew += (b(i, j) - b(j, i)) * (b(i, j) - b(j, i)) / 4;
    }
  }
  made.asymmetry_ = squares > 0 ? std::sqrt(skew / squares) : 0;
  // Entries have an error of a few 2^-24 of the largest logit, as a product of rows of single precision has. A matrix
  // of independent errors of that size has a norm of about 2 sqrt(V) times it.
  if (options.tolerance == 0) made.options_.tolerance = 0x1p-22 * largest * std::sqrt(static_cast<double>(n));
  return made;
}

Status RecoveredTable::advance(std::size_t decompositions) {
  for (; decompositions > 0 && done_ < 3; --decompositions, ++done_) {
    if (Status status = done_ == 2 ? read_table() : read_spaces(done_ == 1); !status) return status;
  }
  return {};
}

// The column space comes first: its singular values decide on the width.
Status RecoveredTable::read_spaces(bool writing) {
  const std::size_t n = centered_.rows();
  auto gram = Matrix<double>::create(n, n);
  if (!gram) return gram.failure();
  if (writing) {
    matmul_tn<double>(gram.value().view(), std::as_const(centered_).view(), std::as_const(centered_).view());
  } else {
    matmul_nt<double>(gram.value().view(), std::as_const(centered_).view(), std::as_const(centered_).view());
  }
  auto eigen = symmetric_eigen(std::as_const(gram.value()).view());
  if (!eigen) return eigen.failure();
  if (!writing) {
    auto values = AlignedBuffer<double>::create(n);
    if (!values) return values.failure();
    singular_values_ = std::move(values).value();
    for (std::size_t k = 0; k < n; ++k) {
      singular_values_[k] = std::sqrt(std::max(0.0, eigen.value().values[n - 1 - k]));
      if (singular_values_[k] > options_.tolerance) ++rank_;
    }
    if (options_.width == 0) options_.width = rank_;
  }
  auto basis = Matrix<float>::create(n, options_.width);
  if (!basis) return basis.failure();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < options_.width; ++k) {
      basis.value()(i, k) = static_cast<float>(eigen.value().vectors(i, n - 1 - k));
    }
  }
  (writing ? writing_ : reading_) = std::move(basis).value();
  return {};
}

Status RecoveredTable::read_table() {
  const std::size_t n = centered_.rows();
  auto symmetric = Matrix<double>::create(n, n);
  if (!symmetric) return symmetric.failure();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) symmetric.value()(i, j) = (centered_(i, j) + centered_(j, i)) / 2;
  }
  auto eigen = symmetric_eigen(std::as_const(symmetric.value()).view());
  if (!eigen) return eigen.failure();
  auto table = Matrix<float>::create(n, options_.width);
  if (!table) return table.failure();
  auto mean = Matrix<float>::create(1, options_.width);
  if (!mean) return mean.failure();
  double all = 0;
  for (const double column : column_means_) all += column * column;
  double explained = 0;
  for (std::size_t k = 0; k < options_.width; ++k) {
    const double value = eigen.value().values[n - 1 - k];
    if (value <= options_.tolerance) continue;
    const double root = std::sqrt(value);
    double along = 0;  // of the columns' means, in the direction of this column
    for (std::size_t i = 0; i < n; ++i) {
      const double entry = eigen.value().vectors(i, n - 1 - k);
      table.value()(i, k) = static_cast<float>(root * entry);
      along += entry * column_means_[i];
    }
    mean.value()(0, k) = static_cast<float>(along / root);
    explained += along * along;
  }
  mean_residual_ = all > 0 ? std::sqrt(std::max(0.0, all - explained) / all) : 0;
  eigenvalues_ = std::move(eigen).value().values;
  table_ = std::move(table).value();
  mean_ = std::move(mean).value();
  return {};
}

}  // namespace tied
