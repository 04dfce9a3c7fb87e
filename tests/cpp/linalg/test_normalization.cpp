#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/normalization.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

constexpr double kEpsilon = 1e-5;

// out, mean and inverse by plain loops in double; a root-mean-square norm unless `centred`.
struct Plain {
  std::vector<double> out;
  double mean = 0;
  double inverse = 0;
};

template <class T>
Plain plain_norm(const Guarded<T>& x, std::size_t row, std::size_t cols, const Guarded<T>* weight,
                 const Guarded<T>* bias, bool centred) {
  Plain plain;
  const auto n = static_cast<double>(cols);
  for (std::size_t j = 0; centred && j < cols; ++j) plain.mean += static_cast<double>(x(row, j)) / n;
  double square = 0;
  for (std::size_t j = 0; j < cols; ++j) {
    const double difference = static_cast<double>(x(row, j)) - plain.mean;
    square += difference * difference / n;
  }
  plain.inverse = 1 / std::sqrt(square + kEpsilon);
  for (std::size_t j = 0; j < cols; ++j) {
    double y = (static_cast<double>(x(row, j)) - plain.mean) * plain.inverse;
    if (weight != nullptr) y *= static_cast<double>((*weight)(0, j));
    if (bias != nullptr) y += static_cast<double>((*bias)(0, j));
    plain.out.push_back(y);
  }
  return plain;
}

template <class T>
void check_rows(const Guarded<T>& out, const Guarded<T>& x, const std::vector<T>& mean, const std::vector<T>& inverse,
                std::size_t rows, std::size_t cols, const Guarded<T>* weight, const Guarded<T>* bias, bool centred) {
  double worst = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const Plain plain = plain_norm(x, i, cols, weight, bias, centred);
    // Up to 64 batches are summed in T per conversion to double; everything else is rounded once. The mean is rounded
    // to T, which a large `inverse` amplifies.
    const double magnitude = 1 + std::fabs(plain.mean) * plain.inverse;
    if (centred)
      worst = std::fmax(worst, std::fabs(static_cast<double>(mean[i]) - plain.mean) * plain.inverse / magnitude);
    worst = std::fmax(worst, std::fabs(static_cast<double>(inverse[i]) / plain.inverse - 1) / magnitude);
    for (std::size_t j = 0; j < cols; ++j) {
      const double error = std::fabs(static_cast<double>(out(i, j)) - plain.out[j]);
      worst = std::fmax(worst, error / (magnitude + std::fabs(plain.out[j])));
    }
  }
  CAPTURE(cols);
  CHECK(worst <= 64 * test::kRoundoff<T>);
}

}  // namespace

TEST_CASE_TEMPLATE("norms agree with plain loops at every width, stride and start", T, float, double) {
  const std::size_t rows = 3;
  for (const std::size_t cols : test::kVectorSizes) {
    if (cols == 0) continue;
    for (const std::size_t offset : {0, 1, 2, 3}) {
      Guarded<T> x(rows, cols, offset, offset);
      Guarded<T> out(rows, cols, 3 - offset, 1);
      Guarded<T> weight(1, cols, 0, offset);
      Guarded<T> bias(1, cols, 0, 3 - offset);
      x.fill_normal(cols, 3);
      weight.fill_normal(1);
      bias.fill_normal(2);
      for (const bool has_weight : {true, false}) {
        std::vector<T> mean(rows);
        std::vector<T> inverse(rows);
        rms_norm<T>(out.view(), inverse.data(), x.view(), has_weight ? weight.view().data : nullptr, kEpsilon);
        check_rows<T>(out, x, mean, inverse, rows, cols, has_weight ? &weight : nullptr, nullptr, false);
        layer_norm<T>(out.view(), mean.data(), inverse.data(), x.view(), has_weight ? weight.view().data : nullptr,
                      has_weight ? bias.view().data : nullptr, kEpsilon);
        check_rows<T>(out, x, mean, inverse, rows, cols, has_weight ? &weight : nullptr, has_weight ? &bias : nullptr,
                      true);
      }
      CHECK(out.untouched_outside());
    }
  }
}

TEST_CASE("norms work in place, and on no rows") {
  Guarded<float> x(5, 37, 2, 1);
  x.fill_normal(1);
  Guarded<float> out(5, 37);
  Guarded<float> weight(1, 37);
  weight.fill_normal(2);
  std::vector<float> inverse(5);
  rms_norm<float>(out.view(), inverse.data(), x.view(), weight.view().data, kEpsilon);
  rms_norm<float>(x.view(), inverse.data(), x.view(), weight.view().data, kEpsilon);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 37; ++j) CHECK(x(i, j) == out(i, j));
  }
  rms_norm<float>(x.view().row_block(0, 0), inverse.data(), x.view().row_block(0, 0), weight.view().data, kEpsilon);
  CHECK(x.untouched_outside());
}

TEST_CASE("a row of a norm has the same bits alone and among other rows") {
  const std::size_t rows = 37;
  Guarded<float> x(rows, 21, 2, 1);
  x.fill_normal(6);
  Guarded<float> out(rows, 21);
  Guarded<float> alone(1, 21);
  Guarded<float> weight(1, 21);
  Guarded<float> bias(1, 21);
  weight.fill_normal(7);
  bias.fill_normal(8);
  std::vector<float> mean(rows);
  std::vector<float> inverse(rows);
  layer_norm<float>(out.view(), mean.data(), inverse.data(), x.view(), weight.view().data, bias.view().data, kEpsilon);
  for (std::size_t i = 0; i < rows; ++i) {
    float statistics[2];
    layer_norm<float>(alone.view(), statistics, statistics + 1, x.view().row_block(i, 1), weight.view().data,
                      bias.view().data, kEpsilon);
    CHECK(statistics[0] == mean[i]);
    CHECK(statistics[1] == inverse[i]);
    for (std::size_t j = 0; j < 21; ++j) CHECK(out(i, j) == alone(0, j));
  }
}

TEST_CASE("a root-mean-square norm of equal elements is their sign, whatever their size") {
  for (const float size : {1e-10F, 1.0F, 1e15F}) {
    const float x[5] = {size, -size, size, size, -size};
    float out[5];
    float inverse = 0;
    rms_norm<float>({out, 1, 5}, &inverse, {x, 1, 5}, nullptr, 0);
    for (int j = 0; j < 5; ++j) CHECK(out[j] == doctest::Approx(x[j] < 0 ? -1 : 1).epsilon(1e-6));
  }
}

TEST_CASE("a layer norm of equal elements is its bias, also far from zero") {
  const float bias[6] = {1, 2, 3, 4, 5, 6};
  const float x[6] = {4096, 4096, 4096, 4096, 4096, 4096};
  float out[6];
  float mean = 0;
  float inverse = 0;
  layer_norm<float>({out, 1, 6}, &mean, &inverse, {x, 1, 6}, nullptr, bias, kEpsilon);
  for (int j = 0; j < 6; ++j) CHECK(out[j] == doctest::Approx(static_cast<double>(bias[j])).epsilon(1e-6));
  CHECK(mean == 4096);
}

TEST_CASE("with one column a root-mean-square norm is the sign, a layer norm its bias") {
  const float x[3] = {-2, 3, 1e5F};
  const float weight = 2;
  const float bias = 7;
  float out[3];
  float mean[3];
  float inverse[3];
  rms_norm<float>({out, 3, 1}, inverse, {x, 3, 1}, &weight, 0);
  CHECK(out[0] == -2);
  CHECK(out[1] == 2);
  CHECK(out[2] == 2);
  layer_norm<float>({out, 3, 1}, mean, inverse, {x, 3, 1}, &weight, &bias, kEpsilon);
  for (const float y : out) CHECK(y == 7);
}

TEST_CASE("the backward pass of norms matches central differences, and accumulates") {
  for (const bool centred : {false, true}) {
    for (const std::size_t cols : {1, 2, 3, 8, 17}) {
      const std::size_t rows = 3;
      Guarded<double> x(rows, cols, 1, 1);
      Guarded<double> weight(1, cols);
      Guarded<double> bias(1, cols);
      Guarded<double> dout(rows, cols, 2, 3);
      x.fill_normal(1);
      weight.fill_normal(2);
      bias.fill_normal(3);
      dout.fill_normal(4);
      Guarded<double> out(rows, cols);
      std::vector<double> mean(rows);
      std::vector<double> inverse(rows);
      const auto loss = [&] {
        if (centred) {
          layer_norm<double>(out.view(), mean.data(), inverse.data(), x.view(), weight.view().data, bias.view().data,
                             kEpsilon);
        } else {
          rms_norm<double>(out.view(), inverse.data(), x.view(), weight.view().data, kEpsilon);
        }
        double total = 0;
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < cols; ++j) total += out(i, j) * dout(i, j);
        }
        return total;
      };
      loss();
      Guarded<double> dx(rows, cols, 3, 2);
      Guarded<double> dweight(1, cols);
      Guarded<double> dbias(1, cols);
      for (std::size_t j = 0; j < cols; ++j) {
        for (std::size_t i = 0; i < rows; ++i) dx(i, j) = 1;
        dweight(0, j) = 2;
        dbias(0, j) = 3;
      }
      if (centred) {
        layer_norm_backward<double>(dx.view(), dweight.view().data, dbias.view().data, dout.view(), x.view(),
                                    weight.view().data, mean.data(), inverse.data());
      } else {
        rms_norm_backward<double>(dx.view(), dweight.view().data, dout.view(), x.view(), weight.view().data,
                                  inverse.data());
      }
      const double h = 1e-5;
      const auto difference = [&](double& value) {
        const double before = value;
        value = before + h;
        const double above = loss();
        value = before - h;
        const double below = loss();
        value = before;
        return (above - below) / (2 * h);
      };
      // Truncation h^2 times third derivatives, which are large for a row of nearly equal elements; rounding 1e-16 / h.
      const double tolerance = centred && cols == 2 ? 1e-4 : 1e-6;
      for (std::size_t j = 0; j < cols; ++j) {
        for (std::size_t i = 0; i < rows; ++i) CHECK(std::fabs(dx(i, j) - 1 - difference(x(i, j))) < tolerance);
        CHECK(std::fabs(dweight(0, j) - 2 - difference(weight(0, j))) < tolerance);
        if (centred) CHECK(std::fabs(dbias(0, j) - 3 - difference(bias(0, j))) < tolerance);
      }
      CHECK(dx.untouched_outside());
      CHECK(dweight.untouched_outside());
      CHECK(dbias.untouched_outside());
    }
  }
}

TEST_CASE("the backward pass in float agrees with that in double, with and without weight") {
  const std::size_t rows = 7;
  const std::size_t cols = 67;
  Guarded<float> x(rows, cols, 1, 1);
  Guarded<float> dout(rows, cols, 2, 2);
  Guarded<float> weight(1, cols, 0, 3);
  x.fill_normal(5, 2);
  dout.fill_normal(6);
  weight.fill_normal(7);
  Guarded<double> wide_x(rows, cols);
  Guarded<double> wide_dout(rows, cols);
  Guarded<double> wide_weight(1, cols);
  Guarded<float> dx(rows, cols, 3, 1);
  Guarded<double> wide_dx(rows, cols);
  for (std::size_t j = 0; j < cols; ++j) {
    wide_weight(0, j) = static_cast<double>(weight(0, j));
    for (std::size_t i = 0; i < rows; ++i) {
      wide_x(i, j) = static_cast<double>(x(i, j));
      wide_dout(i, j) = static_cast<double>(dout(i, j));
    }
  }
  for (const bool has_weight : {true, false}) {
    std::vector<float> dweight(cols, 0);
    std::vector<float> dbias(cols, 0);
    std::vector<double> wide_dweight(cols, 0);
    std::vector<double> wide_dbias(cols, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        dx(i, j) = 0;
        wide_dx(i, j) = 0;
      }
    }
    Guarded<float> out(rows, cols);
    Guarded<double> wide_out(rows, cols);
    std::vector<float> mean(rows);
    std::vector<float> inverse(rows);
    std::vector<double> wide_mean(rows);
    std::vector<double> wide_inverse(rows);
    layer_norm<float>(out.view(), mean.data(), inverse.data(), x.view(), nullptr, nullptr, kEpsilon);
    layer_norm<double>(wide_out.view(), wide_mean.data(), wide_inverse.data(), wide_x.view(), nullptr, nullptr,
                       kEpsilon);
    layer_norm_backward<float>(dx.view(), has_weight ? dweight.data() : nullptr, dbias.data(), dout.view(), x.view(),
                               has_weight ? weight.view().data : nullptr, mean.data(), inverse.data());
    layer_norm_backward<double>(wide_dx.view(), has_weight ? wide_dweight.data() : nullptr, wide_dbias.data(),
                                wide_dout.view(), wide_x.view(), has_weight ? wide_weight.view().data : nullptr,
                                wide_mean.data(), wide_inverse.data());
    for (std::size_t j = 0; j < cols; ++j) {
      // Sums of seven values of size one, each within a few units of float.
      CHECK(std::fabs(static_cast<double>(dweight[j]) - wide_dweight[j]) < 1e-5);
      CHECK(std::fabs(static_cast<double>(dbias[j]) - wide_dbias[j]) < 1e-5);
      for (std::size_t i = 0; i < rows; ++i) CHECK(std::fabs(static_cast<double>(dx(i, j)) - wide_dx(i, j)) < 1e-5);
    }
    CHECK(dx.untouched_outside());
  }
}
