// What a singular value decomposition by Eigen would be. Eigen 3.4 has no vectors for wasm: as wasm this file is built
// with Emscripten's emulation of SSE (-msse4.2 beside -msimd128), which Eigen takes for an x86 machine. Its paths for
// GCC are assembly there, so Eigen must not see the compiler's name; the standard library has to be included before.
#if defined(__EMSCRIPTEN__) && defined(__SSE4_2__)
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <immintrin.h>

#include "base/random.h"
#include "decompositions.h"
#undef __GNUC__
// Keeps clang's header of MMX out, which refuses every machine but x86; the emulation does without.
#define __MMINTRIN_H
#endif

#define EIGEN_NO_DEBUG
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/SVD>

#include "base/random.h"
#include "decompositions.h"

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
        static volatile float used = 0;  // so that the work cannot be left out
        const Eigen::BDCSVD<Eigen::MatrixXf> svd(*matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
        used = used + svd.singularValues()(0) + svd.matrixU()(0, 0) + svd.matrixV()(0, 0);
      };
    };
    cases.push_back(std::move(result));
  }
}

}  // namespace tied::bench
