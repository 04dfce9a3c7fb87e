#include "decompositions.h"

#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "linalg/decompositions.h"
#include "linalg/polar.h"
#include "or_exit.h"

namespace tied::bench {
namespace {

template <class T>
Matrix<T> random_matrix(std::size_t n) {
  Matrix<T> m = value_or_exit(Matrix<T>::create(n, n));
  Random random(n, stream_of("bench"));
  for (std::size_t i = 0; i < n * n; ++i) m.data()[i] = static_cast<T>(random.uniform()) - T(0.5);
  return m;
}

Matrix<double> random_symmetric(std::size_t n) {
  Matrix<double> m = random_matrix<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) m(j, i) = m(i, j);
  }
  return m;
}

Case case_of(const char* kind, std::size_t n, std::function<std::function<void()>()> prepare) {
  Case result;
  result.id = std::string("decompose/") + kind + "/" + std::to_string(n);
  result.prepare = std::move(prepare);
  return result;
}

}  // namespace

void add_decompositions(std::vector<Case>& cases) {
  for (const std::size_t n : {256, 512}) {
    cases.push_back(case_of("polar", n, [n]() -> std::function<void()> {
      struct Work {
        Matrix<float> matrix;
        Matrix<float> factor;
        PolarSolver<float> solver;
      };
      const auto work = std::make_shared<Work>(random_matrix<float>(n), value_or_exit(Matrix<float>::create(n, n)),
                                               value_or_exit(PolarSolver<float>::create(n, n)));
      return [work] { exit_unless(work->solver.factor(work->factor.view(), work->matrix.view())); };
    }));
  }
  for (const std::size_t n : {64, 256, 512, 1024}) {
    cases.push_back(case_of("symmetric-eigenvalues", n, [n]() -> std::function<void()> {
      const auto matrix = std::make_shared<Matrix<double>>(random_symmetric(n));
      return [matrix] { value_or_exit(symmetric_eigenvalues(matrix->view())); };
    }));
    cases.push_back(case_of("symmetric-eigen", n, [n]() -> std::function<void()> {
      const auto matrix = std::make_shared<Matrix<double>>(random_symmetric(n));
      return [matrix] { value_or_exit(symmetric_eigen(matrix->view())); };
    }));
  }
  for (const std::size_t n : {256, 512}) {
    cases.push_back(case_of("singular-values", n, [n]() -> std::function<void()> {
      const auto matrix = std::make_shared<Matrix<double>>(random_matrix<double>(n));
      return [matrix] { value_or_exit(singular_values(matrix->view())); };
    }));
  }
}

}  // namespace tied::bench
