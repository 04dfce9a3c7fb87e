#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../baseline.h"
#include "linalg/activation.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

double plain_gelu(double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }

}  // namespace

TEST_CASE_TEMPLATE("gelu agrees with its tanh formula at every length and start", T, float, double) {
  for (const std::size_t size : test::kVectorSizes) {
    for (const std::size_t offset : {0, 1, 2, 3}) {
      Guarded<T> x(1, size, 0, offset);
      Guarded<T> out(1, size, 0, 3 - offset);
      x.fill_normal(size, 2);
      gelu<T>(out.view().data, nullptr, x.view().data, size);
      for (std::size_t i = 0; i < size; ++i) {
        const auto value = static_cast<double>(x(0, i));
        // A few roundings; the plain formula cancels in its tail, hence an absolute bound.
        CHECK(std::fabs(static_cast<double>(out(0, i)) - plain_gelu(value)) <=
              16 * test::kRoundoff<T> * std::fmax(1, std::fabs(value)));
      }
      CHECK(out.untouched_outside());
    }
  }
}

TEST_CASE("an element of gelu and of its derivative has the same bits at every place") {
  const std::size_t size = 300;
  Guarded<float> x(1, size);
  x.fill_normal(5, 3);
  Guarded<float> out(1, size);
  Guarded<float> slope(1, size);
  gelu<float>(out.view().data, slope.view().data, x.view().data, size);
  for (std::size_t i = 0; i < size; ++i) {
    float alone[2];
    gelu<float>(alone, alone + 1, x.view().data + i, 1);
    CHECK(alone[0] == out(0, i));
    CHECK(alone[1] == slope(0, i));
  }
}

TEST_CASE("gelu of special values: no overflow, NaN stays NaN") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float x[] = {0, 1e4F, -1e4F, 100, -100, kInfinity, std::numeric_limits<float>::quiet_NaN()};
  float out[7];
  float slope[7];
  gelu(out, slope, x, 7);
  CHECK(out[0] == 0);
  CHECK(out[1] == 1e4F);
  CHECK(out[2] == 0);
  CHECK(out[3] == 100);
  CHECK(out[4] == 0);
  CHECK(out[5] == kInfinity);
  CHECK(std::isnan(out[6]));
  CHECK(slope[0] == 0.5F);
  CHECK(slope[1] == 1);
  CHECK(slope[2] == 0);
  CHECK(slope[3] == 1);
  CHECK(slope[4] == 0);
  CHECK(std::isnan(slope[6]));
}

TEST_CASE("gelu halves subnormal values") {
  float x[] = {0x1p-148F, -0x1p-148F, 0x1p-127F};
  gelu<float>(x, nullptr, x, 3);
  CHECK(x[0] == 0x1p-149F);
  CHECK(x[1] == -0x1p-149F);
  CHECK(x[2] == 0x1p-128F);
}

TEST_CASE("gelu's derivative matches central differences") {
  const std::size_t size = 401;
  std::vector<double> x(size);
  std::vector<double> out(size);
  std::vector<double> slope(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = -10 + 0.05 * static_cast<double>(i);
  gelu(out.data(), slope.data(), x.data(), size);
  const double h = 1e-5;
  for (std::size_t i = 0; i < size; ++i) {
    double shifted[2] = {x[i] + h, x[i] - h};
    gelu<double>(shifted, nullptr, shifted, 2);
    // Truncation h^2 times a third derivative below 2, rounding 10 * 2^-53 / h.
    CHECK(std::fabs(slope[i] - (shifted[0] - shifted[1]) / (2 * h)) < 5e-10);
  }
}

TEST_CASE("gelu's derivative in float agrees with the double one, at every length and start, also in place") {
  for (const std::size_t size : test::kVectorSizes) {
    for (const std::size_t offset : {0, 1, 2, 3}) {
      Guarded<float> x(1, size, 0, offset);
      Guarded<float> out(1, size, 0, 3 - offset);
      x.fill_normal(size, 3);
      const std::vector<double> wide(x.view().data, x.view().data + size);
      std::vector<double> wide_out(size);
      std::vector<double> wide_slope(size);
      gelu(wide_out.data(), wide_slope.data(), wide.data(), size);
      Guarded<float> alone(1, size);
      gelu<float>(alone.view().data, nullptr, x.view().data, size);
      gelu<float>(out.view().data, x.view().data, x.view().data, size);
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(out(0, i) == alone(0, i));
        // Values within +-1.2; terms of size up to 5 (x s (1 - s) 2 u') with some ten roundings.
        CHECK(std::fabs(static_cast<double>(x(0, i)) - wide_slope[i]) <= 50 * test::kRoundoff<float>);
      }
      CHECK(out.untouched_outside());
      CHECK(x.untouched_outside());
    }
  }
}

TEST_CASE("gelu has these bits on every machine") {
  if (!test::has_baseline_bits()) return;
  Guarded<float> x(1, 1001);
  x.fill_normal(31, 2);
  gelu<float>(x.view().data, nullptr, x.view().data, 1001);
  CHECK(test::hash_of_bits(x.view()) == 0x7ba79f0aace0fb51);
}

TEST_CASE_TEMPLATE("a gated silu agrees with its formula at every length and start", T, float, double) {
  for (const std::size_t size : test::kVectorSizes) {
    for (const std::size_t offset : {0, 1, 2, 3}) {
      Guarded<T> gate(1, size, 0, offset);
      Guarded<T> up(1, size, 0, 3 - offset);
      Guarded<T> out(1, size, 0, 1);
      gate.fill_normal(size, 3);
      up.fill_normal(size + 1);
      silu_gate<T>(out.view().data, gate.view().data, up.view().data, size);
      for (std::size_t i = 0; i < size; ++i) {
        const auto x = static_cast<double>(gate(0, i));
        const double expected = x / (1 + std::exp(-x)) * static_cast<double>(up(0, i));
        // exp within two units, and four roundings.
        CHECK(std::fabs(static_cast<double>(out(0, i)) - expected) <= 16 * test::kRoundoff<T> * std::fabs(expected));
      }
      CHECK(out.untouched_outside());
    }
  }
}

TEST_CASE("a gated silu of large values does not overflow") {
  const float gate[4] = {1e4F, -1e4F, 100, -100};
  const float up[4] = {1, 1, 2, 2};
  float out[4];
  silu_gate(out, gate, up, 4);
  CHECK(out[0] == 1e4F);
  CHECK(out[1] == 0);
  CHECK(out[2] == 200);
  CHECK(out[3] == 0);
}

TEST_CASE("the backward pass of a gated silu matches central differences, also in place") {
  const std::size_t size = 83;
  Guarded<double> gate(1, size, 0, 1);
  Guarded<double> up(1, size, 0, 2);
  Guarded<double> incoming(1, size);
  gate.fill_normal(1, 4);
  up.fill_normal(2);
  incoming.fill_normal(3);
  Guarded<double> dgate = gate;
  Guarded<double> dup = up;
  silu_gate_backward<double>(dgate.view().data, dup.view().data, dgate.view().data, dup.view().data,
                             incoming.view().data, size);
  const double h = 1e-5;
  for (std::size_t i = 0; i < size; ++i) {
    const auto value = [&](double gate_i, double up_i) {
      double out = 0;
      silu_gate(&out, &gate_i, &up_i, 1);
      return out * incoming(0, i);
    };
    const double along_gate = (value(gate(0, i) + h, up(0, i)) - value(gate(0, i) - h, up(0, i))) / (2 * h);
    const double along_up = (value(gate(0, i), up(0, i) + h) - value(gate(0, i), up(0, i) - h)) / (2 * h);
    // Truncation h^2 times a third derivative below 10, rounding 40 * 2^-53 / h.
    CHECK(std::fabs(dgate(0, i) - along_gate) < 2e-9);
    CHECK(std::fabs(dup(0, i) - along_up) < 2e-9);
  }
  CHECK(dgate.untouched_outside());
  CHECK(dup.untouched_outside());
}
