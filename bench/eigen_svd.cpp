// Eigen's singular value decomposition, for comparison. In its own file, so that it gets the flags of
// decompositions.cpp.
#include <memory>
#include <string>

#include "base/random.h"
#include "decompositions.h"
#include "linalg/eigen_on_wasm.h"

#define EIGEN_NO_DEBUG
#define EIGEN_NO_IO
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/SVD>

namespace tied::bench {

void add_singular_value_decompositions(std::vector<Case>& cases) {
  for (const int n : {256, 512}) {
    Case result;
    result.id = "decompose/svd/" + std::to_string(n);
    result.prepare = [n]() -> std::function<void()> {
      const auto matrix = std::make_shared<Eigen::MatrixXf>(n, n);
      Random random(static_cast<std::uint64_t>(n), stream_of("bench"));
      for (Eigen::Index i = 0; i < matrix->size(); ++i) matrix->data()[i] = random.uniform() - 0.5F;
      return [matrix] {
        static volatile float used = 0;  // keeps the compiler from removing the work
        const Eigen::BDCSVD<Eigen::MatrixXf> svd(*matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
        used = used + svd.singularValues()(0) + svd.matrixU()(0, 0) + svd.matrixV()(0, 0);
      };
    };
    cases.push_back(std::move(result));
  }
}

}  // namespace tied::bench
