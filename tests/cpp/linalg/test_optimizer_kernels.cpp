#include <doctest/doctest.h>

#include <cmath>

#include "linalg/optimizer_kernels.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

TEST_CASE_TEMPLATE("adamw agrees with its formula over several steps at every length", T, float, double) {
  const double rate = 0.01;
  const double beta1 = 0.9;
  const double beta2 = 0.95;
  const double epsilon = 1e-8;
  const double decay = 0.1;
  const double clip = 0.5;
  for (const std::size_t size : test::kVectorSizes) {
    Guarded<T> w(1, size, 0, 1);
    Guarded<T> m(1, size, 0, 2);
    Guarded<T> v(1, size, 0, 3);
    w.fill_normal(1);
    std::vector<double> plain_w(size);
    std::vector<double> plain_m(size, 0);
    std::vector<double> plain_v(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      m(0, i) = 0;
      v(0, i) = 0;
      plain_w[i] = static_cast<double>(w(0, i));
    }
    for (int step = 1; step <= 3; ++step) {
      Guarded<T> gradient(1, size, 0, step % 4);
      gradient.fill_normal(static_cast<std::uint64_t>(step) + 10);
      const double correction1 = 1 - std::pow(beta1, step);
      const double correction2 = 1 - std::pow(beta2, step);
      adamw_update<T>(w.view().data, m.view().data, v.view().data, gradient.view().data, size, rate, beta1, beta2,
                      epsilon, decay, correction1, correction2, clip);
      for (std::size_t i = 0; i < size; ++i) {
        const double g = clip * static_cast<double>(gradient(0, i));
        plain_w[i] -= rate * decay * plain_w[i];
        plain_m[i] = beta1 * plain_m[i] + (1 - beta1) * g;
        plain_v[i] = beta2 * plain_v[i] + (1 - beta2) * g * g;
        plain_w[i] -= rate / correction1 * plain_m[i] / (std::sqrt(plain_v[i]) / std::sqrt(correction2) + epsilon);
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      // About twenty roundings of values of size one; rounding beta2 to T changes 1 - beta2 by 20 units.
      CHECK(std::fabs(static_cast<double>(w(0, i)) - plain_w[i]) <=
            32 * test::kRoundoff<T> * std::fmax(1, std::fabs(plain_w[i])));
    }
    CHECK(w.untouched_outside());
    CHECK(m.untouched_outside());
    CHECK(v.untouched_outside());
  }
}

TEST_CASE_TEMPLATE("coupled adamw agrees with its formula over several steps at every width", T, float, double) {
  const double rate = 0.01;
  const double beta1 = 0.9;
  const double beta2 = 0.95;
  const double epsilon = 1e-8;
  const double decay = 0.1;
  const double clip = 0.5;
  constexpr std::size_t kRows = 7;
  for (const std::size_t cols : test::kVectorSizes) {
    Guarded<T> w(kRows, cols, 0, 1);
    Guarded<T> m(kRows, cols, 0, 2);
    Guarded<T> v(1, cols, 0, 3);
    w.fill_normal(1);
    std::vector<double> plain_w(kRows * cols);
    std::vector<double> plain_m(kRows * cols, 0);
    std::vector<double> plain_v(cols, 0);
    for (std::size_t i = 0; i < kRows * cols; ++i) {
      m(0, i) = 0;
      plain_w[i] = static_cast<double>(w(0, i));
    }
    for (std::size_t col = 0; col < cols; ++col) v(0, col) = 0;
    for (int step = 1; step <= 3; ++step) {
      Guarded<T> gradient(kRows, cols, 0, step % 4);
      gradient.fill_normal(static_cast<std::uint64_t>(step) + 10);
      const double correction1 = 1 - std::pow(beta1, step);
      const double correction2 = 1 - std::pow(beta2, step);
      coupled_adamw_update<T>(w.view().data, m.view().data, v.view().data, gradient.view().data, kRows, cols, rate,
                              beta1, beta2, epsilon, decay, correction1, correction2, clip);
      for (std::size_t col = 0; col < cols; ++col) {
        double mean = 0;
        for (std::size_t row = 0; row < kRows; ++row) {
          mean += std::pow(clip * static_cast<double>(gradient(row, col)), 2) / kRows;
        }
        plain_v[col] = beta2 * plain_v[col] + (1 - beta2) * mean;
        for (std::size_t row = 0; row < kRows; ++row) {
          double& weight = plain_w[row * cols + col];
          double& moment = plain_m[row * cols + col];
          weight -= rate * decay * weight;
          moment = beta1 * moment + (1 - beta1) * clip * static_cast<double>(gradient(row, col));
          weight -= rate / correction1 * moment / (std::sqrt(plain_v[col]) / std::sqrt(correction2) + epsilon);
        }
      }
    }
    for (std::size_t i = 0; i < kRows * cols; ++i) {
      // As above, with the sum of the rows.
      CHECK(std::fabs(static_cast<double>(w(0, i)) - plain_w[i]) <=
            40 * test::kRoundoff<T> * std::fmax(1, std::fabs(plain_w[i])));
    }
    CHECK(w.untouched_outside());
    CHECK(m.untouched_outside());
    CHECK(v.untouched_outside());
  }
}

TEST_CASE("coupled adamw does not move a row without gradient, and divides a rare row by the shared moment") {
  constexpr std::size_t kRows = 100;
  std::vector<float> w(kRows, 1.0F);
  std::vector<float> m(kRows, 0.0F);
  std::vector<float> gradient(kRows, 0.0F);
  float v = 0;
  gradient[0] = 3;
  coupled_adamw_update<float>(w.data(), m.data(), &v, gradient.data(), kRows, 1, 0.01, 0.9, 0.999, 1e-12, 0, 0.1, 0.001,
                              1);
  // The root of the mean square is a tenth of the gradient, and AdamW's step would be 0.01.
  CHECK(w[0] == doctest::Approx(0.9).epsilon(1e-5));
  for (std::size_t row = 1; row < kRows; ++row) CHECK(w[row] == 1.0F);
}

TEST_CASE("adamw's first step has the size of the learning rate, whatever the gradient's") {
  for (const float gradient : {1e-3F, 1.0F, 1e3F}) {
    float w = 2;
    float m = 0;
    float v = 0;
    adamw_update<float>(&w, &m, &v, &gradient, 1, 0.01, 0.9, 0.999, 1e-12, 0, 0.1, 0.001, 1);
    CHECK(w == doctest::Approx(1.99).epsilon(1e-5));
  }
}

TEST_CASE("adamw leaves a parameter without gradient and decay unchanged") {
  float w[5] = {1, 2, 3, 4, 5};
  float m[5] = {};
  float v[5] = {};
  const float gradient[5] = {};
  adamw_update<float>(w, m, v, gradient, 5, 0.1, 0.9, 0.999, 1e-8, 0, 0.1, 0.001, 1);
  for (int i = 0; i < 5; ++i) CHECK(w[i] == static_cast<float>(i + 1));
}

TEST_CASE_TEMPLATE("gradient descent agrees with its formula, with and without momentum", T, float, double) {
  for (const std::size_t size : test::kVectorSizes) {
    for (const double momentum : {0.0, 0.9}) {
      Guarded<T> w(1, size, 0, 1);
      Guarded<T> velocity(1, size, 0, 2);
      w.fill_normal(1);
      std::vector<double> plain_w(size);
      std::vector<double> plain_velocity(size, 0);
      for (std::size_t i = 0; i < size; ++i) {
        velocity(0, i) = 0;
        plain_w[i] = static_cast<double>(w(0, i));
      }
      for (int step = 1; step <= 3; ++step) {
        Guarded<T> gradient(1, size, 0, step % 4);
        gradient.fill_normal(static_cast<std::uint64_t>(step) + 20);
        sgd_update<T>(w.view().data, momentum == 0 ? nullptr : velocity.view().data, gradient.view().data, size, 0.1,
                      momentum, 0.02, 0.5);
        for (std::size_t i = 0; i < size; ++i) {
          plain_w[i] -= 0.1 * 0.02 * plain_w[i];
          plain_velocity[i] = momentum * plain_velocity[i] + 0.5 * static_cast<double>(gradient(0, i));
          plain_w[i] -= 0.1 * plain_velocity[i];
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(std::fabs(static_cast<double>(w(0, i)) - plain_w[i]) <=
              16 * test::kRoundoff<T> * std::fmax(1, std::fabs(plain_w[i])));
      }
      CHECK(w.untouched_outside());
      CHECK(velocity.untouched_outside());
    }
  }
}
