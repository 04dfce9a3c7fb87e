#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../baseline.h"
#include "linalg/simd.h"
#include "linalg/simd_exp.h"
#include "linalg/softmax.h"
#include "linalg/softmax_row.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

// exp in T is within a few units in the last place, its argument carries an error of |x - max| units (at most 40 here),
// and everything else is rounded once.
template <class T>
constexpr double kTolerance = 64 * test::kRoundoff<T>;

template <class T>
std::vector<double> plain_softmax(const Guarded<T>& x, std::size_t row, std::size_t cols) {
  double maximum = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < cols; ++j) maximum = std::fmax(maximum, static_cast<double>(x(row, j)));
  std::vector<double> p(cols);
  double total = 0;
  for (std::size_t j = 0; j < cols; ++j) total += p[j] = std::exp(static_cast<double>(x(row, j)) - maximum);
  for (double& value : p) value /= total;
  return p;
}

}  // namespace

TEST_CASE_TEMPLATE("softmax and log-softmax agree with plain loops at every length and start", T, float, double) {
  const std::size_t rows = 3;
  for (const std::size_t cols : test::kVectorSizes) {
    if (cols == 0) continue;
    for (const std::size_t offset : {0, 1, 2, 3}) {
      Guarded<T> x(rows, cols, offset, offset);
      x.fill_normal(cols, 5);
      Guarded<T> p(rows, cols, 3 - offset, 1);
      Guarded<T> log_p(rows, cols, offset, 2);
      softmax_rows<T>(p.view(), x.view());
      log_softmax_rows<T>(log_p.view(), x.view());
      double worst = 0;
      double worst_log = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::vector<double> expected = plain_softmax(x, i, cols);
        for (std::size_t j = 0; j < cols; ++j) {
          worst = std::fmax(worst, std::fabs(static_cast<double>(p(i, j)) - expected[j]) / expected[j]);
          const double log_expected = std::log(expected[j]);
          worst_log = std::fmax(worst_log, std::fabs(static_cast<double>(log_p(i, j)) - log_expected) /
                                               std::fmax(1, std::fabs(log_expected)));
        }
      }
      CAPTURE(cols);
      CHECK(worst <= kTolerance<T>);
      CHECK(worst_log <= kTolerance<T>);
      CHECK(p.untouched_outside());
      CHECK(log_p.untouched_outside());
      Guarded<T> row(rows, cols, offset, 3);
      for (std::size_t i = 0; i < rows; ++i) {
        const LogSum sums = log_sum_exp(x.view().row(i), cols);
        const double most = static_cast<double>(*std::max_element(x.view().row(i), x.view().row(i) + cols));
        CHECK(sums.maximum == most);
        for (const T* less : {static_cast<const T*>(nullptr), static_cast<const T*>(log_p.view().row(i))}) {
          const LogSum same = softmax_minus<T>(row.view().row(i), x.view().row(i), less, cols);
          CHECK(same.maximum == sums.maximum);
          CHECK(same.log_sum == sums.log_sum);
          for (std::size_t j = 0; j < cols; ++j) {
            CHECK(row(i, j) == (less == nullptr ? p(i, j) : p(i, j) - less[j]));
            const double loss = sums.loss_of(static_cast<double>(x(i, j)));
            CHECK(std::fabs(loss + static_cast<double>(log_p(i, j))) <= kTolerance<T> * std::fmax(1, loss));
          }
        }
      }
      CHECK(row.untouched_outside());
      softmax_rows<T>(x.view(), x.view());  // in place
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) CHECK(x(i, j) == p(i, j));
      }
    }
  }
}

TEST_CASE("softmax does not change when a row is shifted, however far") {
  Guarded<float> x(1, 5);
  const float values[] = {-2, 0, 1, 3, -1};
  for (const float shift : {0.0F, 1e4F, -1e4F}) {
    for (std::size_t j = 0; j < 5; ++j) x(0, j) = values[j] + shift;
    Guarded<float> p(1, 5);
    softmax_rows<float>(p.view(), x.view());
    const double expected = std::exp(3.0) / (std::exp(-2.0) + 1 + std::exp(1.0) + std::exp(3.0) + std::exp(-1.0));
    // Shifts up to 1e4 change no value by more than a rounding of 2^-11.
    CHECK(static_cast<double>(p(0, 3)) == doctest::Approx(expected).epsilon(1e-3));
    double total = 0;
    for (std::size_t j = 0; j < 5; ++j) total += static_cast<double>(p(0, j));
    CHECK(total == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("the explorer's table gives the softmax rows of the reference") {
  Guarded<float> gram(3, 3);
  const float values[3][3] = {{1.25F, 1.25F, 0.9F}, {1.25F, 1.45F, 1.32F}, {0.9F, 1.32F, 1.53F}};
  const double expected[3][3] = {{0.3697, 0.3697, 0.2605}, {0.3036, 0.3708, 0.3256}, {0.2273, 0.3459, 0.4268}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) gram(i, j) = values[i][j];
  }
  softmax_rows<float>(gram.view(), gram.view());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::fabs(static_cast<double>(gram(i, j)) - expected[i][j]) < 6e-5);
  }
}

TEST_CASE("minus infinity is probability zero; NaN and plus infinity spoil their own row only") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::size_t cols : {3, 4, 6, 9}) {
    Guarded<float> x(3, cols);
    x.fill_normal(1);
    x(0, 1) = -kInfinity;
    x(1, cols - 1) = std::numeric_limits<float>::quiet_NaN();
    x(2, 0) = kInfinity;
    softmax_rows<float>(x.view(), x.view());
    CHECK(x(0, 1) == 0);
    for (std::size_t j = 0; j < cols; ++j) {
      CHECK(std::isfinite(x(0, j)));
      CHECK(std::isnan(x(1, j)));
      CHECK(std::isnan(x(2, j)));
    }
  }
}

TEST_CASE("softmax handles huge, equal and single logits") {
  for (const std::size_t cols : {1, 2, 3, 5, 16, 21, 70, 261}) {
    Guarded<float> x(3, cols, 2, 1);
    const std::size_t largest = cols / 2;
    for (std::size_t j = 0; j < cols; ++j) {
      x(0, j) = -1e30F;
      x(1, j) = 3e38F;
      x(2, j) = 1e30F * (j == largest ? 1 : -1);
    }
    const std::vector<std::uint32_t> targets(3, static_cast<std::uint32_t>(largest));
    Guarded<float> gradient = x;
    const double loss = cross_entropy_tokens<float>(gradient.view(), targets.data(), 1, true);
    CHECK(std::fabs(loss - 2 * std::log(static_cast<double>(cols))) < 1e-13 * std::fmax(1, loss));
    softmax_rows<float>(x.view(), x.view());
    for (std::size_t j = 0; j < cols; ++j) {
      const auto equal = static_cast<float>(1.0 / static_cast<double>(cols));
      CHECK(x(0, j) == equal);
      CHECK(x(1, j) == equal);
      CHECK(x(2, j) == (j == largest ? 1 : 0));
      CHECK(gradient(0, j) == equal - (j == largest ? 1 : 0));
      CHECK(gradient(2, j) == 0);
    }
    CHECK(x.untouched_outside());
    CHECK(gradient.untouched_outside());
  }
}

TEST_CASE("softmax does not flush subnormal logits to zero") {
  const std::size_t cols = 19;
  Guarded<float> x(1, cols, 0, 3);
  for (std::size_t j = 0; j < cols; ++j) x(0, j) = static_cast<float>(j) * std::numeric_limits<float>::denorm_min();
  softmax_rows<float>(x.view(), x.view());
  for (std::size_t j = 0; j < cols; ++j) CHECK(x(0, j) == static_cast<float>(1.0 / cols));
}

TEST_CASE_TEMPLATE("with capacity for its last batch a row has the same normalizer, and zeros after it", T, float,
                   double) {
  constexpr std::size_t kSpare = 4;
  for (const std::size_t size : test::kVectorSizes) {
    if (size == 0) continue;
    const std::size_t whole = (size + simd::kLanes<T> - 1) / simd::kLanes<T> * simd::kLanes<T>;
    Guarded<T> x(1, size + kSpare, 0, 1);
    x.fill_normal(size, 4);
    for (std::size_t j = size; j < size + kSpare; ++j) x(0, j) = std::numeric_limits<T>::quiet_NaN();
    Guarded<T> exact(1, size, 0, 2);
    const Normalizer alone = normalizer<T>(x.view().data, size, exact.view().data, T(0.5), size);
    const Normalizer sum_only = normalizer<T>(x.view().data, size, nullptr, T(0.5), size + kSpare);
    const Normalizer with_capacity = normalizer<T>(x.view().data, size, x.view().data, T(0.5), size + kSpare);
    CHECK(alone.maximum == with_capacity.maximum);
    CHECK(alone.sum == with_capacity.sum);
    CHECK(alone.sum == sum_only.sum);
    for (std::size_t j = 0; j < size; ++j) CHECK(x(0, j) == exact(0, j));
    for (std::size_t j = size; j < whole; ++j) CHECK(x(0, j) == 0);
    for (std::size_t j = whole; j < size + kSpare; ++j) CHECK(std::isnan(x(0, j)));
    CHECK(exact.untouched_outside());
  }
}

TEST_CASE_TEMPLATE("cross-entropy of tokens: loss and gradient agree with plain loops", T, float, double) {
  for (const std::size_t cols : test::kVectorSizes) {
    if (cols == 0) continue;
    const std::size_t rows = 5;
    Guarded<T> logits(rows, cols, 1, 1);
    logits.fill_normal(cols + 7, 3);
    std::vector<std::uint32_t> targets(rows);
    for (std::size_t i = 0; i < rows; ++i) targets[i] = static_cast<std::uint32_t>((i * 7919) % cols);
    const double weight = 1.0 / rows;
    double expected = 0;
    std::vector<std::vector<double>> p;
    for (std::size_t i = 0; i < rows; ++i) {
      p.push_back(plain_softmax(logits, i, cols));
      expected -= weight * std::log(p[i][targets[i]]);
    }
    Guarded<T> gradient = logits;
    const double forward = cross_entropy_tokens<T>(logits.view(), targets.data(), weight, false);
    const double both = cross_entropy_tokens<T>(gradient.view(), targets.data(), weight, true);
    CHECK(std::fabs(forward - expected) <= kTolerance<T> * std::fmax(1, expected));
    CHECK(both == forward);
    CHECK(logits(0, 0) == Guarded<T>(rows, cols, 1, 1).fill_normal(cols + 7, 3)(0, 0));
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        const double expected_gradient = weight * (p[i][j] - (j == targets[i] ? 1 : 0));
        CHECK(std::fabs(static_cast<double>(gradient(i, j)) - expected_gradient) <= kTolerance<T> * weight);
      }
    }
    CHECK(gradient.untouched_outside());
  }
}

TEST_CASE_TEMPLATE(
    "cross-entropy of tokens has the same bits with a margin after each row, and changes nothing beyond it", T, float,
    double) {
  constexpr std::size_t kMargin = 3;
  for (const std::size_t cols : test::kVectorSizes) {
    if (cols == 0) continue;
    // More rows than are taken together, and one more.
    const std::size_t rows = 17;
    Guarded<T> wide(rows, cols + kMargin, 1, 1);
    wide.fill_normal(cols, 3);
    Guarded<T> exact(rows, cols, 1, 1);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) exact(i, j) = wide(i, j);
    }
    const std::vector<std::uint32_t> targets(rows, static_cast<std::uint32_t>(cols - 1));
    const MatrixView<T> logits(wide.view().data, rows, cols, wide.view().stride);
    const double loss = cross_entropy_tokens<T>(exact.view(), targets.data(), 0.1, true);
    CHECK(cross_entropy_tokens<T>(logits, targets.data(), 0.1, true, kMargin) == loss);
    std::size_t different = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) different += wide(i, j) == exact(i, j) ? 0 : 1;
    }
    CHECK(different == 0);
    CHECK(wide.untouched_outside());
    CHECK(exact.untouched_outside());
  }
}

TEST_CASE_TEMPLATE("cross-entropy of tokens has the same bits where rows of whole batches follow each other", T, float,
                   double) {
  constexpr std::size_t n = simd::kLanes<T>;
  for (const std::size_t cols : {1, 2, 3, 5, 16, 65, 67, 127, 128, 129, 255, 256, 257}) {
    const std::size_t whole = (cols + n - 1) / n * n;
    for (const std::size_t rows : {1, 4, 16, 17, 40}) {
      Guarded<T> joined(rows, whole);
      joined.fill_normal(cols, 3);
      Guarded<T> exact(rows, cols, 1, 1);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) exact(i, j) = joined(i, j);
        for (std::size_t j = cols; j < whole; ++j) joined(i, j) = std::numeric_limits<T>::quiet_NaN();
      }
      const std::vector<std::uint32_t> targets(rows, static_cast<std::uint32_t>(cols - 1));
      const MatrixView<T> logits(joined.view().data, rows, cols, whole);
      const double loss = cross_entropy_tokens<T>(exact.view(), targets.data(), 0.1, true);
      CHECK(cross_entropy_tokens<T>(logits, targets.data(), 0.1, true, whole - cols) == loss);
      std::size_t different = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) different += joined(i, j) == exact(i, j) ? 0 : 1;
      }
      CHECK(different == 0);
      CHECK(joined.untouched_outside());
    }
  }
}

TEST_CASE_TEMPLATE("exponentials of an array have the bits of single ones, and its room is not exceeded", T, float,
                   double) {
  constexpr std::size_t n = simd::kLanes<T>;
  constexpr std::size_t kRoom = simd::kExponentialsTogether * n;
  for (std::size_t count = n; count <= 40 * n; count += n) {
    const std::size_t room = (count + kRoom - 1) / kRoom * kRoom;
    Guarded<T> x(1, room);
    x.fill_normal(count, 20);
    for (std::size_t j = 0; j < count; ++j) x(0, j) = -std::fabs(x(0, j));
    x(0, count - 1) = -std::numeric_limits<T>::infinity();
    const Guarded<T> before = x;
    simd::exponentials_of_nonpositive(x.view().data, count);
    std::size_t different = 0;
    for (std::size_t j = 0; j < count; ++j) {
      simd::Batch<T> alone[1] = {simd::Batch<T>(before(0, j))};
      simd::exp_of_nonpositive(alone);
      T lanes[n];
      simd::store(lanes, alone[0]);
      different += x(0, j) == lanes[0] ? 0 : 1;
    }
    CHECK(different == 0);
    CHECK(x(0, count - 1) == 0);
    CHECK(x.untouched_outside());
  }
}

TEST_CASE_TEMPLATE("cross-entropy of a joint distribution: loss and gradient agree with plain loops", T, float,
                   double) {
  for (const std::size_t cols : test::kVectorSizes) {
    if (cols == 0) continue;
    const std::size_t rows = 4;
    Guarded<T> logits(rows, cols, 1, 1);
    logits.fill_normal(cols + 9, 3);
    Guarded<T> joint(rows, cols, 2, 3);
    Random random(cols, stream_of("joint"));
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        // A third of the entries and all of row 2 are zero.
        const double value = random.below(3) == 0 || i == 2 ? 0 : random.uniform_double();
        joint(i, j) = static_cast<T>(value / static_cast<double>(rows * cols));
      }
    }
    double expected = 0;
    std::vector<std::vector<double>> expected_gradient;
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<double> p = plain_softmax(logits, i, cols);
      double row_sum = 0;
      for (std::size_t j = 0; j < cols; ++j) {
        row_sum += static_cast<double>(joint(i, j));
        expected -= static_cast<double>(joint(i, j)) * std::log(p[j]);
      }
      for (std::size_t j = 0; j < cols; ++j) p[j] = row_sum * p[j] - static_cast<double>(joint(i, j));
      expected_gradient.push_back(p);
    }
    Guarded<T> gradient = logits;
    const double forward = cross_entropy_joint<T>(logits.view(), joint.view(), false);
    const double both = cross_entropy_joint<T>(gradient.view(), joint.view(), true);
    CHECK(std::fabs(forward - expected) <= kTolerance<T> * std::fmax(1, expected));
    CHECK(both == forward);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        CHECK(std::fabs(static_cast<double>(gradient(i, j)) - expected_gradient[i][j]) <= kTolerance<T>);
      }
    }
    CHECK(gradient.untouched_outside());
  }
}

TEST_CASE("the gradient of the cross-entropy sums to zero over each row") {
  Guarded<float> logits(6, 1000);
  logits.fill_normal(3, 2);
  const std::vector<std::uint32_t> targets{0, 1, 999, 500, 3, 4};
  cross_entropy_tokens<float>(logits.view(), targets.data(), 1.0 / 6, true);
  for (std::size_t i = 0; i < 6; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < 1000; ++j) total += static_cast<double>(logits(i, j));
    // A thousand roundings of values that sum to 1/6.
    CHECK(std::fabs(total) < 1e-7);
  }
}

TEST_CASE("a sum over fifty thousand logits is as exact as one over few") {
  const std::size_t cols = 50257;
  Guarded<float> logits(1, cols);
  for (std::size_t j = 0; j < cols; ++j) logits(0, j) = 0.1F;
  const std::uint32_t target = 7;
  const double loss = cross_entropy_tokens<float>(logits.view(), &target, 1, false);
  // Equal logits: the loss is ln V. Every exponential is exactly 1 and the sum is exact.
  CHECK(std::fabs(loss - std::log(50257.0)) < 1e-13);
}

TEST_CASE("softmax has these bits on every machine") {
  if (!test::has_baseline_bits()) return;
  // Recorded with the native build.
  Guarded<float> x(20, 333);
  x.fill_normal(21, 10);
  softmax_rows<float>(x.view(), x.view());
  CHECK(test::hash_of_bits(x.view()) == 0x3bcb5514222ee41a);
}
